"""Tests of one sample and of pairs, the test of normality, corrections for many tests, effect sizes and power."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import asin, ceil, erfc, exp, isnan, log, sqrt
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .distributions import numbers, ranks

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A test's statistic and two-sided p; `note` says where the data leave nothing to test."""

    statistic: float
    p: float
    n: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class MeanTest(Verdict):
    """Student's t with the mean (difference), its interval and degrees of freedom."""

    mean: float = 0.0
    low: float = 0.0
    high: float = 0.0
    freedom: int = 0


def mcnemar(first_only: int, second_only: int, *, kind: Literal["exact", "mid-p"] = "mid-p") -> Verdict:
    """Of pairs that only one of two got right: is that as often the first as the second?

    The exact test holds its level but is too careful; mid-p is nearly exact (Fagerland et al. 2013).
    """
    from scipy.special import bdtr

    if kind not in ("exact", "mid-p"):
        raise UsageError(f"unknown kind of McNemar's test {kind!r}", todo="known: exact, mid-p")
    if first_only < 0 or second_only < 0:
        raise UsageError(f"counts cannot be negative: {first_only} and {second_only}")
    few, n = min(first_only, second_only), first_only + second_only
    if n == 0:
        return Verdict(0.0, 1.0, 0, "no pair differs")
    if kind == "exact":
        return Verdict(float(few), min(1.0, 2 * float(bdtr(few, n, 0.5))), n)
    here = float(bdtr(few, n, 0.5)) - (float(bdtr(few - 1, n, 0.5)) if few else 0.0)
    p = 1 - here / 2 if first_only == second_only else 2 * float(bdtr(few, n, 0.5)) - here
    return Verdict(float(few), p, n)


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


