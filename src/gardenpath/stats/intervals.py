"""Intervals: Wilson's for a share, and the bootstrap (percentile, BCa) of anything made from sums of counts.

What is drawn are clusters: items, sentences or seeds, with all their observations. A draw adds up the clusters'
counts, so a statistic is a function of sums; that makes the jackknife of BCa a subtraction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .pooled import Pool
from .resample import drawn_sums, percentile_interval

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""From sums (… × columns) to values (…); NaN where there is none, as for 0 of 0."""
Method = Literal["percentile", "bca"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval; where there is none, `note` says why."""

    value: float
    low: float | None
    high: float | None
    note: str = ""


def wilson(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """A share with Wilson's interval (1927), which stays within 0 and 1 and is right for few trials."""
    from scipy.special import ndtri

    check_level(level)
    if n < 1 or not 0 <= successes <= n:
        raise UsageError(f"no share of {successes} in {n}", todo="count at least one trial, and no more successes")
    z = float(ndtri((1 + level) / 2))
    share, scale = successes / n, 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    note = f"all {n} are the same" if successes in (0, n) else ""
    # At the ends the interval touches 0 or 1 exactly; rounding must not leave a crumb.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Estimate(share, low, high, note)


def ratio_of_sums(sums: Floats) -> Floats:
    """The first column by the second: a mean (values and ones) or a score (right and asked)."""
    return _divided(sums[..., 0], sums[..., 1])


def difference_of_ratios(sums: Floats) -> Floats:
    """Columns (right, asked, right, asked): the second system's score minus the first's."""
    return _divided(sums[..., 2], sums[..., 3]) - _divided(sums[..., 0], sums[..., 1])


def bootstrap_mean(values: ArrayLike, clusters: ArrayLike | None = None, **options: Any) -> Estimate:
    """The mean with its bootstrap interval; options as for `bootstrap_interval`."""
    given = np.asarray(values, dtype=np.float64).reshape(-1)
    return bootstrap_interval(np.stack([given, np.ones(len(given))], axis=1), ratio_of_sums, clusters, **options)


def bootstrap_interval(
    counts: ArrayLike,
    statistic: Statistic = ratio_of_sums,
    clusters: ArrayLike | None = None,
    *,
    method: Method = "percentile",
    draws: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """A statistic of the column sums of `counts` (observations × columns), clusters drawn with replacement."""
    check_level(level)
    if method not in ("percentile", "bca"):
        raise UsageError(f"unknown kind of interval {method!r}", todo="known: percentile, bca")
    if draws < 1:
        raise UsageError(f"cannot make an interval from {draws} draws")
    table = cluster_sums(np.asarray(counts), clusters)
    total = table.sum(axis=0).astype(np.float64)
    value = float(statistic(total))
    if np.isnan(value):
        raise UsageError("the statistic has no value: nothing was asked", todo="leave out groups without observations")
    if len(table) == 1:
        return Estimate(value, None, None, "one cluster: an interval needs at least two")
    drawn = statistic(drawn_totals(table, draws, seed))
    if (drawn == value).all():
        return Estimate(value, value, value, "all draws are the same: the data do not vary")
    left = int(np.isnan(drawn).sum())
    note = f"{left} of {draws} draws had no value and are left out" if left else ""
    if method == "percentile":
        return Estimate(value, *percentile_interval(drawn, level), note)
    jackknife = statistic(total - table)
    return Estimate(value, *bca_interval(value, drawn, jackknife, level), note)


def bca_interval(value: float, drawn: Floats, jackknife: Floats, level: float = 0.95) -> tuple[float, float]:
    """The bias-corrected and accelerated interval (Efron 1987) from draws and leave-one-out values."""
    from scipy.special import ndtr, ndtri

    kept, left_out = drawn[~np.isnan(drawn)], jackknife[~np.isnan(jackknife)]
    below = ((kept < value).mean() + (kept <= value).mean()) / 2  # a draw that equals the value is half below it
    if below in (0, 1):
        raise UsageError("no BCa interval: all draws are on one side of the value", todo="take method percentile")
    gaps = left_out.mean() - left_out
    squares = float((gaps**2).sum())
    acceleration = float((gaps**3).sum()) / (6 * squares**1.5) if squares else 0.0
    bias = float(ndtri(below))
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + float(ndtri(tail))
        ends.append(float(ndtr(bias + z / (1 - acceleration * z))))
    places = np.array(ends) * (len(kept) - 1)
    low, high = np.interp(places, np.arange(len(kept)), np.sort(kept))
    return float(low), float(high)


def cluster_sums(counts: NDArray[Any], clusters: ArrayLike | None = None) -> NDArray[Any]:
    """(clusters × columns): the counts added up within each cluster; without clusters each row is one."""
    if len(counts) == 0:
        raise UsageError("nothing to draw from: no observations")
    table = counts.reshape(len(counts), -1)
    if not np.issubdtype(table.dtype, np.integer):
        table = table.astype(np.float64)
        if not np.isfinite(table).all():
            row = int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])
            raise UsageError(f"observation {row + 1} has no value", todo="leave out observations without values")
    if clusters is None:
        return table
    names = np.asarray(clusters).reshape(-1)
    if len(names) != len(table):
        raise UsageError(f"{len(table)} observations and {len(names)} names of clusters")
    _, number = np.unique(names, return_inverse=True)
    sums = [np.bincount(number.reshape(-1), column) for column in table.T]
    return np.stack(sums, axis=1).astype(table.dtype)


def drawn_totals(table: NDArray[Any], draws: int, seed: int) -> Floats:
    """(draws × columns): column sums in each draw; clusters that are alike are drawn together (`stats.pooled`)."""
    pool = Pool.of(np.zeros(len(table), dtype=np.int64), table)
    if len(pool.sizes) * 8 <= len(table):
        return pool.drawn_sums(np.ones((1, 1), dtype=bool), draws, seed)[:, 0]
    return drawn_sums(table, draws, seed)


def check_level(level: float) -> None:
    if not 0 < level < 1:
        raise UsageError(f"no interval of level {level:g}", todo="a level is between 0 and 1, such as 0.95")


def _divided(tops: Floats, bottoms: Floats) -> Floats:
    none = bottoms == 0
    return np.where(none, np.nan, tops / np.where(none, 1, bottoms))
