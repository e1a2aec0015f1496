"""What one property or one order changes, all else equal: differences within minimal pairs.

The pairs of one sentence in its orders (a set) share their words, so it is the sets that are drawn anew, and whose
signs are turned in the test, not the pairs; where a suite says which items come from one base sentence, all of these
together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import lcm
from pathlib import PurePath
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...runs.result import Finding, Value
from ...stats.corrections import holm
from ...stats.pooled import Pool, ratios
from ...stats.resample import percentile_interval
from ...stats.sign_flip import sign_flip_p
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
    cluster: Ints
    words: Ints
    """In how many words the two items differ."""

    @property
    def by(self) -> dict[str, Value]:
        return {"pair": self.pair, "change": self.name}


def pair_deltas(
    suite: RoleSuite, judged: Mapping[str, JudgedArcs], measure: str, *, draws: int = 1000, seed: int = 0
) -> list[Finding]:
    """What every property and every change of order does to every system, and two p: alone, and corrected for all.

    The delta is over pairs: the mean score of the changed items minus that of their partners, in points. The p is over
    sets, by randomisation of whole sets.
    """
    name, changes = PurePath(suite.name).name, _changes(suite)
    measured = {system: _item_scores(arcs, measure) for system, arcs in judged.items()}
    deltas = [
        _delta(Finding(STUDY, name, system, f"{measure}_delta", None, 0, by=change.by), change, scores, draws, seed)
        for system, scores in measured.items()
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
        for (delta, p, sets), p_holm in zip(deltas, corrected, strict=True)
        for finding in (
            delta,
            replace(delta, measure=f"{delta.measure}_p_randomisation", value=p, n=sets, low=None, high=None),
            replace(delta, measure=f"{delta.measure}_p_holm", value=p_holm, n=sets, low=None, high=None),
        )
    ]


def _changes(suite: RoleSuite) -> list[_Change]:
    """The pairs by what changes. An order pair goes from the order that the paper's Table 7 has first."""
    pairs = suite.pairs()
    first, second = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    by_order = np.array([pair.kind == "order" for pair in pairs], dtype=bool)
    cluster = _clusters(suite, first[by_order], second[by_order])
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
        changes.append(_Change("property", name, first[chosen], second[chosen], cluster[first[chosen]], words[chosen]))
    for code in np.unique(names[by_order]).tolist():
        chosen = np.flatnonzero(by_order & (names == code))
        name = f"{orders[code // len(rank)]} > {orders[code % len(rank)]}"
        changes.append(_Change("order", name, first[chosen], second[chosen], cluster[first[chosen]], words[chosen]))
    return changes


def _clusters(suite: RoleSuite, first: Ints, second: Ints) -> Ints:
    """What items have in common: the base sentence where the suite says it, else the set.

    All items of a set are order pairs of each other, so its first item stands for it.
    """
    if suite.bases and all(suite.bases):
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(base, len(numbers)) for base in suite.bases], dtype=np.int64)
    cluster = np.arange(len(suite))
    np.minimum.at(cluster, np.maximum(first, second), np.minimum(first, second))
    return cluster[cluster]


class _ItemScores(NamedTuple):
    """Items' scores as whole numbers: shares of right arcs times `scale`, which all counts of arcs divide."""

    scores: Ints
    asked: Ints
    scale: int


def _item_scores(judged: JudgedArcs, measure: str) -> _ItemScores:
    asked = counts_asked(judged.arcs, measure)
    scale = lcm(*np.unique(asked[asked > 0]).tolist())
    return _ItemScores(counts_right(judged, measure) * (scale // np.maximum(asked, 1)), asked, scale)


def _delta(empty: Finding, change: _Change, items: _ItemScores, draws: int, seed: int) -> tuple[Finding, float, int]:
    """The finding with its numbers, p, and the number of sets; without pairs it stays empty."""
    scores, asked, scale = items
    kept = (asked[change.first] > 0) & (asked[change.second] > 0)
    gaps = (scores[change.second] - scores[change.first])[kept]
    _, cluster = np.unique(change.cluster[kept], return_inverse=True)
    sizes = np.bincount(cluster.reshape(-1))
    sums = np.bincount(cluster.reshape(-1), gaps).astype(np.int64)
    pairs = int(sizes.sum())
    if not pairs:
        return empty, 1.0, 0
    pool = Pool.of(np.zeros(len(sizes), dtype=np.int64), np.stack([sums, sizes], axis=1))
    value = 100 * int(sums.sum()) / scale / pairs
    low = high = None
    if draws:
        drawn = pool.drawn_sums(np.ones((1, 1), dtype=bool), draws, seed)[:, 0]
        low, high = percentile_interval(ratios(drawn[:, 0], drawn[:, 1]) / scale)
    p = sign_flip_p(pool.counts[:, 0], pool.sizes)
    return replace(empty, value=value, n=pairs, low=low, high=high), p, len(sizes)
