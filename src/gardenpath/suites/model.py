"""A suite of the roles study: items with order, properties and the gold arcs that must hold, over a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..treebank.pool import Column
from ..treebank.treebank import Treebank
from .names import BASE, has_own_names

if TYPE_CHECKING:
    from .pairs import MinimalPair

Kind = Literal["roles", "pp"]
"""Subject and object of a clause (SORTS), or preposition and noun of a PP (PPATS)."""
SUBJECT, OBJECTS = "nsubj", ("obj", "iobj")


class Arc(NamedTuple):
    """What must hold: positions from 1; `head` is -1 where the file does not say it (TSV of SORTS)."""

    dependent: int
    head: int
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Arcs:
    """The gold arcs of all items in columns, by item and position."""

    item: NDArray[np.int64]
    dependent: NDArray[np.int64]
    head: NDArray[np.int64]
    label: Column

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, slots=True)
class Item:
    """One sentence of a suite. `properties` has today's names; `marked` is (order, props) as the file has them."""

    number: int
    sent_id: str
    tokens: tuple[str, ...]
    order: str
    properties: tuple[str, ...]
    arcs: tuple[Arc, ...]
    ambiguous: bool
    marked: tuple[str, str]
    line: int

    @property
    def variations(self) -> frozenset[str]:
        """The properties that depart from the base case."""
        return frozenset(self.properties) - BASE

    @property
    def text(self) -> str:
        return " ".join(self.tokens)


@dataclass(frozen=True, eq=False)
class RoleSuite:
    """Items in columns; `items[i]` is sentence i of `treebank`, which parsers run on."""

    name: str
    kind: Kind
    language: str
    """ISO 639-1; empty where it is not known."""
    release: str
    """Whose names the file uses, 2020 or 2026; empty for PP suites, whose names never changed."""
    ambiguity: str
    """`full`: no case tells subject from object; `part`: only items with `amb`; empty where it is not known."""
    format: str
    treebank: Treebank
    orders: Sequence[str]
    """One per item, today's names; empty where there is none."""
    properties: Sequence[tuple[str, ...]]
    marked: Sequence[tuple[str, str]]
    arcs: Arcs
    lines: Sequence[int]
    """Where each item begins in its file."""
    distances: Sequence[int] = ()
    """`head_distance` of a PP suite in TSV."""
    bases: Sequence[str] = ()
    """`# base` of every item, empty where it has none: items with the same one come from one base sentence."""

    def __len__(self) -> int:
        return len(self.treebank)

    def __repr__(self) -> str:
        name = PurePath(self.name).name
        return f"<RoleSuite {name}: {len(self)} items, {self.kind}, {self.language or '?'} {self.release}>"

    # ---- columns

    @cached_property
    def tokens(self) -> list[tuple[str, ...]]:
        """The words of every item."""
        forms, offsets = self.treebank.column("form").strings(), self.treebank.offsets.tolist()
        return [tuple(forms[a:b]) for a, b in pairwise(offsets)]

    @property
    def sent_ids(self) -> list[str]:
        """`# sent_id`, or the number of the item from 1 where there is none."""
        return self.treebank.sentence_names

    @cached_property
    def variations(self) -> list[frozenset[str]]:
        """The properties of every item that depart from the base case."""
        known: dict[tuple[str, ...], frozenset[str]] = {}
        return [known.setdefault(one, frozenset(one) - BASE) for one in self.properties]

    @cached_property
    def own_names(self) -> bool:
        """Are the names of orders and properties the author's own, and not those of SORTS?"""
        return self.kind == "roles" and has_own_names(self.orders)

    @cached_property
    def ambiguous(self) -> NDArray[np.bool_]:
        """Whether case syncretism leaves subject and object open."""
        if self.ambiguity == "full":
            return np.ones(len(self), dtype=bool)
        return np.fromiter(("amb" in one for one in self.properties), dtype=bool, count=len(self))

    @cached_property
    def arc_bounds(self) -> NDArray[np.int64]:
        """Item i has the arcs from arc_bounds[i] to arc_bounds[i + 1]."""
        return np.searchsorted(self.arcs.item, np.arange(len(self) + 1))

    def arcs_of(self, number: int) -> tuple[Arc, ...]:
        a, b = self.arc_bounds[number : number + 2].tolist()
        return tuple(Arc(int(self.arcs.dependent[i]), int(self.arcs.head[i]), self.arcs.label[i]) for i in range(a, b))

    # ---- items

    def item(self, number: int) -> Item:
        """Item `number`, from 0."""
        return Item(
            number, self.sent_ids[number], self.tokens[number], self.orders[number], self.properties[number],
            self.arcs_of(number), bool(self.ambiguous[number]), self.marked[number], self.lines[number],
        )  # fmt: skip

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """All items as objects; the columns are faster for counting."""
        return tuple(self.item(number) for number in range(len(self)))

    @cached_property
    def families(self) -> list[str]:
        """For each item what it is a variant of: its base sentence, else the first item with the same words."""
        if self.bases and all(self.bases):
            return list(self.bases)
        from .pairs import sets

        families = [""] * len(self)
        for block in sets(self).values():
            for pair_set in block:
                for number in pair_set.items:
                    families[number] = self.sent_ids[pair_set.items[0]]
        return families

    def pairs(self) -> list[MinimalPair]:
        """The minimal pairs: items of one base sentence that differ in exactly one of order or property."""
        from .pairs import minimal_pairs

        return minimal_pairs(self)

    # ---- counts

    def order_counts(self) -> dict[str, int]:
        return dict(Counter(order for order in self.orders if order))

    def property_counts(self) -> dict[str, int]:
        """Sentences per property, as in the paper's Tables 7 and 9."""
        return dict(Counter(name for names in self.properties for name in set(names)))
