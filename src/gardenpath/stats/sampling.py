"""Intervals and paired tests that know how the items were sampled.

Items that share a base sentence, a lexeme or a document are not independent, and these clusters differ in size. The
variance of a score is that of the changes which leaving out one cluster after the other makes, corrected for the size
of each (CR2; Bell and McCaffrey 2002), with t of Satterthwaite's degrees of freedom for clusters of these sizes. One
more than these is the number of clusters of equal size that would tell as much: the effective number. Where two ways of
clustering cross (lexemes and base sentences), their variances add, less that of the cells in which they cross (Cameron,
Gelbach and Miller 2011). Nothing is drawn: a result has no seed, a p can be as small as the data make it, and the
interval of a difference and its p are two readings of the same standard error, so they never contradict each other.

    >>> import numpy as np
    >>> right, asked = np.array([4, 0, 4, 3, 0, 4]), np.full(6, 4)
    >>> share(right, asked)                                  # six lexemes with four sentences each
    Estimate(value=0.625, low=0.269..., high=0.882..., clusters=6, effective=6.0)
    >>> share(np.array([1, 1, 1]), np.ones(3))               # all right: Wilson's interval, never of width zero
    Estimate(value=1.0, low=0.438..., high=1.0, clusters=3, effective=3)

Two groups of items are compared over all pairs of an item of each (`compare_groups`). Pairs may be kept to items of one
stratum (a construction), so that a difference between strata is no difference between groups. The mean over pairs
without strata is the difference of the two means; the share of pairs in which the first has more, less the share in
which it has less, is Cliff's delta, or the rank-biserial correlation.

    >>> bits, astray = np.array([5.0, 7.0, 1.0, 2.0, 3.0]), np.array([True, True, False, False, False])
    >>> compared = compare_groups(bits, astray)
    >>> compared.gap.value, compared.dominance.value, compared.items
    (4.0, 1.0, 5)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .distributions import student_bound, student_p

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SeedSpread:
    """What another seed would change in a mean over seeds: a variance, and its degrees of freedom."""

    variance: float
    freedom: float

    @classmethod
    def of(cls, values: Floats, strata: Ints | None = None, weights: Floats | None = None) -> SeedSpread | None:
        """Return the spread of the weighted sum of the means of strata of `values` (seeds × items); None for one seed.

        Without strata this is the mean over all items. Items and seeds cross: x = item + seed + rest. In the mean,
        seeds have MS(seed)/nK, in which MS(rest)/nK is already counted with the items; that much is taken off
        (two-way analysis of variance).
        """
        seeds, items = values.shape
        if seeds < 2 or not items:
            return None
        of = np.zeros(items, dtype=np.int64) if strata is None else strata
        size = np.bincount(of).astype(np.float64)
        share = (np.ones(1) if weights is None else weights) / np.maximum(size, 1)  # of each item, by stratum
        means = np.stack([np.bincount(of, row) for row in values]) / np.maximum(size, 1)  # seeds × strata
        scores = means @ (share * size)
        rest = values - values.mean(axis=0) - (means - means.mean(axis=0))[:, of]
        spread = share[of] ** 2 * size[of] / np.maximum(size[of] - 1, 1)
        pairs = seeds * (seeds - 1)
        own = float(((scores - scores.mean()) ** 2).sum()) / pairs
        return cls(max(0.0, own - float((rest**2 @ spread).sum()) / pairs), seeds - 1)

    def __add__(self, second: SeedSpread) -> SeedSpread:
        """Return the spread of the difference of two systems with seeds of their own."""
        total = self.variance + second.variance
        parts = self.variance**2 / self.freedom + second.variance**2 / second.freedom
        return SeedSpread(total, total**2 / parts if parts else self.freedom + second.freedom)


FEW, LEAST = 20, 5
"""Effective clusters below which no difference is shown, and below which nothing is tested."""
ASSUMED = 0.2
"""The correlation within clusters where the data cannot tell: all right, all wrong, or no difference at all."""
_NORMAL = 1.959963984540054
"""97.5 % of a standard normal distribution lie below."""
_NOTHING = 1e-12
"""A standard error or a difference of shares that rounding alone leaves."""


@dataclass(frozen=True, eq=False)
class Clusters:
    """Which items were sampled together, in one way or in two that cross."""

    units: tuple[str, ...]
    """What a cluster is, in each way: `("document",)`, `("base sentence", "subject noun")`."""
    codes: tuple[Ints, ...]
    """For each way, the number of the cluster of every item."""
    sizes: Floats | None = None
    """How much every item counts, such as the words of a sentence; None where all count alike."""

    @classmethod
    def of(cls, sizes: ArrayLike | None = None, **named: ArrayLike) -> Clusters:
        """Return clusters by the names of each item's: `Clusters.of(document=documents)`; _ stands for a blank."""
        codes = tuple(np.unique(np.asarray(names), return_inverse=True)[1].reshape(-1) for names in named.values())
        if not codes or len({len(numbers) for numbers in codes}) > 1 or len(codes) > 2:
            raise UsageError("items have clusters of one or two kinds, and each item one of each")
        units = tuple(name.replace("_", " ") for name in named)
        return cls(units, codes, None if sizes is None else np.asarray(sizes, dtype=np.float64))

    @classmethod
    def independent(cls, items: int, unit: str = "item", sizes: ArrayLike | None = None) -> Clusters:
        """Return clusters of one item each."""
        return cls((unit,), (np.arange(items),), None if sizes is None else np.asarray(sizes, dtype=np.float64))

    def __len__(self) -> int:
        return len(self.codes[0])

    @property
    def name(self) -> str:
        """What a cluster is: `document`, `base sentence×subject noun`."""
        return "×".join(self.units)

    @property
    def count(self) -> int:
        """Number of clusters; of the rarer kind where two cross."""
        return min(int(np.count_nonzero(np.bincount(codes))) for codes in self.codes)

    @property
    def shares(self) -> list[Floats]:
        """For each way, the share that every cluster has of all items."""
        sizes = np.ones(len(self)) if self.sizes is None else self.sizes
        summed = [np.bincount(codes, sizes) for codes in self.codes]
        return [sums[sums > 0] / sums.sum() for sums in summed]

    @property
    def effective(self) -> float:
        """Number of clusters of equal size that would tell as much, which decides what may be claimed."""
        return 1 + min((float(freedom(shares)) for shares in self.shares), default=0.0)

    @property
    def counted(self) -> str:
        """Number of clusters for the signature: `document=316`, or where sizes differ `document=47 worth 6.1`."""
        worth = f"{self.effective:.1f}"
        return f"{self.name}={self.count}" + ("" if worth == f"{self.count}.0" else f" worth {worth}")

    @property
    def note(self) -> str:
        """What to say of results from few clusters."""
        effective, count = self.effective, self.count
        if effective >= FEW:
            return ""
        unit = f"clusters ({self.name})" if "×" in self.name else f"{self.name}s"
        if count < 2:
            return f"only one {self.name}: nothing is known about others"
        worth = "" if effective > count - 0.05 else f", worth {effective:.{int(effective < 10)}f} of equal size"
        if worth and len(self.codes) == 1:
            worth += f" (the largest has {100 * float(self.shares[0].max()):.0f}%)"
        if effective < LEAST:
            return f"{count} {unit}{worth}: too few to tell how far scores would move on others"
        unseen = 100 * (1 - 0.05 ** (1 / effective))
        return f"{count} {unit}{worth}: what happens in fewer than {unseen:.0f}% of {unit} can go unseen"

    def at(self, items: NDArray[Any]) -> Clusters:
        """Return the clusters of some items, by mask or number."""
        sizes = None if self.sizes is None else self.sizes[items]
        return Clusters(self.units, tuple(codes[items] for codes in self.codes), sizes)

    @property
    def ways(self) -> tuple[Ints, ...]:
        """The codes of each way, and where two cross, those of the cells in which they do."""
        if len(self.codes) == 1:
            return self.codes
        first, second = self.codes
        return first, second, first * (int(second.max(initial=0)) + 1) + second


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95% interval (None where nothing can be said) and the clusters behind it."""

    value: float
    low: float | None
    high: float | None
    clusters: int
    effective: float
    """Number of clusters of equal size that would tell as much; with seeds, degrees of freedom plus 1."""

    @property
    def percent(self) -> tuple[float, float] | tuple[None, None]:
        """The interval of a share in per cent, or of a difference in points."""
        return (None, None) if self.low is None or self.high is None else (100 * self.low, 100 * self.high)

    def p_of_share(self, share: float) -> float:
        """Return the two-sided p of the true share being this one: below 5% where Wilson's interval excludes it.

        An end e of the interval of v is where (v - e)² = z² e(1 - e)/n, which gives the n of the score test.
        """
        end = self.low if self.value > 0 else self.high
        if end is None or not 0 < share < 1:
            return nan
        n = _NORMAL**2 * end * (1 - end) / (self.value - end) ** 2
        return erfc(abs(self.value - share) / sqrt(share * (1 - share) / n) / sqrt(2))


@dataclass(frozen=True, slots=True)
class Difference(Estimate):
    """The second system minus the first on the same items, with the two-sided p of no difference."""

    p: float = 1.0

    def p_of_loss(self, margin: float = 0.0) -> float:
        """Return the one-sided p of a loss of `margin` at most: below 2.5% where the interval ends below -margin."""
        if self.high is None or self.clusters < 2 or not self.high > self.value:
            return 1.0
        error = (self.high - self.value) / student_bound(self.effective - 1)
        t = (self.value + margin) / error
        half = student_p(t, self.effective - 1) / 2
        return half if t < 0 else 1 - half


@dataclass(frozen=True, slots=True)
class StandardError:
    """A value with its standard error (NaN from one cluster), number of clusters and degrees of freedom."""

    value: float
    error: float
    clusters: int
    freedom: float

    def plus(self, seeds: SeedSpread | None) -> StandardError:
        """Return the error with that of seeds; the degrees of freedom are Satterthwaite's (1946)."""
        if seeds is None or not seeds.variance > 0 or not self.error >= 0 or not self.freedom > 0:
            return self
        own = self.error**2
        total, parts = own + seeds.variance, own**2 / self.freedom + seeds.variance**2 / seeds.freedom
        return StandardError(self.value, sqrt(total), self.clusters, total**2 / parts)

    def interval(self, least: float = -np.inf, most: float = np.inf) -> Estimate:
        """Return the t interval within the range of the statistic; none where nothing varies."""
        if not self.error > 0 or not self.freedom > 0:
            return Estimate(self.value, None, None, self.clusters, self.freedom + 1)
        half = student_bound(self.freedom) * self.error
        low, high = max(least, self.value - half), min(most, self.value + half)
        return Estimate(self.value, low, high, self.clusters, self.freedom + 1)

    def difference(self, least: float = -np.inf, most: float = np.inf) -> Difference:
        """Return the interval with the two-sided p of the value being zero, both by t."""
        ends = self.interval(least, most)
        p = student_p(self.value / self.error, self.freedom) if self.error > 0 else 1.0
        return Difference(ends.value, ends.low, ends.high, ends.clusters, ends.effective, p)


