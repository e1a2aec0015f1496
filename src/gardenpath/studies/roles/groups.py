"""The groups of items that scores are broken down by: order, property, both, number of variations, ambiguity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...runs.result import Value
from ...suites.model import RoleSuite
from ...suites.names import ORDERS, PROPERTIES


class Cell(NamedTuple):
    """Items with the same cell are in the same groups."""

    order: str
    properties: tuple[str, ...]
    variations: int
    ambiguous: bool


@dataclass(frozen=True, eq=False)
class Groups:
    """Cells of a suite, and groups of cells; `members` is (groups × cells)."""

    cells: list[Cell]
    cell_of: NDArray[np.int64]
    """The number of each item's cell."""
    keys: list[Mapping[str, Value]]
    """What a group has in common; empty for the group of all."""
    members: NDArray[np.bool_]

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Items per group."""
        counts = np.bincount(self.cell_of, minlength=len(self.cells))
        return self.members @ counts

    def numbers(self, *names: str) -> list[int]:
        """The groups that are made by exactly these properties."""
        return [number for number, key in enumerate(self.keys) if tuple(key) == names]


def groups_of(suite: RoleSuite) -> Groups:
    """All groups of a suite that have items, in the order of the paper's Table 7."""
    variations = [len(variation) for variation in suite.variations]
    found: dict[Cell, int] = {}
    cell_of = np.fromiter(
        (
            found.setdefault(Cell(*each), len(found))
            for each in zip(suite.orders, suite.properties, variations, suite.ambiguous.tolist(), strict=True)
        ),
        dtype=np.int64,
        count=len(suite),
    )
    cells = list(found)
    orders = sorted_orders({cell.order for cell in cells} - {""})
    names = sorted_properties({name for cell in cells for name in cell.properties}, suite.kind)
    by_order = {order: np.array([cell.order == order for cell in cells]) for order in orders}
    by_name = {name: np.array([name in cell.properties for cell in cells]) for name in names}
    found_groups: list[tuple[Mapping[str, Value], NDArray[np.bool_]]] = [({}, np.ones(len(cells), dtype=bool))]
    found_groups += [({"order": order}, inside) for order, inside in by_order.items()]
    found_groups += [({"property": name}, inside) for name, inside in by_name.items()]
    found_groups += [
        ({"property": name, "order": order}, one & two)
        for name, one in by_name.items()
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
    return Groups(cells, cell_of, [key for key, _ in kept], np.stack([inside for _, inside in kept]))


def sorted_orders(orders: Iterable[str]) -> list[str]:
    """As in the paper's Table 7; orders that it does not have come last."""
    known = {order: number for number, order in enumerate(ORDERS)}
    return sorted(orders, key=lambda order: (known.get(order, len(known)), order))


def sorted_properties(names: Iterable[str], kind: str) -> list[str]:
    known = {name: number for number, name in enumerate(PROPERTIES[kind])}
    return sorted(names, key=lambda name: (known.get(name, len(known)), name))
