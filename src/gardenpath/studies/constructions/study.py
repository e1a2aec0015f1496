"""The constructions study: which of five hard constructions does a parser get, and what kind of error does it make?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ...phrase.notation import to_notation
from ...runs.layout import FindingIndex
from ...runs.result import Finding, Value, Verdict
from ...runs.signature import digest
from ...stats.sampling import Clusters, Estimate
from ...suites.constructions.finding import RULES_VERSION
from ...suites.constructions.model import ConstructionSuite
from ...systems.protocol import PHRASE_PARSER
from ..grouping import column_table
from ..study import Findings, Kept, Study, Work
from .columns import column_groups_of
from .entrants import scheme_entrants
from .examples import find_examples, parse_wanted
from .judged import JudgedConstructions, judge_trees
from .parses import ParsedSuite, parsed_suites
from .scores import (
    AccuracyDifference,
    ConstructionTally,
    classes_of,
    column_tallies,
    differences,
    suite_clusters,
    tallies,
    together,
)
from .settings import STUDY, ConstructionsSettings
from .source import check_source, files_of, shown_source, suites_of
from .tables import example_table, finding_tables
from .verdict import RIGHT, SHOWN, UNCLASSED
from .verdicts import construction_verdicts

if TYPE_CHECKING:
    from ...systems.entrants import Entrant


class Constructions(
    Study[ConstructionsSettings, list[ConstructionSuite], list[ParsedSuite], list[JudgedConstructions]]
):
    """Does a parser get the hard constructions, and what kind of error does it make?

    The parts of a parallel suite are suites of one name: systems are then compared across schemes.
    """

    name = STUDY
    about = "Does a parser get the hard constructions, and what kind of error does it make?"
    settings = ConstructionsSettings
    role = PHRASE_PARSER
    measures = ("accuracy",)
    absent = "no item could be judged"

    def entrants(self, systems: Any) -> list[Entrant]:
        return scheme_entrants(systems)

    def check(self, source: Any, entrants: Sequence[Entrant], settings: ConstructionsSettings) -> None:
        super().check(shown_source(source), entrants, settings)
        check_source(source, settings)
        if settings.examples:
            parse_wanted(settings.examples)

    def files(self, source: Any, settings: ConstructionsSettings) -> list[str]:
        return files_of(source, settings)

    def read(self, source: Any, settings: ConstructionsSettings) -> list[ConstructionSuite]:
        suites = suites_of(source, settings)
        column_groups_of(suites, settings)  # an unknown column is told before anything is parsed
        return suites

    def facts(self, material: list[ConstructionSuite], settings: ConstructionsSettings) -> Iterable[tuple[str, object]]:
        return [
            ("suite", [f"{suite.name}#{content(suite)}" for suite in material]),
            ("release", sorted({suite.release for suite in material if suite.release}) or None),
            ("scheme", list(dict.fromkeys(suite.scheme for suite in material))),
            ("items", [len(suite.items) for suite in material]), ("rules", RULES_VERSION),
        ]  # fmt: skip

    def clusters(self, material: list[ConstructionSuite], settings: ConstructionsSettings) -> Clusters:
        return suite_clusters(material, settings.independent)

    def ask(
        self,
        material: list[ConstructionSuite],
        entrants: Sequence[Entrant],
        settings: ConstructionsSettings,
        work: Work,
    ) -> list[ParsedSuite]:
        return [parsed for entrant in entrants for parsed in parsed_suites(entrant, material, settings.gold, work)]

    def judge(
        self, material: list[ConstructionSuite], answers: list[ParsedSuite], settings: ConstructionsSettings
    ) -> list[JudgedConstructions]:
        form, decisions = settings.form, settings.decisions
        return [
            judge_trees(
                parsed.suite, parsed.system, parsed.trees, form=form, decisions=decisions, parsing=parsed.failures
            )
            for parsed in answers
        ]

    def findings(self, judged: list[JudgedConstructions], settings: ConstructionsSettings) -> Findings:
        counted, independent = tallies(judged), settings.independent
        findings = [finding for tally in (*counted, *together(counted)) for finding in _findings(tally, independent)]
        for difference in differences(judged, independent=independent):
            findings += _compared(judged, difference)
        clusters = self.clusters([performance.suite for performance in judged], settings)
        tables = finding_tables(findings, settings.tables, clusters)
        suites = list({id(performance.suite): performance.suite for performance in judged}.values())
        if by_column := column_groups_of(suites, settings):
            for tally in column_tallies(judged, by_column):
                accuracy = tally.share(RIGHT, SHOWN, independent=independent)
                head = (STUDY, tally.suite, tally.system)
                findings.append(_in_percent(*head, "accuracy", accuracy, tally.n, dict(tally.by)))
            tables.insert(1, column_table(FindingIndex(findings), by_column, "accuracy", "accuracy", "items"))
        details: dict[str, Any] = {}
        if settings.examples:
            shown, total = find_examples(judged, settings.examples, settings.shown)
            details["examples"] = [asdict(example) for example in shown]
            systems = list(dict.fromkeys(performance.system for performance in judged))
            tables.append(example_table(settings.examples, shown, total, systems))
        return Findings(findings, tables, _failures(judged), details)

    def verdicts(
        self, findings: Sequence[Finding], judged: list[JudgedConstructions], settings: ConstructionsSettings
    ) -> Iterable[Verdict]:
        clusters = self.clusters([performance.suite for performance in judged], settings)
        return construction_verdicts(findings, clusters.name)

    def kept(self, judged: list[JudgedConstructions], settings: ConstructionsSettings) -> Kept:
        from ..judged_phrases import PHRASES, attached
        from .observed import judged_trees, observations

        return Kept(observations(judged), attached={PHRASES: attached(judged_trees(judged))})


CONSTRUCTIONS = Constructions()


def content(suite: ConstructionSuite) -> str:
    """The start of a hash over all items with their gold trees."""
    parts = [f"{item.item}\t{to_notation(item.tree)}\t{item.construction}" for item in suite.items]
    return digest(*parts)[:8]


def _failures(judged: Sequence[JudgedConstructions]) -> dict[str, int]:
    """What failed, over all suites; the system is named where there are several."""
    several = len({performance.system for performance in judged}) > 1
    counts = Counter[str]()
    for performance in judged:
        for kind, count in performance.failures.items():
            counts[f"{performance.system}: {kind}" if several else kind] += count
    return dict(counts)


def _findings(tally: ConstructionTally, independent: bool) -> list[Finding]:
    """Accuracy; and for phenomena the items of each class, their share, and all for which the class holds."""
    by: dict[str, Value] = dict(tally.by)
    head, counts, held = (STUDY, tally.suite, tally.system), tally.counts, tally.held
    accuracy = tally.share(RIGHT, SHOWN, independent=independent)
    findings = [_in_percent(*head, "accuracy", accuracy, tally.n, by)]
    for name in classes_of(tally) if by else ():
        keys = {**by, "class": name}
        findings.append(Finding(*head, "items", counts[name], tally.items, by=keys))
        if part := tally.share(name, independent=independent):
            findings.append(_in_percent(*head, "share", part, tally.n, keys))
        if name in held or (name not in (RIGHT, *UNCLASSED) and "phenomenon" in by):
            findings.append(Finding(*head, "held", held[name], tally.n, by=keys))
    return findings


def _in_percent(
    study: str, suite: str, system: str, measure: str, estimate: Estimate | None, n: int, by: dict[str, Value]
) -> Finding:
    """A share or a difference of shares with its interval; without a value where no item was judged."""
    if estimate is None:
        return Finding(study, suite, system, measure, None, n, by=by)
    low, high = estimate.percent
    return Finding(study, suite, system, measure, 100 * estimate.value, n, low, high, by)


def _compared(judged: Sequence[JudgedConstructions], difference: AccuracyDifference) -> list[Finding]:
    by: dict[str, Value] = {"phenomenon": difference.phenomenon} if difference.phenomenon else {}
    by["baseline"] = difference.baseline
    suite = ", ".join(dict.fromkeys(each.suite.name for each in judged if each.system == difference.system))
    head, n, test = (STUDY, suite, difference.system), difference.n, difference.test
    return [
        _in_percent(*head, "accuracy_difference", test, n, by),
        Finding(*head, "accuracy_p", test.p, test.clusters, by=by),
        Finding(*head, "accuracy_p_holm", difference.p_holm, test.clusters, by=by),
        Finding(*head, "baseline_only", difference.first_only, n, by=by),
        Finding(*head, "system_only", difference.second_only, n, by=by),
    ]
