"""Split, merge and smooth, with EM in between (Petrov, Barrett, Thibaux and Klein 2006).

Each round splits every subsymbol into two, lets EM find out what tells them apart, takes back the half of the splits
that help least, and moves subsymbols of the same symbol a little towards each other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..grammar import Floats, Integers
from .observed import NONE, Observed
from .productions import Places, Productions

NOISE = 0.01
"""Two halves of a subsymbol differ by up to so much at first."""


@dataclass(frozen=True)
class Schedule:
    """How a grammar is trained; the shares were chosen on trees held out of the training part."""

    rounds: int = 4
    split_steps: int = 30
    """Iterations of EM after a split, after a merge, and after smoothing."""
    merge_steps: int = 15
    smooth_steps: int = 8
    merged: float = 0.5
    """The share of splits that is taken back."""
    rule_share: float = 0.01
    word_share: float = 0.1
    """How much of the mean of all subsymbols each one gets, in rules and in words."""


@dataclass(frozen=True)
class Expected:
    """What EM expects of the trees: log likelihood, vectors of each step, and counts of productions."""

    log_likelihood: float
    places: Places
    inside: Floats
    outside: Floats
    counts: Floats


class Training:
    """Productions and trees, and the steps of training between them."""

    def __init__(self, productions: Productions, trees: Observed, seed: int = 0) -> None:
        self.productions = productions
        self.trees = trees
        self.random = np.random.default_rng(seed)
        self._counted = counted_steps(productions, trees)

    @property
    def unit_starts(self) -> Places:
        """Where the subsymbols of each unit begin among all of them, and their number."""
        return np.concatenate([[0], np.cumsum(self.productions.sizes, dtype=np.int64)])

    def expected(self) -> Expected:
        from .expectations import insides, outsides, vectors

        productions, trees = self.productions, self.trees
        unit, sizes, starts = productions.unit, productions.sizes, productions.starts
        places = vectors(trees.production, unit, sizes)
        steps = trees.production, trees.left, trees.right
        inside, log_likelihood = insides(*steps, places, unit, sizes, starts, productions.values)
        outside, counts = outsides(*steps, trees.ends, places, inside, unit, sizes, starts, productions.values)
        return Expected(log_likelihood, places, inside, outside, counts)

    def improve(self) -> float:
        """One iteration of EM; the log likelihood before it."""
        from .expectations import normalised

        expected, productions = self.expected(), self.productions
        draws = int(productions.draw.max()) + 1
        values = normalised(
            expected.counts, productions.unit, productions.draw, draws, productions.sizes, productions.starts,
            productions.values,
        )  # fmt: skip
        self.productions = productions.with_values(values)
        return expected.log_likelihood

    def split(self) -> None:
        """Every subsymbol becomes two that are nearly the same."""
        from .expectations import doubled, normalised

        old = self.productions
        sizes = np.where(old.fixed, old.sizes, 2 * old.sizes).astype(np.int32)
        new = replace(old, sizes=sizes)
        starts = new.starts
        noise = self.random.uniform(1 - NOISE, 1 + NOISE, int(starts[-1]))
        values = doubled(
            old.unit, old.left, old.right, old.diagonal, old.sizes, old.starts, old.values, sizes, starts, noise
        )
        values = normalised(values, old.unit, old.draw, int(old.draw.max()) + 1, sizes, starts, values)
        self.productions = new.with_values(values)

    def merge(self, share: float) -> None:
        """Takes back the share of the last splits that loses least."""
        from .expectations import losses, occupied, regrouped

        old, expected, starts = self.productions, self.expected(), self.unit_starts
        steps = self.trees.production, old.unit, self._counted, expected.places, expected.inside, expected.outside
        shares = occupied(*steps, starts)
        loss = losses(*steps, starts, shares)
        splits = [
            int(start) + first
            for start, size, fixed in zip(starts[:-1], old.sizes, old.fixed, strict=True)
            if not fixed
            for first in range(0, int(size), 2)
        ]
        splits.sort(key=lambda place: (loss[place], place))
        back = set(splits[: round(share * len(splits))])
        group, weight, sizes = grouped_subsymbols(back, starts, shares)
        new = replace(old, sizes=sizes)
        values = regrouped(
            old.unit, old.left, old.right, old.sizes, old.starts, old.values,
            sizes, new.starts, starts, group, weight,
        )  # fmt: skip
        self.productions = new.with_values(values)

    def smooth(self, rule_share: float, word_share: float) -> None:
        from .expectations import smoothed

        old = self.productions
        share = np.where(old.left == NONE, word_share, rule_share)
        self.productions = old.with_values(smoothed(old.unit, old.diagonal, old.sizes, old.starts, old.values, share))

    def run(self, schedule: Schedule, tell: Callable[[str], None] = lambda _: None) -> None:
        """All rounds. EM after a split may raise the likelihood alone; merging and smoothing are what prevents it
        from learning the trees by heart."""
        for number in range(1, schedule.rounds + 1):
            self.split()
            for _ in range(schedule.split_steps):
                self.improve()
            self.merge(schedule.merged)
            for _ in range(schedule.merge_steps):
                self.improve()
            for _ in range(schedule.smooth_steps):
                self.smooth(schedule.rule_share, schedule.word_share)
                log_likelihood = self.improve()
            self.smooth(schedule.rule_share, schedule.word_share)
            subsymbols = int(self.productions.sizes.sum())
            tell(f"round {number}: {subsymbols} subsymbols, log likelihood {log_likelihood:.1f}")


def counted_steps(productions: Productions, trees: Observed) -> NDArray[np.bool_]:
    """A node without a chain has two steps with the same subsymbol, of which one counts."""
    counted = np.ones(len(trees.production), bool)
    below = trees.left[productions.diagonal[trees.production]]
    counted[below] = False
    return counted


def grouped_subsymbols(back: set[int], starts: Places, shares: Floats) -> tuple[Integers, Floats, Integers]:
    """Of each subsymbol its new number within its unit and its weight there, and the new size of each unit; `back` has
    the first of each pair that becomes one."""
    group, weight = np.zeros(len(shares), np.int32), np.ones(len(shares))
    sizes = np.zeros(len(starts) - 1, np.int32)
    for unit in range(len(sizes)):
        place, new = int(starts[unit]), 0
        while place < starts[unit + 1]:
            group[place] = new
            if place in back:
                total = shares[place] + shares[place + 1]
                group[place + 1] = new
                weight[place] = shares[place] / total if total > 0 else 0.5
                weight[place + 1] = 1 - weight[place]
                place += 1
            place, new = place + 1, new + 1
        sizes[unit] = new
    return group, weight, sizes
