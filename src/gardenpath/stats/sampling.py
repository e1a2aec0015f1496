"""Intervals and paired tests that know how the items were sampled.

Items that share a base sentence, a lexeme or a document are not independent. What was sampled are these clusters, so
the standard error of a score comes from leaving out one cluster after the other (the jackknife of Quenouille and
Tukey), with t of clusters - 1 degrees of freedom. Where two ways of clustering cross (lexemes and base sentences),
their variances add, less that of the cells in which they cross (Cameron, Gelbach and Miller 2011). Nothing is drawn:
a result has no seed, a p can be as small as the data make it, and the interval of a difference and its p are two
readings of the same standard error, so they never contradict each other.

    >>> import numpy as np
    >>> right, asked = np.array([4, 0, 4, 3, 0, 4]), np.full(6, 4)
    >>> share(right, asked)                                  # six lexemes with four sentences each
    Estimate(value=0.625, low=0.198..., high=0.918..., clusters=6)
    >>> share(np.array([1, 1, 1]), np.ones(3))               # all right: Wilson's interval, never of width zero
    Estimate(value=1.0, low=0.438..., high=1.0, clusters=3)

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

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import erfc, exp, inf, lgamma, log, log1p, nan, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError

_TERMS = 60


def student_p(value: float, freedom: int) -> float:
    """The two-sided p of a t value: I(n / (n + t²); n/2, 1/2), Abramowitz and Stegun 26.7.1 and 26.5.27."""
    square = value * value
    if freedom <= 0 or square == 0:
        return 1.0
    if square == inf:
        return 0.0
    x, rest = freedom / (freedom + square), square / (freedom + square)
    a, b = freedom / 2, 0.5
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) - a * log1p(square / freedom) + b * log(rest))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, rest) / b


@cache
def student_bound(freedom: int) -> float:
    """97.5 % of Student's t lie below: Newton's method on p, from the normal bound (A. and S. 26.7.5)."""
    if freedom <= 0:
        return inf
    z = 1.959963984540054
    bound = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    for _ in range(50):
        density = exp(
            lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - (freedom + 1) / 2 * log1p(bound * bound / freedom)
        ) / sqrt(freedom * pi)
        step = (student_p(bound, freedom) - 0.05) / (2 * density)
        bound += step
        if abs(step) < 1e-14 * bound:
            break
    return bound


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (A. and S. 26.5.8), from its end to its beginning.

    1 / (1 + d1 / (1 + d2 / (1 + …))), d(2m+1) = -(a+m)(a+b+m)x / ((a+2m)(a+2m+1)), d(2m) = m(b-m)x / ((a+2m-1)(a+2m)).
    """
    value = 1.0
    for m in range(_TERMS, 0, -1):
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        value = 1 + even / (1 + odd / value)
    return 1 / (1 - (a + b) * x / (a + 1) / value)


Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SeedSpread:
    """What another seed would change in a mean over seeds: a variance, and its degrees of freedom."""

    variance: float
    freedom: int

    @classmethod
    def of(cls, values: Floats, strata: Ints | None = None, weights: Floats | None = None) -> SeedSpread | None:
        """Of the weighted sum of the means of strata (one, of weight 1) of `values` (seeds × items); None of one seed.

        Items and seeds cross: x = item + seed + rest. In the mean, seeds have MS(seed)/nK, in which there is
        MS(rest)/nK already counted with the items; that much is taken off (analysis of variance, two ways).
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
        """Of the difference of two systems with seeds of their own."""
        total = self.variance + second.variance
        parts = self.variance**2 / self.freedom + second.variance**2 / second.freedom
        freedom = int(total**2 / parts) if parts else self.freedom + second.freedom
        return SeedSpread(total, max(1, freedom))


Statistic = Callable[[Floats], Floats]
"""From sums (… × columns) to values (…); NaN where there is none, as for 0 of 0."""

FEW = 20
"""Intervals from fewer clusters are rough, and said to be so."""
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

    @classmethod
    def of(cls, **named: ArrayLike) -> Clusters:
        """From the names of each item's clusters: `Clusters.of(document=documents)`; _ stands for a blank."""
        codes = tuple(np.unique(np.asarray(names), return_inverse=True)[1].reshape(-1) for names in named.values())
        if not codes or len({len(numbers) for numbers in codes}) > 1 or len(codes) > 2:
            raise UsageError("items have clusters of one or two kinds, and each item one of each")
        return cls(tuple(name.replace("_", " ") for name in named), codes)

    @classmethod
    def independent(cls, items: int, unit: str = "item") -> Clusters:
        """Every item for itself."""
        return cls((unit,), (np.arange(items),))

    def __len__(self) -> int:
        return len(self.codes[0])

    @property
    def name(self) -> str:
        """What a cluster is: `document`, `base sentence×subject noun`."""
        return "×".join(self.units)

    @property
    def count(self) -> int:
        """How many there are; of the rarer kind where two cross."""
        return min(int(np.count_nonzero(np.bincount(codes))) for codes in self.codes)

    @property
    def counted(self) -> str:
        """What there are how many of, for the signature: `document=316`."""
        return f"{self.name}={self.count}"

    @property
    def note(self) -> str:
        """What to say of intervals from few clusters."""
        if self.count >= FEW:
            return ""
        number = f"only {self.count} clusters" if self.count != 1 else "only one cluster"
        return f"{number} ({self.name}): intervals from fewer than {FEW} are rough"

    def at(self, items: NDArray[Any]) -> Clusters:
        """Those of some items, by mask or number."""
        return Clusters(self.units, tuple(codes[items] for codes in self.codes))

    @property
    def ways(self) -> tuple[Ints, ...]:
        """The codes of each way, and where two cross, those of the cells in which they do."""
        if len(self.codes) == 1:
            return self.codes
        first, second = self.codes
        return first, second, first * (int(second.max(initial=0)) + 1) + second


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval (None where nothing can be said) and the number of clusters behind it."""

    value: float
    low: float | None
    high: float | None
    clusters: int

    @property
    def percent(self) -> tuple[float, float] | tuple[None, None]:
        """The interval of a share in per cent, or of a difference in points."""
        return (None, None) if self.low is None or self.high is None else (100 * self.low, 100 * self.high)

    def p_of_share(self, share: float) -> float:
        """Two-sided p of the true share being this one: below 5 % exactly where Wilson's interval leaves it out.

        An end e of the interval of v is where (v - e)² = z² e(1 - e)/n, which tells the n of the score test.
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
        """One-sided p of a loss of `margin` at most: below 2.5 % exactly where the interval ends below -margin."""
        if self.high is None or self.clusters < 2 or not self.high > self.value:
            return 1.0
        error = (self.high - self.value) / student_bound(self.clusters - 1)
        t = (self.value + margin) / error
        half = student_p(t, self.clusters - 1) / 2
        return half if t < 0 else 1 - half


