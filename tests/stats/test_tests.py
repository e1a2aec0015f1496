"""Tests of pairs against SciPy, statsmodels and pingouin; their level; input that leaves nothing to test."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.stats import mcnemar, one_sample_t, paired_t, product_moment, wilcoxon


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
