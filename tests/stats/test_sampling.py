"""Intervals by clusters, against statsmodels, textbooks and simulation: do they hold what they promise?"""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import t as student

from gardenpath.errors import UsageError
from gardenpath.stats.sampling import (
    Clusters,
    Estimate,
    jackknife,
    mean,
    mean_difference,
    ratio_of_sums,
    share,
    share_difference,
    shares,
    wilson_bounds,
)

Ints = NDArray[np.int64]


def clustered(
    rng: np.random.Generator, clusters: int, size: int, chance: float, correlation: float
) -> tuple[Ints, Ints]:
    """Right and asked of each cluster; each has its own chance, so that items of a cluster are correlated so much."""
    asked = rng.poisson(size - 1, clusters) + 1
    spread = (1 - correlation) / correlation if correlation else 0
    own = rng.beta(chance * spread, (1 - chance) * spread, clusters) if correlation else np.full(clusters, chance)
    return rng.binomial(asked, own), asked


def test_a_mean_by_clusters_is_that_of_statsmodels() -> None:
    import statsmodels.api as sm

    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(12), 5)
    values = rng.normal(size=60) + rng.normal(size=12)[groups]
    fit = sm.OLS(values, np.ones(60)).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
    estimate = mean(values, Clusters.of(lexeme=groups))
    assert (estimate.low, estimate.high) == pytest.approx(tuple(fit.conf_int()[0]), rel=1e-9)
    assert mean_difference(np.zeros(60), values, Clusters.of(lexeme=groups)).p == pytest.approx(fit.pvalues[0])


def test_two_ways_that_cross_are_those_of_statsmodels() -> None:
    import statsmodels.api as sm

    rng = np.random.default_rng(5)
    rows, columns = (numbers.reshape(-1) for numbers in np.indices((9, 14)))
    values = rng.normal(size=9)[rows] + rng.normal(size=14)[columns] + rng.normal(size=126)
    both = np.stack([rows, columns], axis=1)
    fit = sm.OLS(values, np.ones(126)).fit(cov_type="cluster", cov_kwds={"groups": both})
    counts = np.stack([values, np.ones(126)], axis=1)
    spread = jackknife(counts, ratio_of_sums, Clusters.of(verb=rows, noun=columns))
    # statsmodels corrects all three variances by one factor, the jackknife each by its own: G/(G - 1).
    assert spread.error == pytest.approx(fit.bse[0], rel=0.05)
    assert spread.clusters == 9
    assert spread.error > max(
        jackknife(counts, ratio_of_sums, Clusters.of(verb=rows)).error,
        jackknife(counts, ratio_of_sums, Clusters.of(noun=columns)).error,
    )


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_single_items_have_the_interval_of_the_textbook(counts: tuple[int, int]) -> None:
    from statsmodels.stats.proportion import proportion_confint

    right, n = counts
    estimate = share(np.arange(n) < right, np.ones(n))
    low, high = proportion_confint(right, n, method="wilson")
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((right / n, max(low, 0), min(high, 1)))
    assert (estimate.low == 0.0) == (right == 0)
    assert (estimate.high == 1.0) == (right == n)


@pytest.mark.parametrize(
    ("clusters", "size", "chance", "correlation"),
    [(20, 5, 0.5, 0.3), (20, 28, 0.88, 0.1), (50, 28, 0.5, 0.3), (50, 5, 0.97, 0.1), (225, 28, 0.88, 0.3),
     (225, 5, 0.97, 0.3), (300, 1, 0.9, 0.0)],
)  # fmt: skip
def test_coverage_with_clustered_items(clusters: int, size: int, chance: float, correlation: float) -> None:
    """The default intervals hold in 93 to 97 % of samples; those of independent items fall short by far."""
    rng = np.random.default_rng([clusters, size])
    held = independent = 0
    samples = 1500
    for _ in range(samples):
        right, asked = clustered(rng, clusters, size, chance, correlation)
        estimate = share(right, asked)
        held += estimate.low <= chance <= estimate.high
        low, high = wilson_bounds(right.sum() / asked.sum(), float(asked.sum()))
        independent += low <= chance <= high
    assert 0.93 <= held / samples <= 0.972
    if correlation >= 0.1 and size > 5:
        assert independent / samples < 0.75


