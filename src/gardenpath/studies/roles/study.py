"""The roles study on a suite: observations, examples, findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...runs.record.signatures import with_hash
from ...runs.result.observations import Observations
from ...runs.result.result import Finding, Result, Table, Verdict
from ...stats.sampling import Clusters
from ...suites.roles.model import RoleSuite, suite_clusters
from ...suites.roles.reader import read_suite
from ...systems.asking.protocol import PARSER
from ...treebank.format.reading import paths
from ..engine.corrections import corrected
from ..engine.parsers import JudgedParsers, ParsedSystems, ask_parsers, kept_trees
from ..engine.study import Kept, Study, Work, baseline_of
from .arcs import OUTCOMES, GoldArcs, JudgedArcs, judge
from .clauses import DEFINITENESS, PATTERNS, Clauses, definiteness, marks_definiteness
from .declaration import STUDY, RolesSettings, plain_labels
from .scores import (
    TAKEN,
    RoleCounts,
    kind_findings,
    label_findings,
    measures_of,
    pair_deltas,
    suite_columns,
)
from .tables import RoleTables, example_table, find_examples, parse_wanted, role_verdicts
from .vocabulary import coverage, known_vocabulary, vocabulary_tables

if TYPE_CHECKING:
    from ...systems.asking.entrants import Entrant


def cluster_columns(clusters: Clusters) -> dict[str, list[int]]:
    """The numbers of the clusters of each item, as columns of observations."""
    return {name: codes.tolist() for name, codes in zip(("cluster", "cluster_2"), clusters.codes, strict=False)}


def observations(suite: RoleSuite, judged: Mapping[str, JudgedArcs], clusters: Clusters) -> Observations:
    """One row per gold arc and system: what became of it (`outcome`), and is it right (`value`)?"""
    parts = []
    props = ["-".join(names) for names in suite.properties]
    variations = [len(names) for names in suite.variations]
    ambiguous = suite.ambiguous.tolist()
    together = cluster_columns(clusters)
    for system, judgements in judged.items():
        arcs = judgements.arcs
        items = arcs.item.tolist()
        positions = (arcs.word - arcs.gold.offsets[arcs.item] + 1).tolist()
        labels = arcs.label.strings()
        columns = {
            "study": STUDY, "suite": PurePath(suite.name).name,
            "item": [suite.sent_ids[item] for item in items],
            "condition": [suite.orders[item] for item in items],
            "system": system, "seed": 0,
            "unit": [f"{position} {label}" for position, label in zip(positions, labels, strict=True)],
            "outcome": [OUTCOMES[code] for code in judgements.outcome.tolist()],
            "value": judgements.right.astype(int).tolist(),
            "order": [suite.orders[item] for item in items],
            "props": [props[item] for item in items],
            "variations": [variations[item] for item in items],
            "ambiguous": [ambiguous[item] for item in items],
            "family": [suite.families[item] for item in items],
            "label": labels,
            "predicted": judgements.predicted.strings(),
            "head": [None] * len(items) if arcs.labels_only else judgements.head_right.astype(int).tolist(),
            **{name: [codes[item] for item in items] for name, codes in together.items()},
        }  # fmt: skip
        parts.append(Observations(columns))
    return Observations.joined(parts)


def clause_observations(clauses: Clauses, judged: Mapping[str, JudgedArcs], clusters: Clusters) -> Observations:
    """One row per arc of a clause and system; without systems one per clause, with its order as the outcome."""
    gold = clauses.treebank
    items = [gold.sentence_names[number] for number in clauses.sentence.tolist()]
    is_marked = marks_definiteness(gold)
    subject, obj = (
        [DEFINITENESS[code] if is_marked else None for code in definiteness(gold, words).tolist()]
        for words in (clauses.subject, clauses.object)
    )
    verbs = gold.ids[clauses.verb].tolist()
    common: dict[str, Any] = {
        "study": STUDY, "suite": PurePath(gold.name).name, "item": items, "condition": clauses.orders, "seed": 0,
        "pattern": [PATTERNS[code] for code in clauses.pattern.tolist()],
        "subject": subject, "object": obj,
        "verb": verbs,
        **{name: [codes[at] for at in clauses.sentence.tolist()] for name, codes in cluster_columns(clusters).items()},
    }  # fmt: skip
    if not judged:
        return Observations({**common, "system": "", "unit": verbs, "outcome": clauses.orders, "value": 1})
    parts = []
    for system, judgements in judged.items():
        labels = judgements.arcs.label.strings()
        for side, words in enumerate((clauses.subject, clauses.object)):
            unit = [f"{at} {label}" for at, label in zip(gold.ids[words].tolist(), labels[side::2], strict=True)]
            outcome = [OUTCOMES[code] for code in judgements.outcome[side::2].tolist()]
            value = judgements.right[side::2].astype(int).tolist()
            parts.append(Observations({**common, "system": system, "unit": unit, "outcome": outcome, "value": value}))
    return Observations.joined(parts)


JudgedSuite = JudgedParsers[RoleSuite, JudgedArcs]
"""A suite with what every system made of its arcs."""


class Roles(Study[RolesSettings, RoleSuite, ParsedSystems, JudgedSuite]):
    """Does a parser find subject and object, and which order or property of the sentence makes it fail?"""

    name = STUDY
    settings = RolesSettings
    role = PARSER
    measures = ("las", "uas", "label", "attachment")

    taken = TAKEN

    def columns(self, material: RoleSuite) -> dict[str, Sequence[Any]]:
        return suite_columns(material)

    def files(self, source: Any, settings: RolesSettings) -> list[str]:
        return [] if isinstance(source, RoleSuite) else paths(source)

    def read(self, source: Any, settings: RolesSettings) -> RoleSuite:
        if isinstance(source, RoleSuite):
            suite = source
        else:
            suite = read_suite(source, positions=settings.positions, release=settings.release)
        if settings.examples:
            parse_wanted(suite, settings.examples)
        return suite

    def facts(self, material: RoleSuite, settings: RolesSettings) -> Iterable[tuple[str, object]]:
        name = with_hash(material.name, material.treebank.to_bytes())
        gold = "labels" if bool((material.arcs.head < 0).all()) else "heads+labels"
        return [
            ("suite", name), ("release", material.release or None), ("language", material.language or None),
            ("items", len(material)), ("gold", gold), ("subtypes", "ignored"),
            ("vocabulary", known_vocabulary(settings.vocabulary).mark if settings.vocabulary else None),
        ]  # fmt: skip

    def clusters(self, material: RoleSuite, settings: RolesSettings) -> Clusters:
        return suite_clusters(material, settings.independent)

    def ask(
        self, material: RoleSuite, entrants: Sequence[Entrant], settings: RolesSettings, work: Work
    ) -> ParsedSystems:
        _check_baselines(material, entrants)
        return ask_parsers(material.treebank, entrants, settings, work)

    def judge(self, material: RoleSuite, answers: ParsedSystems, settings: RolesSettings) -> JudgedSuite:
        arcs = GoldArcs.of_suite(material, plain_labels(settings.equal))
        return JudgedParsers(material, answers, {name: judge(arcs, own.treebank) for name, own in answers.items()})

    def findings(self, judged: JudgedSuite, settings: RolesSettings) -> Result:
        suite, systems = judged.material, judged.by_system
        clusters = self.clusters(suite, settings)
        by_column = self.groups(suite, settings)
        counts = RoleCounts(suite, systems, clusters, by_column)
        findings = [*counts.sizes(), *counts.scores()]
        baseline = baseline_of(settings.baseline, systems) if settings.baseline else ""
        if baseline:
            findings += counts.improvements(baseline)
        for name, arcs in systems.items():
            findings += [*kind_findings(suite, counts.groups, name, arcs), *label_findings(suite, name, arcs)]
        if settings.vocabulary:
            findings += coverage(counts, known_vocabulary(settings.vocabulary))
        findings = corrected([*findings, *pair_deltas(suite, systems, counts.measures[0], clusters)])
        layout, details = RoleTables(findings, suite.kind, clusters), dict[str, Any]()
        tables = layout.all(settings.tables, baseline, by_column, usual=not settings.examples)
        if settings.vocabulary:
            tables += vocabulary_tables(layout.index, layout.main, layout.shown[layout.main])
        if settings.examples:
            details["examples"], shown = _examples(suite, systems, settings.examples, settings.shown)
            tables += shown
        return Result(findings=findings, tables=tables, failures=judged.failures, details=details)

    def verdicts(self, findings: Sequence[Finding], judged: JudgedSuite, settings: RolesSettings) -> Iterable[Verdict]:
        systems = judged.by_system
        measure = measures_of(next(iter(systems.values())).arcs, judged.material.kind)[0]
        baseline = baseline_of(settings.baseline, systems) if settings.baseline else ""
        clusters = self.clusters(judged.material, settings)
        return role_verdicts(findings, measure, baseline, clusters.name)

    def kept(self, judged: JudgedSuite, settings: RolesSettings) -> Kept:
        clusters = self.clusters(judged.material, settings)
        rows = observations(judged.material, judged.by_system, clusters)
        return Kept(rows, kept_trees(judged.material.treebank, judged.parsed))


ROLES = Roles()


def _check_baselines(suite: RoleSuite, entrants: Sequence[Entrant]) -> None:
    """Subject-first copies all of gold but subject and object: on a PP suite it would be right without a rule."""
    if suite.kind == "pp" and any("baseline:subject-first" in entrant.given for entrant in entrants):
        todo = "take baseline:nearest-candidate or baseline:always-verb"
        raise UsageError("subject-first says nothing about prepositions", where="baseline:subject-first", todo=todo)


def _examples(
    suite: RoleSuite, judged: Mapping[str, JudgedArcs], wanted: str, limit: int
) -> tuple[list[dict[str, Any]], list[Table]]:
    from ...runs.result.layout import short_names

    details, tables = list[dict[str, Any]](), list[Table]()
    for system, short in short_names(list(judged)).items():
        shown, total = find_examples(suite, judged[system], wanted, limit)
        details += [{"system": system, **asdict(example)} for example in shown]
        tables.append(example_table(short, wanted, shown, total))
    return details, tables
