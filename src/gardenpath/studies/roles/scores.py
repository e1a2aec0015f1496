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
from .arcs import JudgedArcs
from .groups import groups_of
from .settings import STUDY


class RoleCounts:
    """Right answers of all systems, item by item, pooled; one set of draws for all groups, systems and measures."""

    def __init__(self, suite: RoleSuite, judged: Mapping[str, JudgedArcs], draws: int, seed: int) -> None:
        self.suite, self.systems = PurePath(suite.name).name, list(judged)
        self.groups = groups = groups_of(suite)
        first = next(iter(judged.values()))
        self.labels_only = first.arcs.labels_only
        columns = [first.arcs.counts]
        for arcs in judged.values():
            columns.append(arcs.per_item(arcs.right))
            columns += [] if self.labels_only else [arcs.per_item(arcs.head_right)]
        self.pool = Pool.of(groups.cell_of, np.stack(columns, axis=1))
        self.sums = self.pool.sums(groups.members)
        self.drawn = self.pool.drawn_sums(groups.members, draws, seed) if draws else None

    @property
    def measures(self) -> tuple[str, ...]:
        """The first is the main one."""
        return ("label",) if self.labels_only else ("las", "uas", "label")

    def columns(self, system: str, measure: str) -> tuple[int, int]:
        """Which counts are divided by which."""
        place = self.systems.index(system)
        if self.labels_only:
            return 1 + place, 0
        right = 1 + 2 * place
        return {"las": (right, 0), "uas": (right + 1, 0), "label": (right, right + 1)}[measure]

    def ratio(self, sums: NDArray[np.float64], system: str, measure: str) -> Floats:
        """Per cent, from sums over groups (× columns)."""
        top, bottom = self.columns(system, measure)
        return ratios(sums[..., top], sums[..., bottom])

    def sizes(self) -> list[Finding]:
        """Items per group: those of the suite, which have no system."""
        sizes = self.groups.sizes.tolist()
        return [Finding(STUDY, self.suite, "", "size", n, by=by) for by, n in zip(self.groups.keys, sizes, strict=True)]

    def scores(self) -> list[Finding]:
        """Every measure of every system and group, per cent; n is what it is a share of.

        That is gold arcs; for `label`, those whose head is right. None where nothing could be asked.
        """
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
        measures = [name for name in self.measures if name != "label" or self.labels_only]
        tested = [
            (number, system, measure)
            for system in self.systems
            if system != baseline
            for measure in measures
            for number in numbers
            if self.sums[number, 0]
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
            head, n = (STUDY, self.suite, system), int(self.sums[number, 0])
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