def test_coverage_where_two_ways_cross() -> None:
    """Thirty verbs with thirty nouns, both of which matter."""
    rng = np.random.default_rng(8)
    rows, columns = (numbers.reshape(-1) for numbers in np.indices((30, 30)))
    clusters, single = Clusters.of(verb=rows, noun=columns), Clusters.of(verb=rows)
    held = alone = 0
    samples = 400
    for _ in range(samples):
        values = rng.normal(size=30)[rows] + rng.normal(size=30)[columns] + rng.normal(size=900)
        both, by_verb = mean(values, clusters), mean(values, single)
        held += both.low <= 0 <= both.high
        alone += by_verb.low <= 0 <= by_verb.high
    assert 0.92 <= held / samples <= 0.98
    assert alone / samples < 0.9


@pytest.mark.parametrize("n", [1, 5, 40])
@pytest.mark.parametrize("chance", [0.0, 0.5, 1.0])
def test_at_the_edges_intervals_have_width_and_hold(n: int, chance: float) -> None:
    rng = np.random.default_rng(n)
    held = 0
    for _ in range(600):
        estimate = share(rng.random(n) < chance, np.ones(n))
        assert estimate.high - estimate.low > 0.05
        held += estimate.low <= chance <= estimate.high
    assert held / 600 >= 0.91  # five coins: Wilson's interval holds for 30 of 32 outcomes


@pytest.mark.parametrize("value", [0, 1])
def test_all_alike_in_clusters_is_worth_less_than_its_items(value: int) -> None:
    nouns = np.repeat(np.arange(10), 20)
    estimate = share(np.full(200, value), np.ones(200), Clusters.of(noun=nouns))
    worth = 200 / (1 + 19 * 0.2)
    bound = 3.8414588 / (worth + 3.8414588)
    assert (estimate.low, estimate.high) == pytest.approx((1 - bound, 1) if value else (0, bound))
    alone = share(np.full(20, value), np.ones(20), Clusters.of(noun=np.zeros(20)))
    assert alone.high - alone.low > 0.75  # one noun says next to nothing


@pytest.mark.parametrize(("clusters", "size"), [(20, 1), (100, 1), (20, 28), (225, 28)])
@pytest.mark.parametrize("discordant", [0.05, 0.3])
def test_paired_tests_hold_their_level(clusters: int, size: int, discordant: float) -> None:
    """Two systems that are equally good, where a cluster may prefer one of them."""
    rng = np.random.default_rng([clusters, size])
    rejected, samples = 0, 1000
    for _ in range(samples):
        asked = rng.poisson(size - 1, clusters) + 1
        differ = rng.binomial(asked, discordant)
        better = rng.binomial(differ, rng.beta(1, 1, clusters) if size > 1 else 0.5)
        difference = share_difference((differ - better, asked), (better, asked))
        assert (difference.low > 0 or difference.high < 0) == (
            difference.p < 0.05
        )  # the same standard error: no contradiction
        rejected += difference.p < 0.05
    assert rejected / samples <= 0.07


def test_few_discordant_pairs_are_near_mid_p_mcnemar() -> None:
    """Five items lost, none won: exact McNemar 0.0625, mid-p 0.03125."""
    first, second = np.ones(40), np.array([0] * 5 + [1] * 35)
    difference = share_difference((first, np.ones(40)), (second, np.ones(40)))
    assert difference.value == -0.125
    assert difference.p == pytest.approx(0.0374, abs=1e-4)


def test_five_sets_give_an_interval_and_a_p_that_agree() -> None:
    """−12 points in five sets: the percentile bootstrap said [−18, −6], the exact test .125."""
    lost = np.array([3, 1, 0, 4, 4])
    difference = share_difference((np.full(5, 20), np.full(5, 20)), (20 - lost, np.full(5, 20)))
    assert difference.value == pytest.approx(-0.12)
    assert (difference.high < 0) == (difference.p < 0.05)


def test_no_difference_at_all_is_no_interval_of_width_zero() -> None:
    difference = share_difference((np.ones(30), np.ones(30)), (np.ones(30), np.ones(30)))
    assert (difference.value, difference.p) == (0, 1)
    assert difference.high == -difference.low == pytest.approx(3.8414588 / 33.8414588)
    alone = share_difference(([1], [1]), ([0], [1]))
    assert (alone.low, alone.high, alone.p) == (-1, 1, 1)


