"""The study of judgements: does a chat model take the good sentence of a pair, however it is asked?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from ...errors import InputError, UsageError
from ...runs.layout import FindingIndex, group_columns, groups_by_systems, systems_by_measures, table, unfolded
from ...runs.observations import Observations
from ...runs.result import Finding, Table, Value, Verdict
from ...runs.signature import digest
from ...stats.sampling import Clusters, Estimate, shares
from ...suites.regions.clusters import item_clusters
from ...suites.regions.columns import suite_columns
from ...suites.regions.given import given_suites
from ...suites.regions.model import RegionSuite
from ...suites.regions.pair import pair_of
from ...suites.regions.reader import read_region_suites, region_files
from ...systems.asking import problem_of
from ...systems.entrants import Entrant
from ...systems.judging import replies_with
from ...systems.protocol import JUDGE
from ..chance import CHANCE, chance_findings
from ..grouping import ColumnGroups, asked_groups, column_table
from ..study import Findings, Kept, Study, Work
from .judging import PairJudgements, questions_of
from .settings import GROUPINGS, STUDY, JudgementSettings
from .templates import CHOICE, TEMPLATES, YES_NO
from .verdicts import judgement_verdicts

MEASURES = {
    "accuracy": "choices right", "both_orders": "right in both orders", "accuracy_yes_no": "yes and no right",
    "first_taken": "first taken", "unusable": "unusable", "agreement": "agreement",
}  # fmt: skip
_CHANCE = 50.0
"""Per cent of choices that a coin gets right."""


@dataclass(frozen=True, eq=False)
class PairMaterial:
    """Pairs of all suites, in order."""

    suites: Sequence[RegionSuite]
    pairs: Sequence[tuple[str, str]]

    @property
    def title(self) -> str:
        return self.suites[0].title if len(self.suites) == 1 else f"{len(self.suites)} suites"


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """What every system said, and why it said nothing."""

    material: PairMaterial
    judgements: Mapping[str, PairJudgements]
    failures: Mapping[str, int]


class Judgement(Study[JudgementSettings, PairMaterial, Any, JudgedPairs]):
    """Chance is 50 for choices, and 25 for yes and no where both are coin flips."""

    name = STUDY
    about = "Does a chat model take the good sentence of a pair, however it is asked?"
    settings = JudgementSettings
    role = JUDGE
    measures = tuple(MEASURES)

    def files(self, source: Any, settings: JudgementSettings) -> list[str]:
        return [file for name in given_suites(source).names for file in region_files(name)]

    def read(self, source: Any, settings: JudgementSettings) -> PairMaterial:
        given = given_suites(source)
        suites = [*given.suites, *(suite for name in given.names for suite in read_region_suites(name))]
        if not suites:
            raise UsageError("no suite to judge", todo="name a suite of pairs, such as BLiMP's or a table of pairs")
        try:
            pairs = [pair_of(suite, item) for suite in suites for item in suite.items]
        except InputError as error:
            raise InputError(error.what, where=error.where, todo="chat models judge pairs of whole sentences") from None
        _groups(suites, settings)  # an unknown column is told before anything is asked
        return PairMaterial(suites, pairs)

    def facts(self, material: PairMaterial, settings: JudgementSettings) -> Iterable[tuple[str, object]]:
        content = digest(*(sentence for pair in material.pairs for sentence in pair))[:8]
        asked = digest(*(TEMPLATES[name].text for name in settings.templates))[:8]
        return [
            ("suites", f"{material.title}#{content}"), ("pairs", len(material.pairs)),
            ("questions", f"{','.join(settings.templates)}#{asked}"),
        ]  # fmt: skip

    def clusters(self, material: PairMaterial, settings: JudgementSettings) -> Clusters:
        return item_clusters(material.suites, settings.independent)

    def ask(
        self, material: PairMaterial, entrants: Sequence[Entrant], settings: JudgementSettings, work: Work
    ) -> dict[str, Any]:
        questions = questions_of(settings.templates)
        texts = [question.text(*pair) for question in questions for pair in material.pairs]
        return {entrant.name: replies_with(entrant.system, texts, where=work.place) for entrant in entrants}

    def judge(self, material: PairMaterial, answers: Mapping[str, Any], settings: JudgementSettings) -> JudgedPairs:
        questions, size = questions_of(settings.templates), len(material.pairs)
        judgements, failures = {}, dict[str, int]()
        for system, (replies, failed) in answers.items():
            by_question = {}
            for number, question in enumerate(questions):
                template = TEMPLATES[question.template]
                read = [template.read(reply) for reply in replies[number * size : (number + 1) * size]]
                by_question[question] = np.array([-1 if answer is None else answer for answer in read], dtype=np.int64)
                key = f"{system}: answers to {question.template} that cannot be used"
                if unusable := sum(answer is None for answer in read):
                    failures[key] = failures.get(key, 0) + unusable
            for failure in failed.values():
                key = f"{system}: no answer ({problem_of(failure)})"
                failures[key] = failures.get(key, 0) + 1
            judgements[system] = PairJudgements(by_question)
        return JudgedPairs(material, judgements, failures)

    def findings(self, judged: JudgedPairs, settings: JudgementSettings) -> Findings:
        title, clusters = judged.material.title, item_clusters(judged.material.suites, settings.independent)
        findings = [
            finding
            for system, judgements in judged.judgements.items()
            for finding in _findings(title, system, judgements, clusters)
        ]
        findings += _against_chance(title, findings, clusters)
        by_column = _groups(judged.material.suites, settings)
        if by_column:
            for keys, chosen in zip(by_column.groups, by_column.members, strict=True):
                for system, judgements in judged.judgements.items():
                    overall = _findings(title, system, judgements.at(chosen), clusters.at(chosen))
                    findings += [replace(finding, by=keys) for finding in overall if not finding.by]
        return Findings(findings, _tables(findings, settings.tables, by_column), judged.failures)

    def verdicts(
        self, findings: Sequence[Finding], judged: JudgedPairs, settings: JudgementSettings
    ) -> Iterable[Verdict]:
        return judgement_verdicts(findings)

    def kept(self, judged: JudgedPairs, settings: JudgementSettings) -> Kept:
        items = [(suite.title, item.id) for suite in judged.material.suites for item in suite.items]
        codes = self.clusters(judged.material, settings).codes[0].tolist()
        parts = []
        for system, judgements in judged.judgements.items():
            for question, answers in judgements.answers.items():
                right = judgements.right(question)
                words = np.where(answers < 0, "unusable", np.where(right, "right", "wrong"))
                columns: dict[str, Any] = {
                    "study": STUDY, "suite": [title for title, _ in items], "item": [item for _, item in items],
                    "condition": question.form, "system": system, "seed": 0, "cluster": codes,
                    "unit": question.template, "outcome": words.tolist(), "value": right.astype(float).tolist(),
                }  # fmt: skip
                parts.append(Observations(columns))
        return Kept(Observations.joined(parts))


JUDGEMENT = Judgement()


def _findings(suite: str, system: str, judgements: PairJudgements, clusters: Clusters) -> Iterator[Finding]:
    """Every measure over all templates of a kind, of every template, and of every order."""
    size = len(clusters)

    def finding(measure: str, columns: Sequence[Any], **by: Value) -> Finding:
        """The share over columns of yes and no; every pair has one of each."""
        right = np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1).mean(axis=1)
        (estimate,) = shares(right[:, None], np.ones((size, 1)), clusters)
        assert estimate is not None
        low, high = estimate.percent
        return Finding(STUDY, suite, system, measure, 100 * estimate.value, size, low, high, by)

    asked = list(judgements.answers.items())
    choices = [question for question, _ in asked if TEMPLATES[question.template].kind == CHOICE]
    templates = list(dict.fromkeys(question.template for question, _ in asked))
    takes = dict(judgements.takes())
    if choices:
        both = {
            template: np.all([judgements.right(question) for question, _ in judgements.of(template)], axis=0)
            for template in templates
            if TEMPLATES[template].kind == CHOICE
        }
        yield finding("accuracy", [judgements.right(question) for question in choices])
        yield finding("both_orders", list(both.values()))
        yield finding("first_taken", [judgements.answers[question] == 0 for question in choices])
    yes_no = [template for template in templates if TEMPLATES[template].kind == YES_NO]
    if yes_no:
        yield finding("accuracy_yes_no", [takes[template] for template in yes_no])
    yield finding("unusable", [answers < 0 for _, answers in asked])
    pairs = [takes[first] == takes[second] for first, second in combinations(takes, 2)]
    if pairs:
        yield finding("agreement", pairs)
    for template in templates:
        questions = [question for question, _ in judgements.of(template)]
        if template in yes_no:
            yield finding("accuracy_yes_no", [takes[template]], template=template)
        else:
            yield finding("accuracy", [judgements.right(question) for question in questions], template=template)
            yield finding("both_orders", [both[template]], template=template)
            yield finding("first_taken", [answers == 0 for _, answers in judgements.of(template)], template=template)
        yield finding("unusable", [answers < 0 for _, answers in judgements.of(template)], template=template)
        for question in questions:
            yield finding("right", [judgements.right(question)], template=template, form=question.form)
    for first, second in combinations(takes, 2):
        yield finding("agreement", [takes[first] == takes[second]], way=first, other=second)


def _against_chance(suite: str, findings: Sequence[Finding], clusters: Clusters) -> list[Finding]:
    """Of all choices: chance, and p of each system having no more and no less."""
    overall = [finding for finding in findings if finding.measure == "accuracy" and not finding.by]
    if not overall:
        return []
    tests = []
    for finding in overall:
        share, low, high = (float(value or 0) / 100 for value in (finding.value, finding.low, finding.high))
        p = Estimate(share, low, high, clusters.count).p_of_share(_CHANCE / 100)
        tests.append((finding.system, finding.by, p, clusters.count))
    chance = Finding(STUDY, suite, "", CHANCE, _CHANCE, overall[0].n)
    return [chance, *chance_findings(STUDY, suite, tests)]


def _groups(suites: Sequence[RegionSuite], settings: JudgementSettings) -> ColumnGroups | None:
    """The groups by the columns that are asked for; None where none are."""
    taken = ("template", "form", "way", "other")
    return asked_groups(settings.columns, suite_columns(suites), GROUPINGS, taken) if settings.columns else None


def _tables(findings: Sequence[Finding], by: Sequence[str], by_column: ColumnGroups | None) -> list[Table]:
    index = FindingIndex(findings)
    note = "chance is 50 for choices and 25 for yes and no; what cannot be used counts as wrong"
    columns = systems_by_measures(index, MEASURES, intervals=("accuracy", "accuracy_yes_no"), numbered=False)
    forms = index.groups("template", "form", measure="right")
    ways = index.groups("way", "other", measure="agreement")
    tables = [table("Judgements of pairs", columns, note=note, name="judgements")]
    for measure in ("accuracy", "accuracy_yes_no"):
        if by_column and index.groups(measure=measure):
            shown = column_table(index, by_column, measure, MEASURES[measure], "pairs")
            tables.append(replace(shown, name=f"{measure.replace('_', '-')}-{shown.name}"))
    by_form = [*group_columns(forms), *groups_by_systems(index, forms, "right", "right", named=True)]
    tables += unfolded([table("Right answers by question", by_form, name="by-question")], "question" in by)
    if ways:
        agreed = [*group_columns(ways), *groups_by_systems(index, ways, "agreement", "agreement", named=True)]
        agreement = table("Pairs on which two ways of asking agree", agreed, name="agreement")
        tables += unfolded([agreement], "agreement" in by)
    return tables
