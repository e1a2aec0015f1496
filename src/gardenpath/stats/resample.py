"""Resampling of ratios: an interval or a paired test draws items anew and adds up their counts.

A score such as LAS is a sum of numerators over a sum of denominators, and the items (sentences) are what was
sampled. All functions take counts per item, so that a draw is a weighted sum and nothing is scored again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError

Floats = NDArray[np.float64]

_BLOCK = 1 << 22
"""Random numbers drawn in one step, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with the percentile interval of its bootstrap."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Paired:
    """The difference between two systems on the same items (second minus first)."""

    difference: float
    low: float
    high: float
    p: float
    """Two-sided."""


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


def bootstrap_ratio(
    numerators: NDArray[Any], denominators: NDArray[Any], *, draws: int = 1000, seed: int = 0, level: float = 0.95
) -> Interval:
    """Σ numerators / Σ denominators with the percentile interval over resampled items."""
    _check(numerators, denominators, draws)
    sums = drawn_sums(np.stack([numerators, denominators], axis=1), draws, seed)
    value = _ratio(np.array(numerators.sum()), np.array(denominators.sum()))
    low, high = percentile_interval(_ratio(sums[:, 0], sums[:, 1]), level)
    return Interval(float(value), low, high)


def percentile_interval(values: NDArray[Any], level: float = 0.95) -> tuple[float, float]:
    """The middle `level` of the values; NaN where there are none."""
    kept = np.sort(values[~np.isnan(values)])
    if len(kept) == 0:
        return float("nan"), float("nan")
    # As np.quantile, which would import numpy.ma for 20 ms.
    places = np.array([(1 - level) / 2, (1 + level) / 2]) * (len(kept) - 1)
    low, high = np.interp(places, np.arange(len(kept)), kept)
    return float(low), float(high)


def paired_bootstrap(
    first: tuple[NDArray[Any], NDArray[Any]],
    second: tuple[NDArray[Any], NDArray[Any]],
    *,
    draws: int = 1000,
    seed: int = 0,
    level: float = 0.95,
) -> Paired:
    """Difference of two ratios over the same items, with interval and p from the same draws for both.

    p is twice the smaller share of draws on the other side of zero, counted with the observed one among them
    (Koehn 2004, two-sided, never zero).
    """
    for numerators, denominators in (first, second):
        _check(numerators, denominators, draws)
    if len(first[0]) != len(second[0]):
        raise UsageError(f"a paired test needs the same items: {len(first[0])} and {len(second[0])}")
    sums = drawn_sums(np.stack([*first, *second], axis=1), draws, seed)
    drawn = _ratio(sums[:, 2], sums[:, 3]) - _ratio(sums[:, 0], sums[:, 1])
    observed = _observed(first, second)
    drawn = drawn[~np.isnan(drawn)]
    below, above = int((drawn <= 0).sum()), int((drawn >= 0).sum())
    p = min(1.0, 2 * (min(below, above) + 1) / (len(drawn) + 1))
    low, high = percentile_interval(drawn, level)
    return Paired(observed, low, high, p)


def paired_randomisation(
    first: tuple[NDArray[Any], NDArray[Any]],
    second: tuple[NDArray[Any], NDArray[Any]],
    *,
    draws: int = 1000,
    seed: int = 0,
) -> float:
    """p of the difference of two ratios when the systems' results are swapped at random per item (Noreen 1989)."""
    for numerators, denominators in (first, second):
        _check(numerators, denominators, draws)
    if len(first[0]) != len(second[0]):
        raise UsageError(f"a paired test needs the same items: {len(first[0])} and {len(second[0])}")
    generator = np.random.default_rng(seed)
    counts = np.stack([*first, *second], axis=1).astype(np.float64)
    total, gap = counts.sum(axis=0), counts[:, 2:] - counts[:, :2]
    observed = abs(_observed(first, second))
    items = len(counts)
    step = max(1, _BLOCK // max(items, 1))
    extreme = 0
    for begin in range(0, draws, step):
        swaps = generator.integers(0, 2, size=(min(step, draws - begin), items), dtype=np.int8).astype(np.float64)
        moved = swaps @ gap
        one = _ratio(total[0] + moved[:, 0], total[1] + moved[:, 1])
        two = _ratio(total[2] - moved[:, 0], total[3] - moved[:, 1])
        extreme += int((np.abs(two - one) >= observed - 1e-12).sum())
    return (extreme + 1) / (draws + 1)


def _observed(first: tuple[NDArray[Any], NDArray[Any]], second: tuple[NDArray[Any], NDArray[Any]]) -> float:
    ratios = [float(_ratio(np.array(top.sum()), np.array(bottom.sum()))) for top, bottom in (first, second)]
    return ratios[1] - ratios[0]


def _ratio(numerators: NDArray[Any], denominators: NDArray[Any]) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominators == 0, np.nan, numerators / np.where(denominators == 0, 1, denominators))


def _check(numerators: NDArray[Any], denominators: NDArray[Any], draws: int) -> None:
    if len(numerators) != len(denominators):
        raise UsageError(f"{len(numerators)} numerators and {len(denominators)} denominators")
    if len(numerators) == 0:
        raise UsageError("nothing to draw from: no items")
    if draws < 1:
        raise UsageError(f"cannot make an interval from {draws} draws")
