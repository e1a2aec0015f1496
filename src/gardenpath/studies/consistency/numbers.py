"""The five questions of the paper as numbers over batches, by value, by column and by system."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...runs.result.result import Finding, Value
from ...stats.sampling import Clusters, Difference, Floats, mean, share, share_difference
from ...treebank.format.documents import sentence_columns
from ..engine.corrections import difference_findings
from ..engine.grouping import ColumnGroups, asked_groups
from .clusters import PARTS, Changes
from .declaration import GROUPINGS, STUDY, WORD_SCORES, PerturbedSettings
from .judging import OUTCOMES, RIGHT, SEGMENTATION, JudgedBatch, VariantAnswers, considered, judge
from .variants import AskedVariants, Case

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
    """Count originals and variants as Table 1 does; sentences that were cut in several stay in."""
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


VALUE_MEASURES = {
    "differs_from_majority": "the parse is not that of the batch's largest cluster",
    "differs_from_original": "the parse is not that of the original sentence, right or wrong",
    "value_right": "the tree is the gold tree",
}


@dataclass(frozen=True, slots=True)
class ValueShare:
    """A measure of one value, or of a group of values, in per cent of the batches (of the variants for a group)."""

    key: str
    measure: str
    value: float
    n: int
    low: float | None
    high: float | None


def group_of(value: str, group: str) -> str:
    """The group that the perturbation names; for four-digit numbers without one, the century."""
    return group or (f"{value[:2]}00s" if re.fullmatch(r"[1-9]\d{3}", value) else "")


def by_value(batches: Sequence[JudgedBatch], how: BatchSampling) -> list[ValueShare]:
    """One entry for each value and measure; a value that is repeated in a batch counts once."""
    return _shares(batches, [list(batch.case.values) for batch in batches], how)


def by_group(batches: Sequence[JudgedBatch], how: BatchSampling) -> list[ValueShare]:
    """The same by group of values, such as centuries; nothing where there are no groups."""
    named = [
        [group_of(value, group) for value, group in zip(batch.case.values, batch.case.groups, strict=True)]
        for batch in batches
    ]
    return [share for share in _shares(batches, named, how) if share.key]


def _shares(batches: Sequence[JudgedBatch], keys: Sequence[Sequence[str]], how: BatchSampling) -> list[ValueShare]:
    places: dict[str, int] = {}
    for some in keys:
        for key in some:
            places.setdefault(key, len(places))
    if not places:
        return []
    totals: NDArray[Any] = np.zeros((len(batches), len(places)), dtype=np.int64)
    counts = {measure: np.zeros_like(totals) for measure in VALUE_MEASURES}
    for row, (batch, some) in enumerate(zip(batches, keys, strict=True)):
        for key, cluster, outcome in zip(some, batch.cluster_of, batch.outcomes, strict=True):
            place = places[key]
            totals[row, place] += 1
            counts["differs_from_majority"][row, place] += cluster != 0
            counts["differs_from_original"][row, place] += cluster < 0 or cluster != batch.original_cluster
            counts["value_right"][row, place] += outcome == RIGHT
    shares = []
    for measure, table in counts.items():
        for key, place in places.items():
            share = how.share(table[:, place].tolist(), totals[:, place].tolist())
            if share.value is not None:
                shares.append(ValueShare(key, measure, share.value, share.total, share.low, share.high))
    return shares


Key = tuple[str, str, str]
"""System, perturbation, order of siblings."""
COMPARED = ("right", "changed", "consistent")
"""Measures in which systems are tested against the first."""


@dataclass(frozen=True)
class JudgedVariants:
    """A treebank's batches, what all systems answered, and the judgement of every batch."""

    asked: AskedVariants
    answers: Mapping[str, VariantAnswers]
    batches: Mapping[Key, Sequence[JudgedBatch]]
    staged: Mapping[Key, Sequence[JudgedBatch]]
    """The same batches by system, perturbation and stage."""

    @property
    def systems(self) -> list[str]:
        return list(self.answers)

    def failures(self) -> dict[str, int]:
        """Sentences without a tree, by system and kind."""
        asked = dict(self.answers)
        for name, answers in self.answers.items():
            asked |= {f"{name}, gold {stage}": again for stage, again in answers.stages.items()}
        return {
            f"{name}: {kind}": count for name, answers in asked.items() for kind, count in answers.failures().items()
        }


