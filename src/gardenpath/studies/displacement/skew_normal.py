"""A skewed Gaussian fitted to the differences between splits, and whether it fits (EDV, Figure 12)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...errors import UsageError

BINS = 6
"""With three fitted parameters they leave two degrees of freedom, as the paper's χ² = 0.40, p = 0.820 has."""
FEWEST = 5 * BINS
"""Values: χ² needs about five in every bin."""


@dataclass(frozen=True, slots=True)
class SkewNormal:
    """The fit by maximum likelihood, its own mean and standard deviation, and χ² over bins of equal probability."""

    shape: float
    location: float
    scale: float
    mean: float
    sd: float
    chi2: float
    p: float
    """That χ² is as large by chance where the values are from this distribution."""
    n: int


def skew_normal(values: ArrayLike) -> SkewNormal:
    """Fewer values than `FEWEST` are refused: three parameters fit almost anything."""
    from scipy.stats import chi2, skewnorm

    given = np.asarray(values, dtype=np.float64)
    if len(given) < FEWEST:
        raise UsageError(f"{len(given)} values are too few for a skew-normal fit", todo=f"at least {FEWEST} are needed")
    if np.ptp(given) == 0:
        raise UsageError("all values are equal, there is no distribution to fit")
    shape, location, scale = (float(one) for one in skewnorm.fit(given))
    mean, variance = (float(one) for one in skewnorm.stats(shape, location, scale, moments="mv"))
    places = np.minimum((skewnorm.cdf(given, shape, location, scale) * BINS).astype(np.int64), BINS - 1)
    counts, expected = np.bincount(places, minlength=BINS), len(given) / BINS
    statistic = float(((counts - expected) ** 2 / expected).sum())
    p = float(chi2.sf(statistic, BINS - 1 - 3))
    return SkewNormal(shape, location, scale, mean, variance**0.5, statistic, p, len(given))
