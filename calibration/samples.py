"""Simulated samples: clusters of many sizes, whose items are right by a chance that varies between clusters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gardenpath.treebank import read

ROOT = Path(__file__).resolve().parents[1]
TREEBANKS = ("tr_imst", "uk_iu", "en_ewt", "sv_talbanken", "de_pud", "la_perseus")
"""Test sets whose document sizes are taken, where the shared treebanks are there."""
KINDS = ("equal", "lognormal", "giant")
NUMBERS = (3, 5, 10, 20, 50, 200)

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Design:
    """A kind of sample: how many clusters, and how large they are in each draw."""

    kind: str
    clusters: int
    sizes: Ints | None = None
    """Those of a real test set; None where they are drawn."""

    def drawn(self, draws: int, rng: np.random.Generator) -> Ints:
        """Return the sizes of all clusters (clusters × draws)."""
        shape = (self.clusters, draws)
        if self.sizes is not None:
            return np.repeat(self.sizes[:, None], draws, axis=1)
        if self.kind == "lognormal":
            return np.maximum(1, np.round(np.exp(rng.normal(2, 1.3, shape)))).astype(np.int64)
        sizes = np.full(shape, 10)
        if self.kind == "giant":
            sizes[0] = 10 * (self.clusters - 1)
        return sizes


def treebanks() -> Iterator[Path]:
    """Yield the test sets whose documents are known and whose file is there."""
    for code in TREEBANKS:
        yield from sorted((ROOT.parent / "shared" / "data" / "ud").glob(f"*/{code}-ud-test.conllu"))


def designs() -> list[Design]:
    """Return made-up sizes of clusters, and those of the documents of real test sets."""
    made = [Design(kind, number) for kind in KINDS for number in NUMBERS]
    for path in treebanks():
        gold = read(path)
        if gold.documents is not None:
            words = np.bincount(gold.documents, gold.lengths).astype(np.int64)
            made.append(Design(path.name.removesuffix("-ud-test.conllu"), len(words), words))
    return made


def chances(p: float, alike: float, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Return the chance of each cluster: p on average, so that items of one cluster correlate by `alike`."""
    if not alike:
        return np.full(shape, p)
    spread = (1 - alike) / alike
    return rng.beta(p * spread, (1 - p) * spread, shape)


def paired(p: float, alike: float, sizes: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Return what two equally good systems have right; they share the chance of half of the clusters."""
    common = chances(p, alike, sizes.shape, rng)
    first, second = (
        np.where(rng.random(sizes.shape) < 0.5, common, chances(p, alike, sizes.shape, rng)) for _ in range(2)
    )
    return rng.binomial(sizes, first), rng.binomial(sizes, second)
