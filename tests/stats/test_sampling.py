"""Intervals by clusters, seeds and groups of items, against statsmodels, SciPy, textbooks and simulation."""

from __future__ import annotations

from dataclasses import astuple
from itertools import product
from math import atan, inf, pi, sqrt
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import t as student

from cluster_oracle import degrees_of_freedom, mean_interval, share_interval
from gardenpath.errors import UsageError
from gardenpath.stats.distributions import student_bound, student_p
from gardenpath.stats.sampling import (
    Clusters,
    Estimate,
    SeedSpread,
    StandardError,
    compare_groups,
    freedom,
    mean,
    mean_difference,
    share,
    share_difference,
    shares,
    spread_of,
    weighted_share,
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

    def error(clusters: Clusters) -> float:
        changes = (values - values.mean()) / 126
        return spread_of(values.mean(), changes, np.full(126, 1 / 126), clusters).error

    both = Clusters.of(verb=rows, noun=columns)
    # statsmodels corrects all three variances by one factor, CR2 each by its own: G/(G - 1).
    assert error(both) == pytest.approx(fit.bse[0], rel=0.05)
    assert (both.count, both.effective) == (9, 9)
    assert error(both) > max(error(Clusters.of(verb=rows)), error(Clusters.of(noun=columns)))


SIZES = st.lists(st.integers(1, 40), min_size=2, max_size=12)


@given(SIZES, st.randoms(use_true_random=False))
def test_shares_and_means_of_unequal_clusters_are_those_of_whole_matrices(sizes: list[int], random: Any) -> None:
    names = [number for number, size in enumerate(sizes) for _ in range(min(size, 3))]
    asked = [1 + random.randrange(40) for _ in names]
    right = [random.randrange(size + 1) for size in asked]
    estimate = share(right, asked, Clusters.of(document=names))
    ends = share_interval(right, asked, names)
    if len(names) > len(sizes) or set(asked) != {1}:  # single items have the interval of the textbook
        assert (estimate.low, estimate.high) == pytest.approx(ends, abs=1e-9)
    weights = np.bincount(names, asked) / sum(asked)
    assert estimate.effective == pytest.approx(1 + degrees_of_freedom(weights, 1 / weights))
    values = [random.randrange(1000) / 7 for _ in names]
    average = mean(values, Clusters.of(document=names))
    if len(set(values)) > 1:
        assert (average.low, average.high) == pytest.approx(mean_interval(values, names), rel=1e-8)


def test_documents_of_a_real_test_set_are_worth_far_fewer() -> None:
    """47 documents, one with a quarter of the words: sizes as uneven as those of Turkish-IMST."""
    sizes = np.array([2400, 1800, 1400, 900, 700, 500] + [60] * 41)
    clusters = Clusters.of(sizes, document=np.arange(47))
    assert (clusters.count, round(clusters.effective, 1)) == (47, 8.2)
    assert clusters.counted == "document=47 worth 8.2"
    assert clusters.note == (
        "47 documents, worth 8.2 of equal size (the largest has 24%): what happens in fewer than 30% of documents can "
        "go unseen"
    )
    assert freedom(np.full(10, 0.1)) == 9
    assert freedom(np.ones(1)) == 0


def test_two_parsers_that_differ_in_one_item_each_of_the_same_sentence() -> None:
    """The sums of the sentence are alike, those of the nouns are not: this was a division by zero."""
    clusters = Clusters.of(base_sentence=[0, 0, 1, 1, 2, 2], noun=[0, 1, 2, 0, 1, 2])
    ones = np.ones(6)
    difference = share_difference(([1, 0, 1, 1, 1, 1], ones), ([0, 1, 1, 1, 1, 1], ones), clusters)
    assert (difference.value, difference.p, difference.low, difference.high) == (0, 1, -1, 1)


def test_a_weighted_mean_of_fixed_strata_is_that_of_each() -> None:
    """Oracle: the variance of a stratified mean, Σ W² s²/n over strata of independent items."""
    rng = np.random.default_rng(4)
    strata = np.repeat([0, 1, 2], [30, 12, 50])
    values = (rng.random(92) < np.array([0.9, 0.5, 0.2])[strata]).astype(float)
    means = np.array([values[strata == number].mean() for number in range(3)])
    variance = sum(values[strata == number].var(ddof=1) / (strata == number).sum() / 9 for number in range(3))
    size = np.bincount(strata)[strata]
    changes, clusters = (values - means[strata]) / size / 3, Clusters.independent(92)
    assert spread_of(0, changes, np.full(92, 1 / 92), clusters, strata).error == pytest.approx(sqrt(variance))
    estimate = weighted_share(means.mean(), changes, 1 / size / 3, np.ones(92), clusters, strata)
    worth = 1 / ((1 / size / 3) ** 2).sum()  # Kish's number of items of equal weight
    assert (estimate.low, estimate.high) == pytest.approx(wilson_bounds(means.mean(), worth))


@given(st.integers(2, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
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


@pytest.mark.parametrize("n", [2, 5, 40])
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
    assert (alone.low, alone.high, alone.effective) == (None, None, 1)  # one noun says nothing of others


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
        alone = share(right[:, column], asked[:, column], clusters)
        assert astuple(estimates[column]) == pytest.approx(astuple(alone), rel=1e-12)
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
    assert few.note == "2 clusters (base sentence×noun): too few to tell how far scores would move on others"
    assert Clusters.of(document=[0, 0]).note == "only one document: nothing is known about others"
    assert Clusters.of(document=[0] * 5 + [1, 2, 3]).note == (
        "4 documents, worth 2.8 of equal size (the largest has 62%): too few to tell how far scores would move on "
        "others"
    )
    assert Clusters.independent(11).note == "11 items: what happens in fewer than 24% of items can go unseen"
    assert not Clusters.independent(20).note
    assert few.at(np.array([True, False, True])).codes[0].tolist() == [0, 1]
    with pytest.raises(UsageError, match="one or two kinds"):
        Clusters.of(a=[1, 2], b=[1])


def test_values_that_do_not_vary_have_no_interval() -> None:
    assert mean([3.0, 3.0]) == Estimate(3.0, None, None, 2, 2)
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


special = pytest.importorskip("scipy.special")


@pytest.mark.parametrize("freedom", [1, 1.3, 2, 2.7, 3, 4, 6.15, 9, 19, 50, 99, 199.9, 1000])
def test_p_and_bound_are_those_of_scipy(freedom: float) -> None:
    for value in (0.001, 0.1, 0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 1000.0):
        wanted = 2 * float(special.stdtr(freedom, -value))
        if wanted > 1e-290:
            assert student_p(value, freedom) == pytest.approx(wanted, rel=1e-9)
            assert student_p(-value, freedom) == student_p(value, freedom)
    assert student_bound(freedom) == pytest.approx(float(special.stdtrit(freedom, 0.975)), rel=1e-11)


@pytest.mark.parametrize("value", [1e-8, 0.3, 1.0, 4.0, 1e4])
def test_closed_forms(value: float) -> None:
    assert student_p(value, 1) == pytest.approx(2 * atan(1 / value) / pi, rel=1e-12)
    root = sqrt(2 + value * value)
    assert student_p(value, 2) == pytest.approx(2 / (root * (root + value)), rel=1e-12)


def test_ends() -> None:
    assert student_p(0.0, 5) == student_p(3.0, 0) == 1.0
    assert student_p(inf, 5) == 0.0
    assert student_bound(0) == inf


def test_a_t_whose_square_is_no_number_has_a_p() -> None:
    assert [student_p(value, 3) for value in (1e-200, -1e-200, 1e200)] == [1.0, 1.0, 0.0]


Floats = NDArray[np.float64]


def components(values: Floats) -> float:
    """Var(mean) due to seeds by mean squares: (MS seed - MS rest)/nK, from the textbook."""
    seeds, items = values.shape
    grand, rows, columns = values.mean(), values.mean(axis=1), values.mean(axis=0)
    of_seeds = items * ((rows - grand) ** 2).sum() / (seeds - 1)
    rest = ((values - rows[:, None] - columns[None, :] + grand) ** 2).sum() / ((seeds - 1) * (items - 1))
    return max(0.0, float(of_seeds - rest) / (seeds * items))


def test_one_stratum_is_the_analysis_of_variance() -> None:
    rng = np.random.default_rng(0)
    for seeds in (2, 3, 7):
        values = rng.normal(size=(seeds, 25)) + rng.normal(size=(seeds, 1))
        spread = SeedSpread.of(values)
        assert spread is not None
        assert spread.variance == pytest.approx(components(values))
        assert spread.freedom == seeds - 1
    assert SeedSpread.of(rng.normal(size=(1, 25))) is None
    same = SeedSpread.of(np.repeat(rng.normal(size=(1, 25)), 3, axis=0))
    assert same is not None
    assert same.variance == 0


def test_strata_of_one_size_and_weight_are_their_mean() -> None:
    """The seeds' scores are those of the weighted sum; what is left over is taken off stratum by stratum."""
    rng = np.random.default_rng(2)
    values, strata, weights = rng.normal(size=(4, 60)), np.repeat([0, 1, 2], 20), np.array([0.5, 0.3, -0.2])
    values += 2 * rng.normal(size=(4, 1))
    spread = SeedSpread.of(values, strata, weights)
    scores = np.array([sum(weights[s] * row[strata == s].mean() for s in range(3)) for row in values])
    rest = 0.0
    for s in range(3):
        part = values[:, strata == s]
        left = part - part.mean(axis=0) - part.mean(axis=1)[:, None] + part.mean()
        rest += weights[s] ** 2 * (left**2).sum() / (3 * 19) / (4 * 20)
    assert spread is not None
    assert spread.variance == pytest.approx(max(0, scores.var(ddof=1) / 4 - rest))


def test_degrees_of_freedom_are_those_of_satterthwaite() -> None:
    spread = StandardError(1.0, 2.0, 11, 10).plus(SeedSpread(4.0, 2))
    assert spread.error == pytest.approx(np.sqrt(8))
    assert (spread.clusters, spread.freedom) == (11, pytest.approx(64 / (16 / 10 + 16 / 2)))
    assert StandardError(1.0, 2.0, 11, 10).plus(SeedSpread(0.0, 2)) == StandardError(1.0, 2.0, 11, 10)
    both = SeedSpread(1.0, 2) + SeedSpread(1.0, 2)
    assert both == SeedSpread(2.0, 4)
    assert SeedSpread(0.0, 2) + SeedSpread(3.0, 1) == SeedSpread(3.0, 1)


@pytest.mark.parametrize(("seeds", "effect"), [(3, 0.0), (3, 0.3), (5, 0.3), (5, 1.0), (10, 0.3)])
def test_coverage_over_items_and_seeds(seeds: int, effect: float) -> None:
    """Intervals over items alone hold in half of the samples or less where seeds differ; over both they hold."""
    rng = np.random.default_rng([seeds, int(10 * effect)])
    held = alone = 0
    samples = 600
    for _ in range(samples):
        values = rng.normal(size=40) + effect * rng.normal(size=(seeds, 1)) + rng.normal(size=(seeds, 40))
        means = values.mean(axis=0)
        items = spread_of(means.mean(), (means - means.mean()) / 40, np.full(40, 1 / 40), Clusters.independent(40))
        both, single = items.plus(SeedSpread.of(values)).interval(), items.interval()
        held += (both.low or 0) <= 0 <= (both.high or 0)
        alone += (single.low or 0) <= 0 <= (single.high or 0)
    assert 0.9 <= held / samples <= 0.98
    if effect == 1.0:
        assert alone / samples < 0.65


RNG = np.random.default_rng(5)
VALUES = RNG.normal(size=24).round(1)
FIRST = RNG.random(24) < 0.4
STRATA = np.tile(["x", "y", "z"], 8)
CLUSTERS = np.repeat(np.arange(8), 3)


def by_hand(kept: np.ndarray) -> tuple[float, float]:
    """Mean gap and dominance over all pairs of the items that are kept, one by one."""
    pairs = [
        VALUES[first] - VALUES[second]
        for first, second in product(range(24), repeat=2)
        if kept[first] and kept[second] and FIRST[first] and not FIRST[second] and STRATA[first] == STRATA[second]
    ]
    return float(np.mean(pairs)), float(np.mean(np.sign(pairs)))


def test_within_strata_and_clusters_by_hand() -> None:
    compared = compare_groups(VALUES, FIRST, Clusters.of(item=CLUSTERS), STRATA)
    assert compared is not None
    whole = by_hand(np.ones(24, dtype=bool))
    assert (compared.gap.value, compared.dominance.value) == pytest.approx(whole)
    left = np.array([by_hand(cluster != CLUSTERS) for cluster in range(8)])
    partners = np.array([(~FIRST & (own == STRATA)).sum() if first else (FIRST & (own == STRATA)).sum()
                         for first, own in zip(FIRST, STRATA, strict=True)])  # fmt: skip
    shares = np.array([
        [(partners * side)[cluster == CLUSTERS].sum() / (partners * side).sum() for cluster in range(8)]
        for side in (FIRST, ~FIRST)
    ])  # fmt: skip
    errors = np.sqrt(((1 - shares.max(axis=0))[:, None] * (left - whole) ** 2).sum(axis=0))
    assert compared.gap.clusters == min(len(set(CLUSTERS[FIRST])), len(set(CLUSTERS[~FIRST]))) == 7
    degrees = min(degrees_of_freedom(side[side > 0], 1 / side[side > 0]) for side in shares)
    bound = student.ppf(0.975, degrees)
    for difference, value, error in zip((compared.gap, compared.dominance), whole, errors, strict=True):
        assert difference.low == pytest.approx(
            max(value - bound * error, -1 if difference is compared.dominance else -9)
        )
        assert difference.high == pytest.approx(
            min(value + bound * error, 1 if difference is compared.dominance else 9)
        )


def test_without_strata_it_is_the_difference_of_means_and_cliffs_delta() -> None:
    compared = compare_groups(VALUES, FIRST)
    assert compared is not None
    assert compared.gap.value == pytest.approx(VALUES[FIRST].mean() - VALUES[~FIRST].mean())
    signs = np.sign(VALUES[FIRST][:, None] - VALUES[~FIRST])
    assert compared.dominance.value == pytest.approx(signs.mean())
    assert compared.items == 24
    # Two means of independent items, each with its own variance (Welch).
    variance = sum(side.var(ddof=1) / len(side) for side in (VALUES[FIRST], VALUES[~FIRST]))
    half = (compared.gap.high or 0) - compared.gap.value
    bound = 2.262157163  # of Student's t with 9 degrees of freedom: ten items are in the smaller group
    assert half == pytest.approx(bound * sqrt(variance))


def test_a_difference_between_strata_is_none_between_groups() -> None:
    values, first = np.array([1.0, 1.0, 9.0, 9.0]), np.array([True, False, True, False])
    compared = compare_groups([*values, 9.0], [*first, True], strata=["a", "a", "b", "b", "b"])
    assert compared is not None
    assert compared.gap.value == 0.0
    pooled = compare_groups([*values, 9.0], [*first, True])
    assert pooled is not None
    assert pooled.gap.value == pytest.approx(19 / 3 - 5)


def test_what_cannot_be_compared() -> None:
    assert compare_groups([1.0, 2.0], [True, True]) is None
    assert compare_groups([1.0, 2.0], [True, False], strata=["a", "b"]) is None
    alone = compare_groups([5.0, 1.0, 2.0], [True, False, False])
    assert alone is not None
    assert (alone.gap.value, alone.gap.low, alone.gap.high) == (3.5, None, None)
    # A stratum without a pair is in no count: the item of c is not.
    compared = compare_groups([1.0, 2.0, 3.0], [True, False, True], strata=["a", "a", "c"])
    assert compared is not None
    assert compared.items == 2
