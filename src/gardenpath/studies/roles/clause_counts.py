"""Clauses of a treebank, counted by order, pattern, kind of arguments, clues and definiteness, as findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.result.layout import FindingIndex
from ...runs.result.result import Finding, Value
from ...stats.sampling import Clusters, share_difference
from ..engine.corrections import difference_findings
from .arcs import JudgedArcs
from .case_clues import CLUES, case_clues, shown_clues
from .clauses import (
    CLAUSE_TYPES,
    CORE,
    DEFINITENESS,
    KINDS,
    ORDERS,
    PATTERNS,
    Clauses,
    argument_kinds,
    definiteness,
    marks_definiteness,
    missing_kinds,
)
from .declaration import STUDY
from .scores import share_numbers

_MEASURES = ("las", "uas", "label")


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Clauses that are counted together; `within` is the group whose clauses make 100 per cent."""

    by: Mapping[str, Value]
    inside: NDArray[np.bool_]
    within: int = 0


class ClauseCounts:
    """Clauses of all groups, and what systems have right of their arcs, by the sentence they are in."""

    def __init__(self, clauses: Clauses, judged: Mapping[str, JudgedArcs], clusters: Clusters) -> None:
        self.suite = PurePath(clauses.treebank.name).name
        self.clauses, self.judged, self.clusters = clauses, judged, clusters
        self.groups = _groups(clauses)
        self.sizes = self._by_sentence(np.ones(len(clauses), dtype=np.int64))

    def _by_sentence(self, counts: NDArray[Any]) -> NDArray[Any]:
        """(sentences × groups): the sums of what each clause has."""
        sentences = len(self.clauses.treebank)
        sums = [np.bincount(self.clauses.sentence, counts * group.inside, sentences) for group in self.groups]
        return np.stack(sums, axis=1)

    def findings(self) -> list[Finding]:
        """Counts and shares, which are of gold and have no system, and the scores of the systems."""
        findings, totals = list[Finding](), self.sizes.sum(axis=0).astype(int).tolist()
        whole = self.sizes[:, [group.within for group in self.groups]]
        for number, (group, share) in enumerate(
            zip(self.groups, share_numbers(self.sizes, whole, self.clusters), strict=True)
        ):
            findings.append(Finding(STUDY, self.suite, "", "clauses", totals[number], share[1], by=group.by))
            findings.append(Finding(STUDY, self.suite, "", "share", *share, group.by))
        for system, arcs in self.judged.items():
            for measure, right in zip(_MEASURES, (arcs.right, arcs.head_right, arcs.label_right), strict=True):
                of_clause = right.reshape(-1, 2).sum(axis=1)
                scores = share_numbers(self._by_sentence(of_clause), 2 * self.sizes, self.clusters)
                for group, score in zip(self.groups, scores, strict=True):
                    findings.append(Finding(STUDY, self.suite, system, measure, *score, group.by))
        return [*findings, *self._lead(), *_correlations(findings)]

    def _lead(self) -> list[Finding]:
        """By how many points the most frequent order is ahead of the next one, with the p of no difference.

        To compare the winner with the runner-up alone, at both sides, is a valid test of which is the first.
        """
        orders = [number for number, group in enumerate(self.groups) if list(group.by) == ["order"]]
        totals = self.sizes.sum(axis=0)
        first, second = sorted(orders, key=lambda number: -totals[number])[:2]
        whole = self.sizes[:, self.groups[first].within]
        lead = share_difference((self.sizes[:, second], whole), (self.sizes[:, first], whole), self.clusters)
        by = {**self.groups[first].by, "than": self.groups[second].by["order"]}
        head = (STUDY, self.suite, "")
        return list(difference_findings(head, "share_lead", "share_lead_p", lead, by, int(whole.sum())))


def _correlations(findings: list[Finding]) -> list[Finding]:
    """Are frequent orders parsed better? Over the orders that occur; few points, so wide intervals."""
    from ...stats.correlation import correlation_p, fisher_interval, pearson, spearman

    index, correlations = FindingIndex(findings), list[Finding]()
    orders = [
        finding.by
        for finding in findings
        if finding.measure == "clauses" and list(finding.by) == ["order"] and finding.value
    ]
    n = len(orders)
    for system in index.systems:
        shares, scores = (
            np.array([finding.value for by in orders if (finding := index.get(measure, name, by))], dtype=np.float64)
            for measure, name in (("share", ""), ("las", system))
        )
        try:
            rank = spearman(shares, scores)
        except UsageError:
            continue  # fewer than four orders, or all the same: there is no correlation to report
        straight = pearson(shares, scores)
        low, high = fisher_interval(straight, n)
        kinds = {"spearman": (rank.value, rank.low, rank.high, rank.p)}
        kinds["pearson"] = (straight, low, high, correlation_p(straight, n))
        head = (STUDY, findings[0].suite, system)
        for kind, (value, low, high, p) in kinds.items():
            by: dict[str, Value] = {"correlation": kind}
            correlations += [
                Finding(*head, "frequency_las_correlation", value, n, low, high, by),
                Finding(*head, "frequency_las_correlation_p", p, n, by=by),
            ]
    return correlations


def _groups(clauses: Clauses) -> list[_Group]:
    """Clauses by order, pattern, place of the verb, clues and definiteness; then all kinds of arguments.

    Passive, expletive and clausal arguments are in the last groups alone.
    """
    kinds = argument_kinds(clauses)
    core = kinds < CORE
    groups = [_Group({}, core)]
    for key, names, codes in (
        ("order", ORDERS, clauses.order),
        ("pattern", PATTERNS, clauses.pattern),
        ("clause", CLAUSE_TYPES, clauses.clause_type),
        ("clue", CLUES, case_clues(clauses)),
    ):
        shown = shown_clues(clauses.treebank) if names is CLUES else names
        groups += [_Group({key: name}, core & (codes == code)) for code, name in enumerate(names) if name in shown]
    if marks_definiteness(clauses.treebank):
        groups += _by_definiteness(clauses, core, len(groups))
    whole = len(groups)
    groups.append(_Group({"kind": "all"}, np.ones(len(clauses), dtype=bool), whole))
    missing = missing_kinds(clauses.treebank)
    for code, name in enumerate(KINDS):
        if name in missing:
            continue
        within = len(groups)
        groups.append(_Group({"kind": name}, kinds == code, whole))
        groups += [
            _Group({"kind": name, "order": order}, (kinds == code) & (clauses.order == number), within)
            for number, order in enumerate(ORDERS)
        ]
    return groups


def _by_definiteness(clauses: Clauses, core: NDArray[np.bool_], begin: int) -> list[_Group]:
    """Of the subject, and of subject and object, of which each subject's make 100 per cent."""
    subject, obj = (definiteness(clauses.treebank, words) for words in (clauses.subject, clauses.object))
    groups: list[_Group] = []
    for code, name in enumerate(DEFINITENESS):
        inside = core & (subject == code)
        if not inside.any():
            continue
        within = begin + len(groups)
        groups.append(_Group({"subject": name}, inside))
        groups += [
            _Group({"subject": name, "object": object_name}, inside & (obj == object_code), within)
            for object_code, object_name in enumerate(DEFINITENESS)
        ]
    return groups