def judge_all(asked: AskedVariants, answers: Mapping[str, VariantAnswers], orders: Sequence[str]) -> JudgedVariants:
    """All batches of all systems, by perturbation and order of siblings."""
    batches: dict[Key, Sequence[JudgedBatch]] = {}
    staged: dict[Key, Sequence[JudgedBatch]] = {}
    for system, own in answers.items():
        judged = judge(asked, own, orders)
        stages = {stage: judge(asked, again, orders[:1])[orders[0]] for stage, again in own.stages.items()}
        for perturbation in asked.perturbations:
            batches |= {(system, perturbation, order): _only(judged[order], perturbation) for order in orders}
            staged |= {(system, perturbation, stage): _only(some, perturbation) for stage, some in stages.items()}
    return JudgedVariants(asked, answers, batches, staged)


def _only(batches: Sequence[JudgedBatch], perturbation: str) -> list[JudgedBatch]:
    return [batch for batch in batches if batch.case.batch.perturbation == perturbation]


@dataclass(frozen=True, slots=True)
class ConsistencyPart:
    """All that is found out about one system, one perturbation and one order of siblings."""

    batches: Sequence[JudgedBatch]
    overview: Overview
    details: Mapping[str, Detail]
    variants_considered: Overview
    """Of the batches whose original was not cut: the paper tries no variant of the others."""
    details_considered: Mapping[str, Detail]
    """Without all that was cut."""
    values: Sequence[ValueShare] = ()
    groups: Sequence[ValueShare] = ()
    altered: Altered | None = None


def parts_of(judged: JudgedVariants, orders: Sequence[str], how: BatchSampling) -> dict[Key, ConsistencyPart]:
    """Values are counted in the order that comes first, changes by position."""
    parts = {}
    for key, batches in judged.batches.items():
        *_, order = key
        whole = [batch for batch in batches if batch.original != SEGMENTATION]
        without_cut = list(considered(batches))
        more: dict[str, Any] = {}
        if order == orders[0]:
            more = {"values": by_value(batches, how), "groups": by_group(batches, how)}
        if order == "surface":
            more["altered"] = altered(batches, how)
        parts[key] = ConsistencyPart(
            batches, overview(batches, how), {original: detail(batches, original, how) for original in ORIGINALS},
            overview(whole, how), {original: detail(without_cut, original, how) for original in ORIGINALS[:2]}, **more,
        )  # fmt: skip
    return parts


def compared(judged: JudgedVariants, order: str, how: BatchSampling) -> Iterator[Finding]:
    """Yield how far every other system is above the first, on the same batches, with p."""
    first_system, *others = judged.systems
    for perturbation in judged.asked.perturbations:
        first = judged.batches[first_system, perturbation, order]
        for system in others:
            second = judged.batches[system, perturbation, order]
            for measure in COMPARED if judged.asked.has_gold else COMPARED[1:]:
                test = difference(counts(first, measure), counts(second, measure), how)
                yield from measure_findings(judged.asked.treebank_name, system, perturbation, measure, test)


def stages_compared(judged: JudgedVariants, order: str, how: BatchSampling) -> Iterator[Finding]:
    """Yield how many more batches have one parse in every stage than those of the same system without."""
    measure = "consistent"
    for (system, perturbation, stage), batches in judged.staged.items():
        alone = judged.batches[system, perturbation, order]
        test = difference(counts(alone, measure), counts(batches, measure), how)
        yield from measure_findings(judged.asked.treebank_name, system, perturbation, measure, test, stage)