def freedom(shares: Floats) -> Floats:
    """Return the degrees of freedom of a mean of clusters with these shares (clusters × …); 0 for one cluster.

    Bell and McCaffrey (2002) for independent items: with c = w²/(1 - w), 1/(Σw² + (Σc)² - Σc²). Clusters of equal
    size have one less than there are.
    """
    alone = (shares >= 1).any(axis=0)
    square = shares**2
    lever = square / np.where(shares < 1, 1 - shares, 1.0)
    parts = square.sum(axis=0) + lever.sum(axis=0) ** 2 - (lever**2).sum(axis=0)
    degrees: Floats = np.where(alone | (parts <= 0), 0.0, 1 / np.where(parts > 0, parts, 1.0))
    return np.round(degrees, 9)  # that of equal clusters is a whole number


class _Sums(NamedTuple):
    """What the clusters of one way add up to (clusters × columns)."""

    adjusted: Floats
    """The change that each cluster makes to the statistic, divided by √(1 - its share): CR2."""
    weights: Floats
    """The share of each cluster."""
    squares: Floats
    """Σ w²/units of the items of each cluster."""

    @classmethod
    def of(cls, changes: Floats, weights: Floats, squares: Floats, codes: Ints, strata: Ints | None) -> _Sums:
        """Sum items (items × columns); with strata, the share of a cluster counts within each stratum."""
        size = changes.shape[1]
        table = np.concatenate([changes, weights, squares], axis=1)
        cells = codes if strata is None else codes * (int(strata.max(initial=0)) + 1) + strata
        sums = cluster_sums(table, cells)
        changed, weight = sums[:, :size], sums[:, size : 2 * size]
        share = weight
        if strata is not None:
            _, first = np.unique(cells, return_index=True)
            share = weight / np.bincount(strata, weights[:, 0])[strata[first]][:, None]
        # A cluster that is all of its stratum has no other to be measured by: it counts as it is.
        adjusted = changed / np.sqrt(np.where(share < 1 - _NOTHING, 1 - share, 1.0))
        if strata is None:
            return cls(adjusted, weight, sums[:, 2 * size :])
        joined = cluster_sums(np.concatenate([adjusted, sums[:, size:]], axis=1), codes[first])
        return cls(joined[:, :size], joined[:, size : 2 * size], joined[:, 2 * size :])

    @property
    def number(self) -> Ints:
        number: Ints = (self.weights > 0).sum(axis=0)
        return number

    @property
    def variance(self) -> Floats:
        variances: Floats = np.where(self.number > 1, (self.adjusted**2).sum(axis=0), nan)
        return variances

    def freedom_of_share(self, alike: Floats) -> Floats:
        """Return Satterthwaite's degrees of freedom where items of a cluster correlate by `alike` (columns,).

        d is the variance of a cluster's mean, ρ + (1 - ρ)/n, up to a factor; a = Σw²d/2 - w·d.
        """
        w = self.weights
        there = (w > 0) & (w < 1)
        lever = np.where(there, w / np.where(there, 1 - w, 1.0), 0.0)  # c = w · lever
        wd = w * alike + np.where(there, (1 - alike) * self.squares / np.where(there, w, 1.0), 0.0)
        a = np.where(there, (w * wd).sum(axis=0) / 2 - wd, 0.0)
        c, cd = w * lever, lever * wd
        ca = c * a
        top = (cd + 2 * ca).sum(axis=0) ** 2
        bottom = (cd**2 + 4 * cd * ca).sum(axis=0) + 2 * c.sum(axis=0) * (ca * a).sum(axis=0) + 2 * ca.sum(axis=0) ** 2
        degrees: Floats = np.where(self.number > 1, top / np.where(bottom > 0, bottom, 1.0), 0.0)
        return degrees


