"""Pooled resampling against drawing item by item, and the exact test against trying all signs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.stats import bootstrap_ratio, paired_bootstrap, paired_randomisation
from gardenpath.stats.pooled import Pool, intervals, ratios
from gardenpath.stats.sign_flip import binomial, sign_flip_p


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
def test_exact_p_against_all_signs(gaps: list[int]) -> None:
    sums = [
        abs(sum(sign * gap for sign, gap in zip(signs, gaps, strict=True)))
        for signs in product((1, -1), repeat=len(gaps))
    ]
    expected = sum(one >= abs(sum(gaps)) for one in sums) / len(sums)
    assert sign_flip_p(np.array(gaps)) == pytest.approx(expected)
    different, counts = np.unique(gaps, return_counts=True)
    assert sign_flip_p(different, counts) == pytest.approx(expected)


def test_exact_p_against_the_randomisation_test() -> None:
    generator = np.random.default_rng(4)
    asked = np.full(300, 2)
    first, second = generator.binomial(2, 0.7, 300), generator.binomial(2, 0.74, 300)
    drawn = paired_randomisation((first, asked), (second, asked), draws=20_000, seed=1)
    assert sign_flip_p(second - first) == pytest.approx(drawn, abs=0.01)


def test_exact_p_can_be_very_small() -> None:
    assert sign_flip_p(np.ones(200, dtype=int)) == pytest.approx(2.0**-199)
    assert sign_flip_p(np.array([1, 2]), np.array([20_000, 20_000])) >= 0
    assert binomial(5) * 32 == pytest.approx([1, 5, 10, 10, 5, 1])


def test_sums_of_groups() -> None:
    cells = np.array([0, 0, 1, 1, 2])
    counts = np.array([[2, 1], [2, 1], [2, 2], [2, 0], [1, 1]])
    groups = np.array([[True, True, True], [True, False, True], [False, True, False]])
    pool = Pool.of(cells, counts)
    assert len(pool.sizes) == 4
    assert pool.sums(groups).tolist() == [[9, 5], [5, 3], [4, 2]]


def test_intervals_are_those_of_drawing_items() -> None:
    """Oracle: stats.bootstrap_ratio, which draws every item; with other random numbers, so to within chance."""
    generator = np.random.default_rng(2)
    cells = generator.integers(0, 3, 600)
    asked = np.full(600, 2)
    right, better = generator.binomial(2, 0.6, 600), generator.binomial(2, 0.65, 600)
    pool = Pool.of(cells, np.stack([asked, right, better], axis=1))
    assert len(pool.sizes) <= 27
    drawn = pool.drawn_sums(np.array([[True] * 3, [False, True, False]]), 4000, 7)
    for group, inside in enumerate([np.ones(600, dtype=bool), cells == 1]):
        ((low, high),) = intervals(ratios(drawn[:, group, 1], drawn[:, group, 0])[:, None])
        expected = bootstrap_ratio(right * inside, asked * inside, draws=4000, seed=1)
        assert low == pytest.approx(100 * expected.low, abs=0.5)
        assert high == pytest.approx(100 * expected.high, abs=0.5)
        gap = ratios(drawn[:, group, 2] - drawn[:, group, 1], drawn[:, group, 0])
        ((low, high),) = intervals(gap[:, None])
        paired = paired_bootstrap((right * inside, asked * inside), (better * inside, asked * inside), draws=4000)
        assert low == pytest.approx(100 * paired.low, abs=0.5)
        assert high == pytest.approx(100 * paired.high, abs=0.5)


def test_the_same_seed_gives_the_same_draws() -> None:
    pool = Pool.of(np.array([0, 1, 1]), np.array([[1, 0], [1, 1], [1, 0]]))
    groups = np.ones((1, 2), dtype=bool)
    assert np.array_equal(pool.drawn_sums(groups, 50, 3), pool.drawn_sums(groups, 50, 3))
    assert (pool.drawn_sums(groups, 50, 3)[:, 0, 0] == 3).all()
