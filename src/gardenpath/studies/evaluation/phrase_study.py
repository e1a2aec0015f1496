"""The evaluation of phrase parsers: findings, tables and what a run keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import UsageError, unknown_name
from ...phrase.edits.tokens import without_traces
from ...phrase.formats.source import files, read_spoken
from ...phrase.parseval import GERMAN, NAMED, Parameters, parameters_of
from ...phrase.parseval import parameters as named_parameters
from ...phrase.schemes.registry import scheme as check_scheme
from ...phrase.schemes.registry import scheme_of
from ...phrase.tree import ROOT, PhraseTree, grown
from ...runs.record.signatures import digest
from ...runs.result.layout import Column, FindingIndex, breakdown, measured, measures_by_systems, short_names, table
from ...runs.result.result import Finding, Result, Table, Value, Verdict
from ...stats.sampling import Clusters, SeedSpread
from ...systems.asking.protocol import PHRASE_PARSER
from ...systems.parsers.phrase_parsing import ParsedTrees
from ..engine.phrase_trees import phrase_trees_of
from ..engine.study import Kept, Study, Work, baseline_of
from ..engine.verdicts import MeasureWords, score_verdicts
from .brackets import MEASURES, BracketScores, bracket_scores, with_heads
from .declaration import BRACKETS_STUDY, BracketSettings
from .study import compare, difference_table

if TYPE_CHECKING:
    from ...runs.result.observations import Observations
    from ...systems.asking.entrants import Entrant
    from ..engine.phrase_trees import JudgedPhrases


_OF_GROUPS = {"precision": "precision", "recall": "recall", "f1": "F1"}
_OF_PARTS = {"f1": "labelled F1", "precision": "precision", "recall": "recall", "exact": "exact match", "las": "LAS"}


def bracket_tables(
    findings: Sequence[Finding], by: Sequence[str], baseline: str, clusters: Clusters, parameters: str
) -> list[Table]:
    """All measures, those of some sentences apart, differences to the baseline, and a breakdown for each grouping."""
    index = FindingIndex(findings)
    tables = [_measures(index, clusters, parameters)]
    if parts := [finding for finding in findings if finding.measure == "exact" and "sentences" in finding.by]:
        tables.append(_part_tables(index, parts))
    if any("baseline" in finding.by for finding in findings):
        tables.append(difference_table(index, MEASURES, baseline, clusters))
    return [*tables, *(breakdown(index, (grouping,), "f1", "F1", "brackets", _OF_GROUPS) for grouping in by)]


def _measures(index: FindingIndex, clusters: Clusters, parameters: str) -> Table:
    suite, systems = index.findings[0].suite, index.systems
    title = f"{short_names(systems)[systems[0]]} on {suite}" if len(systems) == 1 else f"Brackets on {suite}"
    note = f"{clusters.count:,} sentences; EVALB parameters: {parameters}"
    note += f"; {clusters.note}" if clusters.note else ""
    return table(title, measures_by_systems(index, MEASURES), note=note, name="measures")


def _part_tables(index: FindingIndex, parts: Sequence[Finding]) -> Table:
    """`parts` are the exact matches: they are over sentences."""
    short = short_names(index.systems)
    columns = [
        Column("system", [short[part.system] for part in parts]),
        Column("sentences", [part.by["sentences"] for part in parts]),
        *measured("number", parts, of="n"),
    ]
    for measure, header in _OF_PARTS.items():
        columns += measured(header, [index.get(measure, part.system, part.by) for part in parts])
    return table("Some of the sentences", columns, name="parts")


Trees = Sequence[PhraseTree | None]


def kept_trees(gold: Sequence[PhraseTree], systems: Mapping[str, Trees], scheme: str) -> dict[str, bytes]:
    """Gold and all trees as a run keeps them: their dependencies, which the report draws; none without a scheme."""
    if not scheme:
        return {}
    from ...phrase.dependencies import to_dependencies

    kept = {"gold": to_dependencies(gold, scheme).to_bytes()}
    for name, trees in systems.items():
        whole = [one if one is not None else _flat(other) for one, other in zip(trees, gold, strict=True)]
        named = [one.named(other.sent_id) for one, other in zip(whole, gold, strict=True)]
        kept[name] = to_dependencies(named, scheme).to_bytes()
    return kept


def judged_trees(gold: Sequence[PhraseTree], systems: Mapping[str, Trees], suite: str) -> Iterator[JudgedPhrases]:
    """Gold and all trees of each sentence, for the report."""
    from ..engine.phrase_trees import JudgedPhrases

    for number, tree in enumerate(gold):
        item = tree.sent_id or str(number + 1)
        yield JudgedPhrases(suite, "", item, tree, {name: trees[number] for name, trees in systems.items()})


def _flat(tree: PhraseTree) -> PhraseTree:
    """The words without a tree, for a sentence that was not parsed."""
    return grown(tree.words, ["_"] * len(tree), [], [""] * len(tree), [ROOT] * len(tree))


def observations(
    gold: Sequence[PhraseTree], scores: Mapping[str, BracketScores], suite: str, seed: int = 0
) -> Observations:
    """One row per sentence and system: the labelled F1 of the sentence (`value`), and the counts behind it.

    `weight` is how many brackets there are on both sides: so weighted, the mean of the sentences is the F1 of all.
    """
    from ...runs.result.observations import Observations

    parts = []
    items = [tree.sent_id or str(number) for number, tree in enumerate(gold, 1)]
    for name, own in scores.items():
        sentences = own.sentences
        seeds = np.repeat(np.arange(own.seeds), own.size) if own.seeds > 1 else seed
        columns = {
            "study": BRACKETS_STUDY, "suite": suite, "item": items * own.seeds, "condition": "", "system": name,
            "seed": seeds, "unit": "",
            "outcome": ["no parse" if not s.parsed else "exact" if s.exact else "not exact" for s in sentences],
            "value": [_sentence_f1(s.labelled.right, s.labelled.gold, s.labelled.system) for s in sentences],
            "weight": [s.labelled.gold + s.labelled.system for s in sentences],
            "length": [s.length for s in sentences],
            "right": [s.labelled.right for s in sentences],
            "gold": [s.labelled.gold for s in sentences],
            "predicted": [s.labelled.system for s in sentences],
            "right_unlabelled": [s.unlabelled.right for s in sentences],
            "right_functions": [s.functions.right for s in sentences] if own.functions else None,
            "right_discontinuous": [s.discontinuous.right for s in sentences] if own.gaps else None,
            "crossing": [s.crossing for s in sentences],
            "words": [s.words for s in sentences],
            "tags": [s.tags for s in sentences],
            "leaf_ancestor": [s.leaf_ancestor for s in sentences],
            "leaf_ancestor_discodop": [s.leaf_ancestor_discodop for s in sentences],
        }  # fmt: skip
        if own.heads is not None:
            columns |= {
                key: own.heads[:, at].astype(int).tolist() for at, key in enumerate(("right_heads", "right_relations"))
            }
        parts.append(Observations(columns))
    return Observations.joined(parts)


def _sentence_f1(right: int, gold: int, system: int) -> float:
    """Per cent; a sentence without brackets on both sides is right."""
    return 200 * right / (gold + system) if gold + system else 100.0


COMPARED = ("f1", "functions_f1", "exact", "las")
"""Measures in which systems are tested against the first, where all have them."""
PhraseAnswers = dict[str, list[ParsedTrees]]
"""The trees of each system, by each seed of a model."""


def up_to(gold: Sequence[PhraseTree], length: int | None, parameters: Parameters = GERMAN) -> list[PhraseTree]:
    """The gold trees of sentences with at most so many words."""
    return [tree for tree in gold if length is None or counted_length(tree, parameters) <= length]


def counted_length(tree: PhraseTree, parameters: Parameters) -> int:
    return sum(tag not in parameters.delete_for_length for tag in tree.tags)


@dataclass(frozen=True)
class GoldPhrases:
    """Gold trees of the length that is asked for, their name, and what counts."""

    suite: str
    trees: Sequence[PhraseTree]
    parameters: Parameters
    traces: int = 0
    """Empty tokens that were left out."""


@dataclass(frozen=True)
class ScoredPhrases:
    """Gold, the trees of all systems as they are compared, and their scores."""

    gold: GoldPhrases
    shown: Sequence[PhraseTree]
    """Gold as the form of the systems' trees shows it."""
    trees: Mapping[str, Trees]
    """Of a model with several seeds those of the first, which are what a run shows."""
    whole: Mapping[str, Trees]
    """The systems' trees with pieces put together; of several seeds those of all, one after the other."""
    scores: Mapping[str, BracketScores]
    failures: Mapping[str, int]