class _Spread(NamedTuple):
    """What one way of clustering, or two that cross, say of statistics (columns,)."""

    ways: tuple[_Sums, ...]
    variance: Floats
    number: Ints
    freedom: Floats
    squared: Floats
    """Σ of the squared shares of clusters."""

    @classmethod
    def of(
        cls, changes: Floats, weights: Floats, squares: Floats, clusters: Clusters, strata: Ints | None = None
    ) -> _Spread:
        ways = [_Sums.of(changes, weights, squares, codes, strata) for codes in clusters.ways]
        own = ways[: len(clusters.codes)]
        degrees = np.min([freedom(way.weights) for way in own], axis=0)
        count = np.min([way.number for way in own], axis=0)
        squared = _crossed([(way.weights**2).sum(axis=0) for way in ways])
        return cls(tuple(own), _crossed([way.variance for way in ways]), count, degrees, squared)

    def shares(self, value: Floats, n: Floats, seeds: SeedSpread | None = None) -> list[Estimate | None]:
        """Return Wilson's interval of each share of n items; None where n is 0, no interval from one cluster."""
        together = np.maximum(1.0, self.squared * n)  # items that share a cluster with an item, on average
        spread = value * (1 - value)
        edge, more = (spread <= 0) | (self.number < 2), together > 1 + 1e-9
        found = (n * self.variance / np.where(edge, 1.0, spread) - 1) / np.where(more, together - 1, 1.0)
        alike = np.where(edge | ~more, 0.0, np.clip(found, 0.0, 1.0))
        rarer = n * np.minimum(value, 1 - value)
        alike = np.where(edge, ASSUMED, np.maximum(alike, (rarer * alike + ASSUMED) / (rarer + 1)))
        worth = n / (1 + (together - 1) * alike)
        degrees = np.min([way.freedom_of_share(alike) for way in self.ways], axis=0)
        estimates: list[Estimate | None] = []
        for column, p in enumerate(value.tolist()):
            count, effective = int(self.number[column]), float(self.freedom[column]) + 1
            if n[column] == 0:
                estimates.append(None)
                continue
            if count < 2:
                estimates.append(Estimate(p, None, None, count, 1.0))
                continue
            items = float(worth[column])
            if not edge[column]:
                own = StandardError(p, sqrt(spread[column] / items), count, float(degrees[column]))
                both = own.plus(seeds)
                items = float(spread[column]) / both.error**2 * (_NORMAL / student_bound(both.freedom)) ** 2
                if both is own:  # clusters cannot be worth less than where their items are all alike
                    items = max(items, float(n[column] / together[column]))
                else:
                    effective = min(effective, both.freedom + 1)
            estimates.append(Estimate(p, *wilson_bounds(p, items), count, effective))
        return estimates


