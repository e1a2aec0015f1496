"""Accuracy and error classes of groups of items, and systems paired on the same items; sentences are the clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...phrase.tree import PhraseTree
from ...runs.result.result import Value
from ...stats.sampling import Clusters, Difference, Estimate, share, share_difference
from ...suites.constructions.model import PHENOMENA, ConstructionItem, ConstructionSuite, table_of
from ..engine.grouping import ColumnGroups
from .error_classes import CLASSES, NOPARSE, RIGHT, SHOWN, UNDECIDED, ConstructionVerdict
from .judging import JudgedConstructions

Key = tuple[tuple[str, Value], ...]


def sentence_of(suite: str, tree: PhraseTree) -> str:
    """What an item was sampled with: its sentence. The pairs of one coordination, and its PPs, are one cluster."""
    return " ".join((suite, *tree.words))


def clusters_of(sentences: Sequence[str], independent: bool = False) -> Clusters:
    """The sentences of items as clusters; `independent`: each item for itself."""
    return Clusters.independent(len(sentences)) if independent else Clusters.of(sentence=np.array(sentences))


def suite_clusters(suites: Sequence[ConstructionSuite], independent: bool = False) -> Clusters:
    """Of all different items of suites: both halves of a parallel suite have the same."""
    items = {(suite.name, item.item): sentence_of(suite.name, item.tree) for suite in suites for item in suite.items}
    return clusters_of(list(items.values()), independent)


@dataclass(frozen=True)
class ConstructionTally:
    """The items of one system in one group."""

    suite: str
    system: str
    by: Key
    verdicts: tuple[ConstructionVerdict, ...]
    sentences: tuple[str, ...]
    """The cluster of each item."""

    @property
    def counts(self) -> Counter[str]:
        """Items by primary class; right, shown, noparse and n/a among them."""
        return Counter(verdict.primary for verdict in self.verdicts)

    @property
    def held(self) -> Counter[str]:
        """Items for which a class holds, be it the primary one or not."""
        return Counter(code for verdict in self.verdicts for code in verdict.codes)

    @property
    def items(self) -> int:
        return len(self.verdicts)

    @property
    def n(self) -> int:
        """Items that are judged: all but n/a."""
        return sum(verdict.primary != UNDECIDED for verdict in self.verdicts)

    def share(self, *names: str, independent: bool = False) -> Estimate | None:
        """The share of the judged items in these classes; None if there are none."""
        if not self.n or UNDECIDED in names:
            return None
        asked = np.array([verdict.primary != UNDECIDED for verdict in self.verdicts])
        named = np.array([verdict.primary in names for verdict in self.verdicts])
        return share(named, asked, clusters_of(self.sentences, independent))


@dataclass(frozen=True, slots=True)
class AccuracyDifference:
    """Accuracy of `system` minus that of `baseline` on the same items."""

    baseline: str
    system: str
    phenomenon: str
    """Empty: all."""
    n: int
    first_only: int
    second_only: int
    test: Difference


def tallies(judged: Sequence[JudgedConstructions]) -> list[ConstructionTally]:
    """For each system: all items, then those of each phenomenon and of each variant."""
    made = []
    for performance in judged:
        suite = performance.suite
        groups: dict[Key, list[tuple[ConstructionVerdict, str]]] = {(): [], (("scheme", suite.scheme),): []}
        groups |= {_key(suite, phenomenon): [] for phenomenon in PHENOMENA}
        for item, verdict in zip(suite.items, performance.verdicts, strict=True):
            for key in _keys(suite, item):
                groups.setdefault(key, []).append((verdict, sentence_of(suite.name, item.tree)))
        for key, members in groups.items():
            if members:
                verdicts, sentences = zip(*members, strict=True)
                made.append(ConstructionTally(suite.name, performance.system, key, verdicts, sentences))
    return made


def column_tallies(judged: Sequence[JudgedConstructions], by: ColumnGroups) -> list[ConstructionTally]:
    """For each system: the items of each group by columns, over all its suites."""
    suites = list({id(performance.suite): performance.suite for performance in judged}.values())
    starts = dict(zip(map(id, suites), np.cumsum([0, *map(len, suites)]).tolist(), strict=False))
    made = []
    for system in dict.fromkeys(performance.system for performance in judged):
        own = [performance for performance in judged if performance.system == system]
        names = ", ".join(dict.fromkeys(performance.suite.name for performance in own))
        answers = [
            (starts[id(performance.suite)] + place, verdict, sentence_of(performance.suite.name, item.tree))
            for performance in own
            for place, (item, verdict) in enumerate(zip(performance.suite.items, performance.verdicts, strict=True))
        ]
        for keys, inside in zip(by.groups, by.members, strict=True):
            members = [(verdict, sentence) for place, verdict, sentence in answers if inside[place]]
            if members:
                verdicts, sentences = zip(*members, strict=True)
                made.append(ConstructionTally(names, system, tuple(keys.items()), verdicts, sentences))
    return made


def together(counted: Sequence[ConstructionTally]) -> list[ConstructionTally]:
    """The phenomena over all suites of a system, for systems that have several."""
    suites: dict[str, list[str]] = {}
    for tally in counted:
        if not tally.by:
            suites.setdefault(tally.system, []).append(tally.suite)
    pooled = []
    for system, names in suites.items():
        for phenomenon in PHENOMENA if len(names) > 1 else ():
            key = ("phenomenon", phenomenon)
            parts = [tally for tally in counted if tally.system == system and tally.by[1:] == (key,)]
            if parts:
                verdicts = tuple(verdict for part in parts for verdict in part.verdicts)
                sentences = tuple(sentence for part in parts for sentence in part.sentences)
                pooled.append(ConstructionTally(", ".join(names), system, (key,), verdicts, sentences))
    return pooled


def _keys(suite: ConstructionSuite, item: ConstructionItem) -> list[Key]:
    """The groups that an item is in."""
    own = _key(suite, item.construction.phenomenon)
    variant = item.construction.variant
    return [(), own[:1], own, *([(*own, ("variant", variant))] if variant else [])]


def _key(suite: ConstructionSuite, phenomenon: str) -> Key:
    return (("scheme", suite.scheme), ("phenomenon", phenomenon))


def classes_of(tally: ConstructionTally) -> list[str]:
    """The classes that a group can have, in the order of the paper's table."""
    phenomenon = dict(tally.by).get("phenomenon")
    return [RIGHT, SHOWN, *(CLASSES[table_of(str(phenomenon))] if phenomenon else ()), NOPARSE, UNDECIDED]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system made of an item."""

    phenomenon: str
    sentence: str
    right: bool


Answers = dict[str, dict[tuple[str, str, tuple[str, ...]], Answer]]
"""By system; then by suite, item, and the classes that its trees do not let tell."""


def differences(judged: Sequence[JudgedConstructions], *, independent: bool = False) -> list[AccuracyDifference]:
    """Each system against the first, on the items that both were asked the same of, in whichever scheme."""
    answers: Answers = {}
    for performance in judged:
        own, suite = answers.setdefault(performance.system, {}), performance.suite.name
        for item, verdict in zip(performance.suite.items, performance.verdicts, strict=True):
            if verdict.primary != UNDECIDED:  # an item that one system shows in full and the other in part is two
                answer = Answer(item.construction.phenomenon, sentence_of(suite, item.tree), verdict.right)
                own[suite, item.item, verdict.hidden] = answer
    if len(answers) < 2:
        return []
    baseline, *others = answers
    return [
        difference
        for system in others
        for phenomenon in ("", *PHENOMENA)
        for difference in _difference(answers, baseline, system, phenomenon, independent)
    ]


def _difference(
    answers: Answers, baseline: str, system: str, phenomenon: str, independent: bool
) -> Iterator[AccuracyDifference]:
    ours, theirs = answers[baseline], answers[system]
    shared = [key for key in ours if key in theirs and phenomenon in ("", ours[key].phenomenon)]
    if not shared:
        return
    first, second = (np.array([side[key].right for key in shared], dtype=np.int64) for side in (ours, theirs))
    ones = np.ones(len(shared), dtype=np.int64)
    clusters = clusters_of([ours[key].sentence for key in shared], independent)
    test = share_difference((first, ones), (second, ones), clusters)
    only = int((first > second).sum()), int((second > first).sum())
    yield AccuracyDifference(baseline, system, phenomenon, len(shared), *only, test)