def measure_findings(
    suite: str, system: str, perturbation: str, measure: str, test: Difference | None, stage: str = ""
) -> Iterator[Finding]:
    """Yield percentage points above the first system, or the parser alone, with p; n are clusters."""
    by: dict[str, Value] = {"perturbation": perturbation, **({"stage": stage} if stage else {})}
    if test is not None:
        yield from difference_findings((STUDY, suite, system), f"{measure}_difference", f"{measure}_p", test, by)


def family(test: Finding) -> tuple[bool, bool]:
    """Return what a test is corrected with: differences of systems, of the stages of one, or of its word scores."""
    return "stage" in test.by, test.measure.startswith(WORD_SCORES)


def difference(first: VariantCounts, second: VariantCounts, how: BatchSampling) -> Difference | None:
    """How far the second is above the first; None where there is nothing to compare."""
    if not first.asked.any() or not second.asked.any():
        return None
    return share_difference((first.right, first.asked), (second.right, second.asked), how.clusters(first.batch))


def counts(batches: Sequence[JudgedBatch], measure: str) -> VariantCounts:
    """What a paired test is made of: `right` and `changed` of every different variant, `consistent` of every batch."""
    if measure == "consistent":
        rows = [(number, int(batch.consistent), 1) for number, batch in enumerate(batches) if batch.comparable]
    else:
        rows = [
            (number, times * holds, times)
            for number, batch in enumerate(batches)
            for times, holds in zip(batch.case.times, batch.holds(measure), strict=True)
        ]
    return VariantCounts.of(rows)


class VariantCounts(NamedTuple):
    """For every item: its batch, and what was right and asked of it."""

    batch: NDArray[Any]
    right: NDArray[Any]
    asked: NDArray[Any]

    @classmethod
    def of(cls, rows: Sequence[tuple[int, int, int]]) -> VariantCounts:
        return cls(*np.array(rows, dtype=np.int64).reshape(-1, 3).T)


COLUMN_MEASURES = {
    "changed": "another tree (%)", "right": "right (%)", "original_right": "original right (%)",
    "sentences_changed": "sentences (%)", "consistent": "one tree (%)",
}  # fmt: skip
"""What is known of every group, the one that is shown first on top."""
_SHARES = {"right": "variants_right", "original_right": "originals_right"}
_TAKEN = (
    "perturbation", "order", "stage", "original", "replacement", "group", "clusters", "part", "from", "to",
    "words_away", "edges_away", "depth", "layout", "sentences",
)  # fmt: skip
"""Keys of findings that are of other groups."""


def column_groups_of(asked: AskedVariants, settings: PerturbedSettings) -> ColumnGroups | None:
    """The groups of batches that are asked for; None where none are, or where there is no batch."""
    if not settings.columns or not asked.cases:
        return None
    comments = sentence_columns(asked.cases[0].batch.sentence.treebank)
    rows = [{**{name: values[case.batch.sentence.number] for name, values in comments.items()}, **_own(case)}
            for case in asked.cases]  # fmt: skip
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    return asked_groups(settings.columns, columns, GROUPINGS, _TAKEN)


def column_findings(judged: JudgedVariants, settings: PerturbedSettings, how: BatchSampling) -> Iterator[Finding]:
    """What becomes of the batches of each group, by system, perturbation and order of siblings."""
    by = column_groups_of(judged.asked, settings)
    if by is None:
        return
    places = {id(case): place for place, case in enumerate(judged.asked.cases)}
    for (system, perturbation, order), batches in judged.batches.items():
        for keys, inside in zip(by.groups, by.members, strict=True):
            kept = [batch for batch in batches if inside[places[id(batch.case)]]]
            if not kept:
                continue
            seen = overview(kept, how)
            for measure in COLUMN_MEASURES:
                share = getattr(seen, _SHARES.get(measure, measure))
                ends = (share.value, share.total, share.low, share.high)
                whole = {**keys, "perturbation": perturbation, "order": order}
                yield Finding(STUDY, judged.asked.treebank_name, system, measure, *ends, whole)


