"""The five questions of the paper as numbers over batches: counts, means and shares with intervals over batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...stats.resample import bootstrap_ratio
from .judging import OUTCOMES, RIGHT, JudgedBatch

ORIGINALS = ("right", "wrong", "all")
"""Batches by how the original was parsed: Original + and Original - of the paper, and both."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Mean (SD), median (min-max) over batches or pairs of clusters; SD is the population's, as in the paper."""

    n: int
    mean: float
    sd: float
    median: float
    least: float
    most: float
    low: float | None = None
    high: float | None = None
    """The interval of the mean, with whole batches drawn."""


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `total`; the share in per cent, with its interval."""

    count: int
    total: int
    low: float | None = None
    high: float | None = None

    @property
    def value(self) -> float | None:
        return 100 * self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class Overview:
    """Table 1: originals and variants by outcome. Every one of them is in the denominators."""

    originals: Mapping[str, int]
    """By outcome, those that have no tree included."""
    originals_right: Share
    variants: Mapping[str, int]
    distinct: int
    variants_right: Share
    changed: Share
    """Variants whose parse is not that of the original, right or wrong."""
    changed_bounds: tuple[Share, Share]
    """The same if all that has no tree were as the others, and if it were all different."""
    consistent: Share
    """Batches whose parses are all alike, right or wrong; those with one variant say nothing and are left out."""
    consistent_bounds: tuple[Share, Share]
    """The same if all that has no tree were different, and if it were as the others."""


@dataclass(frozen=True, slots=True)
class Detail:
    """Tables 2 to 5 for one kind of original. None where the paper has NA: there is no such batch."""

    batches: int
    complete: Share
    right: Summary | None
    consistent_errors: int | None
    clusters: Summary | None
    clusters_published: Summary | None
    similarity: Summary | None
    similarity_published: Summary | None


@dataclass(frozen=True, slots=True)
class Draws:
    """How intervals are made."""

    draws: int = 1000
    seed: int = 0

    def share(self, counts: Sequence[int], totals: Sequence[int]) -> Share:
        """Σ counts / Σ totals; one entry for each batch."""
        low, high = self.interval(counts, totals, 100)
        return Share(int(sum(counts)), int(sum(totals)), low, high)

    def interval(
        self, tops: Sequence[float], bottoms: Sequence[float], scale: float = 1
    ) -> tuple[float | None, float | None]:
        if not self.draws or len(tops) < 2 or not sum(bottoms):
            return None, None
        found = bootstrap_ratio(np.array(tops, float), np.array(bottoms, float), draws=self.draws, seed=self.seed)
        return scale * found.low, scale * found.high

    def summary(self, values: Sequence[Sequence[float]]) -> Summary | None:
        """Of all values, one list for each batch."""
        flat = np.array([value for some in values for value in some], dtype=np.float64)
        if not len(flat):
            return None
        low, high = self.interval([sum(some) for some in values], [len(some) for some in values])
        middle = float(np.sort(flat)[[(len(flat) - 1) // 2, len(flat) // 2]].mean())
        return Summary(
            len(flat), float(flat.mean()), float(flat.std()), middle, float(flat.min()), float(flat.max()), low, high
        )


def overview(batches: Sequence[JudgedBatch], how: Draws) -> Overview:
    """Table 1 of the paper, in which sentences that were cut in several are left out."""
    several = [batch for batch in batches if batch.comparable]

    def variants(count: Callable[[JudgedBatch], int]) -> Share:
        return how.share([count(batch) for batch in batches], [batch.size for batch in batches])

    def whole(holds: Callable[[JudgedBatch], bool], some: Sequence[JudgedBatch]) -> Share:
        return how.share([int(holds(batch)) for batch in some], [1] * len(some))

    return Overview(
        originals=Counter(batch.original for batch in batches),
        originals_right=whole(lambda batch: batch.original == RIGHT, batches),
        variants={outcome: sum(batch.count(outcome) for batch in batches) for outcome in OUTCOMES},
        distinct=sum(len(batch.case.values) for batch in batches),
        variants_right=variants(lambda batch: batch.right),
        changed=variants(lambda batch: batch.changed),
        changed_bounds=(variants(lambda batch: batch.changed_least), variants(lambda batch: batch.changed_most)),
        consistent=whole(lambda batch: batch.consistent, several),
        consistent_bounds=(
            whole(lambda batch: batch.consistent_least, several), whole(lambda batch: batch.consistent_most, several),
        ),
    )  # fmt: skip


def detail(batches: Sequence[JudgedBatch], original: str, how: Draws) -> Detail:
    """Q1 to Q5 of the batches whose original was parsed right, wrong (or not at all), or either."""
    kept = [batch for batch in batches if original in ("right" if batch.original == RIGHT else "wrong", "all")]
    faulty = [one for one in kept if not one.complete]
    apart = [one for one in kept if one.inconsistent]
    apart_published = [one for one in kept if one.inconsistent_published]

    def over(some: Sequence[JudgedBatch], value: Callable[[JudgedBatch], Sequence[float]]) -> Summary | None:
        return how.summary([value(one) for one in some])

    return Detail(
        batches=len(kept),
        complete=how.share([int(one.complete) for one in kept], [1] * len(kept)),
        right=over(kept, lambda one: [one.right]),
        consistent_errors=sum(one.consistent_errors for one in faulty) if faulty else None,
        clusters=over(apart, lambda one: [len(one.clusters)]),
        clusters_published=over(apart_published, lambda one: [one.clusters_published]),
        similarity=over(apart, lambda one: one.similarities),
        similarity_published=over(apart_published, lambda one: one.similarities_published),
    )
