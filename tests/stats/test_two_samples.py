"""Shares of two independent samples. Oracles: SciPy's Welch test, exact enumeration, and a recount by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, ttest_ind

from gardenpath.errors import UsageError
from gardenpath.stats import Clusters, independent_share_difference


def outcomes(right: int, items: int) -> list[int]:
    return [1] * right + [0] * (items - right)


@pytest.mark.parametrize(("first", "second"), [((3, 8), (9, 10)), ((14, 20), (6, 40)), ((1, 20), (10, 20))])
def test_single_items_are_welchs_test_as_scipy_has_it(first: tuple[int, int], second: tuple[int, int]) -> None:
    ours = independent_share_difference(outcomes(*first), outcomes(*second))
    theirs = ttest_ind(outcomes(*second), outcomes(*first), equal_var=False)
    low, high = theirs.confidence_interval(0.95)
    assert ours.p == pytest.approx(theirs.pvalue)
    assert (ours.low, ours.high) == pytest.approx((max(-1, low), min(1, high)))
    assert ours.effective == pytest.approx(theirs.df + 1)


def test_clusters_of_equal_size_are_welchs_test_on_their_means() -> None:
    generator = np.random.default_rng(3)
    sides = [generator.binomial(1, generator.beta(2, 2, size=(k, 1)), size=(k, 4)) for k in (12, 17)]
    clusters = [Clusters.of(sentence=np.repeat(np.arange(len(side)), 4)) for side in sides]
    ours = independent_share_difference(*(side.ravel() for side in sides), (clusters[0], clusters[1]))
    theirs = ttest_ind(sides[1].mean(axis=1), sides[0].mean(axis=1), equal_var=False)
    assert (ours.p, ours.clusters) == (pytest.approx(theirs.pvalue), 29)


@pytest.mark.parametrize(("first", "second"), [(20, 20), (10, 40), (40, 40)])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_all_outcomes_of_two_equal_parsers_together_keep_the_level(first: int, second: int, share: float) -> None:
    rejected = sum(
        binom.pmf(one, first, share) * binom.pmf(two, second, share)
        for one in range(first + 1)
        for two in range(second + 1)
        if independent_share_difference(outcomes(one, first), outcomes(two, second)).p < 0.05
    )
    assert rejected < 0.06


def test_a_sample_that_is_all_right_is_as_if_one_more_were_wrong() -> None:
    ours = independent_share_difference(outcomes(20, 20), outcomes(12, 20))
    error = np.hypot(1 / 21, np.std(outcomes(12, 20), ddof=1) / np.sqrt(20))
    assert (ours.value, ours.high) == (pytest.approx(-0.4), pytest.approx(-0.4 + 2.06 * error, abs=0.005))
    assert independent_share_difference(outcomes(20, 20), outcomes(20, 20)).p == 1


def test_strata_count_as_much_in_one_sample_as_in_the_other() -> None:
    # PPs: 3 of 4 against 1 of 2; clauses: 0 of 2 against 1 of 4. In both samples a PP has the weight (4/6 + 2/6) / 2.
    first, second = [1, 1, 1, 0, 0, 0], [1, 0, 0, 0, 1, 0]
    ours = independent_share_difference(first, second, strata=(["pp"] * 4 + ["rc"] * 2, ["pp"] * 2 + ["rc"] * 4))
    assert ours.value == pytest.approx((1 / 2 + 1 / 4) / 2 - (3 / 4 + 0) / 2)


def test_a_mean_over_strata_has_the_error_of_the_means_of_each() -> None:
    generator = np.random.default_rng(1)
    sides = [generator.integers(0, 2, (2, 30)) for _ in range(2)]
    strata = np.repeat([0, 1], 30)
    ours = independent_share_difference(sides[0].ravel(), sides[1].ravel(), strata=(strata, strata))
    variance = sum(side[row].var(ddof=1) / 30 / 4 for side in sides for row in (0, 1))
    assert ours.low is not None
    assert ours.high is not None
    assert (ours.high - ours.low) / 2 == pytest.approx(1.98 * np.sqrt(variance), rel=0.01)


def test_a_stratum_with_one_item_has_an_error_too() -> None:
    """20 of 40 right and one more item alone: as if there were a second item that is wrong."""
    first = [*outcomes(20, 40), 1]
    strata = ["many"] * 40 + ["one"]
    ours = independent_share_difference(first, first, strata=(strata, strata))
    variance = 2 * ((40 / 41) ** 2 * np.var(outcomes(20, 40), ddof=1) / 40 + (1 / 41) ** 2 * (1 / 2) ** 2)
    assert ours.high == pytest.approx(1.99 * np.sqrt(variance), rel=0.01)


def test_nothing_can_be_said_of_one_cluster_and_nothing_is_said_of_none() -> None:
    one = Clusters.of(sentence=["a"] * 3), Clusters.of(sentence=["b", "c", "d"])
    assert independent_share_difference([1, 1, 0], [0, 1, 1], one).p == 1
    with pytest.raises(UsageError, match="no items"):
        independent_share_difference([], [1])
    with pytest.raises(UsageError, match="lacks a stratum"):
        independent_share_difference([1, 0], [1, 1], strata=(["pp", "rc"], ["pp", "pp"]))
