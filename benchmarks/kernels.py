"""`kernels`: the normalised partial tree kernel over 50 sentences of 40 and of 120 words, beside plain Python."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from gardenpath import read
from gardenpath.treebank import Treebank, tree_mask
from gardenpath.treebank.kernels.forest import equal_classes
from gardenpath.treebank.kernels.kernel import TreeKernel
from gardenpath.treebank.kernels.shapes import kernel_trees

from .corpus import MB
from .measure import BenchmarkError, Cost, Measured, in_process, interleaved
from .peers import naive_kernel
from .setting import FULL, Setting
from .table import Cell, Row, Table, at_least, compared

TREES, WORDS, VARIANTS, LONG = 50, 40, 5, 3
_FILE = "en_ewt-ud-train.conllu"
_OURS, _NAIVE = "gardenpath", "plain Python, pair by pair"
_RUNS = 20
_GROWTH = (250, 500, 1000, 2000)


def run(setting: Setting) -> list[Table]:
    share = min(1.0, setting.size / FULL)
    count = max(2 * VARIANTS, round(TREES * share))
    name, treebank = _source(setting)
    sentences = _nearest(treebank, count)
    batches = {
        f"{count} different trees": sentences,
        f"{count} different trees of {LONG} sentences each": _long(_nearest(treebank, LONG * count), count),
        f"{count} trees of one sentence, {VARIANTS} different": _variants(sentences, count),
    }
    tables = [_compared(title, batch, name, setting) for title, batch in batches.items()]
    sizes = sorted({max(10, round(size * share)) for size in _GROWTH})
    return [*tables, _memory(treebank, name, sizes, setting)]


def _source(setting: Setting) -> tuple[str, Treebank]:
    files = setting.corpus.files
    path = next((file for file in files if file.name == _FILE), max(files, key=lambda file: file.stat().st_size))
    treebank = read(path)
    return path.name, treebank.select(tree_mask(treebank.heads, treebank.offsets))


def _nearest(treebank: Treebank, count: int) -> Treebank:
    """Sentences of about 40 words, no two of them equal as trees."""
    near = np.argsort(np.abs(treebank.lengths - WORDS), kind="stable")[: 4 * count]
    some = treebank.select(near)
    first = sorted(int(members[0]) for members in equal_classes(kernel_trees(some)))
    return some.select(first[:count])


def _variants(sentences: Treebank, count: int) -> Treebank:
    """What a parser makes of one sentence in which a word is replaced: in a few ways, which differ in a relation."""
    rng = random.Random(1)
    lines = sentences.block(0).decode().splitlines(keepends=True)
    words = [number for number, line in enumerate(lines) if line[:1].isdigit() and line.split("\t")[6] != "0"]
    found = ["".join(lines)]
    for number in rng.sample(words, VARIANTS - 1):
        cells = lines[number].split("\t")
        cells[7] = "dep"
        found.append("".join([*lines[:number], "\t".join(cells), *lines[number + 1 :]]))
    return Treebank("".join(found[number % VARIANTS] for number in range(count)).encode())


def _long(sentences: Treebank, count: int) -> Treebank:
    """Trees of three sentences each: the roots of the others hang on the root of the first."""
    columns = [sentences.column(name).strings() for name in ("upos", "feats", "deprel")]
    heads, bounds = sentences.heads.tolist(), sentences.offsets.tolist()
    blocks = []
    for first in range(0, LONG * count, LONG):
        begin = bounds[first]
        top = 1 + heads[begin : bounds[first + 1]].index(0)
        for sentence in range(first, first + LONG):
            before = bounds[sentence] - begin
            for word in range(bounds[sentence], bounds[sentence + 1]):
                tag, feats, relation = (column[word] for column in columns)
                head = heads[word] + before if heads[word] or sentence == first else top
                blocks.append(f"{word - begin + 1}\t_\t_\t{tag}\t_\t{feats}\t{head}\t{relation}\t_\t_\n")
        blocks.append("\n")
    return Treebank("".join(blocks).encode())


def _compared(title: str, batch: Treebank, source: str, setting: Setting) -> Table:
    columns = [batch.column(name).strings() for name in ("upos", "feats", "deprel")]
    heads, bounds = batch.heads.tolist(), batch.offsets.tolist()

    def naive() -> tuple[list[list[int]], list[list[float]]]:
        trees = [naive_kernel.grct(heads[a:b], *(column[a:b] for column in columns)) for a, b in pairwise(bounds)]
        values = naive_kernel.gram(trees)
        return values, naive_kernel.normalised(values)

    def ours() -> np.ndarray:
        """As the study asks for it: floating point is enough for normalised values."""
        return TreeKernel(whole=False).gram(kernel_trees(batch)).normalised()

    expected, far = naive()
    exact = TreeKernel().gram(kernel_trees(batch)).values.tolist()
    if exact != expected or not np.allclose(ours(), far, rtol=1e-12):
        raise BenchmarkError("plain Python finds other values than gardenpath")
    contestants = {_OURS: _each(ours), _NAIVE: in_process(naive)}
    costs = interleaved(contestants, setting.repeats, setting.tell)
    pairs = len(batch) * (len(batch) + 1) // 2
    rows = compared(costs, ours=_OURS, targets={_NAIVE: at_least(200)})
    for row in rows:
        cost = row.runs.cpu if row.runs else 1.0
        row.cells = {"contestant": row.cells.pop("contestant"), "pairs/s": pairs / cost, **row.cells}
    length = f"{batch.lengths.min()} to {batch.lengths.max()} words"
    digits = len(str(max(map(max, exact))))
    notes = [
        f"from {source}, {length}; trees (GRCT) made, reading left out, on both sides",
        f"gardenpath: mean of {_RUNS} runs in a row",
        f"normalised values are equal to 12 digits, the {pairs} exact ones in full, the largest of {digits} digits",
    ]
    return Table(f"kernels: Gram matrix of {title} (one process, CPU time)", rows, notes)


def _each(work: Callable[[], object]) -> Measured:
    """One of several runs in a row: a single one is too short for the clock, and no study has one batch alone."""

    def run() -> Cost:
        cost = in_process(lambda: [work() for _ in range(_RUNS)])()
        return Cost(cost.cpu / _RUNS, cost.wall / _RUNS)

    return run


def _memory(treebank: Treebank, source: str, sizes: list[int], setting: Setting) -> Table:
    """What a matrix takes beside itself, as trees become more."""
    rows = []
    for size in sizes:
        forest = kernel_trees(treebank.select(range(min(size, len(treebank)))))
        setting.tell(f"memory of {size} trees")
        tracemalloc.start()
        gram = TreeKernel().gram(forest)
        kept, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        alike = int((np.bincount(forest.labels).astype(np.int64) ** 2).sum())
        cells: dict[str, Cell] = {
            "trees": str(len(gram.which)),
            "different subtrees": str(forest.subtrees),
            "pairs alike": str(alike),
            "peak MB": (peak - kept) / MB,
            "KB per subtree": (peak - kept) / 1000 / forest.subtrees,
        }
        rows.append(Row(cells))
    return Table(f"kernels: memory beside the matrix itself, first sentences of {source}", rows)
