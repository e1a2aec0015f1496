"""Tests of pairs, effect sizes and power, against SciPy, statsmodels, pingouin and exact enumeration."""

from __future__ import annotations

import numpy as np
import pytest

from gardenpath.errors import UsageError
from gardenpath.stats import (
    cohen_dz,
    matched_odds_ratio,
    one_sample_t,
    pairs_for_means,
    power_of_paired_means,
)


@pytest.mark.parametrize("dz", [0.05, 0.2, 0.5, 1.2])
@pytest.mark.parametrize("n", [3, 10, 60, 400])
def test_power_of_means_is_that_of_statsmodels(dz: float, n: int) -> None:
    from statsmodels.stats.power import TTestPower

    expected = float(TTestPower().power(dz, n, 0.05, alternative="two-sided"))
    # statsmodels has no number where the power is certain.
    assert power_of_paired_means(dz, n) == pytest.approx(1 if np.isnan(expected) else expected, abs=1e-9)


@pytest.mark.parametrize("dz", [0.05, 0.3, 0.9, 5.0])
def test_the_number_of_pairs_is_the_first_that_is_enough(dz: float) -> None:
    n = pairs_for_means(dz)
    assert n is not None
    assert power_of_paired_means(dz, n) >= 0.8
    assert n == 2 or power_of_paired_means(dz, n - 1) < 0.8
    assert pairs_for_means(0.0) is None


@pytest.mark.parametrize("seed", range(5))
def test_the_t_test_is_that_of_scipy(seed: int) -> None:
    from scipy.stats import ttest_1samp

    sample = np.random.default_rng(seed).normal(size=3 + 7 * seed)
    ours, theirs = one_sample_t(sample, 0.3), ttest_1samp(sample, 0.3)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)
    interval = theirs.confidence_interval()
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), abs=1e-9)


def test_degenerate_input_has_a_note_or_an_error() -> None:
    assert one_sample_t([0, 0, 0]).p == 1.0
    assert one_sample_t([0, 0, 0]).note == "all values are 0"
    with pytest.raises(UsageError, match="all 3 values are the same"):
        one_sample_t([0.1, 0.1, 0.1])
    with pytest.raises(UsageError, match="too few"):
        one_sample_t([1])
    with pytest.raises(UsageError, match="value 2 of 2 is missing"):
        one_sample_t([1, float("nan")])


def test_effect_sizes_of_pairs() -> None:
    gaps = np.random.default_rng(1).normal(size=25)
    assert cohen_dz(gaps) == pytest.approx(gaps.mean() / gaps.std(ddof=1), abs=1e-9)
    assert cohen_dz([0, 0]) == 0
    with pytest.raises(UsageError, match="do not vary"):
        cohen_dz([1, 1])
    with pytest.raises(UsageError, match="at least 2"):
        cohen_dz([1])
    ratio = matched_odds_ratio(5, 15)
    assert (ratio.value, ratio.low, ratio.high) == pytest.approx((3, 3 * np.exp(-1.0121), 3 * np.exp(1.0121)), abs=1e-3)
    assert matched_odds_ratio(0, 4).value == pytest.approx(9)
    assert "½" in matched_odds_ratio(0, 4).note
    assert matched_odds_ratio(0, 0).low is None
