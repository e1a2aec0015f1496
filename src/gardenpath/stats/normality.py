"""Could these values come from a normal distribution? (EDV, Table 1)."""

from __future__ import annotations

from math import erfc, exp, log, sqrt
from typing import NamedTuple

from numpy.typing import ArrayLike

from ..errors import UsageError
from .correlation import numbers


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
