"""Rank correlations over other samples, against `partial_spearman` of each sample one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.stats.correlation import partial_spearman
from gardenpath.stats.correlation_sampling import sampled_spearman, weighted_spearman


def columns(seed: int, n: int, count: int) -> list[np.ndarray]:
    """Variables that hang together, with ties."""
    generator = np.random.default_rng(seed)
    common = generator.normal(size=n)
    return [(common + generator.normal(size=n)).round(1) for _ in range(count)]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1000), st.integers(2, 4), st.integers(9, 25))
def test_weights_are_repetitions(seed: int, count: int, n: int) -> None:
    """A weight of 2 is the observation twice: the oracle is the plain correlation of repeated rows."""
    given_columns = columns(seed, n, count)
    weights = np.random.default_rng(seed).integers(0, 3, size=(4, n)).astype(float)
    for weight, value in zip(weights, weighted_spearman(given_columns, weights).tolist(), strict=True):
        x, y, *held = (np.repeat(column, weight.astype(int)) for column in given_columns)
        try:
            oracle = partial_spearman(x, y, held).value
        except UsageError:
            continue
        if abs(oracle) < 0.999 and not np.isnan(value):
            assert value == pytest.approx(oracle, abs=1e-8)


def test_left_out_one_by_one() -> None:
    x, y, held = columns(3, 20, 3)
    sampled = sampled_spearman(x, y, [held], draws=0)
    kept = ~np.eye(20, dtype=bool)
    oracle = [partial_spearman(x[row], y[row], [held[row]]) for row in kept]
    assert sampled.left_out.tolist() == pytest.approx([correlation.value for correlation in oracle], abs=1e-9)
    assert sampled.p.tolist() == pytest.approx([correlation.p for correlation in oracle], abs=1e-9)
    assert sampled.value == pytest.approx(partial_spearman(x, y, [held]).value, abs=1e-9)
    assert (sampled.low, sampled.high, sampled.same_sign) == (None, None, None)


def test_the_bootstrap_is_that_of_rows_drawn_one_by_one() -> None:
    x, y = columns(5, 30, 2)
    sampled = sampled_spearman(x, y, draws=2000, seed=1)
    generator = np.random.default_rng(8)
    picks = generator.integers(0, 30, size=(2000, 30))
    plain = np.array([partial_spearman(x[pick], y[pick], ()).value for pick in picks])
    assert (sampled.low, sampled.high) == pytest.approx(tuple(np.quantile(plain, [0.025, 0.975])), abs=0.04)
    assert sampled.same_sign == pytest.approx((plain > 0).mean(), abs=0.01)
    assert sampled_spearman(x, y, draws=50, seed=1).low != sampled_spearman(x, y, draws=50, seed=2).low


def test_too_few() -> None:
    with pytest.raises(UsageError, match="5 observations are too few to leave one out"):
        sampled_spearman([1, 2, 3, 4, 5], [2, 1, 3, 4, 5], [[5, 3, 1, 2, 4]])
