"""The scores of all groups and systems with their intervals, and improvements over a baseline, as findings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from ...runs.result import Finding, Value
from ...stats.corrections import holm
from ...stats.pooled import Floats, Pool, bootstrap_p, intervals, ratios
from ...stats.resample import percentile_interval
from ...stats.sign_flip import sign_flip_p
from ...suites.model import RoleSuite
from .arcs import GoldArcs, JudgedArcs
from .groups import groups_of
from .settings import STUDY


class RoleCounts:
    """Right answers of all systems, item by item, pooled; one set of draws for all groups, systems and measures."""

    def __init__(self, suite: RoleSuite, judged: Mapping[str, JudgedArcs], draws: int, seed: int) -> None:
        self.suite, self.systems = PurePath(suite.name).name, list(judged)
        self.groups = groups = groups_of(suite)
        arcs = next(iter(judged.values())).arcs
        self.measures = measures_of(arcs, suite.kind)
        """The first is the main one."""
        asked = [counts_asked(arcs, measure) for measure in self.measures]
        right = [counts_right(system, measure) for system in judged.values() for measure in self.measures]
        self.pool = Pool.of(groups.cell_of, np.stack([*asked, *right], axis=1))
        self.sums = self.pool.sums(groups.members)
        self.drawn = self.pool.drawn_sums(groups.members, draws, seed) if draws else None

    def columns(self, system: str, measure: str) -> tuple[int, int]:
        """Which counts are divided by which."""
        place = self.measures.index(measure)
        return (1 + self.systems.index(system)) * len(self.measures) + place, place

    def ratio(self, sums: NDArray[np.float64], system: str, measure: str) -> Floats:
        """Per cent, from sums over groups (× columns)."""
        top, bottom = self.columns(system, measure)
        return ratios(sums[..., top], sums[..., bottom])

    def sizes(self) -> list[Finding]:
        """Items per group: those of the suite, which have no system."""
        sizes = self.groups.sizes.tolist()
        return [Finding(STUDY, self.suite, "", "size", n, by=by) for by, n in zip(self.groups.keys, sizes, strict=True)]

    def scores(self) -> list[Finding]:
        """Every measure of every system and group, per cent of the gold arcs (n); None where there are none."""
        findings = []
        for system in self.systems:
            for measure in self.measures:
                values = self.ratio(self.sums, system, measure).tolist()
                ranges = intervals(self.ratio(self.drawn, system, measure)) if self.drawn is not None else None
                asked = self.sums[:, self.columns(system, measure)[1]].tolist()
                for group, by in enumerate(self.groups.keys):
                    value, n = values[group], int(asked[group])
                    low, high = ranges[group] if ranges else (None, None)
                    if n == 0:
                        value = low = high = None
                    findings.append(Finding(STUDY, self.suite, system, measure, value, n, low, high, by))
        return findings

    def improvements(self, baseline: str) -> list[Finding]:
        """Of every other system, overall, by order and by property, on the same items; two tests, as in evaluation."""
        numbers = [0, *self.groups.numbers("order"), *self.groups.numbers("property")]
        tested = [
            (number, system, measure)
            for system in self.systems
            if system != baseline
            for measure in self.measures
            if measure != "label" or measure == self.measures[0]
            for number in numbers
            if self.sums[number, self.measures.index(measure)]
        ]
        ps = [self._randomisation_p(number, system, baseline, measure) for number, system, measure in tested]
        findings = []
        for (number, system, measure), p, p_holm in zip(tested, ps, holm(ps), strict=True):
            old, new = (float(self.ratio(self.sums[number], name, measure)) for name in (baseline, system))
            low = high = p_bootstrap = None
            if self.drawn is not None:
                drawn = self.drawn[:, number]
                gaps = self.ratio(drawn, system, measure) - self.ratio(drawn, baseline, measure)
                (low, high), p_bootstrap = percentile_interval(gaps), bootstrap_p(gaps)
            by: dict[str, Value] = {**self.groups.keys[number], "baseline": baseline}
            head, n = (STUDY, self.suite, system), int(self.sums[number, self.measures.index(measure)])
            findings += [
                Finding(*head, f"{measure}_difference", new - old, n, low, high, by),
                Finding(*head, f"{measure}_p_bootstrap", p_bootstrap, by=by),
                Finding(*head, f"{measure}_p_randomisation", p, by=by),
                Finding(*head, f"{measure}_p_holm", p_holm, by=by),
            ]
        return findings

    def _randomisation_p(self, number: int, system: str, baseline: str, measure: str) -> float:
        inside = self.groups.members[number][self.pool.cell]
        theirs, ours = (self.pool.counts[inside, self.columns(name, measure)[0]] for name in (baseline, system))
        return sign_flip_p(ours - theirs, self.pool.sizes[inside])


def measures_of(arcs: GoldArcs, kind: str) -> tuple[str, ...]:
    """What can be measured of these arcs, the main measure first."""
    if arcs.labels_only:
        return ("label",)
    return ("attachment", "las", "uas", "label") if kind == "pp" else ("las", "uas", "label")


def counts_asked(arcs: GoldArcs, measure: str) -> NDArray[np.int64]:
    """The arcs of each item that a measure is over, which gold alone decides: all, or the noun's alone."""
    return arcs.per_item(~arcs.is_first) if measure == "attachment" else arcs.counts


def counts_right(judged: JudgedArcs, measure: str) -> NDArray[np.int64]:
    """How many of them each item has right: head and label, the head, the label, or the head of the PP's noun."""
    right = {
        "las": judged.right,
        "uas": judged.head_right,
        "label": judged.label_right,
        "attachment": judged.head_right & ~judged.arcs.is_first,
    }[measure]
    return judged.arcs.per_item(right)
