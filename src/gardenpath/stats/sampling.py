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
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import erfc, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .student import student_bound, student_p

if TYPE_CHECKING:
    from .seeds import SeedSpread

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
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