@dataclass(frozen=True, slots=True)
class StandardError:
    """Of a statistic of sums: its value, its standard error (NaN from one cluster), and how many clusters there are."""

    value: float
    error: float
    clusters: int

    def plus(self, variance: float, freedom: int) -> StandardError:
        """With another source of variance, such as seeds; the degrees of freedom are Satterthwaite's (1946)."""
        if not variance > 0 or not self.error >= 0:
            return self
        own = self.error**2
        total, parts = own + variance, own**2 / max(1, self.clusters - 1) + variance**2 / freedom
        return StandardError(self.value, sqrt(total), 1 + int(total**2 / parts))

    def share(self, n: float, judged: int = 1) -> Estimate:
        """Wilson's interval of a share of n for the number of independent items that the standard error tells of.

        That is n at most; where each item is the mean of several judgements, as many as were `judged`.
        """
        p = self.value
        if p in (0.0, 1.0) or self.clusters == 1:
            worth = _assumed_worth(n, self.clusters)
        else:
            worth = min(n * judged, p * (1 - p) / self.error**2) if self.error > 0 else n
            worth *= (_NORMAL / student_bound(self.clusters - 1)) ** 2
        return Estimate(p, *wilson_bounds(p, worth), self.clusters)

    def interval(self, least: float = -np.inf, most: float = np.inf) -> Estimate:
        """By t, within the range that the statistic can have; none where nothing varies."""
        if not self.error > 0:
            return Estimate(self.value, None, None, self.clusters)
        half = student_bound(self.clusters - 1) * self.error
        return Estimate(self.value, max(least, self.value - half), min(most, self.value + half), self.clusters)

    def difference(self, least: float = -np.inf, most: float = np.inf) -> Difference:
        """The interval with the two-sided p of the value being zero, both by t."""
        ends = self.interval(least, most)
        p = student_p(self.value / self.error, self.clusters - 1) if self.error > 0 else 1.0
        return Difference(ends.value, ends.low, ends.high, ends.clusters, p)


