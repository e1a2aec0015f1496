"""Clauses of a treebank, counted by order, pattern, place of the verb and definiteness, as findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ...runs.layout import FindingIndex
from ...runs.result import Finding, Value
from ...stats.pooled import Floats, Pool, intervals, ratios
from .arcs import JudgedArcs
from .clauses import CLAUSE_TYPES, ORDERS, PATTERNS, Clauses
from .definiteness import DEFINITENESS, definiteness
from .settings import STUDY

Range = tuple[float, float] | tuple[None, None]
_MEASURES = ("las", "uas", "label")


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Clauses that are counted together; `within` is the group whose clauses make 100 per cent."""

    by: Mapping[str, Value]
    inside: NDArray[np.bool_]
    within: int = 0


class ClauseCounts:
    """Counts of all groups per sentence, resampled together: sentences are what was sampled."""

    def __init__(self, clauses: Clauses, judged: Mapping[str, JudgedArcs], draws: int, seed: int) -> None:
        self.suite, self.systems = PurePath(clauses.treebank.name).name, list(judged)
        self.groups = _groups(clauses)
        per_clause = [np.ones(len(clauses), dtype=np.int64)]
        for arcs in judged.values():
            for right in (arcs.right, arcs.head_right, arcs.label_right):  # in the order of _MEASURES
                per_clause.append(right.reshape(-1, 2).sum(axis=1))
        _, sentence = np.unique(clauses.sentence, return_inverse=True)
        sentence = sentence.reshape(-1)
        columns = [
            np.bincount(sentence, column * group.inside, minlength=int(sentence.max()) + 1).astype(np.int64)
            for group in self.groups
            for column in per_clause
        ]
        counts = np.stack(columns, axis=1)
        shape = (len(self.groups), len(per_clause))
        self.sums = counts.sum(axis=0).reshape(shape)
        self.drawn: Floats | None = None
        if draws:
            pool = Pool.of(np.zeros(len(counts), dtype=np.int64), counts)
            self.drawn = pool.drawn_sums(np.ones((1, 1), dtype=bool), draws, seed).reshape(draws, *shape)

    def share(self, sums: NDArray[Any]) -> Floats:
        """Per cent of the clauses of the group that each group is part of."""
        within = [group.within for group in self.groups]
        return ratios(sums[..., 0], sums[..., within, 0])

    def score(self, sums: NDArray[Any], place: int, measure: str) -> Floats:
        """Per cent of the arcs of subject and object."""
        right = sums[..., 1 + len(_MEASURES) * place + _MEASURES.index(measure)]
        return ratios(right, 2 * sums[..., 0])

    def findings(self) -> list[Finding]:
        """Counts and shares, which are of gold and have no system, and the scores of the systems."""
        findings = []
        shares = self.share(self.sums)
        ranges = self._ranges(None if self.drawn is None else self.share(self.drawn))
        for number, group in enumerate(self.groups):
            clauses, of = int(self.sums[number, 0]), int(self.sums[group.within, 0])
            findings.append(Finding(STUDY, self.suite, "", "clauses", clauses, of, by=group.by))
            low, high = ranges[number]
            findings.append(Finding(STUDY, self.suite, "", "share", _number(shares[number]), of, low, high, group.by))
        for place, system in enumerate(self.systems):
            for measure in _MEASURES:
                values = self.score(self.sums, place, measure)
                ranges = self._ranges(None if self.drawn is None else self.score(self.drawn, place, measure))
                for number, group in enumerate(self.groups):
                    n = 2 * int(self.sums[number, 0])
                    low, high = ranges[number] if n else (None, None)
                    value = _number(values[number])
                    findings.append(Finding(STUDY, self.suite, system, measure, value, n, low, high, group.by))
        return [*findings, *_correlations(findings)]

    def _ranges(self, drawn: Floats | None) -> list[Range]:
        return list(intervals(drawn)) if drawn is not None else [(None, None)] * len(self.groups)


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
            np.array([one.value for by in orders if (one := index.get(measure, name, by))], dtype=np.float64)
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
    """All clauses, then by order, pattern, place of the verb, definiteness of the subject, and of both."""
    groups = [_Group({}, np.ones(len(clauses), dtype=bool))]
    for key, names, codes in (
        ("order", tuple(ORDERS), clauses.order),
        ("pattern", PATTERNS, clauses.pattern),
        ("clause", CLAUSE_TYPES, clauses.clause_type),
    ):
        groups += [_Group({key: name}, codes == code) for code, name in enumerate(names)]
    subject, obj = (definiteness(clauses.treebank, words) for words in (clauses.subject, clauses.object))
    for code, name in enumerate(DEFINITENESS):
        if not (subject == code).any():
            continue
        within = len(groups)
        groups.append(_Group({"subject": name}, subject == code))
        for other, second in enumerate(DEFINITENESS):
            groups.append(_Group({"subject": name, "object": second}, (subject == code) & (obj == other), within))
    return groups


def _number(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
