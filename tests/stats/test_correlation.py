"""Correlations and distributions against SciPy and published values."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gardenpath.errors import UsageError
from gardenpath.stats.correlation import (
    correlation_p,
    fisher_interval,
    partial_spearman,
    ranks,
    sampled_spearman,
    spearman,
    weighted_spearman,
)
from gardenpath.stats.correlation import correlation_power as power
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


def data(seed: int, n: int) -> dict[str, np.ndarray]:
    """Variables that hang together, the first with ties."""
    generator = np.random.default_rng(seed)
    x, noise = generator.normal(size=n).round(1), generator.normal(size=(3, n))
    return {"x": x, "c": noise[0], "d": x + noise[1], "y": x + noise[0] + noise[2]}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n", [5, 12, 94])
def test_spearman_is_that_of_scipy_and_pingouin(seed: int, n: int) -> None:
    given = data(seed, n)
    found, oracle = spearman(given["x"], given["y"]), stats.spearmanr(given["x"], given["y"])
    assert found.value == pytest.approx(oracle.statistic, abs=1e-12)
    assert found.p == pytest.approx(oracle.pvalue, abs=1e-12)
    pingouin = pytest.importorskip("pingouin")  # here, because it takes seconds to import
    assert found.power == pytest.approx(pingouin.power_corr(r=found.value, n=n), abs=1e-9)
    low, high = pingouin.compute_esci(stat=found.value, nx=n, ny=n, eftype="r", decimals=12)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-9)
    assert found.n == n


@pytest.mark.parametrize("covariates", [["c"], ["c", "d"]])
@pytest.mark.parametrize("n", [8, 30, 90])
def test_partial_is_that_of_pingouin(covariates: list[str], n: int) -> None:
    import pandas

    given = data(n, n)
    pingouin = pytest.importorskip("pingouin")
    oracle = pingouin.partial_corr(pandas.DataFrame(given), "x", "y", covariates, method="spearman").iloc[0]
    found = partial_spearman(given["x"], given["y"], [given[name] for name in covariates])
    assert found.value == pytest.approx(oracle["r"], abs=1e-9)
    assert found.p == pytest.approx(oracle["p_val"], abs=1e-9)
    assert [found.low, found.high] == pytest.approx(list(oracle["CI95"]), abs=0.005000001)  # it rounds to two places


@pytest.mark.parametrize(
    ("value", "n", "covariates", "interval", "adjusted", "p", "achieved"),
    [
        (-0.492, 94, 0, (-0.63, -0.32), 0.234, 0.000, 0.999),
        (-0.265, 94, 1, (-0.44, -0.06), 0.050, 0.010, 0.735),
        (-0.278, 94, 2, (-0.46, -0.08), 0.047, 0.007, 0.773),
        (-0.312, 90, 2, (-0.49, -0.11), 0.066, 0.003, 0.849),
        (-0.481, 50, 1, (-0.67, -0.23), 0.199, 0.000, 0.948),
        (0.163, 44, 1, (-0.14, 0.44), -0.021, 0.296, 0.182),
    ],
)
def test_formulas_are_those_of_the_papers_tables_4_and_6(
    value: float, n: int, covariates: int, interval: tuple[float, float], adjusted: float, p: float, achieved: float
) -> None:
    """ρ is printed with three places, so all that follows from it may be off by one in the last place."""
    assert fisher_interval(value, n - covariates) == pytest.approx(interval, abs=0.0101)
    assert correlation_p(value, n - covariates) == pytest.approx(p, abs=0.00101)
    assert power(value, n - covariates) == pytest.approx(achieved, abs=0.00151)
    assert 1 - (1 - value**2) * (n - 1) / (n - covariates - 2) == pytest.approx(adjusted, abs=0.00101)


def test_power_is_how_often_a_test_finds_the_correlation() -> None:
    generator = np.random.default_rng(3)
    n, true, draws = 40, 0.4, 4000
    x = generator.normal(size=(draws, n))
    y = true * x + np.sqrt(1 - true**2) * generator.normal(size=(draws, n))
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    r = (x * y).sum(axis=1) / np.sqrt((x**2).sum(axis=1) * (y**2).sum(axis=1))
    found = np.mean([correlation_p(one, n) < 0.05 for one in r.tolist()])
    assert power(true, n) == pytest.approx(found, abs=0.025)


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=40))
def test_ranks_are_those_of_scipy(values: list[int]) -> None:
    assert ranks(values).tolist() == stats.rankdata(values).tolist()


@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=5, max_size=30))
def test_symmetric_and_blind_to_monotone_change(pairs: list[tuple[int, int]]) -> None:
    x, y = np.array(pairs, dtype=float).T
    if len(set(x)) == 1 or len(set(y)) == 1:
        with pytest.raises(UsageError, match="the same value everywhere"):
            spearman(x, y)
        return
    found = spearman(x, y)
    assert found.value == pytest.approx(spearman(y, x).value, abs=1e-12)
    assert found.value == pytest.approx(spearman(np.exp(x), y**3).value, abs=1e-12)
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert 0 <= found.p <= 1


def test_perfect_correlation() -> None:
    found = spearman([1, 2, 3, 4, 5], [2, 4, 6, 8, 11])
    assert (found.value, found.low, found.high, found.p, found.power) == (1, 1, 1, 0, 1)


@pytest.mark.parametrize(
    ("x", "y", "covariates", "message"),
    [
        ([1, 2, 3], [1, 2, 3], [], "3 observations are too few"),
        ([1, 2, 3, 4, 5], [1, 2, 3, 4, 6], [[1, 2, 3, 4, 5], [1, 3, 2, 4, 5]], "5 observations are too few"),
        ([1, 1, 1, 1], [1, 2, 3, 4], [], "the first variable has the same value everywhere"),
        ([1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 5, 6], [[7] * 6], "covariate 1 has the same value"),
        ([1, 2, 3, float("nan"), 4], [1, 2, 3, 4, 5], [], "value 4 of 5 is missing"),
        ([1, 2, 3, float("inf"), 4], [1, 2, 3, 4, 5], [], "value 4 of 5 is infinite"),
        ([1, 2, 3, 4], [1, 2, 3, 4, 5], [], "different lengths: 4, 5"),
        ([1, 2, 3, 4, 5, 6], [2, 1, 3, 4, 6, 5], [[1, 2, 3, 4, 5, 6]], "the covariates determine variable 1"),
    ],
)
def test_what_has_no_correlation(x: list[float], y: list[float], covariates: list[list[float]], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        partial_spearman(x, y, covariates)


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
