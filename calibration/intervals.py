"""Coverage of intervals and level of paired tests, through the functions of the library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from gardenpath.stats.sampling import Clusters, share_difference, shares

from .samples import Design, chances, paired

SHARES = (0.02, 0.1, 0.5, 0.9, 0.98)
ALIKE = (0.0, 0.02, 0.1, 0.3)
SKEWED = "level, skewed gains"
"""What no method repairs; the goals are not about it."""
CROSSED = ((5, 5), (10, 10), (20, 20), (20, 60))
"""How many clusters there are of either kind."""
LEAST = 5
"""Effective clusters of the cells that goals are about."""


@dataclass(frozen=True)
class Cell:
    """One row of the grid: a design with its share and correlation, and what was measured, in per cent."""

    what: str
    """`coverage` of intervals of shares, or `level` of paired tests at 5 %."""
    kind: str
    clusters: int
    share: float
    alike: float
    effective: float
    value: float

    @property
    def is_extreme(self) -> bool:
        """Return whether this is what no method repairs: hardly anything wrong (or right), and strong clustering."""
        return not 0.1 <= self.share <= 0.9 and self.alike >= 0.1


def share_cells(designs: list[Design], draws: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Yield how often the intervals of shares contain the true one."""
    for design in designs:
        for p in SHARES:
            for alike in ALIKE:
                asked = design.drawn(draws, rng)
                right = rng.binomial(asked, chances(p, alike, asked.shape, rng))
                estimates = [estimate for estimate in shares(right, asked) if estimate and estimate.low is not None]
                held = [estimate.low <= p <= estimate.high for estimate in estimates]  # type: ignore[operator]
                effective = float(np.median([estimate.effective for estimate in estimates]))
                yield Cell("coverage", design.kind, design.clusters, p, alike, effective, 100 * float(np.mean(held)))


def difference_cells(designs: list[Design], draws: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Yield how often two equally good systems are found to differ with p < 5 %."""
    for design in designs:
        for p in SHARES:
            for alike in ALIKE:
                asked = design.drawn(draws, rng)
                first, second = paired(p, alike, asked, rng)
                tests = [share_difference((x, n), (y, n)) for x, y, n in zip(first.T, second.T, asked.T, strict=True)]
                effective = float(np.median([test.effective for test in tests]))
                level = 100 * float(np.mean([test.p < 0.05 for test in tests]))
                yield Cell("level", design.kind, design.clusters, p, alike, effective, level)


def skewed_cells(designs: list[Design], draws: int, rng: np.random.Generator) -> Iterator[Cell]:
    """Yield the level where the second system gains 5 points in nine clusters of ten, and loses 45 in the tenth."""
    for design in designs:
        asked = design.drawn(draws, rng)
        change = np.where(rng.random(asked.shape) < 0.9, 0.05, -0.45)
        first, second = rng.binomial(asked, 0.5), rng.binomial(asked, 0.5 + change)
        tests = [share_difference((x, n), (y, n)) for x, y, n in zip(first.T, second.T, asked.T, strict=True)]
        effective = float(np.median([test.effective for test in tests]))
        level = 100 * float(np.mean([test.p < 0.05 for test in tests]))
        yield Cell(SKEWED, design.kind, design.clusters, 0.5, 0.0, effective, level)


def crossed_cells(draws: int, rng: np.random.Generator, items: int = 400) -> Iterator[Cell]:
    """Yield both where items have two kinds of clusters that cross, in even and uneven numbers."""
    for first, second in CROSSED:
        for p in (0.5, 0.9, 0.98):
            for even in (True, False):
                held, below, effective = [], [], []
                for _ in range(draws):
                    kinds = [
                        rng.integers(0, number, items) if even
                        else rng.choice(number, items, p=rng.dirichlet(np.full(number, 0.4)))
                        for number in (first, second)
                    ]  # fmt: skip
                    clusters, ones = Clusters.of(verb=kinds[0], noun=kinds[1]), np.ones(items)
                    sides = [_answers(p, kinds, (first, second), rng) for _ in range(2)]
                    estimate = shares(sides[0][:, None], ones[:, None], clusters)[0]
                    if estimate is None or estimate.low is None or estimate.high is None:
                        continue
                    held.append(estimate.low <= p <= estimate.high)
                    below.append(share_difference((sides[0], ones), (sides[1], ones), clusters).p < 0.05)
                    effective.append(estimate.effective)
                name = f"crossed, {'even' if even else 'uneven'}, {first}×{second}"
                own = (name, min(first, second), p, 0.05, float(np.median(effective)))
                yield Cell("coverage", *own, 100 * float(np.mean(held)))
                yield Cell("level", *own, 100 * float(np.mean(below)))


def _answers(p: float, kinds: list[np.ndarray], numbers: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    """Return right and wrong answers; each kind of cluster has a chance of its own around p."""
    own = [chances(p, 0.05, (number,), rng)[codes] for number, codes in zip(numbers, kinds, strict=True)]
    return (rng.random(len(kinds[0])) < np.where(rng.random(len(kinds[0])) < 0.5, *own)).astype(float)
