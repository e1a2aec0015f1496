"""Effect sizes against pingouin and statsmodels, power against statsmodels and exact enumeration."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.stats import (
    cliffs_delta,
    cohen_d,
    cohen_dz,
    cohen_h,
    matched_odds_ratio,
    odds_ratio,
    pairs_for_means,
    pairs_for_shares,
    power_of_paired_means,
    power_of_paired_shares,
    rank_biserial,
)
from gardenpath.stats.tests import mcnemar


def test_cohen_is_that_of_pingouin_and_statsmodels() -> None:
    from pingouin import compute_effsize
    from statsmodels.stats.proportion import proportion_effectsize

    first, second = np.random.default_rng(1).normal(size=(2, 25))
    assert cohen_d(first, second) == pytest.approx(compute_effsize(second, first, eftype="cohen"), abs=1e-9)
    assert cohen_dz(first, second) == pytest.approx((second - first).mean() / (second - first).std(ddof=1), abs=1e-9)
    assert cohen_h(0.2, 0.7) == pytest.approx(proportion_effectsize(0.7, 0.2), abs=1e-9)


def test_odds_ratio_is_that_of_statsmodels() -> None:
    from statsmodels.stats.contingency_tables import Table2x2

    table = Table2x2(np.array([[30, 12], [9, 21]]))  # second, then first
    found = odds_ratio(9, 21, 30, 12)
    assert (found.value, found.low, found.high) == pytest.approx(
        (table.oddsratio, *table.oddsratio_confint()), abs=1e-9
    )
    assert matched_odds_ratio(5, 15).value == pytest.approx(3)
    assert matched_odds_ratio(0, 4).value == pytest.approx(9)
    assert "½" in matched_odds_ratio(0, 4).note
    assert "½" in odds_ratio(0, 5, 5, 0).note
    assert matched_odds_ratio(0, 0).low is None


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12), st.lists(st.integers(0, 6), min_size=1, max_size=12))
def test_cliffs_delta_is_what_counting_pairs_gives(first: list[int], second: list[int]) -> None:
    signs = [(b > a) - (b < a) for a in first for b in second]
    assert cliffs_delta(first, second) == pytest.approx(sum(signs) / len(signs), abs=1e-12)
    assert cliffs_delta(second, first) == pytest.approx(-cliffs_delta(first, second), abs=1e-12)


def test_rank_biserial_is_that_of_pingouin() -> None:
    from pingouin import wilcoxon

    first, second = np.random.default_rng(2).normal(size=(2, 30))
    assert rank_biserial(first, second) == pytest.approx(float(wilcoxon(second, first)["RBC"].iloc[0]), abs=1e-9)
    assert rank_biserial([1, 1], [1, 1]) == 0


def test_effects_without_spread() -> None:
    assert cohen_dz([1, 2], [1, 2]) == 0
    for bad in (lambda: cohen_dz([1, 2], [2, 3]), lambda: cohen_d([1, 1], [2, 2])):
        with pytest.raises(UsageError, match="do not vary"):
            bad()
    with pytest.raises(UsageError, match="at least 2"):
        cohen_dz([1])
    with pytest.raises(UsageError, match="not a share"):
        cohen_h(0.5, 50)


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


def test_power_of_shares_is_near_the_exact_power() -> None:
    """All outcomes of 120 pairs, weighed with their probability; the formula is an approximation."""
    first, second, n = 0.08, 0.22, 120
    rest = 1 - first - second
    exact = 0.0
    for b in range(n + 1):
        for c in range(n + 1 - b):
            chance = comb(n, b) * comb(n - b, c) * first**b * second**c * rest ** (n - b - c)
            if chance > 1e-9 and mcnemar(b, c).p < 0.05:
                exact += chance
    assert power_of_paired_shares(first, second, n) == pytest.approx(exact, abs=0.02)
    needed = pairs_for_shares(first, second)
    assert needed is not None
    assert power_of_paired_shares(first, second, needed) >= 0.8
    assert power_of_paired_shares(first, second, needed - 1) < 0.8
    assert pairs_for_shares(0.1, 0.1) is None
    assert power_of_paired_shares(0.1, 0.1, 50) == 0.05
    assert power_of_paired_shares(0.0, 1.0, 50) == 1.0
    with pytest.raises(UsageError, match="shares of pairs"):
        pairs_for_shares(0.7, 0.7)
    with pytest.raises(UsageError, match="between 0 and 1"):
        pairs_for_means(0.5, power=80)