class Brackets(Study[BracketSettings, GoldPhrases, PhraseAnswers, ScoredPhrases]):
    """How good is a phrase parser on gold trees?

    A sentence without a parse is wrong in everything; the scores of the others are also given apart. UAS and LAS need
    a scheme. Brackets of raised trees are compared with those of gold raised alike, heads always with those of gold
    as it is.
    """

    name = BRACKETS_STUDY
    settings = BracketSettings
    role = PHRASE_PARSER
    measures = ("f1", *(name for name in MEASURES if name != "f1"))

    def check(self, source: Any, entrants: Sequence[Entrant], settings: BracketSettings) -> None:
        super().check(source, entrants, settings)
        if settings.scheme:
            check_scheme(settings.scheme)
        if settings.form == "raised" and not settings.scheme:
            todo = "name a scheme, or take the form raised-longest"
            raise UsageError("raised nodes stay with their heads, and heads need a scheme", where="raised", todo=todo)
        if settings.parameters:
            named_parameters(settings.parameters)

    def files(self, source: Any, settings: BracketSettings) -> list[str]:
        named = [] if settings.parameters in ("", *NAMED) else [settings.parameters]
        return [*files(source), *named] if isinstance(source, str | Path) else named

    def read(self, source: Any, settings: BracketSettings) -> GoldPhrases:
        named = isinstance(source, str | Path)
        if named:
            spoken, traces = read_spoken(source, settings.traces)
        else:
            spoken, traces = (list(source), 0) if settings.traces else without_traces(list(source))
        if settings.parameters:
            parameters = named_parameters(settings.parameters)
        else:
            parameters = parameters_of(check_scheme(settings.scheme) if settings.scheme else scheme_of(spoken))
        trees = up_to(spoken, settings.max_length, parameters)
        if not trees:
            raise UsageError("no gold trees to evaluate on", where=str(source) if named else "")
        return GoldPhrases(Path(source).name if named else "trees", trees, parameters, traces)

    def facts(self, material: GoldPhrases, settings: BracketSettings) -> Iterable[tuple[str, object]]:
        counted = material.parameters
        return [
            ("gold", f"{material.suite}#{_digest(material.trees)[:8]}"), ("parameters", counted.name),
            ("deleted", digest(repr(counted.described))[:8]),
            *([("traces", f"left out={material.traces}")] if material.traces else []),
        ]  # fmt: skip

    def clusters(self, material: GoldPhrases, settings: BracketSettings) -> Clusters:
        return Clusters.independent(len(material.trees), "sentence")

    def ask(
        self, material: GoldPhrases, entrants: Sequence[Entrant], settings: BracketSettings, work: Work
    ) -> PhraseAnswers:
        tagged = bool(settings.gold)
        answers = {
            entrant.name: [
                phrase_trees_of(member, material.trees, tagged=tagged, where=work.place) for member in entrant.members
            ]
            for entrant in entrants
        }
        for name, seeds in answers.items():
            for answer in seeds:
                work.tell_notes(name, answer.notes)
        return answers

    def judge(self, material: GoldPhrases, answers: PhraseAnswers, settings: BracketSettings) -> ScoredPhrases:
        gold, failures = material.trees, Counter[str]()
        trees = {name: [tree for answer in seeds for tree in answer.trees] for name, seeds in answers.items()}
        shown, whole = formed(gold, trees, settings.form, settings.scheme)
        scores = {}
        for name, seeds in answers.items():
            of_seeds = []
            for begin in range(0, len(gold) * len(seeds), len(gold)):
                own = whole[name][begin : begin + len(gold)]
                counts = bracket_scores(shown, own, material.parameters)
                of_seeds.append(with_heads(counts, gold, own, settings.scheme) if settings.scheme else counts)
            scores[name] = BracketScores.of_seeds(of_seeds)
            for answer in seeds:
                failures.update({f"{name}: {kind}": n for kind, n in answer.failures.items()})
        first = {name: own[: len(gold)] for name, own in trees.items()}
        return ScoredPhrases(material, shown, first, whole, scores, failures)

    def findings(self, judged: ScoredPhrases, settings: BracketSettings) -> Result:
        """All systems side by side; several are tested against the baseline."""
        suite, scores, parameters = judged.gold.suite, judged.scores, judged.gold.parameters
        baseline = baseline_of(settings.baseline, scores)
        findings = [finding for name, own in scores.items() for finding in _measured(suite, name, own)]
        findings += [finding for name, own in scores.items() for finding in _parts(suite, name, own, parameters.cutoff)]
        clusters = self.clusters(judged.gold, settings)
        if len(scores) > 1:
            shared = [name for name in COMPARED if all(name in own.measures for own in scores.values())]

            def spread_of(system: str, metric: str) -> SeedSpread | None:
                spreads = [scores[name].seed_spread(metric) for name in (baseline, system)]
                before, after = spreads
                return before + after if before and after else before or after

            findings += compare(BRACKETS_STUDY, suite, scores, clusters, baseline, shared, spread_of)
        for grouping in settings.by:
            findings += [finding for name in scores for finding in _grouped(judged, name, grouping, settings.scheme)]
        unparsed = {name: own.failures for name, own in scores.items() if own.failures}
        failures = dict(judged.failures)
        failures |= {"no parse" if len(scores) == 1 else f"{name}: no parse": count for name, count in unparsed.items()}
        return Result(
            findings=findings,
            tables=bracket_tables(findings, settings.by, baseline, clusters, _described(parameters, scores)),
            failures=failures,
        )

    def verdicts(
        self, findings: Sequence[Finding], judged: ScoredPhrases, settings: BracketSettings
    ) -> Iterable[Verdict]:
        words = MeasureWords("f1", MEASURES["f1"], "bracket", self.clusters(judged.gold, settings).name)
        return score_verdicts(
            findings, words, baseline_of(settings.baseline, judged.scores), [(key,) for key in settings.by]
        )

    def kept(self, judged: ScoredPhrases, settings: BracketSettings) -> Kept:
        from ..engine.phrase_trees import PHRASES, attached

        gold, suite = judged.gold.trees, judged.gold.suite
        shown = {PHRASES: attached(judged_trees(gold, judged.trees, suite))}
        rows = observations(gold, judged.scores, suite, settings.seed)
        return Kept(rows, kept_trees(gold, judged.trees, settings.scheme), shown)


