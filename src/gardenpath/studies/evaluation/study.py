"""The evaluation of parsers on a gold treebank: the metrics of the CoNLL 2018 shared task, and where the errors are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from ...runs.layout import FindingIndex, short_names
from ...runs.result import Finding, Table, Value, Verdict
from ...runs.signature import digest, with_hash
from ...runs.verdict import MEASURED
from ...stats.sampling import Clusters
from ...systems.protocol import PARSER
from ...treebank.documents import sentence_clusters
from ...treebank.given import given_files, given_treebank
from ...treebank.scores import METRICS, NOT_TREES, Scores, score
from ...treebank.treebank import Treebank
from ..baseline import baseline_of, check_baseline
from ..label_guard import FEATURES, LABELS, OWN_TAGS, TAGS, missing_layers
from ..parsed import JudgedParsers, ParsedSystems, ask_parsers, check_asked
from ..study import Findings, Kept, Study, Work
from ..verdicts import MeasureWords, score_verdicts
from .settings import EvaluationSettings
from .tables import evaluation_tables

if TYPE_CHECKING:
    from ...runs.observations import Observations
    from ...systems.entrants import Entrant
    from .breakdown import WordGroup
    from .dimensions import Grouping

STUDY = "evaluation"
PHENOMENON = "phenomenon"
NO_TREE = "no_tree"
_MANY = 0.05
"""The share of sentences without a tree from which on a verdict says so."""
_OTHER_LANGUAGE = "phenomena of another language"


ScoredParsers = JudgedParsers[Treebank, Scores]
"""Gold, the trees of all systems, and their scores."""


class Evaluation(Study[EvaluationSettings, Treebank, ParsedSystems, ScoredParsers]):
    """How good is a parser on gold trees, where are its errors, and is one better than another?"""

    name = STUDY
    about = "Score parsers against gold trees: metrics with intervals, and where the errors are."
    settings = EvaluationSettings
    role = PARSER
    measures = ("las", *(metric.lower() for metric in METRICS if metric != "LAS"))

    def check(self, source: Any, entrants: Sequence[Entrant], settings: EvaluationSettings) -> None:
        super().check(source, entrants, settings)
        check_asked(entrants, settings)
        check_baseline(settings.baseline, entrants)

    def files(self, source: Any, settings: EvaluationSettings) -> list[str]:
        return given_files(source)

    def read(self, source: Any, settings: EvaluationSettings) -> Treebank:
        gold = given_treebank(source)
        for grouping in settings.groupings:
            grouping.check(gold)  # before anything is parsed
        return gold

    def facts(self, material: Treebank, settings: EvaluationSettings) -> Iterable[tuple[str, object]]:
        release = with_hash(material.name, material.to_bytes())
        facts = [("gold", release), ("words", "conll2018"), ("subtypes", "ignored"), ("punct", "counted")]
        crossed = [query for grouping in settings.groupings for query in grouping.queries.values()]
        for key, queries in (("where", settings.phenomena), ("by", crossed)):
            parts = [part for query in queries for part in (query.name, query.request.text)]
            if parts:
                facts.append((key, f"{len(queries)} quer{'y' if len(queries) == 1 else 'ies'}#{digest(*parts)[:8]}"))
        return facts

    def clusters(self, material: Treebank, settings: EvaluationSettings) -> Clusters:
        return sentence_clusters(material, settings.independent)

    def ask(
        self, material: Treebank, entrants: Sequence[Entrant], settings: EvaluationSettings, work: Work
    ) -> ParsedSystems:
        return ask_parsers(material, entrants, settings, work, (LABELS, TAGS, OWN_TAGS, FEATURES))

    def judge(self, material: Treebank, answers: ParsedSystems, settings: EvaluationSettings) -> ScoredParsers:
        return JudgedParsers(material, answers, {name: score(material, trees) for name, trees in answers.trees.items()})

    def findings(self, judged: ScoredParsers, settings: EvaluationSettings) -> Findings:
        """All systems side by side; several are tested against the baseline."""
        scores = judged.by_system
        suite = PurePath(judged.material.name).name
        baseline = baseline_of(settings.baseline, scores)
        clusters = self.clusters(judged.material, settings)
        findings = [finding for name, own in scores.items() for finding in _metrics(suite, name, own, clusters)]
        findings += _no_trees(suite, scores)
        if len(scores) > 1:
            from .comparison import compare, difference_findings

            findings += difference_findings(STUDY, suite, compare(scores, clusters, baseline=baseline))
        for grouping in settings.groupings:
            findings += [
                finding for name, own in scores.items() for finding in _grouped(suite, name, own, grouping, clusters)
            ]
        failures = dict(judged.failures)
        for phenomenon in settings.phenomena:
            from .breakdown import of_words

            if not phenomenon.is_for(judged.material):
                failures[_OTHER_LANGUAGE] = failures.get(_OTHER_LANGUAGE, 0) + 1
                continue
            chosen = phenomenon.words(judged.material)
            for name, own in scores.items():
                group = of_words(own, {PHENOMENON: phenomenon.name}, chosen, clusters)
                findings += _group_findings(suite, name, group)
        scored = any(PHENOMENON in finding.by for finding in findings)
        groupings = [*(by.names for by in settings.groupings), *([(PHENOMENON,)] if scored else [])]
        lacking = {name: missing_layers(judged.material, trees) for name, trees in judged.parsed.trees.items()}
        tables, details = evaluation_tables(findings, groupings, baseline, clusters, lacking), dict[str, Any]()
        if settings.examples:
            details["examples"], shown = _examples(scores, settings.examples, settings.shown)
            tables += shown
        return Findings(findings, tables, failures, details)

    def verdicts(
        self, findings: Sequence[Finding], judged: ScoredParsers, settings: EvaluationSettings
    ) -> Iterable[Verdict]:
        clusters = self.clusters(judged.material, settings)
        groupings = [(PHENOMENON,), *(by.names for by in settings.groupings if by.text != "confusion")]
        words = MeasureWords("las", "LAS", "word", clusters.name)
        yield from score_verdicts(findings, words, baseline_of(settings.baseline, judged.by_system), groupings)
        yield from _without_tree(findings)

    def kept(self, judged: ScoredParsers, settings: EvaluationSettings) -> Kept:
        rows = observations(judged.material, judged.by_system, self.clusters(judged.material, settings))
        return Kept(rows, judged.parsed.kept(judged.material))


EVALUATION = Evaluation()


def _no_trees(suite: str, scores: Mapping[str, Scores]) -> Iterator[Finding]:
    """How many sentences of a system are no tree: several roots or none, a cycle, a word without a head."""
    for system, own in scores.items():
        if count := own.failures[NOT_TREES]:
            yield Finding(STUDY, suite, system, NO_TREE, count, len(own.alignment.system))


def _without_tree(findings: Sequence[Finding]) -> Iterator[Verdict]:
    """Systems with so many such sentences that it must be known before a score is read."""
    names = short_names(FindingIndex(findings).systems)
    for finding in findings:
        share = float(finding.value or 0) / (finding.n or 1) if finding.measure == NO_TREE else 0.0
        if share >= _MANY:
            text = (
                f"{names[finding.system]}: {finding.value:,} of {finding.n:,} sentences are no tree; their words are "
                "scored one by one, and those without a head count as wrong."
            )
            yield Verdict(text, MEASURED, (finding,), weight=100 * share)


def _metrics(suite: str, system: str, scores: Scores, clusters: Clusters) -> list[Finding]:
    """F1 with its interval, precision, recall, accuracy of the aligned words and the count of right ones."""
    findings = []
    intervals = scores.intervals(clusters)
    for metric in METRICS:
        correct, gold, predicted, aligned = scores.totals(metric)
        low, high = intervals.get(metric, (None, None))
        key = metric.lower()
        findings += [
            Finding(STUDY, suite, system, key, scores.f1(metric), gold, low, high),
            Finding(STUDY, suite, system, f"{key}_precision", scores.precision(metric), predicted),
            Finding(STUDY, suite, system, f"{key}_recall", scores.recall(metric), gold),
            Finding(STUDY, suite, system, f"{key}_aligned", scores.aligned_accuracy(metric), aligned),
            Finding(STUDY, suite, system, f"{key}_correct", correct, gold),
        ]
    return findings


def _grouped(suite: str, system: str, scores: Scores, grouping: Grouping, clusters: Clusters) -> list[Finding]:
    from .breakdown import by_group

    if grouping.text == "confusion":
        return _confusions(suite, system, scores)
    groups = by_group(scores, grouping, clusters)
    return [finding for group in groups for finding in _group_findings(suite, system, group)]


def _group_findings(suite: str, system: str, group: WordGroup) -> list[Finding]:
    by: dict[str, Value] = {**group.by}
    findings = [
        Finding(STUDY, suite, system, "uas", group.uas, group.words, by=by),
        Finding(STUDY, suite, system, "las", group.las, group.words, group.low, group.high, by),
        Finding(STUDY, suite, system, "label", group.label, group.words, by=by),
    ]
    if group.f1 is not None:
        findings.append(Finding(STUDY, suite, system, "las_precision", group.precision, group.words, by=by))
        findings.append(Finding(STUDY, suite, system, "las_f1", group.f1, group.words, by=by))
    return findings


def _confusions(suite: str, system: str, scores: Scores) -> list[Finding]:
    """Words of each pair of labels; of pairs that differ also their share of all words with another label."""
    from .breakdown import confusions

    findings = []
    cells = confusions(scores)
    wrong = sum(words for label, predicted, words in cells if label != predicted)
    for label, predicted, words in cells:
        by: dict[str, Value] = {"label": label, "predicted": predicted}
        findings.append(Finding(STUDY, suite, system, "confusion", words, by=by))
        if label != predicted:
            findings.append(Finding(STUDY, suite, system, "confusion_share", 100 * words / wrong, wrong, by=by))
    return findings


def _examples(scores: Mapping[str, Scores], wanted: str, limit: int) -> tuple[list[dict[str, Any]], list[Table]]:
    from .examples import find_examples

    details, tables = list[dict[str, Any]](), list[Table]()
    for name, short in short_names(list(scores)).items():
        shown, total = find_examples(scores[name], wanted, limit)
        details += [{"system": name, **asdict(example)} for example in shown]
        rows = [(example.sent_id, example.marked, example.gold, example.predicted) for example in shown]
        title = f"{short}: {total} words for {wanted}" + (f", the first {limit}" if total > limit else "")
        tables.append(Table(title, ("sentence", "text", "gold", "predicted"), rows, name="examples"))
    return details, tables


def observations(gold: Treebank, scores: Mapping[str, Scores], clusters: Clusters) -> Observations:
    """One row per gold word and system: is head and label right (`outcome`), is the head right (`value`)?"""
    from ...runs.observations import Observations
    from .dimensions import groups_of_words

    parts = []
    upos, distance = gold.column("upos").strings(), (gold.ids - gold.heads).tolist()
    items = [gold.sentence_names[number] for number in gold.sentence_of.tolist()]
    groups = groups_of_words(gold)
    for name, system_scores in scores.items():
        words = system_scores.words
        labels = words.deprels
        columns = {
            "study": STUDY, "suite": PurePath(gold.name).name, "item": items, "condition": "",
            "system": name, "seed": 0,
            "cluster": clusters.codes[0][gold.sentence_of].tolist(),
            "unit": gold.ids.tolist(),
            "outcome": [("right" if right else "wrong") if asked else "no gold head"
                        for right, asked in zip(words.las.tolist(), words.scored.tolist(), strict=True)],
            "value": words.uas.astype(int).tolist(),
            "upos": upos,
            "label": [labels[code] for code in words.gold_deprels.tolist()],
            "predicted": [labels[code] if code >= 0 else "" for code in words.system_deprels.tolist()],
            "displacement": [d if h > 0 else None for d, h in zip(distance, gold.heads.tolist(), strict=True)],
            **groups,
        }  # fmt: skip
        parts.append(Observations(columns))
    return Observations.joined(parts)
