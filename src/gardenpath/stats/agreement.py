"""Agreement between annotators who give one of several classes to each item, with intervals by cluster.

>>> anna, ben = ["A", "A", "B", "B", "D", "D"], ["A", "B", "B", "B", "D", None]
>>> round(cohen_kappa(anna, ben).value, 4)
0.6875
>>> round(krippendorff_alpha([anna, ben]).value, 4)
0.7097
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from .sampling import Clusters, Estimate, Floats, StandardError

Ratings = Sequence[str | None]
"""The class of each item; None where the annotator gave none."""


def cohen_kappa(first: Ratings, second: Ratings, clusters: Clusters | None = None) -> Estimate | None:
    """Return Cohen's kappa (1960) over the items with both ratings; None where it is not defined."""
    given = _given([first, second])
    rated = given.sum(axis=(0, 2)) == 2

    def kappa(kept: NDArray[np.bool_]) -> float | None:
        one, two = given[:, kept]
        n = len(one)
        if not n:
            return None
        observed = float((one * two).sum()) / n
        expected = float(one.sum(axis=0) @ two.sum(axis=0)) / n**2
        return None if expected >= 1 else float((observed - expected) / (1 - expected))

    return _with_interval(kappa, rated, clusters)


def krippendorff_alpha(ratings: Sequence[Ratings], clusters: Clusters | None = None) -> Estimate | None:
    """Return Krippendorff's alpha for nominal classes over the items with two ratings or more."""
    counts = _given(ratings).sum(axis=0)
    size = counts.sum(axis=1)
    rated = size > 1
    pairs = size**2 - (counts**2).sum(axis=1)  # ordered pairs of ratings that differ

    def alpha(kept: NDArray[np.bool_]) -> float | None:
        totals = counts[kept].sum(axis=0)
        n = totals.sum()
        expected = n**2 - (totals**2).sum()
        if not expected:
            return None
        return float(1 - (n - 1) * (pairs[kept] / (size[kept] - 1)).sum() / expected)

    return _with_interval(alpha, rated, clusters)


def _given(ratings: Sequence[Ratings]) -> Floats:
    """Return 1 where an annotator gave an item a class (annotators × items × classes)."""
    names = sorted({name for column in ratings for name in column if name is not None})
    return np.array([[[rating == name for name in names] for rating in column] for column in ratings], dtype=np.float64)


def _with_interval(
    statistic: Callable[[NDArray[np.bool_]], float | None], rated: NDArray[np.bool_], clusters: Clusters | None
) -> Estimate | None:
    """Return the statistic with a t interval by the jackknife: each cluster is left out in turn."""
    value = statistic(rated)
    if value is None:
        return None
    codes = (clusters or Clusters.independent(len(rated))).codes[0]
    groups = np.unique(codes[rated])
    without = [statistic(rated & (codes != group)) for group in groups]
    known = np.array([part for part in without if part is not None])
    count = len(known)
    if count < 2:
        return Estimate(value, None, None, count, 1.0)
    error = sqrt((count - 1) / count * float(((known - known.mean()) ** 2).sum()))
    return StandardError(value, error, count, count - 1).interval(-1.0, 1.0)
