"""A batch as a parser did it: which parses are right, which are alike, and what kind of batch that makes.

Right and alike compare columns: no parse has to be a tree for that. A sentence that got no answer is never alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from .answered import BROKEN, FAILED, SEGMENTATION, VariantAnswers
from .aside import aside_right, core_words, without_aside
from .asked import AskedVariants, Case
from .changes import Changes, changes_between
from .clusters import GOLD, BatchParses
from .published import published_reading

RIGHT, WRONG, SAME, OTHER = "right", "wrong", "same as original", "other"
PARSED = "parsed"
"""Of an original that has no gold tree."""
NO_TREE = (BROKEN, SEGMENTATION, FAILED)
"""What has no tree: columns that make none, several sentences, no answer."""
OUTCOMES = (RIGHT, SAME, OTHER, *NO_TREE)
"""Of a variant: the gold tree; wrong in the way the original is; wrong in another way; no tree."""


@dataclass(frozen=True)
class JudgedBatch:
    """One batch, one system, one order of siblings. Lists have an entry for each different value."""

    case: Case
    original: str
    """right, wrong, no tree, wrong segmentation or failed; without gold trees parsed in place of right and wrong."""
    outcomes: Sequence[str]
    cluster_of: Sequence[int]
    """The number of the cluster from 0, the largest first; -1 where nothing came back."""
    original_cluster: int
    """The cluster whose parses are the original's; -1 if there is none."""
    similarities: Sequence[float]
    """NCPTK between all pairs of clusters that are trees."""
    clusters_published: int
    """As the published scripts count clusters and read similarities; see `published`."""
    similarities_published: Sequence[float]
    changes: Sequence[Changes] = ()
    """What each other cluster changes of the largest one."""

    def count(self, *outcomes: str) -> int:
        """Variants with one of these outcomes; a repeated value counts as often as it is there."""
        return sum(n for n, one in zip(self.case.times, self.outcomes, strict=True) if one in outcomes)

    @property
    def size(self) -> int:
        return self.case.size

    def holds(self, measure: str) -> list[bool]:
        """For each different value: is the variant `right`, or is its parse not the original's (`changed`)?

        `changed_least` is `changed` if everything that has no tree had got the tree that is most often there,
        `changed_most` if it had got a tree of its own.
        """
        if measure == "right":
            return [outcome == RIGHT for outcome in self.outcomes]
        if measure == "changed":
            return [cluster < 0 or cluster != self.original_cluster for cluster in self.cluster_of]
        kept, most = self.original_cluster, measure == "changed_most"
        if self.original in NO_TREE:
            kept = -1 if most or not self._trees else self._trees.most_common(1)[0][0]
        pairs = zip(self.outcomes, self.cluster_of, strict=True)
        return [most if outcome in NO_TREE else cluster != kept for outcome, cluster in pairs]

    def total(self, measure: str) -> int:
        """How many variants are so; a repeated value counts as often as it is there."""
        return sum(n for n, holds in zip(self.case.times, self.holds(measure), strict=True) if holds)

    @cached_property
    def right(self) -> int:
        return self.total("right")

    @cached_property
    def _trees(self) -> Counter[int]:
        """How many variants with a tree each cluster has."""
        counts = Counter[int]()
        for n, cluster, outcome in zip(self.case.times, self.cluster_of, self.outcomes, strict=True):
            if outcome not in NO_TREE:
                counts[cluster] += n
        return counts

    @property
    def comparable(self) -> bool:
        """Are there at least two different variants? One alone is always consistent."""
        return len(self.case.values) > 1

    @property
    def consistent(self) -> bool:
        """One parse for all variants, right or wrong."""
        return set(self.cluster_of) == {0}

    @property
    def consistent_least(self) -> bool:
        """One tree for all variants."""
        return self.consistent and self._trees.total() == self.size

    @property
    def consistent_most(self) -> bool:
        """One tree for all variants that have a tree."""
        return len(self._trees) < 2

    @property
    def complete(self) -> bool:
        """All variants are right (Q1)."""
        return self.right == self.size

    @property
    def consistent_errors(self) -> bool:
        """Not all right, but all alike (Q3)."""
        return self.consistent and not self.complete

    @property
    def inconsistent(self) -> bool:
        """Several clusters: what Q4 and Q5 are about."""
        return len(self.clusters) > 1

    @property
    def inconsistent_published(self) -> bool:
        """The same for the published scripts, which leave out what has no tree."""
        return self.original not in NO_TREE and len(self._trees) > 1

    @cached_property
    def clusters(self) -> list[list[int]]:
        """The variants (places among the different values, repeated as often as the value) by cluster.

        What got no answer is a cluster too, the last one.
        """
        return _members(self.cluster_of, self.case.times)


