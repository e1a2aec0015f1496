"""Treebanks described, one or 100,000 of them: measured in batches, kept as columns of plain values, and made into
findings when somebody looks at them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, overload

from ...runs.result.result import Finding
from ..format.reading import is_archive, read_groups
from .displacement import LIMIT
from .measures import MEASURES, Measures, Variant, measure_groups

BATCH_BYTES, BATCH_FILES = 1 << 20, 1000
"""Files are read together until they are that many; a larger one stands alone."""
_TABLES = ("upos", "deprel", "displacement")

Task = tuple[list[str], str]
"""Files that are one treebank, and the name it goes by."""


def batches(tasks: Sequence[Task]) -> list[list[Task]]:
    """Tasks in their order, small files together; the same tasks always make the same batches."""
    parts: list[list[Task]] = []
    room = 0
    for task in tasks:
        size = sum(map(_size, task[0]))
        if size > room or len(parts[-1]) == BATCH_FILES:
            parts.append([])
            room = BATCH_BYTES
        parts[-1].append(task)
        room -= size
    return parts


def _size(path: str) -> int:
    """Bytes of a file; what is packed or comes from elsewhere stands alone."""
    if path == "-" or is_archive(path):
        return BATCH_BYTES + 1
    try:
        return Path(path).stat().st_size
    except OSError:  # whoever reads it says what is wrong
        return 0


def describe(
    tasks: Sequence[Task], variant: Variant = "text", measures: Sequence[str] = MEASURES, *, tables: bool = True
) -> dict[str, Any]:
    """What each of the treebanks is like, in plain values for any process: these measures, and with `tables` the
    counts of tags, relations and displacements."""
    measured = measure_groups(read_groups([files for files, _ in tasks]), variant)
    places = [MEASURES.index(name) for name in measures]
    rows, bases = [of_file.row for of_file in measured], [of_file.bases for of_file in measured]
    failures: dict[str, int] = {}
    for of_file in measured:
        for kind, count in of_file.failures.items():
            failures[kind] = failures.get(kind, 0) + count
    return {
        "suites": [suite for _, suite in tasks],
        "values": {name: [row[place] for row in rows] for name, place in zip(measures, places, strict=True)},
        "n": {name: [row[place] for row in bases] for name, place in zip(measures, places, strict=True)},
        "tables": [_counts(of_file) for of_file in measured] if tables else [],
        "failures": failures,
    }


def _counts(measures: Measures) -> dict[str, Any]:
    displacement = measures.displacement
    return {
        "words": measures.sizes.words,
        "edges": measures.shape.edges,
        "upos": measures.upos,
        "deprel": measures.deprel,
        "displacement": displacement.counts.tolist(),
        "outside": displacement.outside,
    }


class Descriptions(Sequence[Finding]):
    """The findings of all treebanks of some batches, in long form: their measures, then number and share of each tag,
    relation and displacement. Values are kept, findings are made when they are asked for."""

    def __init__(self, described: Iterable[Mapping[str, Any]]) -> None:
        self._batches = list(described)

    @cached_property
    def suites(self) -> list[str]:
        return [suite for batch in self._batches for suite in batch["suites"]]

    @property
    def measures(self) -> list[str]:
        return list(self._batches[0]["values"])

    @property
    def failures(self) -> dict[str, int]:
        """What could not be measured or was not as it should be, in all treebanks."""
        failures: dict[str, int] = {}
        for kind, count in chain.from_iterable(batch["failures"].items() for batch in self._batches):
            failures[kind] = failures.get(kind, 0) + count
        return failures

    def values(self, measure: str) -> list[Any]:
        """A measure of every treebank."""
        return [value for batch in self._batches for value in batch["values"][measure]]

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def __iter__(self) -> Iterator[Finding]:
        return chain.from_iterable(map(_findings, *zip(*self._places, strict=True)) if self._places else ())

    @overload
    def __getitem__(self, which: int) -> Finding: ...
    @overload
    def __getitem__(self, which: slice) -> list[Finding]: ...
    def __getitem__(self, which: int | slice) -> Finding | list[Finding]:
        if isinstance(which, slice):
            return [self[number] for number in range(len(self))[which]]
        number = range(len(self))[which]
        suite = bisect_right(self._ends, number)
        before = self._ends[suite - 1] if suite else 0
        return list(_findings(*self._places[suite]))[number - before]

    @cached_property
    def _places(self) -> list[tuple[Mapping[str, Any], int]]:
        """The batch of every treebank and its place there."""
        return [(batch, place) for batch in self._batches for place in range(len(batch["suites"]))]

    @cached_property
    def _ends(self) -> list[int]:
        """How many findings there are up to each treebank."""
        return list(accumulate(_finding_count(batch, place) for batch, place in self._places))


def _finding_count(batch: Mapping[str, Any], place: int) -> int:
    """Each measure is one; each count of a table is two, with its share, and the edges outside are one more."""
    counts = 2 * sum(len(batch["tables"][place][key]) for key in _TABLES) + 1 if batch["tables"] else 0
    return len(batch["values"]) + counts


def _findings(batch: Mapping[str, Any], place: int) -> Iterator[Finding]:
    suite = batch["suites"][place]
    for name, values in batch["values"].items():
        yield Finding("treebank", suite, "", name, values[place], batch["n"][name][place])
    if not batch["tables"]:
        return
    tables = batch["tables"][place]
    displaced = dict(zip(range(-LIMIT, LIMIT + 1), tables["displacement"], strict=True))
    for key, table in (("upos", tables["upos"]), ("deprel", tables["deprel"]), ("displacement", displaced)):
        total = tables["edges" if key == "displacement" else "words"]
        for group, count in table.items():
            by = {key: group}
            yield Finding("treebank", suite, "", "count", count, total, by=by)
            yield Finding("treebank", suite, "", "share", count / total if total else None, total, by=by)
    yield Finding("treebank", suite, "", "count", tables["outside"], tables["edges"], by={"displacement": "outside"})
