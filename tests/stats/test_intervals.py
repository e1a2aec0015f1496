"""Intervals against SciPy and statsmodels, and how often they hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.stats import bca_interval, bootstrap_interval, bootstrap_mean, difference_of_ratios, wilson
from gardenpath.stats.intervals import cluster_sums, drawn_totals


@settings(deadline=None)  # the first call imports SciPy
@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.sampled_from([0.9, 0.95]))
def test_wilson_is_that_of_statsmodels(counts: tuple[int, int], level: float) -> None:
    from statsmodels.stats.proportion import proportion_confint

    ours = wilson(*counts, level=level)
    low, high = proportion_confint(*counts, alpha=1 - level, method="wilson")
    assert ours.low == pytest.approx(max(low, 0), abs=1e-9)
    assert ours.high == pytest.approx(min(high, 1), abs=1e-9)


def test_wilson_says_when_all_are_the_same() -> None:
    assert wilson(0, 7).low == 0.0
    assert wilson(7, 7).high == 1.0
    assert wilson(7, 7).note == "all 7 are the same"
    for bad in ((1, 0), (3, 2), (-1, 4)):
        with pytest.raises(UsageError, match="no share"):
            wilson(*bad)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_both_intervals_are_those_of_scipy_for_the_same_draws(seed: int) -> None:
    from scipy.stats import bootstrap

    values = np.random.default_rng(seed).exponential(size=40)
    for method in ("percentile", "BCa"):
        theirs = bootstrap((values,), np.mean, n_resamples=999, method=method, rng=np.random.default_rng(seed))
        drawn = theirs.bootstrap_distribution
        jackknife = (values.sum() - values) / (len(values) - 1)
        if method == "BCa":
            ours = bca_interval(float(values.mean()), drawn, jackknife)
        else:
            from gardenpath.stats.resample import percentile_interval

            ours = percentile_interval(drawn)
        expected = theirs.confidence_interval
        assert ours == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_pooled_and_plain_draws_have_the_same_distribution() -> None:
    right = np.random.default_rng(4).integers(0, 3, size=400)
    table = np.stack([right, np.full(400, 2)], axis=1)
    pooled = drawn_totals(table, 4000, 1)[:, 0]  # three kinds of rows: drawn together
    plain = drawn_totals(table + np.arange(400)[:, None] * [0, 1], 4000, 1)[:, 0]  # no two alike
    assert pooled.mean() == pytest.approx(plain.mean(), rel=0.005)
    assert pooled.std() == pytest.approx(plain.std(), rel=0.06)


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_coverage(method: str) -> None:
    """93 to 97 % of intervals hold the true mean (600 samples of 60 normal values, so the error is 0.9 %)."""
    generator = np.random.default_rng(11)
    held = 0
    for number in range(600):
        found = bootstrap_mean(generator.normal(5, 2, size=60), method=method, draws=500, seed=number)
        held += found.low <= 5 <= found.high  # type: ignore[operator]
    assert 0.93 <= held / 600 <= 0.97


def test_clusters_make_the_interval_as_wide_as_it_must_be() -> None:
    """Ten equal observations of an item say no more than one: only the clustered interval has the coverage."""
    generator = np.random.default_rng(5)
    held = {"clustered": 0, "plain": 0}
    for number in range(300):
        values = np.repeat(generator.normal(0, 1, size=50), 10)
        items = np.repeat(np.arange(50), 10)
        for name, clusters in (("clustered", items), ("plain", None)):
            found = bootstrap_mean(values, clusters, draws=300, seed=number)
            held[name] += found.low <= 0 <= found.high  # type: ignore[operator]
    assert 0.91 <= held["clustered"] / 300 <= 0.975
    assert held["plain"] / 300 < 0.6


def test_paired_difference_and_order_of_rows() -> None:
    generator = np.random.default_rng(6)
    asked = generator.integers(1, 9, size=80)
    first, second = generator.binomial(asked, 0.6), generator.binomial(asked, 0.8)
    counts = np.stack([first, asked, second, asked], axis=1)
    found = bootstrap_interval(counts, difference_of_ratios, draws=2000)
    assert found.value == pytest.approx((second.sum() - first.sum()) / asked.sum())
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < found.value < found.high
    assert bootstrap_interval(counts, difference_of_ratios, draws=2000) == found


def test_clusters_are_added_up() -> None:
    sums = cluster_sums(np.array([[1, 1], [0, 1], [1, 1]]), ["b", "a", "b"])
    assert sums.tolist() == [[0, 1], [2, 2]]


def test_degenerate_input_has_a_note_or_an_error() -> None:
    one = bootstrap_mean([3.0])
    assert (one.value, one.low, one.high) == (3.0, None, None)
    assert "one cluster" in one.note
    same = bootstrap_mean([1, 1, 1])
    assert (same.low, same.high) == (1.0, 1.0)
    assert "do not vary" in same.note
    rare = bootstrap_interval(np.array([[1, 1], [0, 0], [0, 0]]), draws=50)
    assert "no value" in rare.note
    with pytest.raises(UsageError, match="nothing was asked"):
        bootstrap_interval(np.array([[0, 0], [0, 0]]))
    with pytest.raises(UsageError, match="observation 2 has no value"):
        bootstrap_mean([1.0, float("nan")])
    with pytest.raises(UsageError, match="no observations"):
        bootstrap_mean([])
    with pytest.raises(UsageError, match="3 observations and 2 names"):
        bootstrap_mean([1, 2, 3], ["a", "b"])
    with pytest.raises(UsageError, match="level"):
        bootstrap_mean([1, 2], level=95)
    with pytest.raises(UsageError, match="known: percentile, bca"):
        bootstrap_mean([1, 2], method="bac")