def jackknife(counts: NDArray[Any], statistic: Statistic, clusters: Clusters | None = None) -> StandardError:
    """The standard error of a statistic of the column sums of `counts` (items × columns).

    For each way of clustering V = (G - 1)/G · Σ_g (θ without cluster g - θ)².
    """
    table = counts.reshape(len(counts), -1)
    if not len(table):
        raise UsageError("nothing was sampled: no items")
    total = table.sum(axis=0).astype(np.float64)
    value = float(statistic(total))

    def left_out(codes: Ints) -> tuple[float, int]:
        sums = cluster_sums(table, codes)
        gaps, count = statistic(total - sums) - value, len(sums)
        return (count - 1) / count * float(gaps @ gaps) if count > 1 else nan, count

    variance, count = over_ways(clusters or Clusters.independent(len(table)), left_out)
    return StandardError(value, sqrt(variance), int(count))


def over_ways(clusters: Clusters, left_out: Callable[[Ints], tuple[Any, Any]]) -> tuple[Any, Any]:
    """Variance and number of clusters, of one way or of two that cross; `left_out` gives both for one way.

    Two that cross are never less uncertain than either of them alone.
    """
    (variance, count), *more = (left_out(codes) for codes in clusters.ways)
    if more:
        (second, size), (crossed, _) = more
        variance = np.maximum(variance + second - crossed, np.maximum(variance, second))
        count = np.minimum(count, size)
    return variance, count


def share(right: ArrayLike, asked: ArrayLike, clusters: Clusters | None = None) -> Estimate:
    """Σ right / Σ asked with Wilson's interval (1927) for the number of independent items that the clusters are worth.

    That number is p(1 - p)/SE², less what t takes for the degrees of freedom. Where all are right or all wrong, it is
    n/(1 + (n/clusters - 1) · 0.2), as if items of a cluster were correlated by 0.2. Items that are single and right or
    wrong are worth what they are, as in the textbook.
    """
    estimate = shares(np.asarray(right).reshape(-1, 1), np.asarray(asked).reshape(-1, 1), clusters)[0]
    if estimate is None:
        raise UsageError("a share of nothing: no item was asked", todo="leave out groups without items")
    return estimate


def shares(right: NDArray[Any], asked: NDArray[Any], clusters: Clusters | None = None) -> list[Estimate | None]:
    """As `share`, for each of many columns (items × columns); None where nothing was asked."""
    tops, bottoms = right.astype(np.float64), asked.astype(np.float64)
    total, top = bottoms.sum(axis=0), tops.sum(axis=0)
    value = _divided(top, total)
    groups = clusters or Clusters.independent(len(tops))

    def left_out(codes: Ints) -> tuple[Floats, Ints]:
        t, b = cluster_sums(tops, codes), cluster_sums(bottoms, codes)  # clusters × columns
        size = (b > 0).sum(axis=0)
        gaps = np.where((b > 0) & (total > b), _divided(top - t, total - b) - value, 0.0)
        return (size - 1) / np.maximum(size, 1) * (gaps**2).sum(axis=0), size

    variances, count = over_ways(groups, left_out)
    errors = np.sqrt(variances)
    # Items that were sampled one by one and are right or wrong.
    single = (len(groups.codes) == 1) & (count == (bottoms > 0).sum(axis=0))
    single = single & ((bottoms == 0) | (bottoms == 1)).all(axis=0) & ((tops == 0) | (tops == 1)).all(axis=0)
    estimates: list[Estimate | None] = []
    for p, n, error, size, plain in zip(
        value.tolist(), total.tolist(), errors.tolist(), count.tolist(), single.tolist(), strict=True
    ):
        if n == 0:
            estimates.append(None)
        elif plain:
            estimates.append(Estimate(p, *wilson_bounds(p, n), size))
        else:
            estimates.append(StandardError(p, error, size).share(n))
    return estimates


def _assumed_worth(n: float, clusters: int) -> float:
    """How many independent items these are worth where the data do not say how alike the items of a cluster are."""
    return 1.0 if clusters == 1 else n / (1 + (n / clusters - 1) * ASSUMED)


def mean(values: ArrayLike, clusters: Clusters | None = None, least: float = -np.inf, most: float = np.inf) -> Estimate:
    """The mean of values with its t interval; none where they do not vary."""
    given = np.asarray(values, dtype=np.float64).reshape(-1)
    return jackknife(np.stack([given, np.ones(len(given))], axis=1), ratio_of_sums, clusters).interval(least, most)


Counts = tuple[ArrayLike, ArrayLike]
"""What was right and what was asked, item by item."""


