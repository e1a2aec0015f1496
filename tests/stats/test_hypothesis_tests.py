"""Tests of pairs, effect sizes and power, against SciPy, statsmodels, pingouin and exact enumeration."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.stats import (
    cliffs_delta,
    cohen_d,
    cohen_dz,
    cohen_h,
    matched_odds_ratio,
    mcnemar,
    odds_ratio,
    one_sample_t,
    paired_t,
    pairs_for_means,
    pairs_for_shares,
    power_of_paired_means,
    power_of_paired_shares,
    product_moment,
    rank_biserial,
    wilcoxon,
)


@settings(deadline=None)
@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_exact_is_that_of_statsmodels(first: int, second: int) -> None:
    from statsmodels.stats.contingency_tables import mcnemar as theirs

    expected = theirs([[10, first], [second, 7]], exact=True).pvalue
    assert mcnemar(first, second, kind="exact").p == pytest.approx(expected if first + second else 1, abs=1e-9)


def test_mid_p_is_half_of_the_observed_less() -> None:
    # Fagerland, Lydersen and Laake 2013, airway hyper-responsiveness: 1 and 7 discordant pairs.
    assert mcnemar(1, 7, kind="exact").p == pytest.approx(0.0703, abs=5e-5)
    assert mcnemar(1, 7).p == pytest.approx(0.0391, abs=5e-5)
    assert mcnemar(7, 1).p == mcnemar(1, 7).p
    assert mcnemar(0, 0).note == "no pair differs"
    with pytest.raises(UsageError, match="negative"):
        mcnemar(-1, 3)


@pytest.mark.parametrize("seed", range(5))
def test_t_tests_are_those_of_scipy_and_pingouin(seed: int) -> None:
    from pingouin import ttest
    from scipy.stats import ttest_1samp, ttest_rel

    generator = np.random.default_rng(seed)
    first, second = generator.normal(size=(2, 3 + 7 * seed))
    ours, theirs = paired_t(first, second), ttest_rel(second, first)
    assert (ours.statistic, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)
    interval = theirs.confidence_interval()
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), abs=1e-9)
    one, expected = one_sample_t(first, 0.3), ttest_1samp(first, 0.3)
    assert (one.statistic, one.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
    table = ttest(first, 0.3)
    assert one.statistic == pytest.approx(float(table["T"].iloc[0]), abs=1e-9)


@pytest.mark.parametrize(("size", "ties"), [(12, False), (49, False), (80, False), (60, True)])
def test_wilcoxon_is_that_of_scipy(size: int, ties: bool) -> None:
    from scipy.stats import wilcoxon as theirs

    gaps = np.random.default_rng(size).normal(0.2, 1, size=size)
    gaps = np.round(gaps, 1) if ties else gaps
    expected = theirs(gaps[gaps != 0], method="asymptotic" if ties or size > 50 else "exact")
    ours = wilcoxon(np.zeros(size), gaps)
    assert (ours.statistic, ours.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
    assert ("left out" in ours.note) == bool((gaps == 0).any())


def test_the_level_of_the_tests() -> None:
    """Without a difference, 5 % of p values are below .05 (1000 samples: 3.6 to 6.4 %); McNemar's may be fewer."""
    generator = np.random.default_rng(3)
    low = {"t": 0, "wilcoxon": 0, "mid-p": 0, "exact": 0}
    for _ in range(1000):
        gaps = generator.normal(size=30)
        low["t"] += one_sample_t(gaps).p < 0.05
        low["wilcoxon"] += wilcoxon(gaps).p < 0.05
        first = int(generator.binomial(40, 0.5))
        low["mid-p"] += mcnemar(first, 40 - first).p < 0.05
        low["exact"] += mcnemar(first, 40 - first, kind="exact").p < 0.05
    assert 36 <= low["t"] <= 64
    assert 36 <= low["wilcoxon"] <= 64
    assert 25 <= low["mid-p"] <= 64
    assert low["exact"] <= low["mid-p"]


def test_degenerate_input_has_a_note_or_an_error() -> None:
    assert paired_t([1, 2, 3], [1, 2, 3]).p == 1.0
    assert paired_t([1, 2, 3], [1, 2, 3]).note == "all values are 0"
    with pytest.raises(UsageError, match="all 3 values are the same"):
        paired_t([1, 2, 3], [2, 3, 4])
    with pytest.raises(UsageError, match="all 3 values are the same"):
        one_sample_t([0.1, 0.1, 0.1])
    with pytest.raises(UsageError, match="too few"):
        one_sample_t([1])
    with pytest.raises(UsageError, match="3 and 2 values"):
        paired_t([1, 2, 3], [1, 2])
    with pytest.raises(UsageError, match="value 2 of 2 is missing"):
        one_sample_t([1, float("nan")])
    assert wilcoxon([1, 1], [1, 1]).p == 1.0
    assert "few for the normal approximation" in wilcoxon([1, 1, 1]).note
    with pytest.raises(UsageError, match="without values"):
        wilcoxon([])


@pytest.mark.parametrize("covariates", [0, 2])
def test_pearson_is_that_of_pingouin(covariates: int) -> None:
    import pandas as pd
    from pingouin import corr, partial_corr

    table = np.random.default_rng(9).normal(size=(40, 4))
    table[:, 1] += table[:, 0] + table[:, 2]
    ours = product_moment(table[:, 0], table[:, 1], list(table[:, 2 : 2 + covariates].T))
    if covariates:
        frame = pd.DataFrame(table, columns=list("xyab"))
        theirs = partial_corr(frame, x="x", y="y", covar=["a", "b"])
    else:
        theirs = corr(table[:, 0], table[:, 1])
        assert ours.power == pytest.approx(float(theirs["power"].iloc[0]), abs=1e-9)
    row = theirs.iloc[0]
    assert ours.value == pytest.approx(float(row["r"]), abs=1e-9)
    p = next(float(row[name]) for name in row.index if name.startswith("p") and name != "power")
    assert ours.p == pytest.approx(p, abs=1e-9)
    with pytest.raises(UsageError, match="second variable has the same value"):
        product_moment([1, 2, 3, 4], [2, 2, 2, 2])
    assert product_moment([1, 2, 3, 4], [2, 4, 6, 8]).p == 0


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
