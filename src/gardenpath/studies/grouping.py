"""Groups of items by what their files say of them: one column, or two that cross; numbers come in classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError, unknown_name
from ..runs.result import Value
from ..suites.regions.pair_columns import bare_name

SINGLE = 8
"""A column of so many different numbers, or fewer, has a group for each; of more, they are cut at the quartiles."""
_QUARTERS = (0.25, 0.5, 0.75)
_MOST = 400
"""More groups than a person can look at."""


@dataclass(frozen=True, eq=False)
class ColumnGroups:
    """The groups that one column makes, or two; an item that has no value in one of them is in no group."""

    names: tuple[str, ...]
    groups: Sequence[Mapping[str, Value]]
    members: Sequence[NDArray[np.bool_]]
    """For each group, which items are in it."""
    note: str = ""
    """How numbers were put in groups, and how many items are in none."""


def column_groups(names: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> ColumnGroups:
    """The groups of items by these columns, which have one value for each item (None or empty: no value)."""
    labels, notes = list[list[Value]](), list[str]()
    orders = list[dict[Value, int]]()
    for name in names:
        label, order, note = _labels(name, columns[name])
        labels.append(label)
        orders.append(order)
        notes += [note] if note else []
    cells: dict[tuple[Value, ...], list[int]] = {}
    for place, cell in enumerate(zip(*labels, strict=True)):
        if None not in cell:
            cells.setdefault(cell, []).append(place)
    if len(cells) > _MOST:
        what = f"{' and '.join(names)} make {len(cells):,} groups"
        raise UsageError(what, where="--by", todo=f"name columns that make at most {_MOST}")
    size = len(labels[0]) if labels else 0
    if lacking := size - sum(map(len, cells.values())):
        notes.append(f"{lacking:,} items without a value are in no group")
    ordered = sorted(cells, key=lambda cell: [order[value] for order, value in zip(orders, cell, strict=True)])
    members = []
    for cell in ordered:
        inside = np.zeros(size, dtype=bool)
        inside[cells[cell]] = True
        members.append(inside)
    groups = [dict(zip(names, cell, strict=True)) for cell in ordered]
    return ColumnGroups(tuple(names), groups, members, "; ".join(notes))


def known_column(name: str, columns: Collection[str], tables: Iterable[str]) -> str:
    """The column that is meant: by its name, or by its letters alone where one has them; else an error names all."""
    if name in columns:
        return name
    alike = [column for column in columns if bare_name(column) == bare_name(name)]
    if len(alike) == 1:
        return alike[0]
    raise unknown_name("grouping", name, {*tables, *columns, "all"}, where="--by")


def _labels(name: str, values: Sequence[Any]) -> tuple[list[Value], dict[Value, int], str]:
    """The label of each item, the order of the labels, and how they were made where that is not plain."""
    texts = ["" if value is None else " ".join(str(value).split()) for value in values]
    numbers = _numbers(values, texts)
    if numbers is None:
        labels: list[Value] = [text or None for text in texts]
        return labels, {label: place for place, label in enumerate(dict.fromkeys(labels))}, ""
    there = ~np.isnan(numbers)
    different = np.unique(numbers[there])
    if len(different) <= SINGLE:
        labels = [None if np.isnan(number) else _written(number) for number in numbers.tolist()]
        return labels, {_written(number): place for place, number in enumerate(different.tolist())}, ""
    # A number goes to the first quarter whose upper bound it does not exceed; equal numbers stay together.
    bounds = np.unique(np.quantile(numbers[there], _QUARTERS, method="lower"))
    quarter = np.searchsorted(bounds, numbers, side="left")
    ends = {
        int(place): (float(inside.min()), float(inside.max()))
        for place in np.unique(quarter[there])
        for inside in [numbers[there & (quarter == place)]]
    }
    written: dict[int, Value] = {
        place: str(_written(low)) if low == high else f"{_written(low)} to {_written(high)}"
        for place, (low, high) in ends.items()
    }
    labels = [written[place] if known else None for place, known in zip(quarter.tolist(), there.tolist(), strict=True)]
    note = f"{name}: {len(different):,} different numbers, cut at the quartiles of all items"
    return labels, {label: place for place, label in written.items()}, note


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