BRACKETS = Brackets()


def _described(parameters: Parameters, scores: Mapping[str, BracketScores]) -> str:
    """Return the name of the parameters, and how many seeds models have."""
    seeds = [f"{name}: mean of {own.seeds} seeds" for name, own in scores.items() if own.seeds > 1]
    return "; ".join([parameters.name, *seeds])


def formed(
    gold: Sequence[PhraseTree], systems: Mapping[str, Trees], form: str, scheme: str
) -> tuple[Sequence[PhraseTree], dict[str, Trees]]:
    """Gold as the form shows it, and the systems' trees with pieces put together."""
    from ...phrase.edits.gaps import FORMS, as_raised, whole_nodes

    if form not in FORMS:
        raise unknown_name("form of trees", form, FORMS)
    whole: dict[str, Trees] = {
        name: [None if tree is None else whole_nodes(tree, form) for tree in trees] for name, trees in systems.items()
    }
    shown = [as_raised(tree, scheme, form) for tree in gold] if form.startswith("raised") else gold
    return shown, whole


def _measured(suite: str, system: str, scores: BracketScores) -> list[Finding]:
    intervals = scores.intervals()
    return [
        Finding(
            BRACKETS_STUDY, suite, system, name, scores.value(name), scores.n(name), *intervals.get(name, (None, None))
        )
        for name in scores.measures
    ]


