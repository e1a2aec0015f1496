"""Could these values come from a normal distribution? (EDV, Table 1)."""

from __future__ import annotations

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
    found = numbers(values)
    if len(found) < 3:
        raise UsageError(f"{len(found)} values are too few for a test of normality", todo="at least 3 are needed")
    if (found == found[0]).all():
        raise UsageError(f"no test of normality: all values are the same ({found[0]:g})")
    from scipy.stats import shapiro as test

    w, p = test(found)
    return Normality(float(w), float(p), len(found))
