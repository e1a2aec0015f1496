"""Scores of groups of items with their intervals, improvements over a baseline, and changes within minimal pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import PurePath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...runs.result.result import Finding, Value
from ...stats.sampling import Clusters, share_difference, shares
from ...suites.roles.model import RoleSuite, words_changed
from ...suites.roles.names import ORDERS, PROPERTIES
from ...treebank.format.documents import sentence_columns
from ..engine.corrections import difference_findings
from ..engine.grouping import ColumnGroups
from .arcs import RIGHT, SWAPPED, WRONG_HEAD, GoldArcs, JudgedArcs
from .declaration import COMBINATION, STUDY

TAKEN = ("kind", "pair", "change", "label", "predicted", "head")
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


def suite_columns(suite: RoleSuite) -> dict[str, Any]:
    """Return what items can be grouped by: what the suite says of them, and every comment."""
    columns: dict[str, Any] = {
        **sentence_columns(suite.treebank),
        "order": [order or None for order in suite.orders],
        "property": [tuple(names) for names in suite.properties],
        COMBINATION: ["-".join(sorted_properties(names, suite.kind)) or None for names in suite.properties],
        "variations": [len(variation) for variation in suite.variations],
        "ambiguous": ["yes" if ambiguous else "no" for ambiguous in suite.ambiguous.tolist()],
        "family": suite.families,
    }
    if suite.distances:
        columns["head_distance"] = [None if distance < 0 else distance for distance in suite.distances]
    return columns


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


Ints = NDArray[np.int64]


class RoleCounts:
    """Right answers of all systems in all groups, added up for items that were sampled together."""

    def __init__(
        self, suite: RoleSuite, judged: Mapping[str, JudgedArcs], clusters: Clusters, by: ColumnGroups | None = None
    ) -> None:
        self.suite, self.systems, self.judged = PurePath(suite.name).name, list(judged), judged
        self.groups = groups_of(suite, by)
        self.arcs = next(iter(judged.values())).arcs
        self.measures = measures_of(self.arcs, suite.kind)
        """The first is the main one."""
        self.sums, self.clusters = _GroupSums(self.groups, clusters), clusters
        self._asked = {measure: self.sums(counts_asked(self.arcs, measure)) for measure in self.measures}

    def right(self, system: str, measure: str) -> NDArray[Any]:
        """(rows × groups): what of a measure a system has right."""
        return self.sums(counts_right(self.judged[system], measure))

    def sizes(self) -> list[Finding]:
        """Items per group: those of the suite, which have no system."""
        sizes = self.groups.sizes.tolist()
        return [Finding(STUDY, self.suite, "", "size", n, by=by) for by, n in zip(self.groups.keys, sizes, strict=True)]

    def scores(self) -> list[Finding]:
        """Every measure of every system and group, per cent of the gold arcs (n); None where there are none."""
        findings = []
        for system in self.systems:
            for measure in self.measures:
                right, asked = self.right(system, measure), self._asked[measure]
                numbers = share_numbers(right, asked, self.sums.clusters)
                findings += [
                    Finding(STUDY, self.suite, system, measure, *number, by)
                    for by, number in zip(self.groups.keys, numbers, strict=True)
                ]
        return findings

    def improvements(self, baseline: str) -> list[Finding]:
        """Return what every other system gains, overall, by order and by property, on the same items, with tests."""
        numbers = [0, *self.groups.numbers("order"), *self.groups.numbers("property")]
        findings: list[Finding] = []
        for measure in self.measures:
            if measure == "label" and len(self.measures) > 1:
                continue
            old, asked = self.right(baseline, measure), self._asked[measure]
            for system in [system for system in self.systems if system != baseline]:
                new = self.right(system, measure)
                for number in [number for number in numbers if asked[:, number].any()]:
                    first, second = ((right[:, number], asked[:, number]) for right in (old, new))
                    test = share_difference(first, second, self.sums.clusters)
                    by: dict[str, Value] = {**self.groups.keys[number], "baseline": baseline}
                    head, n = (STUDY, self.suite, system), int(asked[:, number].sum())
                    findings += difference_findings(head, f"{measure}_difference", f"{measure}_p", test, by, n)
        return findings


def share_numbers(
    right: NDArray[Any], asked: NDArray[Any], clusters: Clusters
) -> list[tuple[float | None, int, float | None, float | None]]:
    """Per cent, n and interval of each column (items × columns), as a finding has them; no value of nothing."""
    numbers: list[tuple[float | None, int, float | None, float | None]] = []
    totals = zip(right.sum(axis=0).tolist(), asked.sum(axis=0).tolist(), strict=True)
    for estimate, (top, n) in zip(shares(right, asked, clusters), totals, strict=True):
        low, high = (None, None) if estimate is None else estimate.percent
        numbers.append((100 * top / n if n else None, int(n), low, high))
    return numbers


class _GroupSums:
    """Sums over items that are in the same clusters (rows), for each group."""

    def __init__(self, groups: Groups, clusters: Clusters) -> None:
        *_, cells = clusters.ways  # where two ways cross, the cells in which they do
        _, first, self._row_of = np.unique(cells, return_index=True, return_inverse=True)
        self.clusters = clusters.at(first)
        self._row_of = self._row_of.reshape(-1)
        self._groups = groups

    def __call__(self, counts: Ints) -> NDArray[Any]:
        """From counts of items to (rows × groups)."""
        return self._groups.sums(counts, self._row_of, len(self.clusters))


def measures_of(arcs: GoldArcs, kind: str) -> tuple[str, ...]:
    """What can be measured of these arcs, the main measure first."""
    if arcs.labels_only:
        return ("label",)
    return ("attachment", "las", "uas", "label") if kind == "pp" else ("las", "uas", "label")


def counts_asked(arcs: GoldArcs, measure: str) -> Ints:
    """The arcs of each item that a measure is over, which gold alone decides: all, or the noun's alone."""
    return arcs.per_item(~arcs.is_first) if measure == "attachment" else arcs.counts


