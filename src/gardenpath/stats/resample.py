"""Draws with replacement, for what has no standard error: distances between distributions, correlations.

Counts are kept per item, so that a draw is a weighted sum and nothing is measured again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError

Floats = NDArray[np.float64]

_BLOCK = 1 << 22
"""Random numbers drawn in one step, so that memory stays bounded."""


def draw_weights(items: int, draws: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """Blocks of a (draws × items) matrix: how often each item was drawn, with replacement, in each draw."""
    generator = np.random.default_rng(seed)
    step = max(1, _BLOCK // max(items, 1))
    for begin in range(0, draws, step):
        rows = min(step, draws - begin)
        weights = np.empty((rows, items), dtype=np.float32)
        for row, picks in zip(weights, generator.integers(0, items, size=(rows, items)), strict=True):
            row[:] = np.bincount(picks, minlength=items)  # one row at a time stays in the cache
        yield weights


def drawn_sums(counts: NDArray[Any], draws: int, seed: int) -> Floats:
    """(draws × columns): the column sums of `counts` (items × columns) in each draw."""
    items = len(counts)
    if items == 0:
        raise UsageError("nothing to draw from: no items")
    # Single precision is exact for whole numbers below 2^24; a draw may add up to more than the data do.
    exact = float(np.abs(counts).sum(axis=0).max(initial=0)) * 8 < 1 << 24
    columns: NDArray[Any] = counts.astype(np.float32 if exact else np.float64)
    sums = []
    for weights in draw_weights(items, draws, seed):
        sums.append(np.matmul(weights, columns).astype(np.float64))
    return np.concatenate(sums)


def percentile_interval(values: NDArray[Any], level: float = 0.95) -> tuple[float, float]:
    """The middle `level` of the values; NaN where there are none."""
    kept = np.sort(values[~np.isnan(values)])
    if len(kept) == 0:
        return float("nan"), float("nan")
    # As np.quantile, which would import numpy.ma for 20 ms.
    places = np.array([(1 - level) / 2, (1 + level) / 2]) * (len(kept) - 1)
    low, high = np.interp(places, np.arange(len(kept)), kept)
    return float(low), float(high)