def paired_t(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> MeanTest:
    """Student's t test that second minus first is 0 on the mean."""
    return one_sample_t(differences(first, second), level=level)


def wilcoxon(first: ArrayLike, second: ArrayLike | None = None) -> Verdict:
    """Wilcoxon's signed ranks of second minus first (or of one sample); pairs without a difference are left out.

    Exact for up to 50 differences without ties, else by the normal distribution, as SciPy does.
    """
    given = numbers(first) if second is None else differences(first, second)
    if len(given) == 0:
        raise UsageError("no test without values")
    kept = given[given != 0]
    left = len(given) - len(kept)
    if len(kept) == 0:
        return Verdict(0.0, 1.0, 0, "no pair differs")
    from scipy.stats import wilcoxon as test

    tied = len(np.unique(np.abs(kept))) < len(kept)
    method = "exact" if len(kept) <= 50 and not tied else "asymptotic"
    statistic, p = test(kept, method=method)
    note = f"{left} pairs without a difference are left out" if left else ""
    if method == "asymptotic" and len(kept) < 10:
        note = "; ".join(filter(None, [note, f"{len(kept)} tied differences are few for the normal approximation"]))
    return Verdict(float(statistic), float(p), len(kept), note)


def differences(first: ArrayLike, second: ArrayLike) -> Floats:
    """Second minus first, pair by pair."""
    a, b = numbers(first), numbers(second)
    if len(a) != len(b):
        raise UsageError(f"a paired test needs pairs: {len(a)} and {len(b)} values")
    return b - a


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


def cohen_d(first: ArrayLike, second: ArrayLike) -> float:
    """Difference of two independent means (second minus first) in pooled standard deviations."""
    a, b = numbers(first), numbers(second)
    if min(len(a), len(b)) < 2:
        raise UsageError("Cohen's d needs at least 2 values on each side")
    squares = float(((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum())
    return _standardised(float(b.mean() - a.mean()), sqrt(squares / (len(a) + len(b) - 2)))


def cohen_dz(first: ArrayLike, second: ArrayLike | None = None) -> float:
    """Mean difference of pairs (or mean of differences) in standard deviations of the differences."""
    gaps = numbers(first) if second is None else differences(first, second)
    if len(gaps) < 2:
        raise UsageError("Cohen's dz needs at least 2 pairs")
    return _standardised(float(gaps.mean()), float(gaps.std(ddof=1)))


def cohen_h(first: float, second: float) -> float:
    """Difference of two shares on the arcsine scale, where it is equally hard to see everywhere."""
    for share in (first, second):
        if not 0 <= share <= 1:
            raise UsageError(f"{share:g} is not a share", todo="shares are between 0 and 1")
    return 2 * asin(sqrt(second)) - 2 * asin(sqrt(first))


def odds_ratio(first_yes: int, first_no: int, second_yes: int, second_no: int, *, level: float = 0.95) -> OddsRatio:
    """Odds of the second by odds of the first, independent samples, interval by Woolf's logit.

    Where a cell is empty ½ is added to all four (Haldane and Anscombe), and the note says so.
    """
    cells = [float(count) for count in (first_yes, first_no, second_yes, second_no)]
    if min(cells) < 0 or cells[0] + cells[1] == 0 or cells[2] + cells[3] == 0:
        raise UsageError("odds need at least one observation on each side")
    note = "a cell is empty: ½ was added to each" if 0 in cells else ""
    a, b, c, d = (cell + 0.5 for cell in cells) if note else cells
    return _odds(log(c * b / (d * a)), sqrt(1 / a + 1 / b + 1 / c + 1 / d), level, note)


def matched_odds_ratio(first_only: int, second_only: int, *, level: float = 0.95) -> OddsRatio:
    """Odds ratio of pairs: those that only the second got right by those that only the first did."""
    if first_only < 0 or second_only < 0:
        raise UsageError(f"counts cannot be negative: {first_only} and {second_only}")
    if first_only + second_only == 0:
        return OddsRatio(1.0, None, None, "no pair differs")
    note = "a cell is empty: ½ was added to each" if 0 in (first_only, second_only) else ""
    b, c = (first_only + 0.5, second_only + 0.5) if note else (float(first_only), float(second_only))
    return _odds(log(c / b), sqrt(1 / b + 1 / c), level, note)


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    """How much more often a value of the second is above one of the first than below it, of all pairs."""
    a, b = numbers(first), numbers(second)
    if not len(a) or not len(b):
        raise UsageError("Cliff's delta needs values on both sides")
    placed = ranks(np.concatenate([a, b]))[len(a) :]
    wins = float(placed.sum()) - len(b) * (len(b) + 1) / 2  # Mann and Whitney's U; ties are half a win
    return 2 * wins / (len(a) * len(b)) - 1


def rank_biserial(first: ArrayLike, second: ArrayLike | None = None) -> float:
    """The effect of Wilcoxon's test: share of signed ranks for the second minus that for the first."""
    gaps = numbers(first) if second is None else differences(first, second)
    kept = gaps[gaps != 0]
    if not len(kept):
        return 0.0
    placed = ranks(np.abs(kept))
    return float((placed * np.sign(kept)).sum() / placed.sum())


def _standardised(mean: float, spread: float) -> float:
    if spread <= 1e-14 * abs(mean):
        if mean == 0:
            return 0.0
        raise UsageError("no standardised difference: the values do not vary", todo="report the difference itself")
    return mean / spread


def _odds(logarithm: float, error: float, level: float, note: str) -> OddsRatio:
    from scipy.special import ndtri

    check_level(level)
    half = float(ndtri((1 + level) / 2)) * error
    return OddsRatio(exp(logarithm), exp(logarithm - half), exp(logarithm + half), note)


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


def power_of_paired_shares(first_only: float, second_only: float, n: int, *, alpha: float = 0.05) -> float:
    """Of McNemar's test on n pairs, from the shares of pairs that only one gets right (Connor 1987)."""
    from scipy.special import ndtr, ndtri

    _check_power(alpha)
    differ, gap = _pair_shares(first_only, second_only)
    if n < 1:
        raise UsageError(f"no power of {n} pairs", todo="at least 1 is needed")
    if gap == 0:
        return alpha
    rest = sqrt(max(differ - gap * gap, 0.0))
    reach = gap * sqrt(n) - float(ndtri(1 - alpha / 2)) * sqrt(differ)
    if rest == 0:
        return 1.0 if reach >= 0 else 0.0
    return float(ndtr(reach / rest))


def pairs_for_shares(first_only: float, second_only: float, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The fewest pairs with which McNemar's test finds this difference; None where there is none to find."""
    from scipy.special import ndtri

    _check_power(alpha, power)
    differ, gap = _pair_shares(first_only, second_only)
    if gap == 0:
        return None
    reach = float(ndtri(1 - alpha / 2)) * sqrt(differ) + float(ndtri(power)) * sqrt(max(differ - gap * gap, 0.0))
    needed = ceil((reach / gap) ** 2 - 1e-9)
    return max(needed, 1) if needed <= MOST else None


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


def _pair_shares(first_only: float, second_only: float) -> tuple[float, float]:
    if first_only < 0 or second_only < 0 or first_only + second_only > 1 + 1e-12:
        raise UsageError(
            f"{first_only:g} and {second_only:g} are not shares of pairs", todo="shares are 0 or more and add up to ≤ 1"
        )
    return first_only + second_only, abs(second_only - first_only)


def _check_power(alpha: float, power: float = 0.5) -> None:
    if not 0 < alpha < 1 or not 0 < power < 1:
        raise UsageError("level and power of a test are between 0 and 1", todo="such as alpha 0.05, power 0.8")
