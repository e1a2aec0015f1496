"""The five questions of the paper as numbers over batches: counts, means and shares with intervals over batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...stats.sampling import Clusters, Floats, mean, share
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
    """The interval of the mean; none where nothing varies."""


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
    sentences_changed: Share
    """Sentences of which at least one variant has another parse than the original."""
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
class BatchSampling:
    """How intervals are made: what was sampled are original sentences, each with all that was made of it."""

    independent: bool = False
    """Is every variant taken for itself instead?"""

    def share(self, counts: Sequence[int], totals: Sequence[int]) -> Share:
        """Σ counts / Σ totals; one entry for each batch."""
        count, total = int(sum(counts)), int(sum(totals))
        if not total:
            return Share(count, total)
        return Share(count, total, *share(*self._items(counts, totals)).percent)

    def _items(self, counts: Sequence[int], totals: Sequence[int]) -> tuple[Floats, Floats]:
        """What was right and what was asked, batch by batch or variant by variant."""
        right, asked = np.array(counts, dtype=np.float64), np.array(totals, dtype=np.float64)
        if not self.independent:
            return right, asked
        each = np.stack([right, asked - right], axis=1).reshape(-1).astype(np.int64)
        ones: Floats = np.repeat(np.tile([1.0, 0.0], len(right)), each)
        return ones, np.ones(len(ones))

    def clusters(self, batch: NDArray[Any]) -> Clusters:
        """What items were sampled in, of which each has the number of its batch."""
        return Clusters.independent(len(batch)) if self.independent else Clusters.of(original_sentence=batch)

    def summary(self, values: Sequence[Sequence[float]], most: float = np.inf) -> Summary | None:
        """Of all values, one list for each batch; none is below 0 or above `most`."""
        flat = np.array([value for some in values for value in some], dtype=np.float64)
        if not len(flat):
            return None
        batch = np.repeat(np.arange(len(values)), [len(some) for some in values])
        interval = mean(flat, self.clusters(batch), 0, most)
        middle = float(np.sort(flat)[[(len(flat) - 1) // 2, len(flat) // 2]].mean())
        return Summary(
            len(flat), interval.value, float(flat.std()), middle, float(flat.min()), float(flat.max()), interval.low,
            interval.high,
        )  # fmt: skip


def overview(batches: Sequence[JudgedBatch], how: BatchSampling) -> Overview:
    """Table 1 of the paper, in which sentences that were cut in several are left out."""
    several = [batch for batch in batches if batch.comparable]

    def variants(measure: str) -> Share:
        return how.share([batch.total(measure) for batch in batches], [batch.size for batch in batches])

    def whole(holds: Callable[[JudgedBatch], bool], some: Sequence[JudgedBatch]) -> Share:
        return how.share([int(holds(batch)) for batch in some], [1] * len(some))

    return Overview(
        originals=Counter(batch.original for batch in batches),
        originals_right=whole(lambda batch: batch.original == RIGHT, batches),
        variants={outcome: sum(batch.count(outcome) for batch in batches) for outcome in OUTCOMES},
        distinct=sum(len(batch.case.values) for batch in batches),
        variants_right=variants("right"),
        changed=variants("changed"),
        changed_bounds=(variants("changed_least"), variants("changed_most")),
        sentences_changed=whole(lambda batch: any(batch.holds("changed")), batches),
        consistent=whole(lambda batch: batch.consistent, several),
        consistent_bounds=(
            whole(lambda batch: batch.consistent_least, several), whole(lambda batch: batch.consistent_most, several),
        ),
    )  # fmt: skip


def detail(batches: Sequence[JudgedBatch], original: str, how: BatchSampling) -> Detail:
    """Q1 to Q5 of the batches whose original was parsed right, wrong (or not at all), or either."""
    kept = [batch for batch in batches if original in ("right" if batch.original == RIGHT else "wrong", "all")]
    faulty = [batch for batch in kept if not batch.complete]
    apart = [batch for batch in kept if batch.inconsistent]
    apart_published = [batch for batch in kept if batch.inconsistent_published]

    def over(
        some: Sequence[JudgedBatch], value: Callable[[JudgedBatch], Sequence[float]], most: float = np.inf
    ) -> Summary | None:
        return how.summary([value(batch) for batch in some], most)

    return Detail(
        batches=len(kept),
        complete=how.share([int(batch.complete) for batch in kept], [1] * len(kept)),
        right=over(kept, lambda batch: [batch.right], max((batch.size for batch in kept), default=0)),
        consistent_errors=sum(batch.consistent_errors for batch in faulty) if faulty else None,
        clusters=over(apart, lambda batch: [len(batch.clusters)]),
        clusters_published=over(apart_published, lambda batch: [batch.clusters_published]),
        similarity=over(apart, lambda batch: batch.similarities, 1),
        similarity_published=over(apart_published, lambda batch: batch.similarities_published, 1),
    )
