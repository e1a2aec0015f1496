"""Intervals and paired tests against SciPy and exact enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from gardenpath.stats import draw_weights, holm
from gardenpath.stats.resample import drawn_sums, percentile_interval


def test_weights_count_draws_with_replacement() -> None:
    weights = np.concatenate(list(draw_weights(7, 50, seed=1)))
    assert weights.shape == (50, 7)
    assert (weights.sum(axis=1) == 7).all()
    assert (weights > 1).any()


def test_sums_are_exact_for_big_counts() -> None:
    big = np.array([[3_000_000_001], [1]])
    weights = np.concatenate(list(draw_weights(2, 20, seed=1)))
    assert drawn_sums(big, 20, seed=1).tolist() == (weights.astype(float) @ big).tolist()


def test_percentiles_are_those_of_numpy() -> None:
    values = np.random.default_rng(0).normal(size=333)
    assert percentile_interval(values, 0.9) == pytest.approx(np.quantile(values, [0.05, 0.95]))
    assert np.isnan(percentile_interval(np.array([np.nan]))).all()


def test_holm_against_its_definition() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]
