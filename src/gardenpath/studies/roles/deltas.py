"""What one property or one order changes, all else equal: differences within minimal pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from ...runs.result import Finding, Value
from ...stats.corrections import holm
from ...stats.sampling import Clusters, share_difference
from ...suites.model import RoleSuite
from ...suites.pairs import words_changed
from .arcs import JudgedArcs
from .groups import sorted_orders, sorted_properties
from .scores import counts_asked, counts_right
from .settings import STUDY

Ints = NDArray[np.int64]


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
    """What every property and every change of order does to every system, with p alone and corrected for all.

    The delta is the mean score of the changed items minus that of their partners, in points. A pair is in the clusters
    of the item that lacks what the other has.
    """
    name, changes = PurePath(suite.name).name, _changes(suite)
    deltas = [
        _delta(Finding(STUDY, name, system, f"{measure}_delta", None, 0, by=change.by), change, arcs, clusters)
        for system, arcs in judged.items()
        for change in changes
    ]
    corrected = holm([p for _, p, _ in deltas])
    mixed = [
        Finding(STUDY, name, "", "several_words", int((change.words > 1).sum()), len(change.words), by=change.by)
        for change in changes
        if change.pair == "property"
    ]
    return mixed + [
        finding
        for (delta, p, count), p_holm in zip(deltas, corrected, strict=True)
        for finding in (
            delta,
            replace(delta, measure=f"{delta.measure}_p", value=p, n=count, low=None, high=None),
            replace(delta, measure=f"{delta.measure}_p_holm", value=p_holm, n=count, low=None, high=None),
        )
    ]


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


def _delta(empty: Finding, change: _Change, judged: JudgedArcs, clusters: Clusters) -> tuple[Finding, float, int]:
    """The finding with its numbers, p, and the number of clusters; without pairs it stays empty."""
    measure = empty.measure.removesuffix("_delta")
    asked = counts_asked(judged.arcs, measure)
    kept = (asked[change.first] > 0) & (asked[change.second] > 0)
    if not kept.any():
        return empty, 1.0, 0
    first, second = change.first[kept], change.second[kept]
    scores = counts_right(judged, measure) / np.maximum(asked, 1)
    ones = np.ones(len(first))
    difference = share_difference((scores[first], ones), (scores[second], ones), clusters.at(first))
    points = 100 * float((scores[second] - scores[first]).mean())
    low, high = difference.percent
    return replace(empty, value=points, n=len(first), low=low, high=high), difference.p, difference.clusters
