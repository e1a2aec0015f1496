"""The groups of items that scores are broken down by: order, property, both, variations, ambiguity, columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...runs.result import Value
from ...suites.model import RoleSuite
from ...suites.names import ORDERS, PROPERTIES
from ...treebank.sentence_columns import sentence_columns
from ..grouping import ColumnGroups, asked_groups
from .settings import GROUPINGS, RolesSettings

_TAKEN = ("kind", "pair", "change", "label", "predicted", "head")
"""Keys of findings that are of no such group."""


class Cell(NamedTuple):
    """Items with the same cell are in the same groups."""

    order: str
    properties: tuple[str, ...]
    variations: int
    ambiguous: bool


@dataclass(frozen=True, eq=False)
class Groups:
    """Cells of a suite, and groups of cells; `members` is (groups × cells). Groups by columns come behind these."""

    cells: list[Cell]
    cell_of: NDArray[np.int64]
    """The number of each item's cell."""
    keys: list[Mapping[str, Value]]
    """What a group has in common; empty for the group of all."""
    members: NDArray[np.bool_]
    by_column: ColumnGroups | None = None
    """The groups by columns of the suite, which go by items and not by cells; `keys` has them last."""

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Items per group."""
        nothing = np.zeros_like(self.cell_of)
        sizes: NDArray[np.int64] = self.sums(nothing + 1, nothing, 1)[0].astype(np.int64)
        return sizes

    def sums(self, counts: NDArray[Any], row_of: NDArray[np.int64], rows: int) -> NDArray[Any]:
        """From counts of items to (rows × groups), by way of (rows × cells): `row_of` is the row of each item."""
        cells = len(self.cells)
        table = np.bincount(row_of * cells + self.cell_of, counts, minlength=rows * cells).reshape(rows, cells)
        sums: NDArray[Any] = table @ self.members.T
        chosen = self.by_column.members if self.by_column else ()
        more = [np.bincount(row_of[inside], counts[inside], minlength=rows) for inside in chosen]
        return np.hstack([sums, np.stack(more, axis=1)]) if more else sums

    def numbers(self, *names: str) -> list[int]:
        """The groups that are made by exactly these properties."""
        return [number for number, key in enumerate(self.keys) if tuple(key) == names]


def column_groups_of(suite: RoleSuite, settings: RolesSettings) -> ColumnGroups | None:
    """The groups by the columns that are asked for: what the suite says of its items, and every comment."""
    if not settings.columns:
        return None
    columns: dict[str, Any] = {
        **sentence_columns(suite.treebank),
        "order": [order or None for order in suite.orders],
        "property": [tuple(names) for names in suite.properties],
        "variations": [len(variation) for variation in suite.variations],
        "ambiguous": ["yes" if ambiguous else "no" for ambiguous in suite.ambiguous.tolist()],
        "family": suite.families,
    }
    if suite.distances:
        columns["head_distance"] = [None if distance < 0 else distance for distance in suite.distances]
    return asked_groups(settings.columns, columns, GROUPINGS, _TAKEN)


def groups_of(suite: RoleSuite, by_column: ColumnGroups | None = None) -> Groups:
    """All groups of a suite that have items, in the order of the paper's Table 7; then those by columns."""
    variations = [len(variation) for variation in suite.variations]
    numbered: dict[Cell, int] = {}
    cell_of = np.fromiter(
        (
            numbered.setdefault(Cell(*each), len(numbered))
            for each in zip(suite.orders, suite.properties, variations, suite.ambiguous.tolist(), strict=True)
        ),
        dtype=np.int64,
        count=len(suite),
    )
    cells = list(numbered)
    orders = sorted_orders({cell.order for cell in cells} - {""})
    names = sorted_properties({name for cell in cells for name in cell.properties}, suite.kind)
    by_order = {order: np.array([cell.order == order for cell in cells]) for order in orders}
    by_name = {name: np.array([name in cell.properties for cell in cells]) for name in names}
    found_groups: list[tuple[Mapping[str, Value], NDArray[np.bool_]]] = [({}, np.ones(len(cells), dtype=bool))]
    found_groups += [({"order": order}, inside) for order, inside in by_order.items()]
    found_groups += [({"property": name}, inside) for name, inside in by_name.items()]
    found_groups += [
        ({"property": name, "order": order}, mask & two)
        for name, mask in by_name.items()
        for order, two in by_order.items()
    ]
    found_groups += [
        ({"variations": count}, np.array([cell.variations == count for cell in cells]))
        for count in sorted({cell.variations for cell in cells})
    ]
    ambiguous = np.array([cell.ambiguous for cell in cells], dtype=bool)
    if ambiguous.any() and not ambiguous.all():
        found_groups += [({"ambiguous": False}, ~ambiguous), ({"ambiguous": True}, ambiguous)]
    kept = [(key, inside) for key, inside in found_groups if inside.any()]
    keys = [*(key for key, _ in kept), *(by_column.groups if by_column else ())]
    return Groups(cells, cell_of, keys, np.stack([inside for _, inside in kept]), by_column)


def sorted_orders(orders: Iterable[str]) -> list[str]:
    """As in the paper's Table 7; orders that it does not have come last."""
    known = {order: number for number, order in enumerate(ORDERS)}
    return sorted(orders, key=lambda order: (known.get(order, len(known)), order))


def sorted_properties(names: Iterable[str], kind: str) -> list[str]:
    known = {name: number for number, name in enumerate(PROPERTIES[kind])}
    return sorted(names, key=lambda name: (known.get(name, len(known)), name))
