"""A batch as a parser did it: which trees are right, which are alike, and what kind of batch that makes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from .answered import SEGMENTATION, VariantAnswers
from .asked import AskedVariants, Case
from .changes import Changes, changes_between
from .clusters import BatchTrees, published_clusters

RIGHT, WRONG, SAME, OTHER, FAILED = "right", "wrong", "same as original", "other", "failed"
OUTCOMES = (RIGHT, SAME, OTHER, SEGMENTATION, FAILED)
"""Of a variant: the gold tree; wrong in the way the original is; wrong in another way; no tree."""


@dataclass(frozen=True)
class JudgedBatch:
    """One batch, one system, one order of siblings. Lists have an entry for each different value."""

    case: Case
    original: str
    """right, wrong, wrong segmentation or failed: the last two are not considered, as in the paper."""
    outcomes: Sequence[str]
    cluster_of: Sequence[int]
    """The number of the cluster from 0, the largest first; -1 where there is no tree."""
    original_cluster: int
    """The cluster whose trees are the original's; -1 if there is none."""
    similarities: Sequence[float]
    """NCPTK between all pairs of clusters, of batches with inconsistent errors."""
    similarities_published: Sequence[float]
    changes: Sequence[Changes] = ()
    """What each other cluster changes of the largest one."""

    @property
    def considered(self) -> bool:
        """The original has a tree, and so has at least one variant."""
        return self.original in (RIGHT, WRONG) and self.trees > 0

    def count(self, *outcomes: str) -> int:
        """Variants with one of these outcomes; a repeated value counts as often as it is there."""
        return sum(n for n, one in zip(self.case.times, self.outcomes, strict=True) if one in outcomes)

    @cached_property
    def trees(self) -> int:
        return self.count(RIGHT, SAME, OTHER)

    @cached_property
    def right(self) -> int:
        return self.count(RIGHT)

    @property
    def changed(self) -> int:
        """Variants whose tree is not the original's."""
        pairs = zip(self.case.times, self.cluster_of, strict=True)
        return sum(n for n, cluster in pairs if cluster >= 0 and cluster != self.original_cluster)

    @property
    def comparable(self) -> bool:
        """Are there at least two different variants with a tree? One alone is always consistent."""
        return self.considered and sum(cluster >= 0 for cluster in self.cluster_of) > 1

    @property
    def complete(self) -> bool:
        """All that have a tree have the right one (Q1)."""
        return self.right == self.trees

    @property
    def consistent_errors(self) -> bool:
        """Not all right, but all alike (Q3)."""
        return not self.complete and len(self.clusters) == 1

    @property
    def inconsistent(self) -> bool:
        """Not all alike: what Q4 and Q5 are about."""
        return len(self.clusters) > 1

    @cached_property
    def clusters(self) -> list[list[int]]:
        """The variants (places among the different values, repeated as often as the value) by cluster."""
        found: dict[int, list[int]] = defaultdict(list)
        for place, (cluster, times) in enumerate(zip(self.cluster_of, self.case.times, strict=True)):
            if cluster >= 0:
                found[cluster] += [place] * times
        return [found[number] for number in sorted(found)]

    @cached_property
    def clusters_published(self) -> int:
        return len(published_clusters(self.clusters))


def judge(
    asked: AskedVariants, answers: VariantAnswers, orders: Sequence[str] = ("surface",)
) -> dict[str, list[JudgedBatch]]:
    """All batches by order of siblings."""
    found: dict[str, list[JudgedBatch]] = {order: [] for order in orders}
    for case in asked.cases:
        places = (case.original, *case.variants)
        gold = [asked.treebank.block(place) for place in places]
        trees = BatchTrees(gold, [answers.answers[place].conllu or None for place in places])
        for order in orders:
            found[order].append(_judged(case, trees, answers, order))
    return found


def _judged(case: Case, trees: BatchTrees, answers: VariantAnswers, order: str) -> JudgedBatch:
    classes = trees.classes(order)
    places = (case.original, *case.variants)
    own = [classes[trees.places[number]] if number in trees.places else None for number in range(len(places))]
    original = _state(answers, case.original, own[0] == classes[0], WRONG)
    outcomes = [
        _state(answers, place, own[number] == classes[number], SAME if own[number] == own[0] else OTHER)
        for number, place in enumerate(case.variants, 1)
    ]
    cluster_of, original_cluster = _numbered(own, case.times)
    members = _members(cluster_of, case.times)
    alike, published = list[float](), list[float]()
    changed = list[Changes]()
    if len(members) > 1:
        first = [some[0] + 1 for some in members]
        alike = trees.similarities(first, order)
        counted = [some[0] + 1 for some in published_clusters(members)]
        published = [round(value, 4) for value in trees.similarities(counted, order)]
        if order == "surface":
            changed = changes_between(trees, first, [len(some) for some in members], case.batch.words)
    return JudgedBatch(case, original, outcomes, cluster_of, original_cluster, alike, published, changed)


def _state(answers: VariantAnswers, place: int, right: bool, otherwise: str) -> str:
    problem = answers.answers[place].problem
    if problem:
        return SEGMENTATION if problem == SEGMENTATION else FAILED
    return RIGHT if right else otherwise


def _numbered(own: Sequence[int | None], times: Sequence[int]) -> tuple[list[int], int]:
    """Clusters numbered by size; of equal ones that with the original's tree comes first, then the first to occur."""
    sizes: dict[int, int] = {}
    for one, count in zip(own[1:], times, strict=True):
        if one is not None:
            sizes[one] = sizes.get(one, 0) + count
    ranked = sorted(sizes, key=lambda one: (-sizes[one], one != own[0]))  # stable: by first occurrence
    number = {one: place for place, one in enumerate(ranked)}
    found = [-1 if one is None else number[one] for one in own[1:]]
    return found, number.get(own[0], -1) if own[0] is not None else -1


def _members(cluster_of: Sequence[int], times: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in range(max(cluster_of, default=-1) + 1)]
    for place, (cluster, count) in enumerate(zip(cluster_of, times, strict=True)):
        if cluster >= 0:
            found[cluster] += [place] * count
    return found
