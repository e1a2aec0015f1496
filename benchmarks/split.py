"""`split`: 150,000 sentences to the splits of least and greatest EDV, and the paper's procedure on a few of them."""

from __future__ import annotations

import tracemalloc
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gardenpath import read
from gardenpath.treebank.format.treebank import Treebank
from gardenpath.treebank.split.deal import TOLERANCE, Split
from gardenpath.treebank.split.displacement import Extreme, displacement_split
from gardenpath.treebank.split.report import distance
from gardenpath.treebank.trees.duplicates import near_texts

from .measure import BenchmarkError, gardenpath_command, in_child, in_process, interleaved
from .setting import FULL, Setting
from .table import Cell, Row, Table, Target, at_least, compared

SENTENCES, SIZE, FEW = 150_000, 200.0, 2_000
EXTREMES: tuple[Extreme, ...] = ("min", "max")
_SECONDS, _TIMES = 2.0, 3.0
"""What a split may take, without reading, and how many times the columns it may need."""


def run(setting: Setting) -> list[Table]:
    path = setting.folder / "split.conllu"
    setting.corpus.write(path, setting.scaled(SIZE))
    whole = read(path)
    count = max(20, round(setting.scaled(SENTENCES)))
    treebank = whole[:count] if len(whole) > count else whole
    treebank.write(path)
    return [_large(setting, treebank, path), _small(setting, treebank[: max(20, min(FEW, len(treebank)))])]


def _large(setting: Setting, treebank: Treebank, path: Path) -> Table:
    columns = sum(one.nbytes for one in (treebank.ids, treebank.heads, treebank.offsets, treebank.lengths))
    contestants = {
        f"{extreme}-edv, same words together, without reading": in_process(
            partial(_split, treebank, extreme, near=None)
        )
        for extreme in EXTREMES
    }
    contestants |= {
        f"{extreme}-edv by document, near duplicates together, without reading": in_process(
            # A small input has few documents, which make parts of other sizes.
            partial(_split, treebank, extreme, by_document=True, tolerance=0.2 if setting.is_trial else TOLERANCE)
        )
        for extreme in EXTREMES
    }
    contestants |= {
        f"gardenpath treebank split --method {extreme}-edv": in_child([
            *gardenpath_command(), "treebank", "split", path, "-o", setting.folder / extreme, "--force",
            "--method", f"{extreme}-edv",
        ])
        for extreme in EXTREMES
    }  # fmt: skip
    contestants["all near duplicates, without reading"] = in_process(lambda: near_texts(treebank).groups())
    contestants["max-edv by the paper's procedure, without reading"] = in_process(
        lambda: displacement_split(treebank, "max", procedure="paper")
    )
    found = interleaved(contestants, setting.repeats, setting.tell)
    memory = {
        f"{extreme}-edv, same words together, without reading": _peak(treebank, extreme) / columns
        for extreme in EXTREMES
    }
    reached = {extreme: distance(treebank, displacement_split(treebank, extreme)) for extreme in EXTREMES}
    rows = []
    for name, costs in found.items():
        cells: dict[str, Cell] = {
            "contestant": name, "CPU s": costs.cpu, "wall s": costs.wall, "memory/columns": memory.get(name),
        }  # fmt: skip
        # The bound is on the full size; smaller input must not make it easier than that.
        bounded = name.startswith(EXTREMES) and setting.size >= FULL
        bound = Target("CPU s", "<=", _SECONDS, " s") if bounded else None
        rows.append(Row(cells, bound, costs))
    notes = [
        f"{extreme}: EDV {one.edv:.4f}, {one.draws} random splits {one.mean:.4f}, z {one.z or 0:.1f}"
        for extreme, one in reached.items()
        if one is not None
    ]
    worst = max(memory.values())
    notes.append(f"peak memory is {worst:.1f} times that of the columns ID and HEAD (bound: {_TIMES:g})")
    if worst > _TIMES and setting.size >= FULL:
        notes.append("the bound on memory is NOT kept")
    title = f"split: {len(treebank)} sentences, {treebank.word_count} words, with 100 random splits to compare with"
    return Table(title, rows, notes)


def _split(treebank: Treebank, extreme: Extreme, **how: Any) -> object:
    split = displacement_split(treebank, extreme, **how)
    return split, distance(treebank, split)


def _peak(treebank: Treebank, extreme: Extreme) -> int:
    tracemalloc.start()
    _split(treebank, extreme, near=None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def _small(setting: Setting, treebank: Treebank) -> Table:
    """Beside the procedure as the paper has it, which takes n² steps."""
    notes = []
    for extreme in EXTREMES:
        ours, theirs = (
            distance(treebank, split, draws=0)
            for split in (displacement_split(treebank, extreme), greedy(treebank, extreme))
        )
        if ours is None or theirs is None:
            raise BenchmarkError("the sample has no edges")
        notes.append(f"{extreme}: EDV {ours.edv:.4f}, the paper's procedure {theirs.edv:.4f}")
        picked = displacement_split(treebank, extreme, procedure="paper").parts["test"]
        if picked.tolist() != greedy(treebank, extreme).parts["test"].tolist():
            raise BenchmarkError("the paper's procedure picks other sentences in bins than one at a time")
    name, peer = "gardenpath, max-edv, the paper's procedure", "the same as it is written, in n² steps"
    contestants = {
        name: in_process(lambda: displacement_split(treebank, "max", procedure="paper")),
        peer: in_process(lambda: greedy(treebank, "max")),
    }
    found = interleaved(contestants, setting.repeats, setting.tell)
    targets = {peer: at_least(1)} if setting.size >= FULL else {}
    return Table(
        f"split: {len(treebank)} sentences (one process, CPU time)", compared(found, ours=name, targets=targets), notes
    )


def greedy(treebank: Treebank, extreme: Extreme, seed: int = 0) -> Split:
    """Section 6.1 of the EDV paper as it is written: four to train, one to test, by MED; then dev by chance."""
    rng = np.random.default_rng(seed)
    lengths = treebank.lengths
    displacement = np.where(treebank.heads > 0, treebank.ids - treebank.heads, 0)
    med = np.add.reduceat(displacement, treebank.offsets[:-1]) / np.maximum(lengths - 1, 1)
    left = lengths > 2
    train: list[int] = []
    test: list[int] = []

    def take(length: int, value: float, furthest: bool) -> int:
        places = np.flatnonzero(left)
        gaps = np.abs(lengths[places] - length)
        places = places[gaps == gaps.min()]
        gaps = np.abs(med[places] - value)
        place = int(places[np.argmax(gaps) if furthest else np.argmin(gaps)])
        left[place] = False
        return place

    while left.any():
        there = np.unique(lengths[left])
        length = int(there[rng.integers(len(there))])
        first = np.sort(med[left & (lengths == length)])
        value = sum(med[train].tolist()) / len(train) if train else float(first[rng.integers(len(first))])
        train += [take(length, value, False) for _ in range(min(4, int(left.sum())))]
        if left.any():
            test.append(take(length, value, extreme == "max"))
    dev = rng.permutation(train)[: len(train) // 4]
    return Split({"train": np.setdiff1d(train, dev), "dev": np.sort(dev), "test": np.sort(test)})