def counts_right(judged: JudgedArcs, measure: str) -> Ints:
    """How many of them each item has right: head and label, the head, the label, or the head of the PP's noun."""
    right = {
        "las": judged.right,
        "uas": judged.head_right,
        "label": judged.label_right,
        "attachment": judged.head_right & ~judged.arcs.is_first,
    }[measure]
    return judged.arcs.per_item(right)


@dataclass(frozen=True, slots=True, eq=False)
class _Change:
    """Minimal pairs that differ in the same thing: `first` lacks what `second` has."""

    pair: str
    """`property` or `order`."""
    name: str
    """The property that is added, or `ORDER > ORDER`."""
    first: Ints
    second: Ints
    words: Ints
    """In how many words the two items differ."""

    @property
    def by(self) -> dict[str, Value]:
        return {"pair": self.pair, "change": self.name}


def pair_deltas(suite: RoleSuite, judged: Mapping[str, JudgedArcs], measure: str, clusters: Clusters) -> list[Finding]:
    """Return what every property and every change of order does to every system.

    The delta, with p, is the mean score of the changed items minus that of their partners, in points; flips are the
    pairs whose analysis changes. A pair is in the clusters of the item that lacks what the other has.
    """
    name, changes = PurePath(suite.name).name, _changes(suite)
    mixed = [
        Finding(STUDY, name, "", "several_words", int((change.words > 1).sum()), len(change.words), by=change.by)
        for change in changes
        if change.pair == "property"
    ]
    made = list[Finding]()
    for system, arcs in judged.items():
        head, analyses = (STUDY, name, system), _analyses(arcs)
        for change in changes:
            made += [
                *_delta(head, measure, change, arcs, clusters),
                *_flips(head, change, arcs, analyses, clusters),
            ]
    return mixed + made


