"""All numbers of the study as findings: Table 1, the five questions, values, changes, and differences of systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...runs.result.result import Finding, Value
from .declaration import PAPER_LAYOUT, STUDY, TAGS, TOKENS, PerturbedSettings
from .judging import NO_TREE, RIGHT, SEGMENTATION, JudgedBatch
from .numbers import (
    Altered,
    BatchSampling,
    ConsistencyPart,
    Detail,
    JudgedVariants,
    Key,
    Overview,
    Share,
    Summary,
    ValueShare,
    column_findings,
    compared,
    parts_of,
    stages_compared,
)
from .variants import without_gold
from .word_scores import word_score_findings


def consistency_findings(judged: JudgedVariants, settings: PerturbedSettings) -> list[Finding]:
    """Of all systems, perturbations and orders; then how far the others are above the first system."""
    how, suite = BatchSampling(settings.independent), judged.asked.treebank_name
    findings: list[Finding] = []
    for key, part in parts_of(judged, settings.orders, how).items():
        findings += _Told(suite, key).part(part)
    findings += column_findings(judged, settings, how)
    findings += stage_findings(judged, settings.orders[0], how)
    findings += compared(judged, settings.orders[0], how)
    findings += word_score_findings(judged, settings.independent) if judged.asked.has_gold else ()
    return findings if judged.asked.has_gold else without_gold(findings)


def original_findings(suite: str, key: Key, seen: Overview) -> list[Finding]:
    """What is known where sentences have no variants: with a constant all of them would be the same."""
    collected = _Told(suite, key)
    collected.counts(seen, "originals")
    collected.share("original_right", seen.originals_right)
    collected.share("right", seen.originals_right)
    return collected.found


def stage_findings(judged: JudgedVariants, order: str, how: BatchSampling) -> list[Finding]:
    """What becomes of the batches in each stage, and how far that is above what the parser does alone."""
    findings, suite = list[Finding](), judged.asked.treebank_name
    for (system, perturbation, stage), batches in judged.staged.items():
        shares = stage_shares(judged.batches[system, perturbation, order], batches, how)
        by: dict[str, Value] = {"perturbation": perturbation, "stage": stage}
        for measure in ("consistent", "settled", "unsettled"):
            share = getattr(shares, measure)
            findings.append(Finding(STUDY, suite, system, measure, share.value, share.total, share.low, share.high, by))
    return [*findings, *stages_compared(judged, order, how)]


def _table_1(seen: Overview) -> Iterator[tuple[str, int]]:
    for name, counts in (("originals", seen.originals), ("variants", seen.variants)):
        yield name, sum(counts.values())
        if name == "variants":
            yield "variants_distinct", seen.distinct
        for outcome in (RIGHT, *NO_TREE):
            yield f"{name}_{outcome.replace(' ', '_')}", counts.get(outcome, 0)
        yield f"{name}_considered", sum(counts.values()) - counts.get(SEGMENTATION, 0)


class _Told:
    """Findings of one system, perturbation and order, as they are collected."""

    def __init__(self, suite: str, key: Key) -> None:
        self.suite = suite
        self.system, self.perturbation, order = key
        self.by: dict[str, Value] = {"perturbation": self.perturbation}
        self.whole: dict[str, Value] = {**self.by, "order": order}
        self.found: list[Finding] = []

    def part(self, part: ConsistencyPart) -> list[Finding]:
        self.counts(part.overview)
        self.share("original_right", part.overview.originals_right)
        self.share("right", part.overview.variants_right)
        self.share("sentences_changed", part.overview.sentences_changed)
        for measure in ("changed", "consistent"):
            self.share(measure, getattr(part.overview, measure))
            for bound, share in zip(("least", "most"), getattr(part.overview, f"{measure}_bounds"), strict=True):
                self.share(f"{measure}_{bound}", share)
        for original, detail in part.details.items():
            self.questions(detail, {**self.whole, "original": original})
        paper = {**self.whole, **PAPER_LAYOUT}
        self.counts(part.variants_considered, "variants", paper)
        for original, detail in part.details_considered.items():
            self.questions(detail, {**paper, "original": original})
        self.sizes(part)
        groups = {
            value: group
            for batch in part.batches
            for value, group in zip(batch.case.values, batch.case.groups, strict=True)
        }
        for share in part.values:
            self.value(share, {**self.by, "replacement": share.key, "group": groups[share.key]})
        for share in part.groups:
            self.value(share, {**self.by, "group": share.key})
        if part.altered is not None:
            self.changes(part.altered)
        return self.found

    def tell(
        self, measure: str, value: Any, n: int | None = None, by: Mapping[str, Value] | None = None, **interval: Any
    ) -> None:
        by = self.whole if by is None else by
        self.found.append(Finding(STUDY, self.suite, self.system, measure, value, n, by=by, **interval))

    def share(self, measure: str, share: Share, by: Mapping[str, Value] | None = None) -> None:
        self.tell(measure, share.value, share.total, by, low=share.low, high=share.high)

    def summary(self, measure: str, summary: Summary | None, by: Mapping[str, Value]) -> None:
        n = summary.n if summary else 0
        self.tell(
            measure, summary and summary.mean, n, by, low=summary and summary.low, high=summary and summary.high
        )  # fmt: skip
        for name, field in (("sd", "sd"), ("median", "median"), ("min", "least"), ("max", "most")):
            self.tell(f"{measure}_{name}", summary and getattr(summary, field), n, by)

    def value(self, share: ValueShare, by: Mapping[str, Value]) -> None:
        self.tell(share.measure, share.value, share.n, by, low=share.low, high=share.high)

    def counts(self, seen: Overview, of: str = "", by: Mapping[str, Value] | None = None) -> None:
        for measure, count in _table_1(seen):
            if measure.startswith(of):
                self.tell(measure, count, by=by)

    def questions(self, detail: Detail, by: Mapping[str, Value]) -> None:
        self.tell("batches", detail.batches, by=by)
        self.tell("complete_batches", detail.complete.count, detail.batches, by)
        self.share("complete", detail.complete, by)
        self.summary("right_per_batch", detail.right, by)
        self.tell("consistent_error_batches", detail.consistent_errors, detail.batches, by)
        self.summary("clusters", detail.clusters, by)
        self.summary("clusters_published", detail.clusters_published, by)
        self.summary("ncptk", detail.similarity, by)
        self.summary("ncptk_published", detail.similarity_published, by)

    def sizes(self, part: ConsistencyPart) -> None:
        clusters = Counter(len(batch.clusters) for batch in part.batches)
        for number, count in sorted(clusters.items()):
            self.tell("batches_with_clusters", count, clusters.total(), {**self.whole, "clusters": number})

    def changes(self, seen: Altered) -> None:
        by = self.by
        self.tell("minority_clusters", seen.clusters, by=by)
        self.tell("minority_clusters_other_words", seen.incomparable, by=by)
        self.tell("changed_words", seen.words, seen.clusters, by)
        per_cluster = seen.words / seen.clusters if seen.clusters else None
        self.tell("changed_words_per_cluster", per_cluster, seen.clusters, by)
        self.tell("changed_words_away", seen.away, seen.words, by)
        self.share("root_changed", seen.root, by)
        self.share("edited_word_changed", seen.edited, by)
        self.share("other_word_changed", seen.beyond, by)
        for part, share in seen.parts.items():
            self.share("clusters_changed", share, {**by, "part": part})
            self.tell("changed_words", seen.counts[part], seen.words, {**by, "part": part})
        for (before, after), count in seen.relabelled.most_common():
            self.tell("relabelled_words", count, seen.counts["deprel"], {**by, "from": before, "to": after})
        for kind, shares in seen.places.items():
            for label, share in shares.items():
                self.share("words_changed", share, {**by, kind: label})


LAYERS = {TOKENS: (), TAGS: ("feats", "lemmas", "tags")}
"""What a parser may see of gold in each stage, beside the tokens."""


@dataclass(frozen=True, slots=True)
class StageShares:
    """What becomes of the batches when a part of the work is done for the parser."""

    consistent: Share
    """Batches with one parse in this stage."""
    settled: Share
    """Of the batches with several parses as the parser was asked first: those that have one in this stage."""
    unsettled: Share
    """Of the batches with one parse as the parser was asked first: those that have several in this stage."""


def stage_shares(first: Sequence[JudgedBatch], staged: Sequence[JudgedBatch], how: BatchSampling) -> StageShares:
    """The same batches as they were asked first and in a stage; those with one variant say nothing."""
    pairs = [(before, after) for before, after in zip(first, staged, strict=True) if before.comparable]

    def share(kept: Sequence[bool]) -> Share:
        return how.share([int(holds) for holds in kept], [1] * len(kept))

    return StageShares(
        share([after.consistent for _, after in pairs]),
        share([after.consistent for before, after in pairs if not before.consistent]),
        share([not after.consistent for before, after in pairs if before.consistent]),
    )
