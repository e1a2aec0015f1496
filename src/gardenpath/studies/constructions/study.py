"""The constructions study: observations, examples, findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ...phrase.edits.gaps import AUTO
from ...phrase.formats.notation import to_notation
from ...runs.record.signatures import digest
from ...runs.result.layout import FindingIndex
from ...runs.result.observations import Observations
from ...runs.result.result import Finding, Result, Value, Verdict
from ...stats.sampling import Clusters, Estimate
from ...suites.constructions.finding import RULES_VERSION
from ...suites.constructions.model import ConstructionSuite
from ...systems.asking.protocol import PHRASE_PARSER
from ..engine.corrections import corrected, difference_findings, family_of
from ..engine.grouping import column_table
from ..engine.phrase_trees import JudgedPhrases
from ..engine.study import Kept, Study, Work
from .annotation import agreements, read_sheets, with_people
from .declaration import STUDY, ConstructionsSettings
from .error_classes import RIGHT, SHOWN, UNCLASSED
from .judging import JudgedConstructions, judge_trees
from .parses import ParsedSuite, parsed_suites, scheme_entrants
from .scores import (
    AccuracyDifference,
    ConstructionTally,
    classes_of,
    column_tallies,
    differences,
    sentence_of,
    suite_clusters,
    tallies,
)
from .suites import check_source, files_of, shown_source, suites_of
from .tables import construction_verdicts, example_table, finding_tables

if TYPE_CHECKING:
    from ...systems.asking.entrants import Entrant
from .tables import find_examples, parse_wanted


def observations(judged: Sequence[JudgedConstructions]) -> Observations:
    """One row per item and system: its class (`outcome`), and is it right (`value`)? Trees are in notation.

    `cluster` is the number of the sentence: items of one sentence were sampled together.
    """
    parts = []
    numbers: dict[str, int] = {}
    for performance in judged:
        suite, items, verdicts = performance.suite, performance.suite.items, performance.verdicts
        constructions = [item.construction for item in items]
        columns = {
            "study": STUDY, "suite": suite.name, "item": [item.item for item in items],
            "condition": [construction.phenomenon for construction in constructions],
            "system": performance.system, "seed": 0, "unit": None,
            "outcome": [verdict.primary for verdict in verdicts],
            "value": [int(verdict.right) for verdict in verdicts],
            "scheme": suite.scheme,
            "phenomenon": [construction.phenomenon for construction in constructions],
            "variant": [construction.variant for construction in constructions],
            "codes": [" ".join(verdict.codes) for verdict in verdicts],
            "flags": [" ".join(verdict.flags) for verdict in verdicts],
            "reason": [verdict.reason for verdict in verdicts],
            "sentence": [item.tree.sent_id for item in items],
            "cluster": [numbers.setdefault(sentence_of(suite.name, item.tree), len(numbers) + 1) for item in items],
            "text": [" ".join(item.tree.words) for item in items],
            "gold": [to_notation(item.tree) for item in items],
            "parse": ["" if tree is None else to_notation(tree) for tree in performance.trees],
        }  # fmt: skip
        parts.append(Observations(columns))
    return Observations.joined(parts)


def judged_trees(judged: Sequence[JudgedConstructions]) -> Iterator[JudgedPhrases]:
    """Gold and all systems' trees of each item, with the tokens that the construction is found by."""
    by_suite: dict[tuple[str, str], list[JudgedConstructions]] = {}
    for performance in judged:
        by_suite.setdefault((performance.suite.name, performance.suite.scheme), []).append(performance)
    for (name, scheme), systems in by_suite.items():
        for place, item in enumerate(systems[0].suite.items):
            marked = tuple(sorted({token for _, token in item.construction.anchors if token >= 0}))
            trees = {performance.system: performance.trees[place] for performance in systems}
            yield JudgedPhrases(name, scheme, item.item, item.tree, trees, marked)


