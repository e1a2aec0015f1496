"""The evaluation of dependency parsers: CoNLL 2018 metrics, comparison with a baseline, tables and examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..._text import either
from ...errors import UsageError, unknown_name
from ...runs.record.signatures import digest, with_hash
from ...runs.result.layout import (
    SIGNED,
    Column,
    FindingIndex,
    P,
    breakdown,
    measured,
    measures_by_systems,
    short_names,
    table,
)
from ...runs.result.result import Finding, Result, Table, Value, Verdict
from ...runs.result.verdict import MEASURED
from ...stats.sampling import Clusters, SeedSpread, share_difference
from ...systems.asking.protocol import PARSER
from ...treebank.format.documents import sentence_clusters
from ...treebank.format.reading import given_files, given_treebank
from ...treebank.format.sentence import Sentence
from ...treebank.format.treebank import Treebank
from ...treebank.trees.scores import METRICS, NOT_TREES, Scores, score
from ..engine.corrections import corrected, difference_findings
from ..engine.parsers import (
    FEATURES,
    LABELS,
    OWN_TAGS,
    TAGS,
    JudgedParsers,
    ParsedSystems,
    ask_parsers,
    kept_trees,
    missing_layers,
    unannotated_layers,
)  # fmt: skip
from ..engine.study import Kept, Study, Work, baseline_of
from ..engine.verdicts import MeasureWords, score_verdicts
from .declaration import EvaluationSettings

if TYPE_CHECKING:
    from ...runs.result.observations import Observations
    from ...systems.asking.entrants import Entrant
    from .breakdown import Grouping, WordGroup


_TESTS = {"p": "p", "p_holm": "p Holm"}


class Scored(Protocol):
    """The scores of a system on sentences, each a ratio of counts."""

    def ratio(self, metric: str, /) -> tuple[NDArray[Any], NDArray[Any]]:
        """Numerators and denominators per sentence."""


SpreadOf = Callable[[str, str], SeedSpread | None]
"""What other seeds would change in the difference of a system to the baseline: by system and metric."""


def compare(
    study: str,
    suite: str,
    scores: Mapping[str, Scored],
    clusters: Clusters,
    baseline: str,
    metrics: Sequence[str] = ("UAS", "LAS", "CLAS"),
    spread_of: SpreadOf = lambda system, metric: None,
) -> list[Finding]:
    """Return the difference of each system to the baseline over the same clusters of sentences, with its tests."""
    by: dict[str, Value] = {"baseline": baseline}
    findings: list[Finding] = []
    for metric in metrics:
        for system in scores:
            if system != baseline:
                before, after = scores[baseline].ratio(metric), scores[system].ratio(metric)
                test = share_difference(before, after, clusters, spread_of(system, metric))
                name = metric.lower()
                findings += difference_findings((study, suite, system), f"{name}_difference", f"{name}_p", test, by)
    return corrected(findings)


def difference_table(index: FindingIndex, measures: Mapping[str, str], baseline: str, clusters: Clusters) -> Table:
    """Each difference with its interval and tests; `measures` have their names for people."""
    by: dict[str, Value] = {"baseline": baseline}
    rows = [
        (measure, system)
        for measure in measures
        for system in index.systems
        if index.get(f"{measure}_difference", system, by)
    ]
    short = short_names(index.systems)
    columns = [
        Column("metric", [measures[measure] for measure, _ in rows]),
        Column("system", [short[system] for _, system in rows]),
    ]
    differences = [index.get(f"{measure}_difference", system, by) for measure, system in rows]
    columns += measured("difference", differences, interval=True, kind=SIGNED)
    for test, header in _TESTS.items():
        columns += measured(header, [index.get(f"{measure}_{test}", system, by) for measure, system in rows], kind=P)
    return table(f"Difference to {short[baseline]}, paired by {clusters.name}", columns, name="differences")


@dataclass(frozen=True, slots=True)
class ErrorExample:
    """One word that the system got wrong, marked in its sentence."""

    sent_id: str
    place: str
    word: int
    marked: str
    """The text with the word in «…»."""
    gold: str
    """`label ← head`, as in gold."""
    predicted: str
    """The same, as the system has it."""


def find_examples(scores: Scores, wanted: str, limit: int = 10) -> tuple[list[ErrorExample], int]:
    """Words that are `GOLD` in gold and `SYSTEM` in the system for "GOLD:SYSTEM"; all errors of a label for "GOLD".

    Returns the first `limit` and how many there are.
    """
    words, alignment = scores.words, scores.alignment
    gold_label, colon, system_label = wanted.partition(":")
    for label in (gold_label, *([system_label] if colon else [])):
        if label not in words.deprels:
            error = unknown_name("label", label, words.deprels)
            raise UsageError(error.what, where=wanted, todo=error.todo + "; labels are compared without subtypes")
    chosen = words.scored & words.aligned & (words.gold_deprels == words.deprels.index(gold_label))
    if system_label:
        chosen &= words.system_deprels == words.deprels.index(system_label)
    if gold_label != system_label:
        chosen &= ~words.las
    places = np.flatnonzero(chosen)
    gold, system = alignment.gold, alignment.system
    shown = []
    for word in places[:limit].tolist():
        partner = int(alignment.system_of[word])
        sentence = gold[int(gold.sentence_of[word])]
        other = system[int(system.sentence_of[partner])]
        mine = sentence.words[word - int(gold.offsets[sentence.number])]
        theirs = other.words[partner - int(system.offsets[other.number])]
        row = int(gold.word_rows[word])
        shown.append(
            ErrorExample(
                sentence.sent_id or str(sentence.number + 1),
                gold.place(int(gold.index.starts[row])),
                mine.ord,
                marked_text(sentence, mine.ord),
                _edge(mine.deprel, mine.parent.form if mine.parent else "?"),
                _edge(theirs.deprel, theirs.parent.form if theirs.parent else "?"),
            )
        )
    return shown, len(places)


def _edge(label: str, head: str) -> str:
    return f"{label} ← {'ROOT' if head == '<ROOT>' else head}"


def marked_text(sentence: Sentence, word: int) -> str:
    """The text of a sentence with one word (or the multiword token it is in) in «…»."""
    pieces = []
    for token in sentence.tokens:
        form = f"«{token.form}»" if token.first <= word <= token.last else token.form
        pieces.append(form if "SpaceAfter=No" in token.misc.split("|") else form + " ")
    return "".join(pieces).rstrip()


_CONFUSIONS_SHOWN = 15
_OF_GROUPS = {"uas": "UAS", "las": "LAS", "label": "label"}
_OF_LABELS = {"las_precision": "precision", "las_f1": "F1"}
_UNANNOTATED = "Gold has no {}: what systems score there, and in metrics that count them, says nothing."
_LACKING = "{} gives no {}: what it scores there, and in metrics that count them, says nothing about it."
_KEYS = {metric.lower(): metric for metric in METRICS}


def evaluation_tables(
    findings: Sequence[Finding], by: Sequence[Sequence[str]], baseline: str, clusters: Clusters,
    lacking: Mapping[str, Sequence[str]], unannotated: Sequence[str] = (),
) -> list[Table]:  # fmt: skip
    """All metrics, differences to the baseline where there are some, and a breakdown for each grouping.

    Of each system, `lacking` has the layers that it does not give at all: their scores say nothing about it.
    `unannotated` are those that gold does not have.
    """
    index = FindingIndex(findings)
    short = short_names(index.systems)
    notes = [_LACKING.format(short[name], either(layers)) for name, layers in lacking.items() if layers]
    if unannotated:
        notes.append(_UNANNOTATED.format(either(unannotated)))
    tables = [replace(_metric_table(index), note="\n".join(filter(None, [*notes, clusters.note])))]
    if any("baseline" in finding.by for finding in findings):
        tables.append(difference_table(index, _KEYS, baseline, clusters))
    for keys in by:
        if keys == ("confusion",):
            tables += [_confusion_table(index, system) for system in index.systems]
        else:
            shown = _OF_GROUPS | (_OF_LABELS if keys == ("label",) else {})
            tables.append(breakdown(index, keys, "las", "LAS", "words", shown))
    return tables


def _metric_table(index: FindingIndex) -> Table:
    """One system: precision and recall too; several: F1 side by side."""
    suite, (first, *others) = index.findings[0].suite, index.systems
    if others:
        return table(f"F1 on {suite}", measures_by_systems(index, _KEYS, "metric"), name="metrics")

    def column(header: str, ending: str = "", *, interval: bool = False) -> list[Column]:
        return measured(header, [index.get(key + ending, first) for key in _KEYS], interval=interval)

    columns = [
        Column("metric", METRICS), *column("precision", "_precision"), *column("recall", "_recall"),
        *column("F1", interval=True), *column("aligned", "_aligned"),
    ]  # fmt: skip
    return table(f"{short_names([first])[first]} on {suite}", columns, name="metrics")


def _confusion_table(index: FindingIndex, system: str) -> Table:
    """The labels that are taken for others most often."""
    shares = [
        finding for finding in index.findings if finding.measure == "confusion_share" and finding.system == system
    ]
    shown = shares[:_CONFUSIONS_SHOWN]
    columns = [
        Column("gold", [share.by["label"] for share in shown]),
        Column("predicted", [share.by["predicted"] for share in shown]),
        *measured("words", [index.get("confusion", system, share.by) for share in shown]),
        *measured("% of these", shown),
    ]
    total = shares[0].n if shares else 0
    name = short_names(index.systems)[system]
    return table(f"{name}: {total} words with another label; the most frequent confusions", columns, name="confusion")


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
    settings = EvaluationSettings
    role = PARSER
    measures = ("las", *(metric.lower() for metric in METRICS if metric != "LAS"))

    def files(self, source: Any, settings: EvaluationSettings) -> list[str]:
        return given_files(source)

    def read(self, source: Any, settings: EvaluationSettings) -> Treebank:
        gold = given_treebank(source)
        for grouping in settings.groupings:
            grouping.check(gold)  # before anything is parsed
        for phenomenon in settings.phenomena:
            if phenomenon.is_for(gold):
                phenomenon.check(gold)
        return gold

    def facts(self, material: Treebank, settings: EvaluationSettings) -> Iterable[tuple[str, object]]:
        release = with_hash(material.name, material.to_bytes())
        facts = [("gold", release), ("words", "conll2018"), ("subtypes", "ignored"), ("punct", "counted")]
        crossed = [query for grouping in settings.groupings for query in grouping.queries.values()]
        queries = [*settings.phenomena, *crossed]
        if queries:
            parts = [part for query in queries for part in (query.name, query.request.text)]
            facts.append(("by", f"{len(queries)} quer{'y' if len(queries) == 1 else 'ies'}#{digest(*parts)[:8]}"))
        return facts

    def clusters(self, material: Treebank, settings: EvaluationSettings) -> Clusters:
        return sentence_clusters(material, settings.independent)

    def ask(
        self, material: Treebank, entrants: Sequence[Entrant], settings: EvaluationSettings, work: Work
    ) -> ParsedSystems:
        for phenomenon in settings.phenomena:
            if phenomenon.is_for(material):
                work.tell_notes(phenomenon.name, phenomenon.check(material))
        return ask_parsers(material, entrants, settings, work, (LABELS, TAGS, OWN_TAGS, FEATURES))

    def judge(self, material: Treebank, answers: ParsedSystems, settings: EvaluationSettings) -> ScoredParsers:
        return JudgedParsers(material, answers, {name: score(material, own.treebank) for name, own in answers.items()})

    def findings(self, judged: ScoredParsers, settings: EvaluationSettings) -> Result:
        """All systems side by side; several are tested against the baseline."""
        scores = judged.by_system
        suite = PurePath(judged.material.name).name
        baseline = baseline_of(settings.baseline, scores)
        clusters = self.clusters(judged.material, settings)
        findings = [finding for name, own in scores.items() for finding in _metrics(suite, name, own, clusters)]
        findings += _no_trees(suite, scores)
        if len(scores) > 1:
            findings += compare(STUDY, suite, scores, clusters, baseline)
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
        lacking = {name: missing_layers(judged.material, own.treebank) for name, own in judged.parsed.items()}
        unannotated = unannotated_layers(judged.material)
        tables = evaluation_tables(findings, groupings, baseline, clusters, lacking, unannotated)
        details = dict[str, Any]()
        if settings.examples:
            details["examples"], shown = _examples(scores, settings.examples, settings.shown)
            tables += shown
        return Result(findings=findings, tables=tables, failures=failures, details=details)

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
        return Kept(rows, kept_trees(judged.material, judged.parsed))


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
    from ...runs.result.observations import Observations
    from .breakdown import groups_of_words

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