def judge(
    asked: AskedVariants, answers: VariantAnswers, orders: Sequence[str] = ("surface",)
) -> dict[str, list[JudgedBatch]]:
    """All batches by order of siblings."""
    judged: dict[str, list[JudgedBatch]] = {order: [] for order in orders}
    for case in asked.cases:
        places = (case.original, *case.variants)
        parses = parses_of(asked, answers, case, range(len(places)))
        faults = [answers.answers[place].fault for place in places]
        for order in orders:
            judged[order].append(_judged(case, parses, faults, order, asked.has_gold))
    return judged


def parses_of(asked: AskedVariants, answers: VariantAnswers, case: Case, members: Sequence[int]) -> BatchParses:
    """The parses of some members of a batch (0 is the original), without words that not all members have."""
    places = [(case.original, *case.variants)[member] for member in members]
    gold = [asked.treebank.block(place) for place in places]
    parsed = [answers.answers[place].conllu for place in places]
    if not case.asides:
        return BatchParses(gold, parsed)
    asides = [case.asides[member] for member in members]
    whole = [aside_right(*three) for three in zip(parsed, gold, asides, strict=True)]
    parsed = [without_aside(*three) for three in zip(parsed, gold, asides, strict=True)]
    gold = [without_aside(*three) for three in zip(gold, gold, asides, strict=True)]
    return BatchParses(gold, parsed, whole)


def _judged(case: Case, parses: BatchParses, faults: Sequence[str], order: str, has_gold: bool) -> JudgedBatch:
    classes = parses.classes(order)
    right = [has_gold and own == GOLD and parses.is_whole(number) for number, own in enumerate(classes)]
    original = faults[0] or (RIGHT if right[0] else WRONG if has_gold else PARSED)
    outcomes = [
        fault or (RIGHT if is_right else SAME if own == classes[0] else OTHER)
        for own, fault, is_right in zip(classes[1:], faults[1:], right[1:], strict=True)
    ]
    cluster_of, original_cluster = _numbered(classes, case.times)
    clusters = _members(cluster_of, case.times)
    first = [some[0] + 1 for some in clusters if cluster_of[some[0]] >= 0]  # a parse of each
    similarities, published = _similar(case, parses, cluster_of, first, order)
    changed = list[Changes]()
    if order == "surface" and len(first) > 1:
        words = case.batch.words
        if case.asides:
            words = core_words(words, case.asides[0], len(case.batch.sentence))
        changed = changes_between(parses, first, list(map(len, clusters)), words)
    return JudgedBatch(case, original, outcomes, cluster_of, original_cluster, similarities, *published, changed)


def _similar(
    case: Case, parses: BatchParses, cluster_of: Sequence[int], first: Sequence[int], order: str
) -> tuple[list[float], tuple[int, list[float]]]:
    """NCPTK between all clusters that are trees, and what the published scripts make of it."""
    trees = [cluster for cluster, number in enumerate(first) if parses.is_tree(number)]
    if len(trees) < 2:
        return [], (0, [])
    similarity = parses.kernel([first[cluster] for cluster in trees], order)
    pairs = [float(similarity[a, b]) for a, b in combinations(range(len(trees)), 2)]
    number_of = dict(zip(case.values, cluster_of, strict=True))
    variants = [number_of[variant.value] for variant in case.batch.variants]
    return pairs, published_reading([trees.index(cluster) for cluster in variants if cluster in trees], similarity)


def _numbered(classes: Sequence[int | None], times: Sequence[int]) -> tuple[list[int], int]:
    """Clusters numbered by size; of equal ones that with the original's parse comes first, then the first to occur."""
    sizes: dict[int, int] = {}
    for own, count in zip(classes[1:], times, strict=True):
        if own is not None:
            sizes[own] = sizes.get(own, 0) + count
    ranked = sorted(sizes, key=lambda own: (-sizes[own], own != classes[0]))  # stable: by first occurrence
    number: dict[int | None, int] = {own: place for place, own in enumerate(ranked)}
    return [number.get(own, -1) for own in classes[1:]], number.get(classes[0], -1)


def _members(cluster_of: Sequence[int], times: Sequence[int]) -> list[list[int]]:
    """The variants of each cluster; those without an answer last."""
    members: list[list[int]] = [[] for _ in range(max(cluster_of, default=-1) + 2)]
    for place, (cluster, count) in enumerate(zip(cluster_of, times, strict=True)):
        members[cluster] += [place] * count
    return [some for some in members if some]
