"""The roles study on a treebank: how often each order of subject, verb and object is, and how well it is parsed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from ...stats.pooled import Floats, Pool, intervals, ratios
from ...treebank.pool import Column
from ...treebank.scores import universal
from ...treebank.treebank import Treebank
from .arcs import GoldArcs, Judged, judge
from .clauses import CLAUSE_TYPES, ORDERS, PATTERNS, Clauses, clauses_of, is_verb_second
from .definiteness import DEFINITENESS, definiteness
from .study import STUDY
from .tables import short_names, span

Range = tuple[float, float] | tuple[None, None]
_MEASURES = ("las", "uas", "label")


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Clauses that are counted together; `within` is the group whose clauses make 100 per cent."""

    by: Mapping[str, Value]
    inside: NDArray[np.bool_]
    within: int = 0


def treebank_view(
    gold: Treebank,
    systems: Mapping[str, Treebank] | None = None,
    *,
    draws: int = 1000,
    seed: int = 0,
    facts: Mapping[str, object] | None = None,
    failures: Mapping[str, int] | None = None,
) -> tuple[Result, Clauses, dict[str, Judged]]:
    """The paper's Tables 2 and 4 for any UD treebank; with systems, their LAS on the same arcs."""
    clauses = clauses_of(gold)
    if not len(clauses):
        todo = "expected verbs (UPOS) with nsubj and obj below them: is this a UD treebank?"
        raise InputError("no clause with subject, verb and object", where=gold.name, todo=todo)
    arcs = _arcs(clauses)
    judged = {name: judge(arcs, trees) for name, trees in (systems or {}).items()}
    view = _View(clauses, judged, draws, seed)
    findings, tables = view.findings(), view.tables()
    more, table = view.correlations()
    findings += more
    tables += [table] if table.rows else []
    counted = dict(failures or {})
    for name, one in judged.items():
        kept = {kind: n for kind, n in one.failures.items() if not kind.startswith(("gold arcs", "items"))}
        counted.update({kind if len(judged) == 1 else f"{name}: {kind}": n for kind, n in kept.items()})
    pairs = [
        ("study", STUDY), ("treebank", f"{PurePath(gold.name).name}#{digest(gold.to_bytes())[:8]}"),
        ("clauses", len(clauses)), ("verb", "finite"), ("subtypes", "ignored"), *(facts or {}).items(),
        *([("draws", draws), ("seed", seed)] if draws else []),
    ]  # fmt: skip
    return Result(signature(*pairs), findings, tables, counted), clauses, judged


def _arcs(clauses: Clauses) -> GoldArcs:
    """The subject's and the object's arc of each clause, one after the other."""
    gold = clauses.treebank
    words = np.stack([clauses.subject, clauses.object], axis=1).reshape(-1)
    label = gold.column("deprel").mapped(universal)
    return GoldArcs(
        gold, gold.sentence_of[words], words, np.repeat(clauses.verb, 2), Column(label.codes[words], label.values)
    )