def _changes(suite: RoleSuite) -> list[_Change]:
    """The pairs by what changes. An order pair goes from the order that the paper's Table 7 has first."""
    pairs = suite.pairs()
    first, second = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    by_order = np.array([pair.kind == "order" for pair in pairs], dtype=bool)
    rank = {order: number for number, order in enumerate(sorted_orders(set(suite.orders)))}
    places = np.array([rank[order] for order in suite.orders], dtype=np.int64)
    turned = by_order & (places[first] > places[second])
    first, second = np.where(turned, second, first), np.where(turned, first, second)
    names = places[first] * len(rank) + places[second]
    orders = list(rank)
    changes = []
    properties = np.array([pair.change if pair.kind == "property" else "" for pair in pairs], dtype=object)
    words = np.array(words_changed(suite, pairs), dtype=np.int64)
    for name in sorted_properties({str(one) for one in properties.tolist()} - {""}, suite.kind):
        chosen = np.flatnonzero(properties == name)
        changes.append(_Change("property", name, first[chosen], second[chosen], words[chosen]))
    for code in np.unique(names[by_order]).tolist():
        chosen = np.flatnonzero(by_order & (names == code))
        name = f"{orders[code // len(rank)]} > {orders[code % len(rank)]}"
        changes.append(_Change("order", name, first[chosen], second[chosen], words[chosen]))
    return changes


def _delta(
    head: tuple[str, str, str], measure: str, change: _Change, judged: JudgedArcs, clusters: Clusters
) -> Iterator[Finding]:
    """Yield the difference that a change makes, with its p; without pairs it has no value."""
    asked = counts_asked(judged.arcs, measure)
    kept = (asked[change.first] > 0) & (asked[change.second] > 0)
    if not kept.any():
        yield Finding(*head, f"{measure}_delta", None, 0, by=change.by)
        return
    first, second = change.first[kept], change.second[kept]
    scores = counts_right(judged, measure) / np.maximum(asked, 1)
    ones = np.ones(len(first))
    test = share_difference((scores[first], ones), (scores[second], ones), clusters.at(first))
    yield from difference_findings(head, f"{measure}_delta", f"{measure}_delta_p", test, change.by, len(first))


FLIPS = ("flips", "flips_lost", "flips_gained")


def _analyses(judged: JudgedArcs) -> Ints:
    """Number the analyses of all items: their arcs by role, each right, or wrong in one way and with one label."""
    arcs, wrong = judged.arcs, judged.outcome != RIGHT
    codes = judged.outcome.astype(np.int64) * len(judged.predicted.values) + wrong * judged.predicted.codes
    ordered = codes[np.lexsort((codes, ~arcs.is_first, arcs.item))].tolist()
    bounds = np.concatenate([[0], np.cumsum(arcs.counts)]).tolist()
    numbers: dict[tuple[int, ...], int] = {}
    return np.array([numbers.setdefault(tuple(ordered[a:b]), len(numbers)) for a, b in pairwise(bounds)])


def _flips(
    head: tuple[str, str, str], change: _Change, judged: JudgedArcs, analyses: Ints, clusters: Clusters
) -> Iterator[Finding]:
    """Yield the percentage of pairs whose analysis changes, becomes wrong and becomes right."""
    asked = judged.arcs.counts
    kept = (asked[change.first] > 0) & (asked[change.second] > 0)
    first, second = change.first[kept], change.second[kept]
    right = judged.per_item(judged.right) == asked
    changes = [analyses[first] != analyses[second], right[first] & ~right[second], ~right[first] & right[second]]
    flipped = np.stack(changes, axis=1).astype(np.int64)
    numbers = share_numbers(flipped, np.ones_like(flipped), clusters.at(first)) if kept.any() else ()
    for measure, (value, n, low, high) in zip(FLIPS, numbers, strict=False):
        yield Finding(*head, measure, value, n, low, high, change.by)


KINDS: Mapping[str, str] = {
    "right": "all arcs right",
    "swapped": "subject and object swapped",
    "subject-only": "subject right, object not",
    "object-only": "object right, subject not",
    "preposition-only": "preposition right, noun not",
    "noun-only": "noun right, preposition not",
    "part": "some arcs right, in an item of more than two",
    "wrong-head": "no arc right, a head wrong or a word not found",
    "other-label": "no arc right, heads right, other labels",
}
"""Each item is of exactly one kind."""


