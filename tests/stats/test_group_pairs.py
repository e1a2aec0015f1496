"""Two groups of items over pairs of the same stratum: against other code of this package, and leaving out by hand."""

from __future__ import annotations

from itertools import product
from math import sqrt

import numpy as np
import pytest

from gardenpath.stats.effect import cliffs_delta
from gardenpath.stats.group_pairs import compare_groups
from gardenpath.stats.sampling import Clusters

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
    errors = np.sqrt(7 / 8 * ((left - whole) ** 2).sum(axis=0))
    smaller = min(len(set(CLUSTERS[FIRST])), len(set(CLUSTERS[~FIRST])))
    assert compared.gap.clusters == smaller == 7
    bound = 2.446911851  # 97.5 % of Student's t with 6 degrees of freedom
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
    assert compared.dominance.value == pytest.approx(cliffs_delta(VALUES[~FIRST], VALUES[FIRST]))
    assert compared.items == 24
    # The jackknife of two means of independent items: each has its own variance, a little larger.
    sides = [VALUES[FIRST], VALUES[~FIRST]]
    variance = sum(side.var(ddof=1) / (len(side) - 1) * 23 / 24 for side in sides)
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