def _parts(suite: str, system: str, scores: BracketScores, cutoff: int) -> list[Finding]:
    """The same of some sentences: those that were parsed, and those up to EVALB's cutoff, where others are left."""
    findings = []
    by_seed = np.array([sentence.parsed for sentence in scores.sentences]).reshape(scores.seeds, -1)
    chosen = {
        "parsed": [all(parsed) for parsed in by_seed.T.tolist()],
        f"up to {cutoff} words": [sentence.length <= cutoff for sentence in scores.sentences[: scores.size]],
    }
    for name, kept in chosen.items():
        if any(kept) and not all(kept):
            part = scores.only(kept)
            by: dict[str, Value] = {"sentences": name}
            findings += [
                Finding(BRACKETS_STUDY, suite, system, measure, part.value(measure), part.n(measure), by=by)
                for measure in part.measures
            ]
    return findings


def _grouped(judged: ScoredPhrases, system: str, grouping: str, scheme: str) -> list[Finding]:
    from .brackets import by_group

    suite, findings = judged.gold.suite, []
    groups = by_group(
        judged.shown, judged.whole[system], judged.scores[system], judged.gold.parameters, grouping, scheme
    )
    for group in groups:
        by: dict[str, Value] = {group.grouping: group.name}
        findings += [
            Finding(BRACKETS_STUDY, suite, system, "f1", group.f1, group.gold, group.low, group.high, by),
            Finding(BRACKETS_STUDY, suite, system, "precision", group.precision, group.gold, by=by),
            Finding(BRACKETS_STUDY, suite, system, "recall", group.recall, group.gold, by=by),
        ]
    return findings


def _digest(gold: Sequence[PhraseTree]) -> str:
    """Of what the trees say, whatever the format they came in."""
    return digest(*(repr((one.words, one.tags, one.labels, one.functions, one.mothers)) for one in gold))
