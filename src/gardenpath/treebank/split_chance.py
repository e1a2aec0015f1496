"""How far a split's test part is from its training part, beside what splits of the same sizes reach by chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..stats.distance import wasserstein, wasserstein_of_heights
from .dealt_units import Ints, Split, documents
from .document_split import DocumentDeal
from .split_units import CLASSES, Floats, Units, units
from .treebank import Treebank

DRAWS = 100
_CHUNK = 4096
"""Units whose histograms are added up in one step, so that memory stays bounded."""


@dataclass(frozen=True, slots=True)
class Distance:
    """EDV between train and test, in tokens and as published, and the mean and spread of EDV over random splits."""

    edv: float
    edv_heights: float
    draws: int
    mean: float | None
    sd: float | None

    @property
    def excess(self) -> float | None:
        """EDV less the mean of random splits, its noise floor."""
        return None if self.mean is None else self.edv - self.mean

    @property
    def z(self) -> float | None:
        """Standard deviations above the mean of random splits."""
        if self.mean is None or not self.sd:
            return None
        return (self.edv - self.mean) / self.sd


def distance(treebank: Treebank, split: Split, *, draws: int = DRAWS, seed: int = 0) -> Distance | None:
    """Of train and test; None where one of them has no edge, or is not there."""
    if not {"train", "test"} <= split.parts.keys():
        return None
    labels = np.full(len(treebank), -1)
    names = [part for part in ("train", "dev", "test") if part in split.parts]
    for number, part in enumerate(names):
        labels[split.parts[part]] = number
    kept = labels >= 0
    unit_of = np.full(len(treebank), -1)
    unit_of[kept] = (
        np.unique(documents(treebank)[kept], return_inverse=True)[1] if split.by_document else np.arange(kept.sum())
    )
    dealt = units(treebank, unit_of)
    part_of = np.empty(len(dealt), dtype=np.int8)
    part_of[unit_of[kept]] = labels[kept]
    train, test = (dealt.histogram(part_of == number) for number in (0, len(names) - 1))
    if not train.sum() or not test.sum():
        return None
    by_chance = _drawn(dealt, part_of, split, draws, seed)
    draws = len(by_chance)
    spread = float(by_chance.std(ddof=1)) if draws > 1 else None
    mean = float(by_chance.mean()) if draws else None
    return Distance(float(wasserstein(train, test)), float(wasserstein_of_heights(train, test)), draws, mean, spread)


def _drawn(dealt: Units, part_of: Ints, split: Split, draws: int, seed: int) -> Floats:
    """EDV of random splits: of the same sizes, or with documents dealt out as `random_split` does."""
    rng = np.random.default_rng([seed, draws])
    last = int(part_of.max())
    if not draws:
        labels = np.empty((0, len(dealt)), dtype=np.int8)
    elif split.by_document:
        sizes = np.bincount(part_of, weights=dealt.sentences)
        shares = {str(part): float(size / sizes.sum()) for part, size in enumerate(sizes)}
        labels = DocumentDeal.of(dealt.sentences, shares).random(draws, rng).astype(np.int8)
    else:
        labels = rng.permuted(np.tile(np.sort(part_of), (draws, 1)), axis=1)
    draws = len(labels)
    train, test = np.zeros((draws, CLASSES)), np.zeros((draws, CLASSES))
    for begin in range(0, len(dealt), _CHUNK):
        which = np.arange(begin, min(begin + _CHUNK, len(dealt)))
        counts = dealt.histograms(which).astype(np.float32)
        piece = labels[:, begin : begin + _CHUNK]
        train += (piece == 0).astype(np.float32) @ counts
        test += (piece == last).astype(np.float32) @ counts
    return wasserstein(train, test)
