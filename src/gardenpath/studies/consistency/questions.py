"""The five questions of the paper as numbers over batches: counts, means and shares with intervals over batches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...stats.resample import bootstrap_ratio
from .answered import SEGMENTATION
from .judging import FAILED, OTHER, RIGHT, SAME, WRONG, JudgedBatch

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
    """Table 1: originals, and the variants of those that were considered."""

    originals: int
    originals_segmented: int
    originals_failed: int
    originals_right: Share
    variants: int
    distinct: int
    variants_segmented: int
    variants_failed: int
    variants_right: Share
    """Of those that have a tree."""
    changed: Share
    """Variants whose tree is not that of the original, right or wrong."""
    consistent: Share
    """Batches whose trees are all alike, right or wrong; those with one tree say nothing and are left out."""


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
    """Table 1 of the paper. A variant counts only if its original is considered, as there."""
    kept = [batch for batch in batches if batch.original in (RIGHT, WRONG)]
    several = [one for one in kept if one.comparable]
    return Overview(
        originals=len(batches),
        originals_segmented=sum(batch.original == SEGMENTATION for batch in batches),
        originals_failed=sum(batch.original == FAILED for batch in batches),
        originals_right=how.share([int(one.original == RIGHT) for one in kept], [1] * len(kept)),
        variants=sum(one.case.size for one in kept),
        distinct=sum(len(one.case.values) for one in kept),
        variants_segmented=sum(one.count(SEGMENTATION) for one in kept),
        variants_failed=sum(one.count(FAILED) for one in kept),
        variants_right=how.share([one.right for one in kept], [one.count(RIGHT, SAME, OTHER) for one in kept]),
        changed=how.share([one.changed for one in kept], [one.trees for one in kept]),
        consistent=how.share([int(not one.inconsistent) for one in several], [1] * len(several)),
    )


def detail(batches: Sequence[JudgedBatch], original: str, how: Draws) -> Detail:
    """Q1 to Q5 of the batches whose original was parsed right, wrong, or either."""
    kept = [batch for batch in batches if batch.considered and original in (batch.original, "all")]
    faulty = [one for one in kept if not one.complete]
    apart = [one for one in kept if one.inconsistent]

    def over(some: Sequence[JudgedBatch], value: Callable[[JudgedBatch], Sequence[float]]) -> Summary | None:
        return how.summary([value(one) for one in some])

    return Detail(
        batches=len(kept),
        complete=how.share([int(one.complete) for one in kept], [1] * len(kept)),
        right=over(kept, lambda one: [one.right]),
        consistent_errors=sum(one.consistent_errors for one in faulty) if faulty else None,
        clusters=over(apart, lambda one: [len(one.clusters)]),
        clusters_published=over(apart, lambda one: [one.clusters_published]),
        similarity=over(apart, lambda one: one.similarities),
        similarity_published=over(apart, lambda one: one.similarities_published),
    )
