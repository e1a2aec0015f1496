"""Groups of items by what their files say of them: one column, or two that cross; numbers come in classes.

Every study that has items takes this road: `GroupedSettings` says which columns are asked for, the study gives the
columns of its items (`asked_groups`), scores the items of each group, and `column_table` shows them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...runs.result.layout import FindingIndex, group_columns, groups_by_systems, measured, size_column, table
from ...runs.result.result import Table, Value
from ...suites.regions.pairs import bare_name

SINGLE = 8
"""A column of so many different numbers, or fewer, has a group for each; of more, they are cut at the quartiles."""
_QUARTERS = (0.25, 0.5, 0.75)
_MOST = 400
"""More groups than a person can look at."""
_CROSSED = 2
"""Columns at most that cross."""
_TAKEN = frozenset(("study", "suite", "system", "measure", "value", "n", "low", "high", "baseline"))
"""What findings say of themselves."""


@dataclass(frozen=True, eq=False)
class ColumnGroups:
    """The groups that one column makes, or two; an item that has no value in one of them is in no group.

    An item that has several values, as it may have several properties, is in several groups.
    """

    names: tuple[str, ...]
    groups: Sequence[Mapping[str, Value]]
    members: Sequence[NDArray[np.bool_]]
    """For each group, which items are in it."""
    note: str = ""
    """How numbers were put in groups, and how many items are in none."""


def asked_groups(
    asked: Sequence[str], columns: Mapping[str, Sequence[Any]], tables: Iterable[str], taken: Iterable[str] = ()
) -> ColumnGroups | None:
    """The groups by the columns that were asked for, None where none were; an unknown column is an error.

    `tables` are what `--by` may name beside columns; `taken` are keys of the study's findings, which a column of that
    name must not pass for.
    """
    if not asked:
        return None
    names = [known_column(name, columns, tables) for name in asked]
    if len(names) > _CROSSED:
        todo = f"name at most {_CROSSED}, and the others in another call"
        raise UsageError(f"{len(names)} columns to cross: {', '.join(names)}", where="--by", todo=todo)
    own = _TAKEN | set(taken)
    shown = [f"column {name}" if name in own else name for name in names]
    return column_groups(shown, {label: columns[name] for label, name in zip(shown, names, strict=True)})


def column_groups(names: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> ColumnGroups:
    """The groups of items by these columns, which have one value for each item (None or empty: no value)."""
    labelled = [label_column(name, columns[name]) for name in names]
    cells: dict[tuple[Value, ...], list[int]] = {}
    for place, labels in enumerate(zip(*(column.labels for column in labelled), strict=True)):
        for cell in product(*labels):
            cells.setdefault(cell, []).append(place)
    if len(cells) > _MOST:
        what = f"{' and '.join(names)} make {len(cells):,} groups"
        raise UsageError(what, where="--by", todo=f"name columns that make at most {_MOST}")
    size = len(labelled[0].labels) if labelled else 0
    notes = [column.note for column in labelled if column.note]
    if lacking := size - len({place for places in cells.values() for place in places}):
        notes.append(f"{lacking:,} items without a value are in no group")
    orders = [{label: place for place, label in enumerate(column.order)} for column in labelled]
    ordered = sorted(cells, key=lambda cell: [order[value] for order, value in zip(orders, cell, strict=True)])
    members = []
    for cell in ordered:
        inside = np.zeros(size, dtype=bool)
        inside[cells[cell]] = True
        members.append(inside)
    groups = [dict(zip(names, cell, strict=True)) for cell in ordered]
    return ColumnGroups(tuple(names), groups, members, "; ".join(notes))


def known_column(name: str, columns: Collection[str], tables: Iterable[str]) -> str:
    """The column that is meant: by its name, or by its letters alone where one has them; else an error names all.

    What stands before `::` in a name may be left out: genre of meta::genre.
    """
    if name in columns:
        return name
    alike = [
        column for column in columns if bare_name(name) in (bare_name(column), bare_name(column.rpartition("::")[2]))
    ]
    if len(alike) == 1:
        return alike[0]
    raise unknown_name("grouping", name, {*tables, *columns, "all"}, where="--by")


def column_table(
    index: FindingIndex, by: ColumnGroups, measure: str, header: str, unit: str, *, title: str = "", note: str = "",
    more: Mapping[str, str] | None = None, keys: Mapping[str, Value] | None = None, kind: str = "",
    systems: Sequence[str] | None = None,
) -> Table:  # fmt: skip
    """A row for each group: how many items it has, and the measure of every system with its interval.

    `more`: further measures with their headings, where there is one system; `keys`: what all findings share.
    """
    groups = [{**group, **(keys or {})} for group in by.groups]
    columns = [*group_columns(by.groups), size_column(index, groups, measure, unit)]
    columns += groups_by_systems(index, groups, measure, header, named=True, kind=kind, systems=systems)
    names = index.systems if systems is None else systems
    for name, heading in (more or {}).items() if len(names) == 1 else ():
        scores = [index.get(name, names[0], group) for group in groups]
        columns += measured(heading, scores) if any(score and score.value for score in scores) else []
    notes = "; ".join(part for part in (by.note, note) if part)
    return table(
        f"{title or header[0].upper() + header[1:]} by {' and '.join(by.names)}",
        columns,
        note=notes,
        name=f"by-{'-'.join(by.names)}",
    )


@dataclass(frozen=True)
class LabelledColumn:
    """The labels of every item, none where it has no value; the labels in order, and how they were made."""

    labels: Sequence[Sequence[Value]]
    order: Sequence[Value]
    note: str = ""


def label_column(name: str, values: Sequence[Any]) -> LabelledColumn:
    """The groups of one column: texts as they are, few numbers one by one, many numbers by quartiles."""
    if any(isinstance(value, tuple) for value in values):
        several = [tuple(map(str, value)) for value in values]
        return LabelledColumn(several, list(dict.fromkeys(label for labels in several for label in labels)))
    texts = ["" if value is None else " ".join(str(value).split()) for value in values]
    numbers = _numbers(values, texts)
    if numbers is None:
        return LabelledColumn([[text] if text else [] for text in texts], list(dict.fromkeys(filter(None, texts))))
    there = ~np.isnan(numbers)
    different = np.unique(numbers[there])
    if len(different) <= SINGLE:
        labels = [[] if np.isnan(number) else [_written(number)] for number in numbers.tolist()]
        return LabelledColumn(labels, [_written(number) for number in different.tolist()])
    # A number goes to the first quarter whose upper bound it does not exceed; equal numbers stay together.
    bounds = np.unique(np.quantile(numbers[there], _QUARTERS, method="lower"))
    quarter = np.searchsorted(bounds, numbers, side="left")
    written: dict[int, Value] = {}
    for place in np.unique(quarter[there]).tolist():
        inside = numbers[there & (quarter == place)]
        low, high = _written(float(inside.min())), _written(float(inside.max()))
        written[place] = str(low) if low == high else f"{low} to {high}"
    labels = [[written[place]] if known else [] for place, known in zip(quarter.tolist(), there.tolist(), strict=True)]
    note = f"{name}: {len(different):,} different numbers, cut at the quartiles of all items"
    return LabelledColumn(labels, list(written.values()), note)


def _numbers(values: Sequence[Any], texts: Sequence[str]) -> NDArray[np.float64] | None:
    """The column as numbers, NaN where it is empty; None where something in it is not a number."""
    if any(isinstance(value, bool) for value in values) or not any(texts):
        return None
    try:
        return np.array([float(text) if text else np.nan for text in texts])
    except ValueError:
        return None


def _written(number: float) -> Value:
    return int(number) if float(number).is_integer() else float(f"{number:.4g}")