def _crossed(parts: Sequence[Floats]) -> Floats:
    """Return the part of one way, or of two that cross, whose cells are the third; never less than either alone."""
    if len(parts) == 1:
        return parts[0]
    first, second, cells = parts
    joined: Floats = np.maximum(first + second - cells, np.maximum(first, second))
    return joined


def share(right: ArrayLike, asked: ArrayLike, clusters: Clusters | None = None) -> Estimate:
    """Return Σ right / Σ asked with Wilson's interval (1927) for the number of independent items it is worth.

    That is n/(1 + (m - 1)ρ) times (1.96/t)², where m is the number of items that share a cluster with an item and ρ
    their correlation, estimated from the variance between clusters; it is at least n/m. With few of the rarer outcome
    ρ is drawn towards 0.2, which it is where all are right or all wrong. Items that are single and right or wrong are
    worth what they are, as in the textbook.
    """
    estimate = shares(np.asarray(right).reshape(-1, 1), np.asarray(asked).reshape(-1, 1), clusters)[0]
    if estimate is None:
        raise UsageError("a share of nothing: no item was asked", todo="leave out groups without items")
    return estimate


def shares(right: NDArray[Any], asked: NDArray[Any], clusters: Clusters | None = None) -> list[Estimate | None]:
    """Return `share` for each of many columns (items × columns); None where nothing was asked."""
    tops, bottoms = right.astype(np.float64), asked.astype(np.float64)
    total = bottoms.sum(axis=0)
    some = np.where(total > 0, total, 1.0)
    value = tops.sum(axis=0) / some
    groups = clusters or Clusters.independent(len(tops))
    weights = bottoms / some
    spread = _Spread.of((tops - value * bottoms) / some, weights, weights / some, groups)
    # Items that were sampled one by one and are right or wrong.
    single = (len(groups.codes) == 1) & (spread.number == (bottoms > 0).sum(axis=0))
    single = single & ((bottoms == 0) | (bottoms == 1)).all(axis=0) & ((tops == 0) | (tops == 1)).all(axis=0)
    estimates = spread.shares(value, total)
    for column in np.flatnonzero(single & (spread.number > 1)).tolist():
        p, n = float(value[column]), int(total[column])
        estimates[column] = Estimate(p, *wilson_bounds(p, n), n, n)
    return estimates


