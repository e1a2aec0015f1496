"""What a split by displacement deals out: sentences or whole documents, each with the displacements of its edges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .displacement import LIMIT
from .treebank import Treebank

CLASSES = 2 * LIMIT + 1
"""Displacements from -30 to 30, as numbers from 0 to 60."""

Ints = NDArray[Any]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Sentences or documents by number: sizes, mean length, MED (Equation 3), and edges, unit after unit."""

    sentences: Ints
    lengths: Floats
    """Words per sentence, on average."""
    displacement: Floats
    """The sum of all displacements over the number of edges that trees of these lengths have."""
    edges: NDArray[np.uint8]
    """The displacement of each edge from -30 to 30, plus 30; longer edges are left out."""
    sizes: Ints
    """How many edges each unit has of these."""
    starts: Ints
    """Where they begin."""

    def __len__(self) -> int:
        return len(self.sentences)

    def histogram(self, which: NDArray[np.bool_]) -> Ints:
        """How often each displacement occurs in these units together."""
        kept = np.repeat(which, self.sizes)
        return np.bincount(self.edges[kept], minlength=CLASSES)

    def histograms(self, which: Ints) -> Ints:
        """The same for each of these units, as rows."""
        sizes = self.sizes[which]
        before = np.cumsum(sizes) - sizes
        places = np.arange(int(sizes.sum())) + np.repeat(self.starts[which] - before, sizes)
        rows = np.repeat(np.arange(len(which)) * CLASSES, sizes)
        return np.bincount(rows + self.edges[places], minlength=len(which) * CLASSES).reshape(-1, CLASSES)

    def sums(self, values: Ints) -> Ints:
        """For each unit the sum of what its edges' displacements are worth."""
        totals = np.zeros(len(self), dtype=np.int64)
        full = self.sizes > 0
        if full.any():
            totals[full] = np.add.reduceat(values[self.edges], self.starts[full], dtype=np.int64)
        return totals


def units(treebank: Treebank, unit_of: Ints) -> Units:
    """`unit_of` has the number of each sentence's unit, or -1 for sentences that are left out."""
    kept = unit_of >= 0
    numbers, offsets = unit_of[kept], treebank.offsets
    count = int(numbers.max()) + 1
    displacements = np.where(treebank.heads > 0, treebank.ids - treebank.heads, 0)
    total = np.add.reduceat(displacements, offsets[:-1], dtype=np.int64)[kept]
    used = (displacements != 0) & (np.abs(displacements) <= LIMIT)
    used &= np.repeat(kept, treebank.lengths)
    edges = displacements[used]
    edges += LIMIT
    sizes = np.add.reduceat(used, offsets[:-1], dtype=np.int64)[kept]
    if (numbers[1:] < numbers[:-1]).any():  # sentences of one unit stand apart
        edges = edges[np.argsort(np.repeat(numbers, sizes), kind="stable")]
    sentences = np.bincount(numbers, minlength=count)
    words = np.bincount(numbers, weights=treebank.lengths[kept], minlength=count)
    possible = np.maximum(words - sentences, 1)
    in_unit = np.bincount(numbers, weights=sizes, minlength=count).astype(np.int64)
    return Units(
        sentences,
        words / sentences,
        np.bincount(numbers, weights=total, minlength=count) / possible,
        edges.astype(np.uint8),
        in_unit,
        np.cumsum(in_unit) - in_unit,
    )