_NAMES = tuple(KINDS)


_ONLY = {"roles": ("subject-only", "object-only"), "pp": ("preposition-only", "noun-only")}


def kinds_for(suite_kind: str) -> tuple[str, ...]:
    """Those that a suite can have: roles or PP."""
    foreign = {name for kind, names in _ONLY.items() if kind != suite_kind for name in names}
    foreign |= {"swapped"} if suite_kind == "pp" else set()
    return tuple(name for name in KINDS if name not in foreign)


def item_kinds(judged: JudgedArcs, suite_kind: str = "roles") -> NDArray[np.int8]:
    """Index into KINDS for every item, -1 where it has no gold arc."""
    arcs, outcome = judged.arcs, judged.outcome
    first, right = arcs.is_first, judged.right
    total = arcs.counts
    right_arcs = judged.per_item(right)
    first_total, first_right = judged.per_item(first), judged.per_item(first & right)
    second_total, second_right = total - first_total, right_arcs - first_right
    swapped = judged.per_item(outcome == SWAPPED)
    head_wrong = judged.per_item(outcome >= WRONG_HEAD)
    only_first, only_second = _ONLY[suite_kind]
    code = _NAMES.index
    return np.select(
        [
            total == 0,
            right_arcs == total,
            (first_right == first_total) & (second_right == 0) & (right_arcs > 0),
            (second_right == second_total) & (first_right == 0) & (right_arcs > 0),
            right_arcs > 0,
            head_wrong > 0,
            swapped == total,
        ],
        [-1, code("right"), code(only_first), code(only_second), code("part"), code("wrong-head"), code("swapped")],
        code("other-label"),
    ).astype(np.int8)


def kind_name(code: int) -> str:
    return _NAMES[code] if code >= 0 else ""


def kind_findings(suite: RoleSuite, groups: Groups, system: str, judged: JudgedArcs) -> list[Finding]:
    """Items of each kind and their share, overall, by order and by property."""
    codes = item_kinds(judged, suite.kind)
    kept = codes >= 0
    counts = groups.sums(kept.astype(np.int64), np.where(kept, codes, 0).astype(np.int64), len(KINDS))  # kinds × groups
    name, known = PurePath(suite.name).name, kinds_for(suite.kind)
    findings = []
    for number in [0, *groups.numbers("order"), *groups.numbers("property")]:
        size = int(groups.sizes[number])
        for kind in known:
            count = int(counts[_NAMES.index(kind), number])
            by: dict[str, Value] = {**groups.keys[number], "kind": kind}
            findings.append(Finding(STUDY, name, system, "items", count, size, by=by))
            findings.append(Finding(STUDY, name, system, "items_share", 100 * count / size, size, by=by))
    return findings


def label_findings(suite: RoleSuite, system: str, judged: JudgedArcs) -> list[Finding]:
    """Arcs by gold label, label of the system, and whether the head is right; n is all arcs of the gold label."""
    gold, predicted = judged.arcs.label, judged.predicted
    size = len(predicted.values)
    codes = (gold.codes.astype(np.int64) * size + predicted.codes) * 2 + judged.head_right
    present, counts = np.unique(codes, return_counts=True)
    totals = np.bincount(gold.codes, minlength=len(gold.values)).tolist()
    findings = []
    for code, count in zip(present.tolist(), counts.tolist(), strict=True):
        gold_code, predicted_code = divmod(code // 2, size)
        by: dict[str, Value] = {"label": gold.values[gold_code], "predicted": predicted.values[predicted_code]}
        if not judged.arcs.labels_only:
            by["head"] = "right" if code % 2 else "wrong"
        findings.append(Finding(STUDY, PurePath(suite.name).name, system, "arcs", count, totals[gold_code], by=by))
    return findings
