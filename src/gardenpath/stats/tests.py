"""Tests of one sample and of pairs: McNemar's, Student's t, Wilcoxon's signed ranks."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .correlation import numbers

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
