"""Scores of suites and groups of suites with their intervals, and differences with their tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...runs.result.result import Value
from ...stats.sampling import (
    Clusters,
    Difference,
    Estimate,
    SeedSpread,
    share,
    share_difference,
    spread_of,
    weighted_share,
)
from ...suites.regions.hierarchy import item_clusters
from ...suites.regions.model import RegionSuite
from .outcomes import SuiteOutcome, SurprisalDifference, comparison_names, formula_chance, mean_difference

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SuiteScore:
    """A measure in per cent; None where there was nothing to count. `n` are items."""

    value: float | None
    n: int
    estimate: Estimate | None = None

    @property
    def low(self) -> float | None:
        return None if self.estimate is None else self.estimate.percent[0]

    @property
    def high(self) -> float | None:
        return None if self.estimate is None else self.estimate.percent[1]


@dataclass(frozen=True, eq=False)
class ItemCounts:
    """One measure of one system on one suite: what is counted (seeds × items) and out of how much (items)."""

    tops: Floats
    bottom: Floats

    @property
    def top(self) -> Floats:
        mean: Floats = self.tops.mean(axis=0)
        return mean

    @property
    def value(self) -> float:
        return float(self.top.sum() / self.bottom.sum())

    @property
    def n(self) -> int:
        return int((self.bottom > 0).sum())


class SuiteScores:
    """All measures of all systems on all suites; `independent`: each item for itself, and no variance of seeds."""

    def __init__(
        self,
        suites: Sequence[RegionSuite],
        outcomes: Mapping[str, Sequence[Sequence[SuiteOutcome]]],
        independent: bool = False,
    ) -> None:
        self.suites, self.outcomes, self.independent = suites, outcomes, independent
        self.clusters = item_clusters(suites, independent)
        self._begins = np.cumsum([0, *map(len, suites)])
        self.columns: dict[tuple[str, int, str], ItemCounts] = {
            (system, place, measure): counts
            for system, by_suite in outcomes.items()
            for place, seeds in enumerate(by_suite)
            for measure, counts in _counts(seeds).items()
        }
        """By system, suite and measure."""

    def measures(self, system: str, place: int) -> list[str]:
        return [measure for name, number, measure in self.columns if (name, number) == (system, place)]

    def score(self, system: str, places: Sequence[int], measure: str) -> SuiteScore:
        """The mean over these suites, with its interval; suites without the measure do not count."""
        kept = [place for place in places if (system, place, measure) in self.columns]
        kept = [place for place in kept if self.columns[system, place, measure].n]
        if not kept:
            return SuiteScore(None, 0)
        columns = [self.columns[system, place, measure] for place in kept]
        n = sum(column.n for column in columns)
        if len(columns) == len(columns[0].tops) == 1:
            estimate = share(columns[0].top, columns[0].bottom, self._clusters(kept))
        else:
            estimate = self._mean(kept, columns)
        return SuiteScore(100 * estimate.value, n, estimate)

    def chance(self, places: Sequence[int]) -> float | None:
        """The accuracy, in per cent, of a model to which the conditions are all the same; None where nobody knows."""
        means = []
        for place in places:
            chances = [formula_chance(prediction.tree) for prediction in self.suites[place].predictions]
            known = [chance for chance in chances if chance is not None]
            if len(known) < len(chances):
                return None
            means.append(100 * sum(known) / len(known))
        return sum(means) / len(means)

    def against(self, baseline: str, system: str, places: Sequence[int]) -> Difference:
        """The accuracy of a system minus that of another on the same items; every suite counts alike."""
        items = sum(len(self.suites[place]) for place in places)
        sides, spreads = [], []
        for name in (baseline, system):
            columns = [self.columns[name, place, "accuracy"] for place in places]
            weights = [items / len(places) / column.bottom.sum() for column in columns]
            tops, bottoms = (
                np.concatenate([weight * counts for weight, counts in zip(weights, parts, strict=True)])
                for parts in ([column.top for column in columns], [column.bottom for column in columns])
            )
            sides.append((tops, bottoms))
            spreads.append(None if self.independent else _seed_spread(columns, [1 / len(places)] * len(places)))
        known = [spread for spread in spreads if spread is not None]
        seeds = None if not known else known[0] if len(known) == 1 else known[0] + known[1]
        return share_difference(sides[0], sides[1], self._clusters(places), seeds)

    def failed(self, system: str, places: Sequence[int] | None = None) -> int:
        """Items that some seed could not score, of all suites or of some."""
        by_suite = self.outcomes[system]
        chosen = by_suite if places is None else [by_suite[place] for place in places]
        return sum(int(np.any([seed.failed for seed in seeds], axis=0).sum()) for seeds in chosen)

    def over_items(self, system: str, chosen: NDArray[np.bool_], measure: str) -> SuiteScore:
        """The mean over these of all items, whatever suite they are of; suites without the measure do not count."""
        places = [place for place in range(len(self.suites)) if (system, place, measure) in self.columns]
        if not places:
            return SuiteScore(None, 0)
        columns = [self.columns[system, place, measure] for place in places]
        rows = np.concatenate([np.arange(self._begins[place], self._begins[place + 1]) for place in places])
        bottom = np.concatenate([column.bottom for column in columns])
        kept = chosen[rows] & (bottom > 0)
        if not kept.any():
            return SuiteScore(None, 0)
        tops, bottom = np.concatenate([column.tops for column in columns], axis=1)[:, kept], bottom[kept]
        clusters, n, total = self.clusters.at(rows[kept]), int(kept.sum()), bottom.sum()
        if len(tops) == 1:
            estimate = share(tops[0], bottom, clusters)
        else:
            value = float(tops.mean(axis=0).sum() / total)
            seeds = None if self.independent else SeedSpread.of(tops / bottom)
            changes = (tops.mean(axis=0) - value * bottom) / total
            estimate = weighted_share(value, changes, bottom / total, len(tops) * bottom, clusters, seeds=seeds)
        return SuiteScore(100 * estimate.value, n, estimate)

    def items_of(self, places: Sequence[int]) -> NDArray[np.bool_]:
        """Which of all items are of these suites."""
        chosen = np.zeros(int(self._begins[-1]), dtype=bool)
        for place in places:
            chosen[self._begins[place] : self._begins[place + 1]] = True
        return chosen

    def gap(self, system: str, first: Sequence[int], second: Sequence[int], measure: str = "accuracy") -> SuiteScore:
        """The first group minus the second."""
        weights = [1 / len(first)] * len(first) + [-1 / len(second)] * len(second)
        return self._combination(system, [*first, *second], weights, measure, 1.0)

    def slope(
        self, system: str, places: Sequence[int], steps: Sequence[float], measure: str = "accuracy"
    ) -> SuiteScore:
        """How the measure changes with each step of complexity: the least-squares slope over the suites."""
        centred = np.asarray(steps) - np.mean(steps)
        return self._combination(system, places, (centred / (centred**2).sum()).tolist(), measure, np.inf)

    def _combination(
        self, system: str, places: Sequence[int], weights: Sequence[float], measure: str, most: float
    ) -> SuiteScore:
        columns = [self.columns[system, place, measure] for place in places]
        value = sum(weight * column.value for weight, column in zip(weights, columns, strict=True))
        changes, asked, strata, clusters = self._changes(places, columns, weights)
        spread = spread_of(float(value), changes, asked / asked.sum(), clusters, strata)
        seeds = None if self.independent else _seed_spread(columns, weights)
        interval = spread.plus(seeds).interval(-most, most)
        return SuiteScore(100 * value, sum(column.n for column in columns), interval)

    def _mean(self, places: Sequence[int], columns: Sequence[ItemCounts]) -> Estimate:
        """Return the mean over suites, which count alike whatever their size."""
        weights = [1 / len(places)] * len(places)
        value = sum(column.value for column in columns) / len(columns)
        changes, asked, strata, clusters = self._changes(places, columns, weights)
        shares = asked / np.bincount(strata, asked)[strata] / len(columns)
        seeds = None if self.independent else _seed_spread(columns, weights)
        judged = max(len(column.tops) for column in columns) * asked
        return weighted_share(float(value), changes, shares, judged, clusters, strata, seeds)

    def _changes(
        self, places: Sequence[int], columns: Sequence[ItemCounts], weights: Sequence[float]
    ) -> tuple[Floats, Floats, NDArray[np.int64], Clusters]:
        """Return what every item adds to a weighted sum of suites, how much of it was asked, its suite, its cluster.

        Suites are fixed: what differs between them is no error. A suite that is one cluster is measured against all.
        """
        everywhere = sum(column.value for column in columns) / len(columns)
        changes, asked, suites = [], [], []
        for number, (place, column, weight) in enumerate(zip(places, columns, weights, strict=True)):
            kept = column.bottom > 0
            alone = self._clusters([place]).at(kept).count < 2
            own = everywhere if alone else column.value
            changes.append(weight * (column.top - own * column.bottom)[kept] / column.bottom.sum())
            asked.append(column.bottom[kept])
            suites.append(np.full(int(kept.sum()), number))
        there = np.concatenate([column.bottom for column in columns]) > 0
        clusters = self._clusters(places).at(there)
        return np.concatenate(changes), np.concatenate(asked), np.concatenate(suites), clusters

    def _clusters(self, places: Sequence[int]) -> Clusters:
        """Of the items of these suites, one suite after the other."""
        rows = [np.arange(self._begins[place], self._begins[place + 1]) for place in places]
        return self.clusters.at(np.concatenate(rows))

    def differences(self, system: str, place: int) -> Floats:
        """Items × comparisons with < or >: mean over the seeds of greater minus lesser side, as predicted.

        An item is the mean of the seeds that did not fail on it, and NaN where all did.
        """
        return seed_mean(self._by_seed(system, place))

    def _by_seed(self, system: str, place: int) -> list[Floats]:
        kept = [directed for _, _, directed in comparison_names(self.suites[place])]
        return [outcome.differences[:, kept] for outcome in self.outcomes[system][place]]

    def difference(self, system: str, places: Sequence[int], comparison: int | None = None) -> SurprisalDifference:
        """The mean difference over the items of these suites, against 0; comparisons are averaged within an item.

        `comparison`: of this one alone.
        """

        def of_item(values: Floats) -> Floats:
            averaged: Floats = values.mean(axis=1) if comparison is None else values[:, comparison]
            return averaged

        items = np.concatenate([of_item(self.differences(system, place)) for place in places])
        if self.independent:
            return mean_difference(items)
        by_seed = [[of_item(values) for values in self._by_seed(system, place)] for place in places]
        seeds = np.stack([np.concatenate(row) for row in zip(*by_seed, strict=True)])
        return mean_difference(items, self._clusters(places), seeds)


def seed_mean(values: Sequence[Floats]) -> Floats:
    """The mean over seeds; a seed without a value (NaN) is left out."""
    stacked = np.stack(values)
    there = ~np.isnan(stacked)
    total, count = np.where(there, stacked, 0.0).sum(axis=0), there.sum(axis=0)
    mean: Floats = np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)
    return mean


def _seed_spread(columns: Sequence[ItemCounts], weights: Sequence[float]) -> SeedSpread | None:
    """Of items that were asked: what another seed would change in the weighted sum of the suites."""
    kept = [column.bottom > 0 for column in columns]
    values = [column.tops[:, asked] / column.bottom[asked] for column, asked in zip(columns, kept, strict=True)]
    strata = np.repeat(np.arange(len(columns)), [int(asked.sum()) for asked in kept])
    return SeedSpread.of(np.concatenate(values, axis=1), strata, np.array(weights))


def _counts(seeds: Sequence[SuiteOutcome]) -> dict[str, ItemCounts]:
    """Every measure, per seed and item."""
    first = seeds[0]
    items, predictions = first.holds.shape
    each_item = np.ones(items)

    def counts(of: Callable[[SuiteOutcome], NDArray[np.floating]]) -> ItemCounts:
        return ItemCounts(np.stack([of(outcome) for outcome in seeds]).astype(np.float64), each_item)

    by_measure = {
        "accuracy": counts(lambda outcome: outcome.holds.mean(axis=1)),
        "items_right": counts(lambda outcome: outcome.holds.prod(axis=1)),
        "ties": counts(lambda outcome: outcome.ties.mean(axis=1)),
    }
    for number in range(predictions):
        by_measure[f"prediction {number + 1}"] = counts(lambda outcome, at=number: outcome.holds[:, at])  # type: ignore[misc]
    for kind in first.normalised:
        by_measure[f"accuracy_per_{kind}"] = counts(lambda outcome, of=kind: outcome.normalised[of].mean(axis=1))  # type: ignore[misc]
    unknown_words = [outcome.oov for outcome in seeds if outcome.oov is not None]
    if unknown_words:
        known = 1.0 - np.any(unknown_words, axis=0)
        by_measure["accuracy_known"] = ItemCounts(by_measure["accuracy"].tops * known, known)
        by_measure["oov_items"] = ItemCounts((1 - known)[None, :], each_item)
    return by_measure


@dataclass(frozen=True, slots=True)
class SuiteGroup:
    """Suites that are reported together."""

    by: Mapping[str, Value]
    places: tuple[int, ...]


def groups_of(suites: Sequence[RegionSuite]) -> list[SuiteGroup]:
    """By class, modifier, class and modifier, complexity, kind, and kind with and without modifier."""
    groups: list[SuiteGroup] = []
    for keys in (("class",), ("modifier",), ("class", "modifier"), ("kind",)):
        values: dict[tuple[str, ...], list[int]] = {}
        for place, suite in enumerate(suites):
            key = tuple(suite.property_of(name) for name in keys)
            if all(key):
                values.setdefault(key, []).append(place)
        groups += [SuiteGroup(dict(zip(keys, key, strict=True)), tuple(places)) for key, places in values.items()]
    modified: dict[tuple[str, str], list[int]] = {}
    for place, suite in enumerate(suites):
        kind, modifier = suite.property_of("kind"), suite.property_of("modifier")
        if kind and modifier:
            modified.setdefault((kind, "no" if modifier == "none" else "yes"), []).append(place)
    groups += [SuiteGroup({"kind": kind, "modified": word}, tuple(places)) for (kind, word), places in modified.items()]
    return groups


def ladders_of(suites: Sequence[RegionSuite]) -> dict[str, list[tuple[float, int]]]:
    """Classes whose modifiers have a known complexity: (complexity, suite), from the least to the most."""
    by_class: dict[str, list[tuple[float, int]]] = {}
    for place, suite in enumerate(suites):
        try:
            step = float(suite.property_of("complexity"))
        except ValueError:
            continue
        by_class.setdefault(suite.property_of("class"), []).append((step, place))
    return {name: sorted(steps) for name, steps in by_class.items() if len({step for step, _ in steps}) > 1}
