"""`displacement`: a hundred files to histograms of edge displacement, as `displacement collection` makes them."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

from gardenpath import read
from gardenpath.studies.displacement.distances import Sample, sample
from gardenpath.treebank.trees.displacement import LIMIT

from .corpus import MB
from .measure import BenchmarkError, in_process, interleaved
from .setting import Setting, missing
from .table import Table, at_least, compared

FILES, SIZE = 100, 120.0
_SAMPLE = 5
"""Udapi gets every fifth file: all would take minutes."""
_OURS, _UDAPI = "gardenpath", "Udapi loop"


def run(setting: Setting) -> list[Table]:
    folder = setting.folder / "collection"
    folder.mkdir()
    files = [folder / f"{number:03}.conllu" for number in range(FILES)]
    size = setting.corpus.write_many(files, setting.scaled(SIZE))
    every_fifth = files[::_SAMPLE]
    absent = missing(**{_UDAPI: "udapi"})
    contestants = {_OURS: in_process(partial(_all, files))}
    sizes = {_OURS: size}
    if not absent:
        check(every_fifth)
        name = f"{_UDAPI} on {len(every_fifth)} of the files"
        contestants[name] = in_process(lambda: [with_udapi(path) for path in every_fifth])
        sizes[name] = sum(path.stat().st_size for path in every_fifth) / MB
    _all(files)
    found = interleaved(contestants, setting.repeats, setting.tell)
    targets = {name: at_least(20) for name in found if name.startswith(_UDAPI)}
    rows = compared(found, ours=_OURS, megabytes=sizes, targets=targets)
    title = f"displacement: {FILES} files, {size:.0f} MB, to histograms (one process, CPU time)"
    notes = [*absent.values()]
    if not absent:
        notes += [f"Udapi reads {sizes[name]:.0f} MB: time per MB is compared", "histograms are equal", "aim: 40x"]
    return [Table(title, rows, notes)]


def _all(files: list[Path]) -> object:
    return [counted(path).histogram for path in files]


def counted(path: Path) -> Sample:
    """What the command does with every file: it reads the trees and counts the edges of each sentence."""
    return sample(read(path))


def with_udapi(path: Path) -> Counter[int]:
    """As people write it."""
    from udapi.core.document import Document

    found: Counter[int] = Counter()
    for tree in Document(str(path)).trees:
        for node in tree.descendants:
            if not node.parent.is_root():
                found[node.ord - node.parent.ord] += 1
    return found


def check(files: list[Path]) -> None:
    """Ours and Udapi count the same in every file."""
    for path in files:
        ours, theirs = counted(path), with_udapi(path)
        counts = [theirs.pop(value, 0) for value in range(-LIMIT, LIMIT + 1)]
        if ours.histogram.tolist() != counts or ours.outside != theirs.total():
            raise BenchmarkError(f"Udapi counts other displacements than gardenpath in {path.name}")
