"""Seeds as a random factor that crosses items: against the analysis of variance, and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gardenpath.stats.sampling import Clusters, StandardError, jackknife, ratio_of_sums
from gardenpath.stats.seeds import SeedSpread

Floats = NDArray[np.float64]


def components(values: Floats) -> float:
    """Var(mean) due to seeds by mean squares: (MS seed - MS rest)/nK, from the textbook."""
    seeds, items = values.shape
    grand, rows, columns = values.mean(), values.mean(axis=1), values.mean(axis=0)
    of_seeds = items * ((rows - grand) ** 2).sum() / (seeds - 1)
    rest = ((values - rows[:, None] - columns[None, :] + grand) ** 2).sum() / ((seeds - 1) * (items - 1))
    return max(0.0, float(of_seeds - rest) / (seeds * items))


def test_one_stratum_is_the_analysis_of_variance() -> None:
    rng = np.random.default_rng(0)
    for seeds in (2, 3, 7):
        values = rng.normal(size=(seeds, 25)) + rng.normal(size=(seeds, 1))
        spread = SeedSpread.of(values)
        assert spread is not None
        assert spread.variance == pytest.approx(components(values))
        assert spread.freedom == seeds - 1
    assert SeedSpread.of(rng.normal(size=(1, 25))) is None
    same = SeedSpread.of(np.repeat(rng.normal(size=(1, 25)), 3, axis=0))
    assert same is not None
    assert same.variance == 0


def test_strata_of_one_size_and_weight_are_their_mean() -> None:
    """The seeds' scores are those of the weighted sum; what is left over is taken off stratum by stratum."""
    rng = np.random.default_rng(2)
    values, strata, weights = rng.normal(size=(4, 60)), np.repeat([0, 1, 2], 20), np.array([0.5, 0.3, -0.2])
    values += 2 * rng.normal(size=(4, 1))
    spread = SeedSpread.of(values, strata, weights)
    scores = np.array([sum(weights[s] * row[strata == s].mean() for s in range(3)) for row in values])
    rest = 0.0
    for s in range(3):
        part = values[:, strata == s]
        left = part - part.mean(axis=0) - part.mean(axis=1)[:, None] + part.mean()
        rest += weights[s] ** 2 * (left**2).sum() / (3 * 19) / (4 * 20)
    assert spread is not None
    assert spread.variance == pytest.approx(max(0, scores.var(ddof=1) / 4 - rest))


def test_degrees_of_freedom_are_those_of_satterthwaite() -> None:
    spread = StandardError(1.0, 2.0, 11).plus(4.0, 2)
    assert spread.error == pytest.approx(np.sqrt(8))
    assert spread.clusters == 1 + int(64 / (16 / 10 + 16 / 2))
    assert StandardError(1.0, 2.0, 11).plus(0.0, 2) == StandardError(1.0, 2.0, 11)
    both = SeedSpread(1.0, 2) + SeedSpread(1.0, 2)
    assert both == SeedSpread(2.0, 4)
    assert SeedSpread(0.0, 2) + SeedSpread(3.0, 1) == SeedSpread(3.0, 1)


@pytest.mark.parametrize(("seeds", "effect"), [(3, 0.0), (3, 0.3), (5, 0.3), (5, 1.0), (10, 0.3)])
def test_coverage_over_items_and_seeds(seeds: int, effect: float) -> None:
    """Intervals over items alone hold in half of the samples or less where seeds differ; over both they hold."""
    rng = np.random.default_rng([seeds, int(10 * effect)])
    held = alone = 0
    samples = 600
    for _ in range(samples):
        values = rng.normal(size=40) + effect * rng.normal(size=(seeds, 1)) + rng.normal(size=(seeds, 40))
        items = jackknife(np.stack([values.mean(axis=0), np.ones(40)], axis=1), ratio_of_sums)
        spread = SeedSpread.of(values)
        assert spread is not None
        both, single = items.plus(spread.variance, spread.freedom).interval(), items.interval()
        held += (both.low or 0) <= 0 <= (both.high or 0)
        alone += (single.low or 0) <= 0 <= (single.high or 0)
    assert 0.9 <= held / samples <= 0.98
    if effect == 1.0:
        assert alone / samples < 0.65


def test_a_share_from_a_standard_error() -> None:
    """p(1 - p)/SE² independent items, less what t takes; never more than there are, and never of width zero."""
    wide, exact = StandardError(0.5, 0.1, 500).share(1000), StandardError(0.5, 0.001, 500).share(100)
    assert wide.high is not None
    assert wide.low is not None
    assert (wide.low, wide.high) == pytest.approx((0.3175, 0.6825), abs=1e-3)  # Wilson: 25 independent items
    assert (exact.low, exact.high) == pytest.approx((0.4038, 0.5962), abs=1e-3)  # Wilson: 100
    sure = StandardError(1.0, 0.0, Clusters.independent(40).count).share(40)
    assert (sure.low, sure.high) == pytest.approx((0.9124, 1.0), abs=1e-3)
