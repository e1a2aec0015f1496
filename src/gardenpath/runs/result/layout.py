"""Tables as layouts over findings: every number in a table is that of a finding, with its interval, p and n.

A table is put together from columns. `FindingIndex` finds the findings, `measured` makes columns of them, and the
usual layouts (systems × measures, measures × systems, groups × systems) are functions over both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .result import Finding, Table, Value

INTERVAL, P, SIGNED = "interval", "p", "signed"
"""Kinds of columns: [low, high]; a p-value; a difference with its sign. A plain column has no kind."""
FEW = 10
"""An interval from fewer is marked by a star."""
ORDERED = ("length", "distance", "depth", "variations")
"""Groups that have an order of their own; others stand with the worst on top."""
WITH_INTERVALS = 2
"""So many systems have their intervals side by side; with more, intervals are in TSV and JSON."""


@dataclass(frozen=True)
class Column:
    """One column: its heading, its cells, and how they are written."""

    header: str
    cells: Sequence[Value | Sequence[float | None]]
    kind: str = ""
    digits: int | None = None
    """Its own number of places, where that is not the table's."""
    measure: str = ""
    """What its cells are the values of, where they are all of one measure."""


class FindingIndex:
    """Findings by measure, system and group."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings = list(findings)
        self._by_key: dict[tuple[object, ...], Finding] = {}
        for finding in self.findings:
            self._by_key.setdefault(_key(finding.measure, finding.system, finding.suite, finding.by), finding)
            self._by_key.setdefault(_key(finding.measure, finding.system, None, finding.by), finding)

    def get(
        self, measure: str, system: str = "", by: Mapping[str, Value] | None = None, suite: str | None = None
    ) -> Finding | None:
        """The finding of this measure, system and group; of any suite where none is named."""
        return self._by_key.get(_key(measure, system, suite, by or {}))

    def groups(self, *keys: str, measure: str = "", system: str | None = None) -> list[dict[str, Value]]:
        """The groups that are made by exactly these keys, in the order in which they were found."""
        kept = {
            tuple(finding.by[key] for key in keys): dict(finding.by)
            for finding in self.findings
            if set(finding.by) == set(keys)
            and (not measure or finding.measure == measure)
            and (system is None or finding.system == system)
        }
        return [{key: group[key] for key in keys} for group in kept.values()]

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(finding.system for finding in self.findings if finding.system))


def _key(measure: str, system: str, suite: str | None, by: Mapping[str, Value]) -> tuple[object, ...]:
    return measure, system, suite, frozenset(by.items())


def measured(
    header: str,
    findings: Sequence[Finding | None],
    *,
    interval: bool | str = False,
    kind: str = "",
    of: str = "value",
    digits: int | None = None,
) -> list[Column]:
    """The values (or `of="n"`) of findings as a column, and their intervals as another, which may have a heading.

    The interval of a finding from fewer than ten has their number as a third part, and is marked where it is shown.
    """
    measures = {finding.measure for finding in findings if finding is not None} if of == "value" else ()
    cells = [None if finding is None else getattr(finding, of) for finding in findings]
    columns = [Column(header, cells, kind, digits, *(measures if len(measures) == 1 else ()))]
    if interval:
        ranges = [None if finding is None or finding.low is None else _ends(finding) for finding in findings]
        if any(ranges):
            columns.append(Column(interval if isinstance(interval, str) else "95 %", ranges, INTERVAL, digits))
    return columns


def _ends(finding: Finding) -> list[float | None]:
    few = [finding.n] if finding.n is not None and finding.n < FEW else []
    return [finding.low, finding.high, *few]


def table(title: str, columns: Sequence[Column], *, note: str = "", digits: int = 2, name: str = "") -> Table:
    """The columns side by side."""
    rows = [list(row) for row in zip(*(column.cells for column in columns), strict=True)]
    headers, kinds = [column.header for column in columns], [column.kind for column in columns]
    places = [column.digits for column in columns]
    own = places if any(place is not None for place in places) else ()
    measures = [column.measure for column in columns]
    ends = [cell for column in columns if column.kind == INTERVAL for cell in column.cells]
    if any(isinstance(cell, list) and len(cell) > 2 for cell in ends):
        few = f"* from fewer than {FEW}"
        note = f"{note} {few}." if note.endswith(".") else f"{note}; {few}" if note else few
    return Table(
        title,
        headers,
        rows,
        digits,
        note,
        kinds if any(kinds) else (),
        name,
        own,
        measures=measures if any(measures) else (),
    )


_OPEN = 2
"""Tables that a terminal shows of a result where nobody asked for others."""


def unfolded(tables: Iterable[Table], asked: bool) -> list[Table]:
    """Tables as they are where they were asked for, else folded."""
    return [shown if asked else replace(shown, folded=True) for shown in tables]


def opening(tables: Iterable[Table | None], asked: bool, first: Sequence[Table] = ()) -> list[Table]:
    """Two tables open a result (those in `first` before others), the rest is folded unless it was asked for."""
    there = [shown for shown in tables if shown is not None]
    open_ones = {id(shown) for shown in [*first, *(shown for shown in there if shown not in first)][:_OPEN]}
    return [shown if asked or id(shown) in open_ones else replace(shown, folded=True) for shown in there]


def worst_first(index: FindingIndex, groups: Sequence[Mapping[str, Value]], measure: str) -> list[Mapping[str, Value]]:
    """Groups by the value of the first system, the lowest on top; those of fewer than ten come last."""

    def rank(group: Mapping[str, Value]) -> tuple[bool, float]:
        finding = next((kept for name in index.systems if (kept := index.get(measure, name, group))), None)
        if finding is None or not isinstance(finding.value, int | float):
            return True, float("inf")
        return finding.n is not None and finding.n < FEW, float(finding.value)

    return sorted(groups, key=rank)


def systems_by_measures(
    index: FindingIndex,
    measures: Mapping[str, str],
    *,
    systems: Sequence[str] | None = None,
    intervals: Iterable[str] = (),
    numbered: bool = True,
) -> list[Column]:
    """One row for each system: its number, its name, and the measures with their headings."""
    names = list(systems if systems is not None else index.systems)
    short = short_names(names)
    columns = [Column("#", list(range(1, len(names) + 1)))] if numbered else []
    columns.append(Column("system", [short[name] for name in names]))
    ranged = set(intervals)
    for measure, header in measures.items():
        findings = [index.get(measure, name) for name in names]
        if any(finding is not None for finding in findings):
            columns += measured(header, findings, interval=measure in ranged)
    return columns


def measures_by_systems(index: FindingIndex, measures: Mapping[str, str], title: str = "measure") -> list[Column]:
    """One row for each measure that was taken: the systems side by side, with their intervals where there is room."""
    names = index.systems
    taken = [measure for measure in measures if any(index.get(measure, name) for name in names)]
    columns = [Column(title, [measures[measure] for measure in taken])]
    for name, header in short_names(names).items():
        findings = [index.get(measure, name) for measure in taken]
        roomy = len(names) <= WITH_INTERVALS + 1  # measures have short names
        columns += measured(header if len(names) > 1 else "value", findings, interval=roomy)
    return columns


def groups_by_systems(
    index: FindingIndex,
    groups: Sequence[Mapping[str, Value]],
    measure: str,
    header: str,
    *,
    systems: Sequence[str] | None = None,
    kind: str = "",
    named: bool = False,
) -> list[Column]:
    """One row for each group: the measure of every system side by side, with intervals where there is room.

    Systems stand there by number, or `named`.
    """
    names = list(systems if systems is not None else index.systems)
    short = short_names(names)
    columns = []
    for number, name in enumerate(names, 1):
        findings = [index.get(measure, name, group) for group in groups]
        shown = f"{header} {short[name] if named else number}" if len(names) > 1 else header
        columns += measured(shown, findings, interval=len(names) <= WITH_INTERVALS, kind=kind)
    return columns


def size_column(index: FindingIndex, groups: Sequence[Mapping[str, Value]], measure: str, header: str) -> Column:
    """What the measure of each group is over: the n of the first system that has it."""
    findings = [[index.get(measure, name, group) for name in index.systems] for group in groups]
    return Column(header, [next((finding.n for finding in row if finding is not None), None) for row in findings])


def group_columns(groups: Sequence[Mapping[str, Value]]) -> list[Column]:
    """The keys of groups, one column each."""
    return [Column(key, [group[key] for group in groups]) for key in (groups[0] if groups else ())]


def breakdown(
    index: FindingIndex, keys: Sequence[str], measure: str, header: str, unit: str, shown: Mapping[str, str]
) -> Table:
    """A row per group: of several systems one measure side by side, of one all that are `shown` (name to heading)."""
    groups: Sequence[Mapping[str, Value]] = index.groups(*keys, measure=measure)
    title, name = " and ".join(keys), "-".join(("by", *keys))
    if not set(keys) <= set(ORDERED):
        groups = worst_first(index, groups, measure)
    columns = [*group_columns(groups), size_column(index, groups, measure, unit)]
    if len(index.systems) > 1:
        columns += groups_by_systems(index, groups, measure, header, named=True)
        return table(f"{header} by {title}", columns, name=name)
    for key, heading in shown.items():
        scores = [index.get(key, index.systems[0], group) for group in groups]
        columns += measured(heading, scores, interval=key == measure)
    return table(f"By {title}", columns, name=name)


def standard_tables(findings: Sequence[Finding], headings: Mapping[str, str], unit: str) -> list[Table]:
    """Return the tables of a study that lays out none: systems × measures, then the first measure by every grouping."""
    index = FindingIndex(findings)
    main, heading = next(iter(headings.items()))
    scores = [finding for finding in findings if finding.measure == main]
    title = f"{heading[:1].upper()}{heading[1:]}: {', '.join(dict.fromkeys(finding.suite for finding in scores))}"
    tables = [table(title, systems_by_measures(index, headings, intervals=headings), name="systems")]
    for keys in dict.fromkeys(tuple(finding.by) for finding in scores if finding.by):
        tables.append(breakdown(index, keys, main, heading, unit, headings))
    return tables


def _short_name(name: str) -> str:
    """`hf:gpt2` of `hf:models/gpt2`; a folder called like the kind says nothing alone: `hf:gpt2/hf`."""
    prefix = re.match(r"\w[\w-]*:", name)
    kind = prefix[0] if prefix else ""
    folders = re.split(r"[/\\]", name.removeprefix(kind).rstrip("/\\"))
    if "://" in name or len(folders) == 1:
        return name
    return kind + "/".join(folders[-2:] if f"{folders[-1]}:" == kind else folders[-1:])


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Systems without the folders of their files, where that leaves them different."""
    short = {name: _short_name(name) for name in names}
    return short if len(set(short.values())) == len(short) else {name: name for name in names}
