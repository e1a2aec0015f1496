"""Agreement between annotators. Oracles: statsmodels (kappa), the package krippendorff, a published example, pairs."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from gardenpath.stats import Clusters, cohen_kappa, krippendorff_alpha

# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section C: four observers, twelve units.
OBSERVERS = [
    ["1", "2", "3", "3", "2", "1", "4", "1", "2", None, None, None],
    ["1", "2", "3", "3", "2", "2", "4", "1", "2", "5", None, "3"],
    [None, "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", None],
    ["1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", None],
]


def drawn(seed: int, annotators: int, items: int = 60) -> list[list[str | None]]:
    """Annotators who mostly give the true class, and sometimes none."""
    generator = np.random.default_rng(seed)
    true = generator.choice(list("ABCD"), items)
    columns: list[list[str | None]] = []
    for _ in range(annotators):
        other = generator.choice(list("ABCD"), items)
        given = np.where(generator.random(items) < 0.7, true, other)
        columns.append([None if generator.random() < 0.1 else str(name) for name in given])
    return columns


def alpha_by_pairs(ratings: list[list[str | None]]) -> float:
    """1 - observed / expected disagreement, from all ordered pairs of ratings."""
    units = [[column[i] for column in ratings if column[i] is not None] for i in range(len(ratings[0]))]
    units = [unit for unit in units if len(unit) > 1]
    everything = [rating for unit in units for rating in unit]
    observed = sum(sum(a != b for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units)
    expected = sum(a != b for a, b in permutations(everything, 2)) / (len(everything) - 1)
    return 1 - observed / expected


def test_the_published_example_of_alpha() -> None:
    estimate = krippendorff_alpha(OBSERVERS)
    assert estimate is not None
    assert estimate.value == pytest.approx(0.743, abs=0.0005)


@pytest.mark.parametrize(("seed", "annotators"), [(1, 2), (2, 3), (3, 5)])
def test_alpha_is_that_of_all_pairs_and_of_the_package(seed: int, annotators: int) -> None:
    ratings = drawn(seed, annotators)
    estimate = krippendorff_alpha(ratings)
    assert estimate is not None
    assert estimate.value == pytest.approx(alpha_by_pairs(ratings))
    package: Any = pytest.importorskip("krippendorff", reason="needs the package krippendorff (extra dev)")
    codes = [[np.nan if name is None else "ABCD".index(name) for name in column] for column in ratings]
    assert estimate.value == pytest.approx(package.alpha(codes, level_of_measurement="nominal"))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_kappa_is_that_of_statsmodels(seed: int) -> None:
    rater: Any = pytest.importorskip("statsmodels.stats.inter_rater", reason="needs statsmodels (extra dev)")
    first, second = drawn(seed, 2)
    both = [(a, b) for a, b in zip(first, second, strict=True) if a and b]
    table = [[both.count((a, b)) for b in "ABCD"] for a in "ABCD"]
    theirs = rater.cohens_kappa(np.array(table))
    ours = cohen_kappa(first, second)
    assert ours is not None
    assert ours.low is not None
    assert ours.high is not None
    assert ours.value == pytest.approx(theirs.kappa)
    assert (ours.high - ours.low) / 2 == pytest.approx(2.0 * theirs.std_kappa, rel=0.1)  # theirs by the delta method


def test_the_interval_leaves_out_whole_clusters() -> None:
    first, second = drawn(4, 2)
    doubled = [*first, *first], [*second, *second]
    codes = Clusters.of(sentence=np.tile(np.arange(len(first)), 2))
    once, twice = cohen_kappa(first, second), cohen_kappa(*doubled, codes)
    assert once is not None
    assert twice is not None
    # The same items twice, in the same clusters, tell nothing more.
    assert (twice.value, twice.low, twice.high) == pytest.approx((once.value, once.low, once.high))
    by_hand = [cohen_kappa(first[:i] + first[i + 1 :], second[:i] + second[i + 1 :]) for i in range(len(first))]
    rated = [part.value for part, a, b in zip(by_hand, first, second, strict=True) if part and a and b]
    n = len(rated)
    error = np.sqrt((n - 1) / n * ((np.array(rated) - np.mean(rated)) ** 2).sum())
    assert once.high is not None
    assert once.high - once.value == pytest.approx(error * 2.0, rel=0.02)


def test_what_is_not_defined_has_no_value() -> None:
    assert cohen_kappa(["A", "A"], ["A", "A"]) is None
    assert cohen_kappa(["A", None], [None, "B"]) is None
    assert krippendorff_alpha([["A", "A"], ["A", "A"]]) is None
    perfect = cohen_kappa(["A", "B", "B"], ["A", "B", "B"])
    assert perfect is not None
    assert (perfect.value, perfect.low) == (1, None)