class Constructions(
    Study[ConstructionsSettings, list[ConstructionSuite], list[ParsedSuite], list[JudgedConstructions]]
):
    """Does a parser get the hard constructions, and what kind of error does it make?

    The parts of a parallel suite are suites of one name: systems are then compared across schemes.
    """

    name = STUDY
    settings = ConstructionsSettings
    role = PHRASE_PARSER
    measures = ("accuracy",)

    def entrants(self, systems: Any) -> list[Entrant]:
        return scheme_entrants(systems)

    def check(self, source: Any, entrants: Sequence[Entrant], settings: ConstructionsSettings) -> None:
        super().check(shown_source(source), entrants, settings)
        check_source(source, settings)
        if settings.examples:
            parse_wanted(settings.examples)
        read_sheets(settings.judgements)

    def files(self, source: Any, settings: ConstructionsSettings) -> list[str]:
        return [*files_of(source, settings), *settings.judgements]

    def read(self, source: Any, settings: ConstructionsSettings) -> list[ConstructionSuite]:
        return suites_of(source, settings)

    taken = ("scheme", "class")

    def columns(self, material: list[ConstructionSuite]) -> dict[str, list[Any]]:
        rows: list[dict[str, Any]] = [
            {
                **item.columns,
                "phenomenon": item.construction.phenomenon, "variant": item.construction.variant,
                "scheme": suite.scheme, "suite": suite.name, "flags": item.construction.flags or ("none",),
                "category": item.node.label, "length": len(item.tree), "span": len(item.node.positions),
            }
            for suite in material
            for item in suite.items
        ]  # fmt: skip
        names = dict.fromkeys(name for row in rows for name in row)
        return {name: [row.get(name) for row in rows] for name in names}

    def facts(self, material: list[ConstructionSuite], settings: ConstructionsSettings) -> Iterable[tuple[str, object]]:
        return [
            ("suite", [f"{suite.name}#{content(suite)}" for suite in material]),
            ("release", sorted({suite.release for suite in material if suite.release}) or None),
            ("scheme", list(dict.fromkeys(suite.scheme for suite in material))),
            ("items", [len(suite.items) for suite in material]), ("rules", RULES_VERSION),
            *([("form", AUTO)] if settings.form == AUTO else []),
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
        return [
            parsed
            for entrant in entrants
            for parsed in parsed_suites(entrant, material, settings.gold, settings.form, work)
        ]

    def judge(
        self, material: list[ConstructionSuite], answers: list[ParsedSuite], settings: ConstructionsSettings
    ) -> list[JudgedConstructions]:
        decisions = settings.decisions
        judged = [
            judge_trees(
                parsed.suite,
                parsed.system,
                parsed.trees,
                form=parsed.form,
                decisions=decisions,
                parsing=parsed.failures,
            )
            for parsed in answers
        ]
        return with_people(judged, read_sheets(settings.judgements)) if settings.judgements else judged

    def findings(self, judged: list[JudgedConstructions], settings: ConstructionsSettings) -> Result:
        counted, independent = tallies(judged), settings.independent
        findings = [finding for tally in counted for finding in _findings(tally, independent)]
        for difference in differences(judged, independent=independent):
            findings += _compared(judged, difference)
        findings = corrected(findings, _family)
        findings += agreements(judged, independent)
        clusters = self.clusters([performance.suite for performance in judged], settings)
        suites = list({id(performance.suite): performance.suite for performance in judged}.values())
        tables = finding_tables(findings, settings.tables, clusters, _notes(judged, suites))
        if by_column := self.groups(suites, settings):
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
        return Result(findings=findings, tables=tables, failures=_failures(judged), details=details)

    def verdicts(
        self, findings: Sequence[Finding], judged: list[JudgedConstructions], settings: ConstructionsSettings
    ) -> Iterable[Verdict]:
        clusters = self.clusters([performance.suite for performance in judged], settings)
        return construction_verdicts(findings, clusters.name)

    def kept(self, judged: list[JudgedConstructions], settings: ConstructionsSettings) -> Kept:
        from ..engine.phrase_trees import PHRASES, attached

        return Kept(observations(judged), attached={PHRASES: attached(judged_trees(judged))})


CONSTRUCTIONS = Constructions()


def content(suite: ConstructionSuite) -> str:
    """The start of a hash over all items with their gold trees."""
    parts = [f"{item.item}\t{to_notation(item.tree)}\t{item.construction}" for item in suite.items]
    return digest(*parts)[:8]


def _notes(judged: Sequence[JudgedConstructions], suites: Sequence[ConstructionSuite]) -> list[str]:
    """The forms of trees, and what was found in a treebank and is not asked."""
    forms = {performance.system: performance.form for performance in judged if performance.form != "discontinuous"}
    notes = [f"{system}: trees in the form {form}" for system, form in forms.items()]
    for suite in suites:
        if suite.left_out:
            counts = ", ".join(f"{name} {count:,}" for name, count in sorted(suite.left_out.items()))
            notes.append(f"not judged, because weak: {counts}")
    return notes


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
    by |= {"class": difference.code} if difference.code else {}
    by["baseline"] = difference.baseline
    suite = ", ".join(dict.fromkeys(each.suite.name for each in judged if each.system == difference.system))
    head, n, measure = (STUDY, suite, difference.system), difference.n, "share" if difference.code else "accuracy"
    only = zip(("baseline_only", "system_only"), difference.only or (), strict=False)
    return [
        *difference_findings(head, f"{measure}_difference", f"{measure}_p", difference.test, by, n),
        *(Finding(*head, name, count, n, by=by) for name, count in only),
    ]


def _family(test: Finding) -> tuple[bool, str, bool]:
    """Return the family of a test: error classes have their own."""
    return *family_of(test), "class" in test.by
