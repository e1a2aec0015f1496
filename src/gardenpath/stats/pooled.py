"""Intervals and tests for many groups of items at once.

Items that are in the same groups and have the same counts are alike. How often each kind of item is drawn follows
a multinomial distribution, so a draw of thousands of items is a draw of some hundred numbers: the same bootstrap as
`stats.resample` does item by item, for all groups from the same draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .resample import percentile_interval

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_BLOCK = 1 << 22
"""Numbers drawn in one step, so that memory stays bounded."""


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Kinds of items: how many there are of each, the number of its cell, and its counts (kinds × columns)."""

    sizes: Ints
    cell: Ints
    counts: NDArray[Any]

    @classmethod
    def of(cls, cells: Ints, counts: NDArray[Any]) -> Pool:
        """From the cell and the counts of every item."""
        codes = cells
        for column in counts.T:
            different, number = np.unique(column, return_inverse=True)
            _, codes = np.unique(codes * len(different) + number.reshape(-1), return_inverse=True)
            codes = codes.reshape(-1)
        _, first, sizes = np.unique(codes, return_index=True, return_counts=True)
        return cls(sizes, cells[first], counts[first])

    def sums(self, groups: NDArray[np.bool_]) -> NDArray[Any]:
        """(groups × columns): the sums over the items of each group; `groups` says which cells each has."""
        inside = groups[:, self.cell]
        found: NDArray[Any] = (inside * self.sizes) @ self.counts
        return found

    def drawn_sums(self, groups: NDArray[np.bool_], draws: int, seed: int) -> Floats:
        """(draws × groups × columns): the same sums in each draw of as many items."""
        present, begins = np.unique(self.cell, return_index=True)  # kinds are sorted by cell
        whole = np.issubdtype(self.counts.dtype, np.integer)
        largest = float(np.abs(self.counts * self.sizes[:, None]).sum(axis=0).max(initial=0))
        # Single precision is exact for whole numbers below 2^24; a draw may add up to more than the data do.
        kind = np.float32 if whole and largest * 8 < 1 << 24 else np.float64
        inside: NDArray[Any] = groups[:, present].T.astype(kind)
        blocks = []
        for weights in self._weights(draws, seed):
            by_cell: list[NDArray[Any]] = [
                np.add.reduceat(weights * column, begins, axis=1).astype(kind) for column in self.counts.T
            ]
            blocks.append(np.stack([sums @ inside for sums in by_cell], axis=2))
        return np.concatenate(blocks).astype(np.float64)

    def _weights(self, draws: int, seed: int) -> Iterator[Ints]:
        generator = np.random.default_rng(seed)
        total = int(self.sizes.sum())
        step = max(1, _BLOCK // len(self.sizes))
        for begin in range(0, draws, step):
            yield generator.multinomial(total, self.sizes / total, size=min(step, draws - begin))


def ratios(tops: NDArray[Any], bottoms: NDArray[Any]) -> Floats:
    """In per cent; NaN where nothing was asked."""
    none = bottoms == 0
    return np.where(none, np.nan, 100 * tops / np.where(none, 1, bottoms))


def intervals(values: Floats) -> list[tuple[float, float]]:
    """The 95 % percentile interval of every column (draws × columns)."""
    return [percentile_interval(values[:, number]) for number in range(values.shape[1])]


def bootstrap_p(values: Floats) -> float:
    """Twice the smaller share of draws on the other side of zero, never zero (as `stats.resample`)."""
    kept = values[~np.isnan(values)]
    below, above = int((kept <= 0).sum()), int((kept >= 0).sum())
    return min(1.0, 2 * (min(below, above) + 1) / (len(kept) + 1))