def weighted_share(
    value: float, changes: Floats, weights: Floats, units: Floats, clusters: Clusters, strata: Ints | None = None,
    seeds: SeedSpread | None = None,
) -> Estimate:  # fmt: skip
    """Return a weighted sum of shares with Wilson's interval, as `share`.

    `changes` is what every item adds to the value beyond its expectation, `weights` its share of everything, `units`
    how many judgements it is the mean of. Strata are fixed: what differs between them is no error.
    """
    given = [column.reshape(-1, 1) for column in (changes, weights, weights**2 / units)]
    spread = _Spread.of(given[0], given[1], given[2], clusters, strata)
    estimate = spread.shares(np.array([value]), 1 / given[2].sum(axis=0), seeds)[0]
    assert estimate is not None
    return estimate


def spread_of(
    value: float, changes: Floats, weights: Floats, clusters: Clusters, strata: Ints | None = None
) -> StandardError:
    """Return the standard error of a statistic from what every item adds to it, as in `weighted_share`."""
    if not len(changes):
        raise UsageError("nothing was sampled: no items")
    given = [column.reshape(-1, 1) for column in (changes, weights)]
    spread = _Spread.of(given[0], given[1], np.zeros_like(given[0]), clusters, strata)
    return StandardError(value, sqrt(float(spread.variance[0])), int(spread.number[0]), float(spread.freedom[0]))


