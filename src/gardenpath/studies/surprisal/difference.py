"""The mean surprisal difference of items, tested against zero; empty where there is nothing to test."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...stats.sampling import Clusters, jackknife, ratio_of_sums
from ...stats.seeds import SeedSpread
from ...stats.tests import one_sample_t

Floats = NDArray[np.float64]

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


def mean_difference(
    values: Floats, clusters: Clusters | None = None, by_seed: Floats | None = None
) -> SurprisalDifference:
    """Student's one-sample t-test over items, as the paper has it for Figure 4; items without a value are left out.

    With clusters, over these; `by_seed` (seeds × items) has what each seed says, for the variance between seeds. An
    item that some seed has no value for does not count in that variance.
    """
    there = ~np.isnan(values)
    kept, n = values[there], int(there.sum())
    if n < 2 or float(kept.std(ddof=1)) < _NOTHING:
        return SurprisalDifference(float(kept.mean()) if n else None, n)
    if clusters is None:
        test = one_sample_t(kept)
        return SurprisalDifference(test.mean, n, test.low, test.high, test.statistic, test.p)
    spread = jackknife(np.stack([kept, np.ones(n)], axis=1), ratio_of_sums, clusters.at(there))
    seeds = None if by_seed is None else SeedSpread.of(by_seed[:, ~np.isnan(by_seed).any(axis=0)])
    if seeds:
        spread = spread.plus(seeds.variance, seeds.freedom)
    if not spread.error > 0:  # one cluster
        return SurprisalDifference(spread.value, n)
    difference = spread.difference()
    return SurprisalDifference(
        difference.value, n, difference.low, difference.high, difference.value / spread.error, difference.p
    )
