"""Accuracy and error classes of groups of items, and systems compared on the same items or on two samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from ...phrase.schemes.registry import scheme as known_scheme
from ...phrase.tree import PhraseTree
from ...runs.result.result import Value
from ...stats.sampling import Clusters, Difference, Estimate, share, share_difference
from ...stats.two_samples import independent_share_difference
from ...suites.constructions.model import PHENOMENA, ConstructionItem, ConstructionSuite, table_of
from ..engine.grouping import ColumnGroups
from .error_classes import CLASSES, NOPARSE, ONLY_WITH_FIELDS, RIGHT, SHOWN, UNDECIDED, ConstructionVerdict
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
    items = {(sentence_of(suite.name, item.tree), item.item): None for suite in suites for item in suite.items}
    return clusters_of([sentence for sentence, _ in items], independent)


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict on an item of one system."""

    suite: str
    scheme: str
    item: ConstructionItem
    verdict: ConstructionVerdict
    place: int
    """The number of the item among those of all suites."""

    @property
    def phenomenon(self) -> str:
        return self.item.construction.phenomenon

    @property
    def sentence(self) -> str:
        return sentence_of(self.suite, self.item.tree)


def answers_of(judged: Sequence[JudgedConstructions]) -> dict[str, list[Answer]]:
    """The answers of each system, suite by suite."""
    suites = {id(performance.suite): performance.suite for performance in judged}
    begins = dict(zip(suites, accumulate(map(len, suites.values()), initial=0), strict=False))
    answers: dict[str, list[Answer]] = {}
    for performance in judged:
        suite, begin = performance.suite, begins[id(performance.suite)]
        pairs = zip(suite.items, performance.verdicts, strict=True)
        answers.setdefault(performance.system, []).extend(
            Answer(suite.name, suite.scheme, item, verdict, begin + at) for at, (item, verdict) in enumerate(pairs)
        )
    return answers


@dataclass(frozen=True)
class ConstructionTally:
    """The items of one system in one group."""

    system: str
    by: Key
    answers: Sequence[Answer]

    @property
    def suite(self) -> str:
        return ", ".join(dict.fromkeys(answer.suite for answer in self.answers))

    @property
    def verdicts(self) -> list[ConstructionVerdict]:
        return [answer.verdict for answer in self.answers]

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
        return share(named, asked, clusters_of([answer.sentence for answer in self.answers], independent))


@dataclass(frozen=True, slots=True)
class AccuracyDifference:
    """Accuracy of `system`, or its share of an error class, minus that of `baseline`.

    Both were judged on the same items, or each on its own sample of other sentences.
    """

    baseline: str
    system: str
    phenomenon: str
    """Empty: all."""
    n: int
    test: Difference
    code: str = ""
    """The error class; empty: accuracy."""
    only: tuple[int, int] | None = None
    """Items that only the first system, and only the second, gets right; None where the items differ."""


def tallies(judged: Sequence[JudgedConstructions]) -> list[ConstructionTally]:
    """For each system and suite: all items, then those of each phenomenon and of each variant.

    For systems with several suites also the phenomena over all of them, last.
    """
    made, pooled = list[ConstructionTally](), list[ConstructionTally]()
    for system, answers in answers_of(judged).items():
        suites = list(dict.fromkeys((answer.suite, answer.scheme) for answer in answers))
        for suite in suites:
            own = [answer for answer in answers if (answer.suite, answer.scheme) == suite]
            groups: dict[Key, list[Answer]] = {(): own, (scheme := ("scheme", suite[1]),): own}
            groups |= {(scheme, ("phenomenon", name)): [] for name in PHENOMENA}
            for answer in own:
                key = scheme, ("phenomenon", answer.phenomenon)
                groups[key].append(answer)
                if variant := answer.item.construction.variant:
                    groups.setdefault((*key, ("variant", variant)), []).append(answer)
            made += [ConstructionTally(system, key, members) for key, members in groups.items() if members]
        for name in PHENOMENA if len(suites) > 1 else ():
            if part := [answer for answer in answers if answer.phenomenon == name]:
                pooled.append(ConstructionTally(system, (("phenomenon", name),), part))
    return [*made, *pooled]


