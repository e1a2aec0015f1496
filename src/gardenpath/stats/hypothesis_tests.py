"""The t test of one sample, the test of normality, corrections for many tests, effect sizes and power of pairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import erfc, exp, isnan, log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .distributions import numbers

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MeanTest:
    """Student's t with its two-sided p, the mean and its interval; `note` says where nothing is left to test."""

    statistic: float
    p: float
    n: int
    note: str
    mean: float
    low: float
    high: float
    freedom: int


def one_sample_t(values: ArrayLike, mean: float = 0.0, *, level: float = 0.95) -> MeanTest:
    """Student's t test that the mean of the values is `mean`."""
    from scipy.special import stdtr, stdtrit

    check_level(level)
    sample = numbers(values)
    n = len(sample)
    if n < 2:
        raise UsageError(f"{n} values are too few for a t test", todo="at least 2 are needed")
    average, spread = float(sample.mean()), float(sample.std(ddof=1))
    # What is left of equal values by rounding is no spread.
    if spread <= 1e-14 * float(np.abs(sample).max(initial=0.0)):
        if average == mean:
            return MeanTest(0.0, 1.0, n, f"all values are {mean:g}", average, average, average, n - 1)
        raise UsageError(f"no t test: all {n} values are the same ({average:g})", todo="a test needs values that vary")
    error = spread / sqrt(n)
    t = (average - mean) / error
    half = float(stdtrit(n - 1, (1 + level) / 2)) * error
    p = 2 * float(stdtr(n - 1, -abs(t)))
    return MeanTest(t, p, n, "", average, average - half, average + half, n - 1)


def check_level(level: float) -> None:
    if not 0 < level < 1:
        raise UsageError(f"no interval of level {level:g}", todo="a level is between 0 and 1, such as 0.95")


class Normality(NamedTuple):
    """W of Shapiro and Wilk, and how likely one so small is if the values are normally distributed."""

    w: float
    p: float
    n: int


def shapiro(values: ArrayLike) -> Normality:
    """The test of Shapiro and Wilk."""
    sample = numbers(values)
    if len(sample) < 3:
        raise UsageError(f"{len(sample)} values are too few for a test of normality", todo="at least 3 are needed")
    if (sample == sample[0]).all():
        raise UsageError(f"no test of normality: all values are the same ({sample[0]:g})")
    from scipy.stats import shapiro as test

    w, p = test(sample)
    return Normality(float(w), float(p), len(sample))


def shapiro_p(w: float, n: int) -> float:
    """The p that W has with n values (Royston 1995, AS R94); from 12 values on, as scipy computes it.

    log(1 - W) is about normal, with mean and deviation that depend on log n.
    """
    if n < 12:
        raise UsageError(f"p of W has another form below 12 values, this is {n}")
    x = log(n)
    mean = 0.0038915 * x**3 - 0.083751 * x**2 - 0.31082 * x - 1.5861
    deviation = exp(0.0030302 * x**2 - 0.082676 * x - 0.4803)
    return 0.5 * erfc((log(1 - w) - mean) / deviation / sqrt(2))


def holm(p_values: Sequence[float], least: Sequence[float] = ()) -> list[float]:
    """Holm's step-down correction: p values that hold the family-wise error rate.

    `least` are the smallest p values that the tests could have come to. A test that cannot reach the p of another is
    not counted when that one is corrected (Tarone 1990; in steps: Hommel and Krummenauer 1998).
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, worst = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        left = order[rank + 1 :]
        rivals = sum(least[j] <= p_values[i] for j in left) if least else len(left)
        worst = max(worst, min(1.0, (1 + rivals) * p_values[i]))
        corrected[i] = worst
    return corrected


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's step-up correction: p values that hold the share of false discoveries."""
    count = len(p_values)
    order = sorted(range(count), key=lambda i: p_values[i], reverse=True)
    corrected, best = [0.0] * count, 1.0
    for place, i in enumerate(order):
        best = min(best, count / (count - place) * p_values[i])
        corrected[i] = best
    return corrected


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """With its interval; where there is none, or a cell was empty, `note` says so."""

    value: float
    low: float | None
    high: float | None
    note: str = ""


def cohen_dz(differences: ArrayLike) -> float:
    """Return the mean of the differences of pairs in standard deviations of these differences."""
    gaps = numbers(differences)
    if len(gaps) < 2:
        raise UsageError("Cohen's dz needs at least 2 pairs")
    mean, spread = float(gaps.mean()), float(gaps.std(ddof=1))
    if spread > 1e-14 * abs(mean):
        return mean / spread
    if mean == 0:
        return 0.0
    raise UsageError("no standardised difference: the values do not vary", todo="report the difference itself")


def matched_odds_ratio(first_only: int, second_only: int, *, level: float = 0.95) -> OddsRatio:
    """Odds ratio of pairs: those that only the second got right by those that only the first did."""
    if first_only < 0 or second_only < 0:
        raise UsageError(f"counts cannot be negative: {first_only} and {second_only}")
    if first_only + second_only == 0:
        return OddsRatio(1.0, None, None, "no pair differs")
    note = "a cell is empty: ½ was added to each" if 0 in (first_only, second_only) else ""
    b, c = (first_only + 0.5, second_only + 0.5) if note else (float(first_only), float(second_only))
    from scipy.special import ndtri

    check_level(level)
    half = float(ndtri((1 + level) / 2)) * sqrt(1 / b + 1 / c)
    return OddsRatio(c / b, c / b * exp(-half), c / b * exp(half), note)


MOST = 10**9
"""More pairs than this are said to be out of reach."""


def power_of_paired_means(dz: float, n: int, *, alpha: float = 0.05) -> float:
    """Of the two-sided t test on n pairs for a true effect of `dz` (Cohen): by the noncentral t distribution."""
    from scipy.special import nctdtr, ndtr, stdtrit

    _check_power(alpha)
    if n < 2:
        raise UsageError(f"no power of {n} pairs", todo="at least 2 are needed")
    critical, shift = float(stdtrit(n - 1, 1 - alpha / 2)), abs(dz) * sqrt(n)
    below, other_side = float(nctdtr(n - 1, shift, critical)), float(nctdtr(n - 1, shift, -critical))
    if isnan(below):  # SciPy gives up far out in the tail, where the normal approximation is as good
        below = float(ndtr((critical * (1 - 0.25 / (n - 1)) - shift) / sqrt(1 + critical**2 / (2 * (n - 1)))))
    return 1 - below + (0.0 if isnan(other_side) else other_side)


def pairs_for_means(dz: float, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The fewest pairs with which a t test finds `dz` with this power; None where no number does."""
    _check_power(alpha, power)
    if dz == 0:
        return None
    return _fewest(lambda n: power_of_paired_means(dz, n, alpha=alpha), power)


def _fewest(power_of: Callable[[int], float], wanted: float) -> int | None:
    high = 2
    while power_of(high) < wanted:
        high *= 2
        if high > MOST:
            return None
    low = max(high // 2, 2)
    while low < high:
        middle = (low + high) // 2
        if power_of(middle) >= wanted:
            high = middle
        else:
            low = middle + 1
    return high


def _check_power(alpha: float, power: float = 0.5) -> None:
    if not 0 < alpha < 1 or not 0 < power < 1:
        raise UsageError("level and power of a test are between 0 and 1", todo="such as alpha 0.05, power 0.8")
