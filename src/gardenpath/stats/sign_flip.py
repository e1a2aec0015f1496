"""The paired randomisation test, exactly: no draws, so p can be as small as the data make it.

Under the null hypothesis the two results of an item may be swapped, which turns the sign of their difference
(Noreen 1989). Differences are whole numbers of few sizes, so the distribution of their sum is that of a few
binomial numbers, and can be added up instead of drawn.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def sign_flip_p(gaps: NDArray[Any], sizes: NDArray[Any] | None = None) -> float:
    """Two-sided p of Σ gaps when each sign may be turned; `sizes` says how often each (whole) gap occurs."""
    counts = np.ones(len(gaps), dtype=np.int64) if sizes is None else np.asarray(sizes, dtype=np.int64)
    whole = np.asarray(gaps, dtype=np.int64)
    observed = abs(int(whole @ counts))
    different, place = np.unique(np.abs(whole), return_inverse=True)
    number = np.bincount(place.reshape(-1), counts).astype(np.int64)
    kept = different > 0
    pairs = sorted(zip(different[kept].tolist(), number[kept].tolist(), strict=True), key=lambda pair: pair[1])
    if observed == 0 or not pairs:
        return 1.0
    # With k of n signs kept, a size g adds g (2k - n): half the sum plus a constant is Σ g k.
    chances = np.ones(1)
    for gap, n in pairs[:-1]:
        spread = np.zeros(gap * n + 1)
        spread[::gap] = binomial(n)
        chances = np.convolve(chances, spread)
    gap, n = pairs[-1]
    total = sum(one * count for one, count in pairs)
    last = binomial(n)
    above = np.append(np.cumsum(last[::-1])[::-1], 0.0)
    need = np.ceil(((total + observed) / 2 - np.arange(len(chances))) / gap).astype(np.int64)
    tail = above[np.clip(need, 0, n + 1)]
    return min(1.0, 2 * float(chances @ tail))  # the distribution is symmetric


def drawn_sign_flip_p(gaps: NDArray[Any], *, draws: int = 10_000, seed: int = 0) -> float:
    """The same for differences that are no whole numbers: two-sided p over random signs, the data among them."""
    kept = np.asarray(gaps, dtype=np.float64)
    kept = kept[kept != 0]
    if not len(kept):
        return 1.0
    observed = abs(float(kept.sum()))
    generator = np.random.default_rng(seed)
    beyond, size = 0, max(1, 4_000_000 // len(kept))
    for begin in range(0, draws, size):
        signs = generator.integers(0, 2, size=(min(size, draws - begin), len(kept)), dtype=np.int8)
        sums = np.abs((2.0 * signs - 1.0) @ kept)
        beyond += int((sums >= observed * (1 - 1e-12)).sum())
    return (beyond + 1) / (draws + 1)


def binomial(n: int) -> Floats:
    """The chances of 0 to n heads in n throws of a fair coin."""
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    found: Floats = np.exp(logs[n] - logs - logs[::-1] - n * np.log(2))
    return found