def _spread_of_mean(values: ArrayLike, clusters: Clusters | None) -> StandardError:
    given = np.asarray(values, dtype=np.float64).reshape(-1)
    n = max(1, len(given))
    value = float(given.sum()) / n
    return spread_of(value, (given - value) / n, np.full(len(given), 1 / n), clusters or Clusters.independent(n))


def mean(
    values: ArrayLike, clusters: Clusters | None = None, least: float = -np.inf, most: float = np.inf,
    seeds: SeedSpread | None = None,
) -> Estimate:  # fmt: skip
    """Return the mean of values with its t interval; none where they do not vary."""
    return _spread_of_mean(values, clusters).plus(seeds).interval(least, most)


def mean_difference(
    first: ArrayLike, second: ArrayLike, clusters: Clusters | None = None, seeds: SeedSpread | None = None
) -> Difference:
    """Return the mean of second - first over the same items, by t."""
    gaps = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    return _spread_of_mean(gaps, clusters).plus(seeds).difference()


Counts = tuple[ArrayLike, ArrayLike]
"""What was right and what was asked, item by item."""


def share_difference(
    first: Counts, second: Counts, clusters: Clusters | None = None, seeds: SeedSpread | None = None
) -> Difference:
    """Return the second share minus the first, over the same items, each the mean over the seeds of a model.

    The variance is that of one more cluster in which the two differ: with k clusters in which an item differs it is
    multiplied by (k + 1)/k, which for single items is near the mid-p version of McNemar's test. Where all differ
    alike, the variance is that of one more which does so the other way; where no item differs, the bound is that of a
    share of none (see `share`).
    """
    columns = np.stack([np.asarray(side, dtype=np.float64) for side in (*first, *second)], axis=1)
    kept = (columns[:, 1] > 0) | (columns[:, 3] > 0)
    right, asked, right_second, asked_second = columns[kept].T
    if not asked.any() or not asked_second.any():
        raise UsageError("a share of nothing: no item was asked", todo="leave out groups without items")
    groups = (clusters or Clusters.independent(len(columns))).at(kept)
    before, after = right.sum() / asked.sum(), right_second.sum() / asked_second.sum()
    value, n = float(after - before), float(asked.sum())
    changes = (right_second - after * asked_second) / asked_second.sum() - (right - before * asked) / n
    weights = (asked / n + asked_second / asked_second.sum()) / 2
    given = [column.reshape(-1, 1) for column in (changes, weights, asked / n)]
    spread = _Spread.of(given[0], given[1], given[2], groups)
    count, degrees = int(spread.number[0]), float(spread.freedom[0])
    if count == 1:
        return Difference(value, -1.0, 1.0, 1, 1.0)
    differs = (right != right_second) | (asked != asked_second)
    differing = min(len(np.unique(codes[differs])) for codes in groups.codes)
    error = sqrt(float(spread.variance[0]))
    varies = error > _NOTHING
    if not differing or (abs(value) < _NOTHING and not varies):
        together = _crossed([(cluster_sums(given[2], codes) ** 2).sum(axis=0) for codes in groups.ways])
        bound = wilson_bounds(0.0, n / (1 + (n * float(together[0]) - 1) * ASSUMED))[1]
        return Difference(0.0, -bound, bound, count, degrees + 1)
    # Where all differ alike: as if there were one more, in which they differ the other way.
    error = error * sqrt((differing + 1) / differing) if varies else 2 * abs(value) / (differing + 1)
    return StandardError(value, error, count, degrees).plus(seeds).difference(-1.0, 1.0)


def cluster_sums(counts: NDArray[Any], codes: Ints) -> Floats:
    """(clusters × columns): the counts added up within each cluster that occurs."""
    order = np.argsort(codes, kind="stable")
    begins = np.flatnonzero(np.diff(codes[order], prepend=-1))
    sums: Floats = np.add.reduceat(counts[order].astype(np.float64), begins, axis=0)
    return sums


