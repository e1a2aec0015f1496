"""Scores of suites and of groups of suites, with bootstrap intervals over items, and differences with their t-tests.

Seeds of a system are averaged within each item first. The items of a suite are drawn anew, for all systems the same
ones; a group of suites (a class, a modifier) is the plain mean of its suites, in the data and in every draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...runs.result import Value
from ...stats.pooled import ratios
from ...stats.resample import percentile_interval
from ...suites.regions.model import RegionSuite
from .difference import SurprisalDifference, mean_difference
from .outcomes import SuiteOutcome, comparison_names

Floats = NDArray[np.float64]
Range = tuple[float, float] | tuple[None, None]


@dataclass(frozen=True, slots=True)
class SuiteScore:
    """A measure in per cent; None where there was nothing to count. `n` are items."""

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, eq=False)
class ItemCounts:
    """One measure of one system on one suite: what is counted and out of how much, per item."""

    top: Floats
    bottom: Floats
    drawn: Floats | None
    """The measure in each draw."""

    @property
    def value(self) -> float:
        return float(ratios(self.top.sum(), self.bottom.sum()))

    @property
    def n(self) -> int:
        return int((self.bottom > 0).sum())


class SuiteScores:
    """All measures of all systems on all suites."""

    def __init__(
        self,
        suites: Sequence[RegionSuite],
        outcomes: Mapping[str, Sequence[Sequence[SuiteOutcome]]],
        draws: int = 1000,
        seed: int = 0,
    ) -> None:
        self.suites, self.outcomes, self.draws = suites, outcomes, draws
        self.columns: dict[tuple[str, int, str], ItemCounts] = {}
        """By system, suite and measure."""
        generator = np.random.default_rng(seed)
        for place, suite in enumerate(suites):
            count = len(suite.items)
            weights = generator.multinomial(count, np.full(count, 1 / count), size=draws) if draws else None
            for system, seeds in outcomes.items():
                for measure, (top, bottom) in _counts(seeds[place]).items():
                    drawn = None if weights is None else ratios(weights @ top, weights @ bottom)
                    self.columns[system, place, measure] = ItemCounts(top, bottom, drawn)

    def measures(self, system: str, place: int) -> list[str]:
        return [measure for name, number, measure in self.columns if (name, number) == (system, place)]

    def score(self, system: str, places: Sequence[int], measure: str) -> SuiteScore:
        """The mean over these suites, with its interval; suites without the measure do not count."""
        found = [one for place in places if (one := self.columns.get((system, place, measure))) is not None]
        found = [one for one in found if one.n]
        if not found:
            return SuiteScore(None, 0)
        value = float(np.mean([one.value for one in found]))
        low, high = self._range([one.drawn for one in found])
        return SuiteScore(value, sum(one.n for one in found), low, high)

    def gap(self, system: str, first: Sequence[int], second: Sequence[int], measure: str = "accuracy") -> SuiteScore:
        """The first group minus the second."""
        sides = [[self.columns[system, place, measure] for place in places] for places in (first, second)]
        value = float(np.mean([one.value for one in sides[0]]) - np.mean([one.value for one in sides[1]]))
        n = sum(one.n for side in sides for one in side)
        if not self.draws:
            return SuiteScore(value, n)
        means = [np.mean([one.drawn for one in side if one.drawn is not None], axis=0) for side in sides]
        low, high = percentile_interval(means[0] - means[1])
        return SuiteScore(value, n, low, high)

    def slope(
        self, system: str, places: Sequence[int], steps: Sequence[float], measure: str = "accuracy"
    ) -> SuiteScore:
        """How the measure changes with each step of complexity: the least-squares slope over the suites."""
        centred = np.asarray(steps) - np.mean(steps)
        weights = centred / (centred**2).sum()
        columns = [self.columns[system, place, measure] for place in places]
        value = float(weights @ np.array([column.value for column in columns]))
        n = sum(column.n for column in columns)
        if not self.draws:
            return SuiteScore(value, n)
        drawn = sum(weight * one.drawn for weight, one in zip(weights, columns, strict=True) if one.drawn is not None)
        low, high = percentile_interval(np.asarray(drawn))
        return SuiteScore(value, n, low, high)

    def _range(self, drawn: Sequence[Floats | None]) -> Range:
        kept = [one for one in drawn if one is not None]
        return percentile_interval(np.mean(kept, axis=0)) if kept else (None, None)

    def differences(self, system: str, place: int) -> Floats:
        """Items × comparisons with < or >: mean over the seeds of greater minus lesser side, as predicted.

        An item is the mean of the seeds that did not fail on it, and NaN where all did.
        """
        kept = [directed for _, _, directed in comparison_names(self.suites[place])]
        return seed_mean([outcome.differences for outcome in self.outcomes[system][place]])[:, kept]

    def difference(self, system: str, places: Sequence[int]) -> SurprisalDifference:
        """The mean difference over the items of these suites, against 0; comparisons are averaged within an item."""
        found = [self.differences(system, place).mean(axis=1) for place in places]
        return mean_difference(np.concatenate(found))


def seed_mean(values: Sequence[Floats]) -> Floats:
    """The mean over seeds; a seed without a value (NaN) is left out."""
    stacked = np.stack(values)
    there = ~np.isnan(stacked)
    total, count = np.where(there, stacked, 0.0).sum(axis=0), there.sum(axis=0)
    mean: Floats = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def _counts(seeds: Sequence[SuiteOutcome]) -> dict[str, tuple[Floats, Floats]]:
    """Top and bottom of every measure, per item."""
    first = seeds[0]
    items, predictions = first.holds.shape
    one = np.ones(items)
    accuracy = np.mean([outcome.holds.mean(axis=1) for outcome in seeds], axis=0)
    found = {
        "accuracy": (accuracy, one),
        "items_right": (np.mean([outcome.holds.prod(axis=1) for outcome in seeds], axis=0), one),
        "ties": (np.mean([outcome.ties.mean(axis=1) for outcome in seeds], axis=0), one),
    }
    for number in range(predictions):
        holds = np.mean([outcome.holds[:, number] for outcome in seeds], axis=0)
        found[f"prediction {number + 1}"] = (holds, one)
    for kind in first.normalised:
        per = np.mean([outcome.normalised[kind].mean(axis=1) for outcome in seeds], axis=0)
        found[f"accuracy_per_{kind}"] = (per, one)
    told = [outcome.oov for outcome in seeds if outcome.oov is not None]
    if told:
        known = 1.0 - np.any(told, axis=0)
        found["accuracy_known"] = (accuracy * known, known)
        found["oov_items"] = (1 - known, one)
    return found


@dataclass(frozen=True, slots=True)
class SuiteGroup:
    """Suites that are reported together."""

    by: Mapping[str, Value]
    places: tuple[int, ...]


def groups_of(suites: Sequence[RegionSuite]) -> list[SuiteGroup]:
    """By class, modifier, class and modifier, complexity, kind, and kind with and without modifier."""
    found: list[SuiteGroup] = []
    for keys in (("class",), ("modifier",), ("class", "modifier"), ("kind",)):
        values: dict[tuple[str, ...], list[int]] = {}
        for place, suite in enumerate(suites):
            key = tuple(suite.property_of(name) for name in keys)
            if all(key):
                values.setdefault(key, []).append(place)
        found += [SuiteGroup(dict(zip(keys, key, strict=True)), tuple(places)) for key, places in values.items()]
    modified: dict[tuple[str, str], list[int]] = {}
    for place, suite in enumerate(suites):
        kind, modifier = suite.property_of("kind"), suite.property_of("modifier")
        if kind and modifier:
            modified.setdefault((kind, "no" if modifier == "none" else "yes"), []).append(place)
    found += [SuiteGroup({"kind": kind, "modified": word}, tuple(places)) for (kind, word), places in modified.items()]
    return found


def ladders_of(suites: Sequence[RegionSuite]) -> dict[str, list[tuple[float, int]]]:
    """Classes whose modifiers have a known complexity: (complexity, suite), from the least to the most."""
    found: dict[str, list[tuple[float, int]]] = {}
    for place, suite in enumerate(suites):
        try:
            step = float(suite.property_of("complexity"))
        except ValueError:
            continue
        found.setdefault(suite.property_of("class"), []).append((step, place))
    return {name: sorted(steps) for name, steps in found.items() if len({step for step, _ in steps}) > 1}
