"""The roles study on a suite: subject-object LAS by order and property, pair deltas, confusions, improvements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...runs.result import Finding, Result, Table, Value
from ...runs.signature import digest, signature
from ...suites.model import RoleSuite
from ...treebank.treebank import Treebank
from .arcs import GoldArcs, Judged, judge
from .confusion import KINDS, item_kinds, kinds_for
from .groups import Groups, groups_of
from .scores import Counts

if TYPE_CHECKING:
    from .deltas import Delta
    from .scores import Improvement, Score

STUDY = "roles"
GROUPINGS = ("order", "property", "property-order", "variations", "ambiguous", "confusion", "pairs")
"""What `by` may name: the tables that are shown. Findings have all of it."""
_TITLES = {
    "order": "By order",
    "property": "By property (all items that carry it)",
    "variations": "By number of variations from the base sentence",
    "ambiguous": "By ambiguity (case leaves subject and object open)",
}


def roles(
    suite: RoleSuite,
    systems: Mapping[str, Treebank],
    *,
    baseline: str = "",
    by: Sequence[str] = ("order", "property"),
    example: str = "",
    limit: int = 10,
    draws: int = 1000,
    seed: int = 0,
    facts: Mapping[str, object] | None = None,
    failures: Mapping[str, int] | None = None,
) -> tuple[Result, dict[str, Judged]]:
    """Judges every system's trees on the gold arcs of a suite; `baseline` is the system others are compared with.

    `facts` are further pairs for the signature (how the trees were made), `failures` what was counted then.
    """
    if not systems:
        raise UsageError("no system to judge", todo="name a parsed file or a parser, such as udpipe:MODEL")
    if baseline and baseline not in systems:
        raise unknown_name("baseline", baseline, list(systems))
    for grouping in by:
        if grouping not in GROUPINGS:
            raise unknown_name("grouping", grouping, GROUPINGS)
    if example:
        from .examples import parse_wanted

        parse_wanted(suite, example)
    gold = GoldArcs.of_suite(suite)
    judged = {name: judge(gold, trees) for name, trees in systems.items()}
    study = _Study(suite, judged, draws, seed)
    findings, tables = study.scored(by)
    if baseline and len(judged) > 1:
        more, table = study.improved(baseline)
        findings += more
        tables.insert(1, table)
    more, shown = study.confused(by)
    findings += more
    tables += shown
    more, shown = study.paired(by)
    findings += more
    tables += shown
    details: dict[str, Any] = {}
    if example:
        details["examples"], shown = _examples(suite, judged, example, limit)
        tables += shown
    pairs = [
        ("study", STUDY), ("suite", f"{PurePath(suite.name).name}#{digest(suite.treebank.to_bytes())[:8]}"),
        ("release", suite.release or None), ("language", suite.language or None), ("items", len(suite)),
        ("gold", "labels" if gold.labels_only else "heads+labels"), ("subtypes", "ignored"),
        *(facts or {}).items(), ("baseline", baseline or None),
        *([("draws", draws), ("seed", seed)] if draws else []),
    ]  # fmt: skip
    counted = dict(failures or {})
    for name, one in judged.items():
        counted.update({kind if len(judged) == 1 else f"{name}: {kind}": n for kind, n in one.failures.items()})
    return Result(signature(*pairs), findings, tables, counted, details), judged


class _Study:
    """The judged systems with their groups, and each part of the study as findings and tables."""

    def __init__(self, suite: RoleSuite, judged: Mapping[str, Judged], draws: int, seed: int) -> None:
        self.suite, self.judged, self.draws, self.seed = suite, judged, draws, seed
        self.name = PurePath(suite.name).name
        self.groups = groups_of(suite)
        self.counts = Counts(self.groups, judged, draws, seed)
        self.kinds = {system: item_kinds(one, suite.kind) for system, one in judged.items()}

    def finding(self, system: str, measure: str, value: Any, by: Mapping[str, Value], **more: Any) -> Finding:
        return Finding(STUDY, self.name, system, measure, value, by=by, **more)

    def scored(self, by: Sequence[str]) -> tuple[list[Finding], list[Table]]:
        from .tables import cell_table, group_table, systems_table

        scores = self.counts.scores()
        findings = [self._score(one) for one in scores]
        right = {system: int((codes == 0).sum()) for system, codes in self.kinds.items()}
        tables = [systems_table(self.suite, self.counts, scores, right)]
        for name in by:
            if name in _TITLES and (numbers := self.groups.numbers(name)):
                tables.append(group_table(self.suite, self.counts, scores, numbers, _TITLES[name]))
            elif name == "property-order" and self.groups.numbers("property", "order"):
                tables += [cell_table(self.suite, self.counts, scores, system) for system in self.judged]
        return findings, tables

    def _score(self, one: Score) -> Finding:
        by = self.groups.keys[one.group]
        return self.finding(one.system, one.measure, one.value, by, n=one.n, low=one.low, high=one.high)

    def improved(self, baseline: str) -> tuple[list[Finding], Table]:
        from .tables import improvement_table

        found = self.counts.improvements(baseline)
        findings = [finding for one in found for finding in self._improvement(one, baseline)]
        return findings, improvement_table(self.suite, self.counts, found, baseline)

    def _improvement(self, one: Improvement, baseline: str) -> list[Finding]:
        by = {**self.groups.keys[one.group], "baseline": baseline}
        key = one.measure
        return [
            self.finding(one.system, f"{key}_difference", one.value, by, n=one.n, low=one.low, high=one.high),
            self.finding(one.system, f"{key}_p_bootstrap", one.p_bootstrap, by),
            self.finding(one.system, f"{key}_p_randomisation", one.p_randomisation, by),
            self.finding(one.system, f"{key}_p_holm", one.p_holm, by),
        ]

    def confused(self, by: Sequence[str]) -> tuple[list[Finding], list[Table]]:
        """Items of each kind, overall, by order and by property; and which label was taken for which."""
        from .tables import kind_group_table, kind_table, short_names

        known = kinds_for(self.suite.kind)
        findings, tables, overall = list[Finding](), list[Table](), {}
        names = short_names(list(self.judged))
        for system, codes in self.kinds.items():
            table = _kind_counts(self.groups, codes)
            overall[system] = table[0].tolist()
            for number in [0, *self.groups.numbers("order"), *self.groups.numbers("property")]:
                key, size = self.groups.keys[number], int(self.groups.sizes[number])
                findings += [
                    self.finding(system, "items", int(table[number, code]), {**key, "kind": kind}, n=size)
                    for code, kind in enumerate(KINDS)
                    if kind in known
                ]
            findings += self._label_confusions(system)
            if "confusion" in by:
                title = f"Kinds of items, per cent: {names[system]}"
                tables.append(kind_group_table(self.suite, self.groups, table.tolist(), known, title))
        return findings, [kind_table(self.counts, overall, known), *tables]

    def _label_confusions(self, system: str) -> list[Finding]:
        one = self.judged[system]
        gold, predicted = one.arcs.label, one.predicted
        size = len(predicted.values)
        codes = (gold.codes.astype(np.int64) * size + predicted.codes) * 2 + one.head_right
        found, counts = np.unique(codes, return_counts=True)
        totals = np.bincount(gold.codes, minlength=len(gold.values)).tolist()
        findings = []
        for code, count in zip(found.tolist(), counts.tolist(), strict=True):
            label, rest = divmod(code // 2, size)
            by: dict[str, Value] = {"label": gold.values[label], "predicted": predicted.values[rest]}
            if not one.arcs.labels_only:
                by["head"] = "right" if code % 2 else "wrong"
            findings.append(self.finding(system, "arcs", count, by, n=totals[label]))
        return findings

    def paired(self, by: Sequence[str]) -> tuple[list[Finding], list[Table]]:
        from .deltas import pair_deltas
        from .tables import delta_tables

        deltas = pair_deltas(self.suite, self.judged, draws=self.draws, seed=self.seed)
        findings = [finding for one in deltas for finding in self._delta(one)]
        return findings, delta_tables(self.suite, self.counts, deltas) if "pairs" in by else []

    def _delta(self, one: Delta) -> list[Finding]:
        by: dict[str, Value] = {"pair": one.pair, "change": one.change}
        key = f"{self.counts.measures[0]}_delta"
        return [
            self.finding(one.system, key, one.value, by, n=one.pairs, low=one.low, high=one.high),
            self.finding(one.system, f"{key}_p_randomisation", one.p, by, n=one.sets),
            self.finding(one.system, f"{key}_p_holm", one.p_holm, by, n=one.sets),
        ]


def _kind_counts(groups: Groups, codes: NDArray[np.int8]) -> NDArray[np.int64]:
    """(groups × kinds): items of each kind."""
    kept = codes >= 0
    size = len(KINDS)
    flat = groups.cell_of[kept] * size + codes[kept]
    per_cell = np.bincount(flat, minlength=len(groups.cells) * size).reshape(-1, size)
    return groups.members.astype(np.int64) @ per_cell


def _examples(
    suite: RoleSuite, judged: Mapping[str, Judged], wanted: str, limit: int
) -> tuple[list[dict[str, Any]], list[Table]]:
    from .examples import find_examples
    from .tables import example_table, short_names

    names = short_names(list(judged))
    details, tables = list[dict[str, Any]](), list[Table]()
    for system, one in judged.items():
        shown, total = find_examples(suite, one, wanted, limit)
        details += [{"system": system, **asdict(item)} for item in shown]
        tables.append(example_table(names[system], wanted, shown, total))
    return details, tables