def _own(case: Case) -> dict[str, Any]:
    """What was replaced, and what it is in the tree: that of the first changed word."""
    batch = case.batch
    word = batch.sentence.words[batch.words[0] - 1]
    return {
        "old": batch.old, "upos": word.upos, "deprel": word.deprel, "words": len(batch.words),
        "variants": len(case.variants),
    }  # fmt: skip


LIMITS = {"words_away": (0, 1, 2, 3, 4, 5, 10, 20), "edges_away": (0, 1, 2, 3, 4, 5, 6), "depth": (1, 2, 3, 4, 5, 6)}
"""Where the bins of a distance begin; the last one is open."""


@dataclass(frozen=True, slots=True)
class Altered:
    """What changes from the largest cluster of a batch to the others, over all batches."""

    clusters: int
    incomparable: int
    """Clusters whose words are others."""
    words: int
    """Changed words in all of them."""
    away: float | None
    """Words between a changed word and the edit, 1 for neighbours: the median."""
    root: Share
    """Clusters with another root."""
    edited: Share
    """Clusters in which the edited word itself changes."""
    beyond: Share
    """Clusters in which another word changes."""
    parts: dict[str, Share]
    """Clusters in which some word's head, label, UPOS or FEATS changes."""
    counts: dict[str, int]
    """Words whose head, label, UPOS or FEATS changes."""
    relabelled: Counter[tuple[str, str]]
    """Words by their label in the largest cluster and in the other one, where these differ."""
    places: dict[str, dict[str, Share]]
    """By distance: the share of the words there that change."""


def altered(batches: Sequence[JudgedBatch], how: BatchSampling) -> Altered:
    """Every cluster but the largest counts once, however many trees it has."""
    some = [[changes for changes in batch.changes if changes.comparable] for batch in batches]
    every = [cluster for few in some for cluster in few]

    def clusters(holds: list[list[bool]]) -> Share:
        return how.share([sum(few) for few in holds], [len(few) for few in holds])

    return Altered(
        clusters=len(every),
        incomparable=sum(not changes.comparable for batch in batches for changes in batch.changes),
        words=sum(len(cluster.changed) for cluster in every),
        away=float(median(away)) if (away := [word.words_away for one in every for word in one.changed]) else None,
        root=clusters([[cluster.root for cluster in few] for few in some]),
        edited=clusters([[any(not word.words_away for word in cluster.changed) for cluster in few] for few in some]),
        beyond=clusters([[any(word.words_away for word in cluster.changed) for cluster in few] for few in some]),
        parts={
            part: clusters([[any(part in word.parts for word in cluster.changed) for cluster in few] for few in some])
            for part in PARTS
        },
        counts={part: sum(part in word.parts for cluster in every for word in cluster.changed) for part in PARTS},
        relabelled=Counter(word.labels for cluster in every for word in cluster.changed if "deprel" in word.parts),
        places={kind: _by_distance(some, kind, number, how) for number, kind in enumerate(LIMITS)},
    )


def _by_distance(some: Sequence[Sequence[Changes]], kind: str, column: int, how: BatchSampling) -> dict[str, Share]:
    limits = LIMITS[kind]
    changed = [[0] * len(limits) for _ in some]
    there = [[0] * len(limits) for _ in some]
    for row, few in enumerate(some):
        for changes in few:
            for place in changes.places:
                if place[column] >= 0:  # a word that no root is above has no depth
                    there[row][_bin(limits, place[column])] += 1
            for word in changes.changed:
                if getattr(word, kind) >= 0:
                    changed[row][_bin(limits, getattr(word, kind))] += 1
    return {
        label: how.share([row[place] for row in changed], [row[place] for row in there])
        for place, label in enumerate(_labels(limits))
        if any(row[place] for row in there)
    }


def _bin(limits: Sequence[int], value: int) -> int:
    return max(place for place, limit in enumerate(limits) if limit <= max(value, limits[0]))


def _labels(limits: Sequence[int]) -> list[str]:
    ends = [str(low) if high == low + 1 else f"{low}-{high - 1}" for low, high in pairwise(limits)]
    return [*ends, f"{limits[-1]}+"]
