"""Edge displacement: how far, and to which side of its head, a word stands (EDV, Equation 1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .treebank import Treebank

LIMIT = 30
"""The paper's range is -30 to 30: longer edges are too few to be a reliable part of a distribution."""

Ints = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """How often each displacement from -limit to limit occurs, and how many edges are longer than that."""

    counts: NDArray[np.int64]
    outside: int

    @property
    def limit(self) -> int:
        return len(self.counts) // 2

    @property
    def values(self) -> NDArray[np.int64]:
        """The displacement that each count belongs to."""
        return np.arange(-self.limit, self.limit + 1)

    @property
    def edges(self) -> int:
        """All edges but those of roots."""
        return int(self.counts.sum()) + self.outside


def displacements(treebank: Treebank) -> Ints:
    """s = position of the word - position of its head, of every edge; roots and words without head have none."""
    edge = treebank.heads > 0
    return (treebank.ids - treebank.heads)[edge]


def counted(values: Ints, limit: int = LIMIT) -> Histogram:
    """Displacements as a histogram."""
    return counted_between(values, np.array([0, len(values)]), limit)[0]


def counted_between(values: Ints, borders: Ints, limit: int = LIMIT) -> list[Histogram]:
    """A histogram of the displacements between borders."""
    groups, width = len(borders) - 1, 2 * limit + 3
    cells = np.clip(values, -limit - 1, limit + 1) + (limit + 1)
    if groups > 1:
        cells = cells + np.repeat(np.arange(groups) * width, np.diff(borders))
    table = np.bincount(cells, minlength=groups * width).reshape(groups, width)
    outside = (table[:, 0] + table[:, -1]).tolist()
    return [Histogram(counts, beyond) for counts, beyond in zip(table[:, 1:-1], outside, strict=True)]
