"""How much of a score is the seed of the training: each of several seeds of a model judged all items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SeedSpread:
    """What another seed would change in a mean over seeds: a variance, and its degrees of freedom."""

    variance: float
    freedom: int

    @classmethod
    def of(cls, values: Floats, strata: Ints | None = None, weights: Floats | None = None) -> SeedSpread | None:
        """Of the weighted sum of the means of strata (one, of weight 1) of `values` (seeds × items); None of one seed.

        Items and seeds cross: x = item + seed + rest. In the mean, seeds have MS(seed)/nK, in which there is
        MS(rest)/nK already counted with the items; that much is taken off (analysis of variance, two ways).
        """
        seeds, items = values.shape
        if seeds < 2 or not items:
            return None
        of = np.zeros(items, dtype=np.int64) if strata is None else strata
        size = np.bincount(of).astype(np.float64)
        share = (np.ones(1) if weights is None else weights) / np.maximum(size, 1)  # of each item, by stratum
        means = np.stack([np.bincount(of, row) for row in values]) / np.maximum(size, 1)  # seeds × strata
        scores = means @ (share * size)
        rest = values - values.mean(axis=0) - (means - means.mean(axis=0))[:, of]
        spread = share[of] ** 2 * size[of] / np.maximum(size[of] - 1, 1)
        pairs = seeds * (seeds - 1)
        own = float(((scores - scores.mean()) ** 2).sum()) / pairs
        return cls(max(0.0, own - float((rest**2 @ spread).sum()) / pairs), seeds - 1)

    def __add__(self, second: SeedSpread) -> SeedSpread:
        """Of the difference of two systems with seeds of their own."""
        total = self.variance + second.variance
        parts = self.variance**2 / self.freedom + second.variance**2 / second.freedom
        freedom = int(total**2 / parts) if parts else self.freedom + second.freedom
        return SeedSpread(total, max(1, freedom))
