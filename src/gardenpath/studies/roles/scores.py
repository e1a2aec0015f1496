"""The scores of all groups and systems with their intervals, and improvements over a baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...stats.corrections import holm
from ...stats.pooled import Floats, Pool, bootstrap_p, intervals, ratios
from ...stats.resample import percentile_interval
from ...stats.sign_flip import sign_flip_p
from .arcs import Judged
from .groups import Groups


@dataclass(frozen=True, slots=True)
class Score:
    """A measure of one system on one group, per cent; None where nothing could be asked."""

    group: int
    system: str
    measure: str
    value: float | None
    n: int
    """What it is a share of: gold arcs; for `label`, those whose head is right."""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Improvement:
    """A system's score minus the baseline's on the same items, in points."""

    group: int
    system: str
    measure: str
    value: float
    n: int
    low: float | None
    high: float | None
    p_bootstrap: float | None
    p_randomisation: float
    p_holm: float
    """Randomisation p, corrected for all improvements tested together."""


class Counts:
    """Right answers of all systems, item by item, pooled; one set of draws for all groups, systems and measures."""

    def __init__(self, groups: Groups, judged: Mapping[str, Judged], draws: int, seed: int) -> None:
        self.groups, self.systems, self.draws, self.seed = groups, list(judged), draws, seed
        first = next(iter(judged.values()))
        self.labels_only = first.arcs.labels_only
        columns = [first.arcs.counts]
        for one in judged.values():
            columns.append(one.per_item(one.right))
            columns += [] if self.labels_only else [one.per_item(one.head_right)]
        self.pool = Pool.of(groups.cell_of, np.stack(columns, axis=1))
        self.sums = self.pool.sums(groups.members)
        self.drawn = self.pool.drawn_sums(groups.members, draws, seed) if draws else None

    @property
    def measures(self) -> tuple[str, ...]:
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

    def scores(self) -> list[Score]:
        found = []
        for system in self.systems:
            for measure in self.measures:
                values = self.ratio(self.sums, system, measure)
                ranges = intervals(self.ratio(self.drawn, system, measure)) if self.drawn is not None else None
                asked = self.sums[:, self.columns(system, measure)[1]]
                for group, value in enumerate(values.tolist()):
                    low, high = ranges[group] if ranges else (None, None)
                    n = int(asked[group])
                    if n == 0:
                        value = low = high = None
                    found.append(Score(group, system, measure, value, n, low, high))
        return found

    def improvements(self, baseline: str) -> list[Improvement]:
        """Of every other system, overall, by order and by property; two tests, as in the evaluation."""
        numbers = [0, *self.groups.numbers("order"), *self.groups.numbers("property")]
        measures = [name for name in self.measures if name != "label" or self.labels_only]
        found = [
            self._improvement(number, system, baseline, measure)
            for system in self.systems
            if system != baseline
            for measure in measures
            for number in numbers
            if self.sums[number, 0]
        ]
        corrected = holm([one.p_randomisation for one in found])
        return [replace(one, p_holm=p) for one, p in zip(found, corrected, strict=True)]

    def _improvement(self, number: int, system: str, baseline: str, measure: str) -> Improvement:
        old, new = (float(self.ratio(self.sums[number], name, measure)) for name in (baseline, system))
        low = high = p_bootstrap = None
        if self.drawn is not None:
            drawn = self.drawn[:, number]
            gaps = self.ratio(drawn, system, measure) - self.ratio(drawn, baseline, measure)
            (low, high), p_bootstrap = percentile_interval(gaps), bootstrap_p(gaps)
        inside = self.groups.members[number][self.pool.cell]
        theirs, ours = (self.pool.counts[inside, self.columns(name, measure)[0]] for name in (baseline, system))
        p = sign_flip_p(ours - theirs, self.pool.sizes[inside])
        return Improvement(
            number, system, measure, new - old, int(self.sums[number, 0]), low, high, p_bootstrap, p, 1.0
        )