class _View:
    """Counts of all groups per sentence, resampled together: sentences are what was sampled."""

    def __init__(self, clauses: Clauses, judged: Mapping[str, Judged], draws: int, seed: int) -> None:
        self.clauses, self.judged, self.draws = clauses, judged, draws
        self.suite = PurePath(clauses.treebank.name).name
        self.groups = _groups(clauses)
        self.width = 1 + 2 * len(judged)
        per_clause = [np.ones(len(clauses), dtype=np.int64)]
        for one in judged.values():
            per_clause += [one.right.reshape(-1, 2).sum(axis=1), one.head_right.reshape(-1, 2).sum(axis=1)]
        _, sentence = np.unique(clauses.sentence, return_inverse=True)
        sentence = sentence.reshape(-1)
        columns = [
            np.bincount(sentence, column * group.inside, minlength=int(sentence.max()) + 1).astype(np.int64)
            for group in self.groups
            for column in per_clause
        ]
        counts = np.stack(columns, axis=1)
        shape = (len(self.groups), self.width)
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
        right, heads = sums[..., 1 + 2 * place], sums[..., 2 + 2 * place]
        tops = {"las": right, "uas": heads, "label": right}[measure]
        return ratios(tops, heads if measure == "label" else 2 * sums[..., 0])

    def ranges(self, values: Floats | None) -> list[Range]:
        return list(intervals(values)) if values is not None else [(None, None)] * len(self.groups)

    @property
    def shares(self) -> tuple[Floats, list[Range]]:
        return self.share(self.sums), self.ranges(None if self.drawn is None else self.share(self.drawn))

    def scored(self, place: int, measure: str) -> tuple[Floats, list[Range]]:
        drawn = None if self.drawn is None else self.score(self.drawn, place, measure)
        return self.score(self.sums, place, measure), self.ranges(drawn)

    def findings(self) -> list[Finding]:
        """Counts and shares are of gold and have no system."""
        found = []
        shares, ranges = self.shares
        for number, group in enumerate(self.groups):
            n = int(self.sums[number, 0])
            of = int(self.sums[group.within, 0])
            found.append(Finding(STUDY, self.suite, "", "clauses", n, of, by=group.by))
            low, high = ranges[number]
            found.append(Finding(STUDY, self.suite, "", "share", _number(shares[number]), of, low, high, group.by))
        for place, system in enumerate(self.judged):
            for measure in _MEASURES:
                values, ranges = self.scored(place, measure)
                for number, group in enumerate(self.groups):
                    n = int(self.sums[number, 2 + 2 * place] if measure == "label" else 2 * self.sums[number, 0])
                    low, high = ranges[number] if n else (None, None)
                    value = _number(values[number])
                    found.append(Finding(STUDY, self.suite, system, measure, value, n, low, high, group.by))
        return found

    def tables(self) -> list[Table]:
        gold = self.clauses.treebank
        verb_second = is_verb_second(gold)
        title = f"{self.suite}: {len(self.clauses):,} clauses with subject, verb and object in {len(gold):,} sentences"
        note = "V is the finite verb. Each object of a clause counts once. LAS over the arcs of subject and object."
        tables = [self._table(("order",), title, note, fields=verb_second)]
        if verb_second:
            tables.append(self._table(("pattern",), "By topological fields (VF: forefield, MF: middle field)"))
            tables.append(self._table(("clause",), "By place of the finite verb"))
        text = "By definiteness of subject and object"
        note = "Per cent of the clauses whose subject is of this kind. Relative and interrogative pronouns are other."
        tables.append(self._table(("subject", "object"), text, note))
        return tables

    def _table(self, keys: tuple[str, ...], title: str, note: str = "", *, fields: bool = False) -> Table:
        numbers = [number for number, group in enumerate(self.groups) if tuple(group.by) == keys]
        shares, ranges = self.shares
        columns = [*keys, *(["fields"] if fields else []), "clauses", "%", "95 %"]
        rows: list[list[Value]] = []
        for number in numbers:
            names = list(self.groups[number].by.values())
            middle: list[Value] = [ORDERS[str(names[0])]] if fields else []
            rows.append([*names, *middle, int(self.sums[number, 0]), _number(shares[number]), span(*ranges[number])])
        several = len(self.judged) > 1
        for place, _ in enumerate(self.judged):
            values, ranges = self.scored(place, "las")
            columns += [f"LAS {place + 1}" if several else "LAS", "95 %"]
            for row, number in zip(rows, numbers, strict=True):
                row += [_number(values[number]), span(*ranges[number]) if self.sums[number, 0] else None]
        if several and keys == ("order",):
            short = short_names(list(self.judged))
            note += " " + "; ".join(f"{place}: {short[name]}" for place, name in enumerate(self.judged, 1)) + "."
        return Table(title, columns, rows, note=note)

    def correlations(self) -> tuple[list[Finding], Table]:
        """Are frequent orders parsed better? Over the orders that occur; few points, so wide intervals."""
        from ...stats.correlation import correlation_p, fisher_interval, pearson, spearman

        numbers = [
            number for number, group in enumerate(self.groups) if tuple(group.by) == ("order",) and self.sums[number, 0]
        ]
        shares = self.share(self.sums)[numbers]
        findings, rows = [], list[list[Value]]()
        names = short_names(list(self.judged))
        for place, system in enumerate(self.judged):
            values = self.score(self.sums, place, "las")[numbers]
            try:
                rank = spearman(shares, values)
            except UsageError:
                continue  # fewer than four orders, or all the same: there is no correlation to report
            straight = pearson(shares, values)
            low, high = fisher_interval(straight, len(numbers))
            found = {"spearman": (rank.value, rank.low, rank.high, rank.p)}
            found["pearson"] = (straight, low, high, correlation_p(straight, len(numbers)))
            for kind, (value, low, high, p) in found.items():
                by: dict[str, Value] = {"correlation": kind}
                n = len(numbers)
                findings += [
                    Finding(STUDY, self.suite, system, "frequency_las_correlation", value, n, low, high, by),
                    Finding(STUDY, self.suite, system, "frequency_las_correlation_p", p, n, by=by),
                ]
                rows.append([names[system], kind, n, value, span(low, high), p])
        title = "Frequency of the orders and LAS: are frequent orders parsed better?"
        columns = ("system", "correlation", "orders", "ρ", "95 %", "p")
        return findings, Table(title, columns, rows, digits=3)


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
