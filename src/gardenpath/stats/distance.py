"""Distances between distributions: Wasserstein-1 over whole numbers, for one pair or many at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def wasserstein(first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """How far mass must be moved to make one distribution the other, in steps from one value to the next.

    The last axis holds counts or shares of neighbouring whole numbers; what stands before it are many pairs.
    On a line this is the area between the two cumulative distributions. NaN where a distribution is empty.
    """
    between = np.cumsum(shares(first) - shares(second), axis=-1)
    return np.asarray(np.abs(between, out=between).sum(axis=-1))


def wasserstein_of_heights(first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """The same distance between the two sets of *shares*, over the values that occur in either.

    This is what scipy.stats.wasserstein_distance(p, q) gives for vectors of probabilities: it takes them for
    samples and no longer knows which value a share belongs to. Values that occur in neither are zero on both
    sides and match each other, so they need no move, only to be left out of the mean.
    """
    p, q = shares(first), shares(second)
    occurring = ((p > 0) | (q > 0)).sum(axis=-1)
    moved = np.abs(np.sort(p, axis=-1) - np.sort(q, axis=-1)).sum(axis=-1)
    return np.asarray(np.divide(moved, occurring, out=np.full(moved.shape, np.nan), where=occurring > 0))


def shares(counts: NDArray[Any]) -> Floats:
    """Counts as parts of their sum, along the last axis; NaN where the sum is zero."""
    totals = counts.sum(axis=-1, keepdims=True).astype(np.float64)
    return np.asarray(np.divide(counts, totals, out=np.full(counts.shape, np.nan), where=totals > 0))