def column_tallies(judged: Sequence[JudgedConstructions], by: ColumnGroups) -> list[ConstructionTally]:
    """For each system: the items of each group by columns, over all its suites."""
    return [
        ConstructionTally(system, tuple(keys.items()), members)
        for system, answers in answers_of(judged).items()
        for keys, inside in zip(by.groups, by.members, strict=True)
        if (members := [answer for answer in answers if inside[answer.place]])
    ]


def classes_of(tally: ConstructionTally) -> list[str]:
    """The classes that a group can have, in the order of the paper's table."""
    phenomenon = dict(tally.by).get("phenomenon")
    return [RIGHT, SHOWN, *(CLASSES[table_of(str(phenomenon))] if phenomenon else ()), NOPARSE, UNDECIDED]


Answers = dict[tuple[str, str, tuple[str, ...]], Answer]
"""The answers of one system by sentence (with its suite), item, and the classes that its trees do not let tell.

Names of items alone do not do: two suites that were generated have the same names for different sentences."""


def differences(judged: Sequence[JudgedConstructions], *, independent: bool = False) -> list[AccuracyDifference]:
    """Each system against the first, on the items on which both were judged for the same, in whichever scheme.

    Systems that share no item, such as one of each treebank, are compared as two samples of sentences.
    """
    # An item that one system shows in full and the other in part is two.
    answers: dict[str, Answers] = {
        system: {(a.sentence, a.item.item, a.verdict.hidden): a for a in given if a.verdict.primary != UNDECIDED}
        for system, given in answers_of(judged).items()
    }
    baseline, *others = answers
    made: list[AccuracyDifference] = []
    for system in others:
        first, second = answers[baseline], answers[system]
        shares_items = {key[:2] for key in first} & {key[:2] for key in second}
        compared = _paired if shares_items else _unpaired
        made += compared(first, second, baseline, system, independent)
    return made


def _paired(
    first: Answers, second: Answers, baseline: str, system: str, independent: bool
) -> Iterator[AccuracyDifference]:
    for phenomenon in ("", *PHENOMENA):
        shared = [key for key in first if key in second and phenomenon in ("", first[key].phenomenon)]
        if not shared:
            continue
        one, two = (np.array([side[key].verdict.right for key in shared], dtype=np.int64) for side in (first, second))
        ones = np.ones(len(shared), dtype=np.int64)
        clusters = clusters_of([first[key].sentence for key in shared], independent)
        test = share_difference((one, ones), (two, ones), clusters)
        only = int((one > two).sum()), int((two > one).sum())
        yield AccuracyDifference(baseline, system, phenomenon, len(shared), test, only=only)


def _unpaired(
    first: Answers, second: Answers, baseline: str, system: str, independent: bool
) -> Iterator[AccuracyDifference]:
    """Accuracy, then the error classes that both schemes have; what trees of one side cannot show is left out."""
    asked = [{(answer.phenomenon, key[2]) for key, answer in side.items()} for side in (first, second)]
    both = asked[0] & asked[1]
    kept = [[a for key, a in side.items() if (a.phenomenon, key[2]) in both] for side in (first, second)]
    has_fields = all(known_scheme(answer.scheme).fields is not None for side in kept for answer in side)
    for phenomenon in ("", *PHENOMENA):
        one, two = ([answer for answer in side if phenomenon in ("", answer.phenomenon)] for side in kept)
        if not (one and two):
            continue
        head, n = (baseline, system, phenomenon), len(one) + len(two)
        yield AccuracyDifference(*head, n, _between(one, two, (RIGHT, SHOWN), independent))
        for code in CLASSES[table_of(phenomenon)] if phenomenon not in ("", "cuc") else ():
            made = any(answer.verdict.primary == code for answer in (*one, *two))
            if made and (has_fields or (phenomenon, code) != ONLY_WITH_FIELDS):
                yield AccuracyDifference(*head, n, _between(one, two, (code,), independent), code)


def _between(one: Sequence[Answer], two: Sequence[Answer], names: Sequence[str], independent: bool) -> Difference:
    """Compare the shares of these classes in two samples; each phenomenon counts as much in one as in the other."""
    first, second = ([answer.verdict.primary in names for answer in side] for side in (one, two))
    clusters = [clusters_of([answer.sentence for answer in side], independent) for side in (one, two)]
    strata = [[answer.phenomenon for answer in side] for side in (one, two)]
    return independent_share_difference(first, second, (clusters[0], clusters[1]), (strata[0], strata[1]))
