"""Intervals and paired tests against SciPy and exact enumeration."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from gardenpath.errors import UsageError
from gardenpath.stats import bootstrap_ratio, draw_weights, holm, paired_bootstrap, paired_randomisation
from gardenpath.stats.resample import drawn_sums, percentile_interval


def counts(seed: int, items: int = 200) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    bottom = rng.integers(1, 30, items)
    return rng.binomial(bottom, 0.8), bottom


def test_ratio_interval_agrees_with_scipy() -> None:
    top, bottom = counts(1)
    ours = bootstrap_ratio(top, bottom, draws=20_000, seed=3)
    theirs = stats.bootstrap(
        (top, bottom),
        lambda t, b, axis=-1: t.sum(axis) / b.sum(axis),
        paired=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(5),
    ).confidence_interval
    assert ours.value == top.sum() / bottom.sum()
    assert ours.low == pytest.approx(theirs.low, abs=5e-4)
    assert ours.high == pytest.approx(theirs.high, abs=5e-4)


def test_weights_count_draws_with_replacement() -> None:
    weights = np.concatenate(list(draw_weights(7, 50, seed=1)))
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert (weights > 1).any()


def test_sums_are_exact_for_big_counts() -> None:
    big = np.array([[3_000_000_001], [1]])
    weights = np.concatenate(list(draw_weights(2, 20, seed=1)))
    assert drawn_sums(big, 20, seed=1).tolist() == (weights.astype(float) @ big).tolist()


def test_same_seed_same_interval() -> None:
    top, bottom = counts(2)
    assert bootstrap_ratio(top, bottom, seed=4) == bootstrap_ratio(top, bottom, seed=4)
    assert bootstrap_ratio(top, bottom, seed=4) != bootstrap_ratio(top, bottom, seed=5)


def test_percentiles_are_those_of_numpy() -> None:
    values = np.random.default_rng(0).normal(size=333)
    assert percentile_interval(values, 0.9) == pytest.approx(np.quantile(values, [0.05, 0.95]))
    assert np.isnan(percentile_interval(np.array([np.nan]))).all()


def test_coverage_of_the_interval() -> None:
    """95 % intervals hold the true ratio in 93 to 97 % of simulated samples."""
    rng, held = np.random.default_rng(11), 0
    for trial in range(400):
        bottom = rng.integers(5, 25, 150)
        top = rng.binomial(bottom, 0.7)
        interval = bootstrap_ratio(top, bottom, draws=400, seed=trial)
        held += interval.low <= 0.7 <= interval.high
    assert 0.92 <= held / 400 <= 0.98


def test_randomisation_against_all_swaps() -> None:
    """On 10 items all 1024 swaps can be tried."""
    rng = np.random.default_rng(8)
    bottom = np.full(10, 10)
    first, second = rng.binomial(bottom, 0.6), rng.binomial(bottom, 0.75)
    observed = abs(second.sum() - first.sum())
    gaps = [abs(sum(s * (b - a) for s, a, b in zip(signs, first, second, strict=True)))
            for signs in product((1, -1), repeat=10)]  # fmt: skip
    exact = np.mean([gap >= observed for gap in gaps])
    found = paired_randomisation((first, bottom), (second, bottom), draws=20_000, seed=1)
    assert found == pytest.approx(exact, abs=0.015)


def test_randomisation_holds_its_level() -> None:
    rng, hits = np.random.default_rng(9), 0
    for trial in range(300):
        bottom = rng.integers(5, 15, 60)
        first, second = rng.binomial(bottom, 0.7), rng.binomial(bottom, 0.7)
        hits += paired_randomisation((first, bottom), (second, bottom), draws=199, seed=trial) <= 0.05
    assert hits / 300 <= 0.09


def test_paired_bootstrap_finds_a_real_difference_and_no_other() -> None:
    top, bottom = counts(3)
    better = np.minimum(top + 1, bottom)
    clear = paired_bootstrap((top, bottom), (better, bottom), seed=1)
    none = paired_bootstrap((top, bottom), (top, bottom), seed=1)
    assert clear.difference > 0
    assert clear.low > 0
    assert clear.p < 0.01
    assert (none.difference, none.p) == (0, 1)


def test_denominators_of_zero_do_not_become_nan_in_silence() -> None:
    interval = bootstrap_ratio(np.array([0, 1]), np.array([0, 2]), draws=50, seed=0)
    assert interval.value == 0.5
    assert interval.low == 0.5


@pytest.mark.parametrize(
    ("top", "bottom", "draws"), [([], [], 10), ([1], [1, 2], 10), ([1], [2], 0)], ids=["none", "unequal", "no draws"]
)
def test_bad_input(top: list[int], bottom: list[int], draws: int) -> None:
    with pytest.raises(UsageError):
        bootstrap_ratio(np.array(top), np.array(bottom), draws=draws)


def test_unpaired_items_are_refused() -> None:
    with pytest.raises(UsageError, match="same items"):
        paired_bootstrap((np.ones(2), np.ones(2)), (np.ones(3), np.ones(3)))


def test_holm_against_its_definition() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]
