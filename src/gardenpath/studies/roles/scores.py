"""The scores of all groups and systems with their intervals, and improvements over a baseline, as findings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...runs.result import Finding, Value
from ...stats.corrections import holm
from ...stats.sampling import Clusters, Difference, share_difference, shares
from ...suites.model import RoleSuite
from ..grouping import ColumnGroups
from .arcs import GoldArcs, JudgedArcs
from .groups import Groups, groups_of
from .settings import STUDY

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
        self._sums = _GroupSums(self.groups, clusters)
        self._asked = {measure: self._sums(counts_asked(self.arcs, measure)) for measure in self.measures}

    def right(self, system: str, measure: str) -> NDArray[Any]:
        """(rows × groups): what of a measure a system has right."""
        return self._sums(counts_right(self.judged[system], measure))

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
                numbers = share_numbers(right, asked, self._sums.clusters)
                findings += [
                    Finding(STUDY, self.suite, system, measure, *number, by)
                    for by, number in zip(self.groups.keys, numbers, strict=True)
                ]
        return findings

    def improvements(self, baseline: str) -> list[Finding]:
        """Of every other system, overall, by order and by property, on the same items; p also corrected for all."""
        numbers = [0, *self.groups.numbers("order"), *self.groups.numbers("property")]
        tested: list[tuple[str, str, int, float, Difference]] = []
        for measure in self.measures:
            if measure == "label" and len(self.measures) > 1:
                continue
            old, asked = self.right(baseline, measure), self._asked[measure]
            for system in self.systems:
                if system == baseline:
                    continue
                new = self.right(system, measure)
                for number in numbers:
                    if asked[:, number].any():
                        first, second = ((right[:, number], asked[:, number]) for right in (old, new))
                        below, above = (100 * top.sum() / bottom.sum() for top, bottom in (first, second))
                        difference = share_difference(first, second, self._sums.clusters)
                        tested.append((system, measure, number, float(above - below), difference))
        findings = []
        corrected = holm([difference.p for *_, difference in tested])
        for (system, measure, number, points, difference), p_holm in zip(tested, corrected, strict=True):
            by: dict[str, Value] = {**self.groups.keys[number], "baseline": baseline}
            head, n = (STUDY, self.suite, system), int(self._asked[measure][:, number].sum())
            low, high = difference.percent
            findings += [
                Finding(*head, f"{measure}_difference", points, n, low, high, by),
                Finding(*head, f"{measure}_p", difference.p, difference.clusters, by=by),
                Finding(*head, f"{measure}_p_holm", p_holm, difference.clusters, by=by),
            ]
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