def wilson_bounds(value: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a share of n (which need not be whole); it touches 0 and 1 only at the ends."""
    z2 = _NORMAL**2
    centre, scale = value + z2 / (2 * n), 1 + z2 / n
    half = _NORMAL * sqrt(max(0.0, value * (1 - value) / n + z2 / (4 * n * n)))
    low, high = (centre - half) / scale, (centre + half) / scale
    return (0.0 if value == 0 else max(0.0, low)), (1.0 if value == 1 else min(1.0, high))


def _divided(tops: Floats, bottoms: Floats) -> Floats:
    none = bottoms == 0
    return np.where(none, np.nan, tops / np.where(none, 1, bottoms))


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """The first group against the second; both differences have no interval where a group is one cluster."""

    gap: Difference
    """Mean over pairs of the first value minus the second."""
    dominance: Difference
    """Pairs in which the first value is greater minus those in which it is less, of all pairs."""
    items: int
    """How many are in a pair."""


def compare_groups(
    values: ArrayLike, in_first: ArrayLike, clusters: Clusters | None = None, strata: ArrayLike | None = None
) -> GroupComparison | None:
    """Compares the items of the first group with all others; None where no pair can be made."""
    numbers, chosen = np.asarray(values, dtype=np.float64), np.asarray(in_first, dtype=bool)
    groups = clusters or Clusters.independent(len(numbers))
    layers = np.zeros(len(numbers), dtype=int) if strata is None else np.unique(strata, return_inverse=True)[1]
    first, second = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    kept = layers[first][:, None] == layers[second][None, :]  # first group × second group
    if not kept.any():
        return None
    # Items in no pair say nothing, and are no clusters either.
    rows, columns = kept.any(axis=1), kept.any(axis=0)
    first, second, kept = first[rows], second[columns], kept[rows][:, columns]
    gaps = np.where(kept, numbers[first][:, None] - numbers[second][None, :], 0.0)
    means = [_over_pairs(table, kept, groups, first, second) for table in (gaps, np.sign(gaps))]
    return GroupComparison(means[0].difference(), means[1].difference(-1.0, 1.0), len(first) + len(second))


def _over_pairs(table: Floats, kept: NDArray[np.bool_], clusters: Clusters, first: Ints, second: Ints) -> StandardError:
    """Return the mean of `table` (first × second) over the pairs that are kept, θ = Σ t / Σ k, with its error.

    Without cluster g both sums lose its rows and its columns, and get back the cells in which these cross. The
    variance is CR2, Σ (1 - w)(θ without g - θ)², where w is the larger of the shares that g has of the two groups;
    the degrees of freedom are those of the group with fewer.
    """
    value = float(table.sum() / kept.sum())
    pairs = [kept.sum(axis=axis) / kept.sum() for axis in (1, 0)]  # the share of each item, in either group
    variances = []
    for codes in clusters.ways:
        size = int(codes.max()) + 1
        tops, bottoms = (
            _without(np.asarray(cells, dtype=np.float64), codes[first], codes[second], size) for cells in (table, kept)
        )
        shares = np.maximum(np.bincount(codes[first], pairs[0], size), np.bincount(codes[second], pairs[1], size))
        there = shares > 0
        if (bottoms[there] <= 0).any():
            variances.append(np.array(nan))
        else:
            variances.append(((1 - shares) * (tops / np.where(there, bottoms, 1.0) - value) ** 2)[there].sum())
    degrees, count = inf, len(clusters)
    for codes in clusters.codes:
        for members, weight in ((first, pairs[0]), (second, pairs[1])):
            own: Floats = np.bincount(codes[members], weight).astype(np.float64)
            degrees = min(degrees, float(freedom(own[own > 0])))
            count = min(count, int((own > 0).sum()))
    return StandardError(value, sqrt(float(_crossed(variances))), count, degrees)


def _without(cells: Floats, rows: Ints, columns: Ints, size: int) -> Floats:
    """For each cluster the sum of the cells without its rows and columns."""
    crossing = np.where(rows[:, None] == columns[None, :], cells, 0.0)
    by_row = np.bincount(rows, cells.sum(axis=1) - crossing.sum(axis=1), minlength=size)
    left: Floats = cells.sum() - by_row - np.bincount(columns, cells.sum(axis=0), minlength=size)
    return left
