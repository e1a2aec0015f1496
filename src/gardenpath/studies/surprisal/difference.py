"""The mean surprisal difference of items, tested against zero; empty where there is nothing to test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...stats.tests import one_sample_t

_NOTHING = 1e-9
"""A spread in bits that rounding alone leaves."""


@dataclass(frozen=True, slots=True)
class SurprisalDifference:
    """The mean with its 95 % interval; t and p (two-sided) are None where all items are the same, or there is one."""

    mean: float | None
    """None where there is no item."""
    n: int
    low: float | None = None
    high: float | None = None
    t: float | None = None
    p: float | None = None


def mean_difference(values: NDArray[np.float64]) -> SurprisalDifference:
    """Student's one-sample t-test, as the paper has it for Figure 4; items without a value (NaN) are left out."""
    values = values[~np.isnan(values)]
    n = len(values)
    if n < 2 or float(values.std(ddof=1)) < _NOTHING:
        return SurprisalDifference(float(values.mean()) if n else None, n)
    test = one_sample_t(values)
    return SurprisalDifference(test.mean, n, test.low, test.high, test.statistic, test.p)
