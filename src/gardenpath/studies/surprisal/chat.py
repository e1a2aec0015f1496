"""Chat models as judges of minimal pairs: the questions, the answers as judgements, findings, tables and verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ...runs.record.signatures import digest
from ...runs.result.layout import FindingIndex, group_columns, groups_by_systems, systems_by_measures, table, unfolded
from ...runs.result.observations import Observations
from ...runs.result.result import Finding, Result, Table, Value, Verdict
from ...runs.result.verdict import MEASURED, count_text, score_text
from ...stats.sampling import Clusters, Estimate, share
from ...suites.regions.hierarchy import item_clusters, suite_columns
from ...suites.regions.model import RegionSuite
from ...suites.regions.pairs import pair_of
from ...suites.regions.reader import given_suites, read_region_suites, region_files
from ...systems.asking.entrants import Entrant
from ...systems.asking.exchange import problem_of
from ...systems.asking.protocol import JUDGE
from ...systems.language_models.chat import replies_with
from ..engine.corrections import corrected
from ..engine.grouping import ColumnGroups, column_table
from ..engine.study import Kept, Study, Work
from ..engine.verdicts import (
    CHANCE,
    AgainstChance,
    MeasureWords,
    SystemVerdicts,
    against_chance,
    by_chance,
    chance_finding,
)
from .chat_declaration import STUDY, JudgementSettings

CHOICE, YES_NO = "choice", "yes-no"


@dataclass(frozen=True)
class Template:
    """A question with places for the sentences, and the words that answer it."""

    kind: str
    text: str
    answers: tuple[str, str]
    """Of a choice: the first sentence, the second; else yes, no."""

    def read(self, reply: str | None) -> int | None:
        """Which of its two answers a reply is: the only one of them that stands in it as a word, in any case."""
        words = set(re.findall(r"\w+", (reply or "").casefold()))
        named = [number for number, answer in enumerate(self.answers) if answer.casefold() in words]
        return named[0] if len(named) == 1 else None


TEMPLATES: Mapping[str, Template] = {
    "better": Template(
        CHOICE,
        "Which of these two sentences is better formed? Answer with 1 or 2.\n1: {first}\n2: {second}",
        ("1", "2"),
    ),
    "native": Template(
        CHOICE,
        "Here are two sentences, X and Y. A native speaker would say only one of them. Answer with X or Y.\n"
        "X: {first}\nY: {second}",
        ("X", "Y"),
    ),
    "grammatical": Template(YES_NO, "Is this sentence grammatical? Answer with yes or no.\n{first}", ("yes", "no")),
    "acceptable": Template(
        YES_NO, "Would a native speaker accept this sentence? Answer with yes or no.\n{first}", ("yes", "no")
    ),
}
ORDERS = ("good first", "bad first")
"""Of a choice."""


Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Question:
    """One question about every pair: a template, in an order if it is a choice, about one sentence if it is not."""

    template: str
    form: str
    """An order of a choice; `good` or `bad`, the sentence that yes or no is about."""

    def text(self, good: str, bad: str) -> str:
        first, second = (good, bad) if self.form in (ORDERS[0], "good") else (bad, good)
        return TEMPLATES[self.template].text.format(first=first, second=second)


def questions_of(templates: Sequence[str]) -> list[Question]:
    """All questions that a pair is asked."""
    forms = {name: ORDERS if TEMPLATES[name].kind == CHOICE else ("good", "bad") for name in templates}
    return [Question(name, form) for name in templates for form in forms[name]]


@dataclass(frozen=True, eq=False)
class PairJudgements:
    """What a system said of all pairs: for each question and pair the answer, 0 or 1, and -1 where it is neither."""

    answers: Mapping[Question, NDArray[np.int64]]

    def at(self, chosen: Bools) -> PairJudgements:
        """The judgements of some of the pairs."""
        return PairJudgements({question: answers[chosen] for question, answers in self.answers.items()})

    def of(self, template: str) -> list[tuple[Question, NDArray[np.int64]]]:
        return [(question, answers) for question, answers in self.answers.items() if question.template == template]

    def right(self, question: Question) -> Bools:
        """Of a choice: the good sentence was taken; of yes and no: yes of the good one, no of the bad one."""
        return np.asarray(self.answers[question] == (0 if question.form in (ORDERS[0], "good") else 1))

    def takes(self) -> Iterator[tuple[str, Bools]]:
        """Ways to judge a pair, each with the pairs it gets right: every order of a choice; yes and no together."""
        for template in dict.fromkeys(question.template for question in self.answers):
            asked = [question for question, _ in self.of(template)]
            if TEMPLATES[template].kind == CHOICE:
                yield from ((f"{template}, {question.form}", self.right(question)) for question in asked)
            else:
                yield template, np.all([self.right(question) for question in asked], axis=0)


_CHOICES = "per cent of choices right"
_MANY = 10.0
"""Per cent of answers that cannot be used, from which on a sentence says so."""


def judgement_verdicts(findings: Sequence[Finding]) -> Iterator[Verdict]:
    """Against chance, and the answers that count as wrong because they cannot be used.

    A model that falls below chance by such answers alone is not said to choose worse than a coin: it did not choose.
    """
    verdicts = SystemVerdicts(findings, MeasureWords("accuracy", _CHOICES, "pair", "item"))
    tested = {
        system: chance
        for system in verdicts.index.systems
        if (chance := against_chance(verdicts, system)) and not _is_excused(verdicts, system, chance)
    }
    yield from by_chance(list(tested.values()), what=_CHOICES, unit="pair")
    few = {name for system, name in verdicts.names.items() if against_chance(verdicts, system) is None}
    yield from verdicts.scores({name: score for name, score in verdicts.overall().items() if name in few})
    for system in verdicts.index.systems:
        unusable = verdicts.index.get("unusable", system)
        if unusable is None or float(unusable.value or 0) < _MANY:
            continue
        value, _, interval = score_text(unusable).partition(" ")
        text = f"{value} % {interval} of the answers of {verdicts.names[system]} cannot be used, and count as wrong"
        rests_on, weight = [unusable], float(unusable.value or 0)
        accuracy = verdicts.index.get("accuracy", system)
        if system not in tested and accuracy is not None:
            text += f": whether it chooses better than a coin is not known ({_CHOICES} {score_text(accuracy)})"
            rests_on.append(accuracy)
        yield Verdict(f"{text}; {count_text(unusable.n, 'pair')}.", MEASURED, tuple(rests_on), weight)


def _is_excused(verdicts: SystemVerdicts, system: str, tested: AgainstChance) -> bool:
    """Would it be at chance or above if the answers that cannot be used were right?"""
    choices = [template for template, known in TEMPLATES.items() if known.kind == CHOICE]
    shares = [verdicts.index.get("unusable", system, {"template": template}) for template in choices]
    unusable = [float(share.value or 0) for share in shares if share is not None]
    return tested.gap < 0 and bool(unusable) and tested.gap + sum(unusable) / len(unusable) >= 0


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
        return PairMaterial(suites, pairs)

    taken = ("template", "form", "way", "other")

    def columns(self, material: PairMaterial) -> dict[str, list[Any]]:
        return suite_columns(material.suites)

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

    def findings(self, judged: JudgedPairs, settings: JudgementSettings) -> Result:
        title, clusters = judged.material.title, item_clusters(judged.material.suites, settings.independent)
        findings = [
            finding
            for system, judgements in judged.judgements.items()
            for finding in _findings(title, system, judgements, clusters)
        ]
        if any(finding.measure == "accuracy" for finding in findings):
            findings.append(Finding(STUDY, title, "", CHANCE, _CHANCE, len(clusters)))
        by_column = self.groups(judged.material, settings)
        if by_column:
            for keys, chosen in zip(by_column.groups, by_column.members, strict=True):
                for system, judgements in judged.judgements.items():
                    overall = _findings(title, system, judgements.at(chosen), clusters.at(chosen))
                    findings += [replace(finding, by=keys) for finding in overall if not finding.by]
        findings = corrected(findings)
        return Result(findings=findings, tables=_tables(findings, settings.tables, by_column), failures=judged.failures)

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

    def estimated(columns: Sequence[Any]) -> Estimate:
        """Return the share over columns of yes and no; every pair has one of each."""
        right = np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1).mean(axis=1)
        return share(right, np.ones(size), clusters)

    def finding(measure: str, columns: Sequence[Any], **by: Value) -> Finding:
        estimate = estimated(columns)
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
        right = [judgements.right(question) for question in choices]
        yield finding("accuracy", right)
        yield chance_finding(STUDY, suite, system, {}, estimated(right), _CHANCE)
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
