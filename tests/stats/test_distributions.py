"""Wasserstein distances, normality, corrections and draws against SciPy, statsmodels and exact enumeration."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gardenpath.errors import UsageError
from gardenpath.stats.distributions import (
    draw_weights,
    drawn_sums,
    percentile_interval,
    wasserstein,
    wasserstein_of_heights,
)
from gardenpath.stats.hypothesis_tests import benjamini_hochberg, holm, shapiro
from gardenpath.treebank import read
from gardenpath.treebank.trees.displacement import counted, displacements

COUNTS = st.lists(st.integers(0, 50), min_size=7, max_size=7).filter(any)


@given(COUNTS, COUNTS)
def test_distances_are_those_of_scipy(first: list[int], second: list[int]) -> None:
    p, q = np.array(first), np.array(second)
    values = np.arange(-3, 4)
    assert float(wasserstein(p, q)) == pytest.approx(stats.wasserstein_distance(values, values, p, q), abs=1e-9)
    occur = (p + q) > 0
    heights = stats.wasserstein_distance((p / p.sum())[occur], (q / q.sum())[occur])
    assert float(wasserstein_of_heights(p, q)) == pytest.approx(heights, abs=1e-9)


def test_many_pairs_at_once() -> None:
    generator = np.random.default_rng(0)
    p, q = generator.integers(0, 9, size=(2, 30, 61))
    for distance in (wasserstein, wasserstein_of_heights):
        one_by_one = [float(distance(a, b)) for a, b in zip(p, q, strict=True)]
        assert distance(p, q).tolist() == pytest.approx(one_by_one, abs=1e-12)


def test_an_empty_distribution_has_no_distance() -> None:
    assert np.isnan(wasserstein(np.zeros(3), np.ones(3)))
    assert np.isnan(wasserstein_of_heights(np.zeros(3), np.zeros(3)))


@pytest.mark.parametrize("stem", ["bundled:de-{}", "ud/UD_Tamil-TTB/ta_ttb-ud-{}.conllu"])
def test_a_real_treebank(stem: str, file_named: Callable[[str], Path]) -> None:
    train, test = (counted(displacements(read(file_named(stem.format(split))))) for split in ("train", "test"))
    expected = stats.wasserstein_distance(train.values, test.values, train.counts, test.counts)
    assert float(wasserstein(train.counts, test.counts)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_shapiro_is_that_of_scipy(seed: int) -> None:
    values = np.random.default_rng(seed).gamma(2 + seed, size=20)
    found, (w, p) = shapiro(values), stats.shapiro(values)
    assert (found.w, found.p, found.n) == (pytest.approx(w, abs=1e-9), pytest.approx(p, abs=1e-9), 20)


@pytest.mark.parametrize(
    ("values", "message"),
    [([1, 2], "2 values are too few"), ([4, 4, 4], "all values are the same"), ([1, 2, float("nan")], "is missing")],
)
def test_what_has_no_normality(values: list[float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        shapiro(values)


def test_corrections_are_those_of_statsmodels() -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")  # before the examples: it takes seconds
    gc.freeze()  # its Holm looks for garbage at every call, in all that is there

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
    def agree(p_values: list[float]) -> None:
        assert benjamini_hochberg(p_values) == pytest.approx(multitest.multipletests(p_values, method="fdr_bh")[1])
        assert holm(p_values) == pytest.approx(multitest.multipletests(p_values, method="holm")[1])

    agree()


@given(st.lists(st.tuples(st.floats(0.001, 1), st.floats(0, 1)), min_size=1, max_size=5))
def test_holm_of_bounded_tests_is_the_closed_test(tests: list[tuple[float, float]]) -> None:
    """By brute force: a hypothesis falls where every set of them that has it falls. A set falls by its least
    p times how many of it could be as small.
    """
    least = [p * part for p, part in tests]
    p_values = [p for p, _ in tests]
    numbers = range(len(tests))

    def local(group: tuple[int, ...]) -> float:
        return min(p_values[i] * sum(least[j] <= p_values[i] for j in group) for i in group)

    sets = [group for size in range(1, len(tests) + 1) for group in combinations(numbers, size)]
    closed = [min(1.0, max(local(group) for group in sets if i in group)) for i in numbers]
    assert holm(p_values, least) == pytest.approx(closed)


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