def test_many_columns_are_as_one_by_one() -> None:
    rng = np.random.default_rng(2)
    asked = rng.integers(0, 4, (60, 7))
    right = rng.binomial(asked, 0.7)
    asked[:, 6] = right[:, 6] = 0
    clusters = Clusters.of(base=rng.integers(0, 12, 60), noun=rng.integers(0, 9, 60))
    estimates = shares(right, asked, clusters)
    assert estimates[6] is None
    for column in range(6):
        assert estimates[column] == share(right[:, column], asked[:, column], clusters)
    with pytest.raises(UsageError, match="nothing"):
        share(right[:, 6], asked[:, 6], clusters)


@given(st.permutations(range(12)))
def test_the_order_of_items_does_not_matter(order: list[int]) -> None:
    right, asked, nouns = np.arange(12) % 3, np.full(12, 3), np.arange(12) % 5
    first = share(right, asked, Clusters.of(noun=nouns))
    second = share(right[order], asked[order], Clusters.of(noun=nouns[order]))
    assert (first.low, first.high) == pytest.approx((second.low, second.high))


def test_clusters_say_what_they_are_and_when_they_are_few() -> None:
    few = Clusters.of(base_sentence=["a", "a", "b"], noun=["x", "y", "y"])
    assert (few.name, few.count) == ("base sentence×noun", 2)
    assert few.note == "only 2 clusters (base sentence×noun): intervals from fewer than 20 are rough"
    assert not Clusters.independent(20).note
    assert few.at(np.array([True, False, True])).codes[0].tolist() == [0, 1]
    with pytest.raises(UsageError, match="one or two kinds"):
        Clusters.of(a=[1, 2], b=[1])


def test_values_that_do_not_vary_have_no_interval() -> None:
    assert mean([3.0, 3.0]) == Estimate(3.0, None, None, 2)
    assert mean([3.0]).low is None


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 10, 40])
@pytest.mark.parametrize("sign", [-1, 1])
def test_where_all_items_differ_alike_interval_and_p_agree(n: int, sign: int) -> None:
    """Five of five lost: p = .040, between mid-p McNemar (.031) and the exact one (.063)."""
    worse, better = (np.zeros(n), np.ones(n)), (np.ones(n), np.ones(n))
    difference = share_difference(*((better, worse) if sign < 0 else (worse, better)))
    error = 2 / (n + 1)  # as if one more differed the other way
    near = student.ppf(0.975, n - 1) * error - 1 if n > 1 else 1
    p = 2 * student.sf(1 / error, n - 1) if n > 1 else 1
    assert (sign * difference.value, difference.p) == (1, pytest.approx(p))
    assert sorted((-sign * difference.low, -sign * difference.high)) == pytest.approx([-1, min(near, 1)])
    assert (difference.low > 0 or difference.high < 0) == (difference.p < 0.05) == (n > 4)
    third = (np.full(n, 1 / 3) * worse[0], np.full(n, 1 / 3)), (np.full(n, 1 / 3) * better[0], np.full(n, 1 / 3))
    weighted = share_difference(*(third[::-1] if sign < 0 else third))  # rounding is no spread
    assert (weighted.low, weighted.high, weighted.p) == pytest.approx((difference.low, difference.high, difference.p))


@pytest.mark.parametrize(("right", "n"), [(40, 50), (7, 20), (0, 30), (30, 30)])
def test_p_of_a_share_is_that_of_the_score_test_and_agrees_with_the_interval(right: int, n: int) -> None:
    """The score test of a share by hand: z = (v - s)/√(s(1 - s)/n), which Wilson's interval inverts."""
    estimate = share(np.arange(n) < right, np.ones(n))
    for chance in (0.2, 0.25, 0.5, 0.9):
        z = abs(right / n - chance) / np.sqrt(chance * (1 - chance) / n)
        assert estimate.p_of_share(chance) == pytest.approx(2 * scipy.stats.norm.sf(z))
    assert estimate.low is not None
    assert estimate.high is not None
    for end in (estimate.low, estimate.high):
        if 0 < end < 1:
            assert estimate.p_of_share(end) == pytest.approx(0.05)
    assert np.isnan(estimate.p_of_share(0.0))
