"""The roles study on a suite: subject-object LAS by order and property, pair deltas, confusions, improvements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ...runs.result import Finding, Table, Verdict
from ...runs.signature import with_hash
from ...stats.sampling import Clusters
from ...suites.clusters import suite_clusters
from ...suites.model import RoleSuite
from ...suites.reader import read_suite
from ...systems.protocol import PARSER
from ...treebank.source import paths
from ..baseline import baseline_of, check_baseline
from ..parsed import JudgedParsers, ParsedSystems, ask_parsers, check_asked
from ..study import Findings, Kept, Study, Work
from .arcs import GoldArcs, JudgedArcs, judge
from .confusion import kind_findings, label_findings
from .deltas import pair_deltas
from .examples import parse_wanted
from .groups import column_groups_of
from .labels import plain_labels
from .scores import RoleCounts, measures_of
from .settings import STUDY, RolesSettings
from .tables import RoleTables, example_table
from .verdicts import role_verdicts

if TYPE_CHECKING:
    from ...systems.entrants import Entrant

JudgedSuite = JudgedParsers[RoleSuite, JudgedArcs]
"""A suite with what every system made of its arcs."""


class Roles(Study[RolesSettings, RoleSuite, ParsedSystems, JudgedSuite]):
    """Does a parser find subject and object, and which order or property of the sentence makes it fail?"""

    name = STUDY
    about = "Does a parser find subject and object, and which order or property of the sentence makes it fail?"
    settings = RolesSettings
    role = PARSER
    measures = ("las", "uas", "label", "attachment")
    absent = "a suite without heads has label alone, and attachment is of PP suites"

    def check(self, source: Any, entrants: Sequence[Entrant], settings: RolesSettings) -> None:
        super().check(source, entrants, settings)
        check_asked(entrants, settings)
        check_baseline(settings.baseline, entrants)

    def files(self, source: Any, settings: RolesSettings) -> list[str]:
        return [] if isinstance(source, RoleSuite) else paths(source)

    def read(self, source: Any, settings: RolesSettings) -> RoleSuite:
        if isinstance(source, RoleSuite):
            suite = source
        else:
            suite = read_suite(source, positions=settings.positions, release=settings.release)
        if settings.examples:
            parse_wanted(suite, settings.examples)
        column_groups_of(suite, settings)  # an unknown column is told before anything is parsed
        return suite

    def facts(self, material: RoleSuite, settings: RolesSettings) -> Iterable[tuple[str, object]]:
        name = with_hash(material.name, material.treebank.to_bytes())
        gold = "labels" if bool((material.arcs.head < 0).all()) else "heads+labels"
        return [
            ("suite", name), ("release", material.release or None), ("language", material.language or None),
            ("items", len(material)), ("gold", gold), ("subtypes", "ignored"),
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
        return JudgedParsers(material, answers, {name: judge(arcs, trees) for name, trees in answers.trees.items()})

    def findings(self, judged: JudgedSuite, settings: RolesSettings) -> Findings:
        suite, systems = judged.material, judged.by_system
        clusters = self.clusters(suite, settings)
        by_column = column_groups_of(suite, settings)
        counts = RoleCounts(suite, systems, clusters, by_column)
        findings = [*counts.sizes(), *counts.scores()]
        baseline = baseline_of(settings.baseline, systems) if settings.baseline else ""
        if baseline:
            findings += counts.improvements(baseline)
        for name, arcs in systems.items():
            findings += [*kind_findings(suite, counts.groups, name, arcs), *label_findings(suite, name, arcs)]
        findings += pair_deltas(suite, systems, counts.measures[0], clusters)
        layout, details = RoleTables(findings, suite.kind, clusters), dict[str, Any]()
        tables = layout.all(settings.tables, baseline, by_column, usual=not settings.examples)
        if settings.examples:
            details["examples"], shown = _examples(suite, systems, settings.examples, settings.shown)
            tables += shown
        return Findings(findings, tables, judged.failures, details)

    def verdicts(self, findings: Sequence[Finding], judged: JudgedSuite, settings: RolesSettings) -> Iterable[Verdict]:
        systems = judged.by_system
        measure = measures_of(next(iter(systems.values())).arcs, judged.material.kind)[0]
        baseline = baseline_of(settings.baseline, systems) if settings.baseline else ""
        clusters = self.clusters(judged.material, settings)
        return role_verdicts(findings, measure, baseline, clusters.name)

    def kept(self, judged: JudgedSuite, settings: RolesSettings) -> Kept:
        from .observed import observations

        clusters = self.clusters(judged.material, settings)
        rows = observations(judged.material, judged.by_system, clusters)
        return Kept(rows, judged.parsed.kept(judged.material.treebank))


ROLES = Roles()


def _check_baselines(suite: RoleSuite, entrants: Sequence[Entrant]) -> None:
    """Subject-first copies all of gold but subject and object: on a PP suite it would be right without a rule."""
    if suite.kind == "pp" and any("baseline:subject-first" in entrant.given for entrant in entrants):
        todo = "take baseline:nearest-candidate or baseline:always-verb"
        raise UsageError("subject-first says nothing about prepositions", where="baseline:subject-first", todo=todo)


def _examples(
    suite: RoleSuite, judged: Mapping[str, JudgedArcs], wanted: str, limit: int
) -> tuple[list[dict[str, Any]], list[Table]]:
    from ...runs.layout import short_names
    from .examples import find_examples

    details, tables = list[dict[str, Any]](), list[Table]()
    for system, short in short_names(list(judged)).items():
        shown, total = find_examples(suite, judged[system], wanted, limit)
        details += [{"system": system, **asdict(example)} for example in shown]
        tables.append(example_table(short, wanted, shown, total))
    return details, tables