def share_difference(
    first: Counts, second: Counts, clusters: Clusters | None = None, seeds: SeedSpread | None = None
) -> Difference:
    """The second share minus the first, over the same items, each the mean over the seeds of a model.

    The variance is that of one more cluster in which the two differ: with k of them it is multiplied by (k + 1)/k,
    which for single items is near the mid-p version of McNemar's test. Where all differ alike, it is that of one more
    which does so the other way; where no cluster differs, the bound is that of a share of none (see `share`).
    """
    columns = np.stack([np.asarray(side, dtype=np.float64) for side in (*first, *second)], axis=1)
    kept = (columns[:, 1] > 0) | (columns[:, 3] > 0)
    if not (columns[:, 1] > 0).any() or not (columns[:, 3] > 0).any():
        raise UsageError("a share of nothing: no item was asked", todo="leave out groups without items")
    groups = (clusters or Clusters.independent(len(columns))).at(kept)
    columns = columns[kept]
    differing = min(
        int((sums[:, :2] != sums[:, 2:]).any(axis=1).sum())
        for sums in (cluster_sums(columns, codes) for codes in groups.codes)
    )
    spread = jackknife(columns, difference_of_ratios, groups)
    if spread.clusters == 1:
        return Difference(spread.value, -1.0, 1.0, 1)
    varies = spread.error > _NOTHING
    if abs(spread.value) < _NOTHING and not varies:
        bound = wilson_bounds(0.0, _assumed_worth(float(columns[:, 1].sum()), spread.clusters))[1]
        return Difference(0.0, -bound, bound, spread.clusters)
    # Where all differ alike: as if there were one more, in which they differ the other way.
    error = spread.error * sqrt((differing + 1) / differing) if varies else 2 * abs(spread.value) / (differing + 1)
    wider = StandardError(spread.value, error, spread.clusters)
    return (wider.plus(seeds.variance, seeds.freedom) if seeds else wider).difference(-1.0, 1.0)


def mean_difference(
    first: ArrayLike, second: ArrayLike, clusters: Clusters | None = None, seeds: SeedSpread | None = None
) -> Difference:
    """The mean of second - first over the same items, by t."""
    gaps = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    spread = jackknife(np.stack([gaps, np.ones(len(gaps))], axis=1), ratio_of_sums, clusters)
    return (spread.plus(seeds.variance, seeds.freedom) if seeds else spread).difference()


def ratio_of_sums(sums: Floats) -> Floats:
    """The first column by the second: a mean (values and ones) or a share (right and asked)."""
    return _divided(sums[..., 0], sums[..., 1])


def difference_of_ratios(sums: Floats) -> Floats:
    """Columns (right, asked, right, asked): the second share minus the first."""
    return _divided(sums[..., 2], sums[..., 3]) - _divided(sums[..., 0], sums[..., 1])


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
    count = min(groups.at(first).count, groups.at(second).count)
    means = [_over_pairs(table, kept, groups, first, second, count) for table in (gaps, np.sign(gaps))]
    return GroupComparison(means[0].difference(), means[1].difference(-1.0, 1.0), len(first) + len(second))


def _over_pairs(
    table: Floats, kept: NDArray[np.bool_], clusters: Clusters, first: Ints, second: Ints, count: int
) -> StandardError:
    """The mean of `table` (first × second) over the pairs that are kept, θ = Σ t / Σ k, with its standard error.

    Without cluster g both sums lose its rows and its columns, and get back the cells in which these cross.
    """
    value = float(table.sum() / kept.sum())

    def left_out(codes: Ints) -> tuple[float, int]:
        size = int(codes.max()) + 1
        sums = [
            _without(np.asarray(cells, dtype=np.float64), codes[first], codes[second], size) for cells in (table, kept)
        ]
        present = np.unique(np.concatenate([codes[first], codes[second]]))
        tops, bottoms = (values[present] for values in sums)
        if (bottoms == 0).any() or len(present) < 2:
            return np.nan, count
        changes = tops / bottoms - value
        return (len(present) - 1) / len(present) * float(changes @ changes), count

    variance, _ = over_ways(clusters, left_out)
    return StandardError(value, sqrt(variance), count)


def _without(cells: Floats, rows: Ints, columns: Ints, size: int) -> Floats:
    """For each cluster the sum of the cells without its rows and columns."""
    crossing = np.where(rows[:, None] == columns[None, :], cells, 0.0)
    by_row = np.bincount(rows, cells.sum(axis=1) - crossing.sum(axis=1), minlength=size)
    left: Floats = cells.sum() - by_row - np.bincount(columns, cells.sum(axis=0), minlength=size)
    return left
