"""The consistency study: observations, examples, findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UsageError, unknown_name
from ...runs.result.layout import short_names, unfolded
from ...runs.result.observations import Observations
from ...runs.result.result import Finding, Result, Table, Verdict
from ...stats.sampling import Clusters
from ...systems.asking.protocol import PARSER
from ...treebank.format.reading import given_treebank
from ...treebank.format.treebank import Treebank
from ..engine.corrections import corrected
from ..engine.grouping import ColumnGroups
from ..engine.parsers import guarded, unannotated_layers, unbridged
from ..engine.study import Kept, Study, Work
from .clusters import PARTS, BatchParses
from .declaration import EXAMPLES, STUDY, ConsistencySettings
from .findings import LAYERS, consistency_findings
from .judging import NO_TREE, RIGHT, SAME, SEGMENTATION, JudgedBatch, VariantAnswer, VariantAnswers, answers, parses_of
from .numbers import JudgedVariants, column_groups_of, family, group_of, judge_all
from .tables import consistency_tables, study_tables
from .tree_classes import most_classes
from .variants import (
    AskedVariants,
    analysed,
    ask,
    bare,
    check_perturbations,
    check_plain_text,
    files_of,
    is_plain_text,
    perturbations_of,
)
from .verdicts import consistency_verdicts

if TYPE_CHECKING:
    from ...systems.asking.entrants import Entrant


MOST_TREES = 5000
"""Sentences whose trees a run keeps; batches beyond are left out as a whole."""


def observations(judged: JudgedVariants, seed: int = 0, *, independent: bool = False) -> Observations:
    """`outcome` is what became of the variant, `value` is 1 if its tree is right; `variant_id` is its sent_id.

    Without gold trees `value` is 1 if the parse is the original's. `weight` is how often its value is in the batch,
    whatever became of it, as in the study's scores. `parse` numbers the classes of equal parses of a batch, of
    which there are `parses`; `cluster` is what intervals go by: the original, or the variant itself if they are
    `independent`.
    """
    names, good = judged.asked.treebank.sentence_names, RIGHT if judged.asked.has_gold else SAME
    several = len({order for _, _, order in judged.batches}) > 1
    rows: dict[str, list[Any]] = {
        key: []
        for key in ("item", "condition", "system", "unit", "outcome", "value", "replacement", "old", "group", "times",
                    "parse", "parses", "original", "perturbation", "order", "variant_id", "weight", "cluster")
    }  # fmt: skip
    for (system, perturbation, order), batches in judged.batches.items():
        for batch in batches:
            case = batch.case
            for place, value in enumerate(case.values):
                row = {
                    "item": names[case.original], "condition": perturbation, "system": system,
                    "unit": f"{value} ({order})" if several else value,
                    "outcome": batch.outcomes[place], "value": int(batch.outcomes[place] == good),
                    "replacement": value, "old": case.batch.old, "group": group_of(value, case.groups[place]) or None,
                    "times": case.times[place], "weight": case.times[place],
                    "cluster": names[case.variants[place] if independent else case.original],
                    "parse": batch.cluster_of[place] + 1 if batch.cluster_of[place] >= 0 else None,
                    "parses": len(batch.clusters), "original": batch.original, "perturbation": perturbation,
                    "order": order, "variant_id": names[case.variants[place]],
                }  # fmt: skip
                for key, cell in row.items():
                    rows[key].append(cell)
    return Observations({"study": STUDY, "suite": judged.asked.treebank_name, "seed": seed, **rows})


def trees(judged: JudgedVariants) -> dict[str, bytes]:
    """The gold trees of originals and variants, and each system's; a sentence without a tree has no heads.

    Without gold trees there are the words alone, in place of gold.
    """
    asked, chosen = judged.asked, _chosen(judged.asked)
    blocks = [asked.treebank.block(place) for place in chosen]
    by_system = {"gold": b"".join(_block(block if asked.has_gold else bare(block)) for block in blocks)}
    for system, own in judged.answers.items():
        by_system[system] = b"".join(
            _block(_kept(own.answers[place]) or bare(asked.treebank.block(place))) for place in chosen
        )
    return by_system


def _kept(answer: VariantAnswer) -> bytes:
    """One sentence for each that was asked: what was cut has no place in a run."""
    return b"" if answer.problem == SEGMENTATION else answer.conllu


def joined(
    tests: Sequence[JudgedVariants], seed: int = 0, *, independent: bool = False
) -> tuple[Observations, dict[str, bytes]]:
    """Observations and trees of several test treebanks as one."""
    rows = Observations.joined([observations(test, seed, independent=independent) for test in tests])
    kept: dict[str, bytes] = {}
    for test in tests:
        for name, data in trees(test).items():
            kept[name] = kept.get(name, b"") + data
    return rows, kept


def _chosen(asked: AskedVariants) -> list[int]:
    """Whole batches, as long as there is room."""
    kept: dict[int, None] = {}
    for case in asked.cases:
        more = [place for place in (case.original, *case.variants) if place not in kept]
        if len(kept) + len(more) > MOST_TREES:
            break
        kept.update(dict.fromkeys(more))
    return sorted(kept)


def _block(conllu: bytes) -> bytes:
    return conllu.strip(b"\n") + b"\n\n"


_WORDS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class VariantExample:
    """A variant beside its original, and what is different between their trees."""

    system: str
    perturbation: str
    sent_id: str
    text: str
    """Of the original."""
    old: str
    new: str
    original: str
    outcome: str
    changed: tuple[str, ...]
    """`3 kommt: head 0 > 5, deprel root > conj`, word by word; for a variant without a tree, why."""


def check_examples(wanted: str) -> None:
    """Is this `KIND` or `KIND:VALUE` with a kind that there is?"""
    kind = wanted.partition(":")[0]
    if wanted and kind not in EXAMPLES:
        raise unknown_name("kind of examples", kind, EXAMPLES, where="--examples")


def variant_examples(judged: JudgedVariants, settings: ConsistencySettings) -> tuple[list[dict[str, Any]], list[Table]]:
    """The first variants of each system that are of the kind, in the first order of siblings."""
    kind, _, value = settings.examples.partition(":")
    names, details, tables = short_names(judged.systems), list[dict[str, Any]](), list[Table]()
    for system in judged.systems:
        chosen = [
            (batch, place)
            for (name, _, order), batches in judged.batches.items()
            if name == system and order == settings.orders[0]
            for batch in batches
            for place in _of_kind(batch, kind)
            if value in ("", batch.case.values[place])
        ]
        shown = [
            _example(judged.asked, judged.answers[system], system, batch, place)
            for batch, place in chosen[: settings.shown]
        ]
        details += [asdict(example) for example in shown]
        title = f"{names[system]}: {len(chosen)} variants with {EXAMPLES[kind]}" + (f" ({value})" if value else "")
        title += f", the first {len(shown)}" if len(chosen) > len(shown) else ""
        rows = [
            (example.sent_id, example.text, f"{example.old} > {example.new}", _brief(example.changed))
            for example in shown
        ]
        tables.append(Table(title, ("sentence", "text", "change", "what changes in the tree"), rows))
    return details, tables


def _of_kind(batch: JudgedBatch, kind: str) -> Iterator[int]:
    """The variants of the kind, as places among the different values."""
    for place, outcome in enumerate(batch.outcomes):
        cluster = batch.cluster_of[place]
        if {
            "changed": cluster < 0 or cluster != batch.original_cluster,
            "broken": batch.original == RIGHT and outcome != RIGHT,
            "repaired": batch.original != RIGHT and outcome == RIGHT,
            "failed": outcome in NO_TREE,
        }[kind]:
            yield place


def _example(
    asked: AskedVariants, answers: VariantAnswers, system: str, batch: JudgedBatch, place: int
) -> VariantExample:
    case = batch.case
    sentence, variant = case.batch.sentence, case.variants[place]
    problems = [answers.answers[number].problem for number in (case.original, variant)]
    if any(problems):
        changed: tuple[str, ...] = (problems[1] or f"{problems[0]} > a tree",)
    else:
        changed = _changed(parses_of(asked, answers, case, (0, place + 1)))
    return VariantExample(
        system, case.batch.perturbation, sentence.sent_id, sentence.text, case.batch.old, case.values[place],
        batch.original, batch.outcomes[place], changed,
    )  # fmt: skip


def _changed(parses: BatchParses) -> tuple[str, ...]:
    """Word by word what the variant's tree has in place of the original's."""
    first, second = (parses.treebank[parses.spans[number].start].words for number in range(2))
    if len(first) != len(second):
        return (f"{len(first)} words > {len(second)} words",)
    changed = []
    for old, new in zip(first, second, strict=True):
        parts = [f"{part} {old[part]} > {new[part]}" for part in PARTS if old[part] != new[part]]
        if parts:
            changed.append(f"{old['id']} {old['form']}: {', '.join(parts)}")
    return tuple(changed)


def _brief(changed: tuple[str, ...]) -> str:
    text = "; ".join(changed[:_WORDS_SHOWN])
    more = len(changed) - _WORDS_SHOWN
    return f"{text}; {more} more words" if more > 0 else text


MEASURES = ("consistent", "right", "original_right")
"""Overall scores, one for each perturbation and order of siblings."""


def is_overall(finding: Finding) -> bool:
    """Is this the score of a perturbation? Every one of them must hold."""
    return set(finding.by) == {"perturbation", "order"}


class Consistency(Study[ConsistencySettings, AskedVariants, Mapping[str, VariantAnswers], JudgedVariants]):
    """Does an irrelevant change of the input (a year, a name, a currency) change the tree, and in how many ways?

    The first system is the one that others are compared with.
    """

    name = STUDY
    settings = ConsistencySettings
    role = PARSER
    measures = MEASURES

    def is_overall(self, finding: Finding) -> bool:
        return is_overall(finding)

    def check(self, source: Any, entrants: Sequence[Entrant], settings: ConsistencySettings) -> None:
        if isinstance(source, str) and not source:
            raise UsageError("no treebank is named", todo="gardenpath consistency TREEBANK SYSTEM...")
        super().check(source, entrants, settings)
        check_perturbations(settings)
        check_examples(settings.examples)
        if is_plain_text(source):
            check_plain_text(source, settings)

    def files(self, source: Any, settings: ConsistencySettings) -> list[str]:
        return files_of(settings, [source])

    def read(self, source: Any, settings: ConsistencySettings) -> AskedVariants:
        return self._asked(source, given_treebank(source), settings)

    def material(
        self, source: Any, entrants: Sequence[Entrant], settings: ConsistencySettings, work: Work
    ) -> AskedVariants:
        if not is_plain_text(source):
            return self.read(source, settings)
        return self._asked(source, analysed(source, entrants[0], settings, work.place), settings, has_gold=False)

    def _asked(
        self, source: Any, treebank: Treebank, settings: ConsistencySettings, *, has_gold: bool = True
    ) -> AskedVariants:
        asked = ask(
            treebank, perturbations_of(settings, [source]), sentences=settings.sentences,
            per_sentence=settings.per_sentence, has_gold=has_gold,
        )  # fmt: skip
        if not asked.cases:
            lacking = f"; not annotated: {', '.join(layers)}" if (layers := unannotated_layers(treebank)) else ""
            raise InputError("no sentence has a match", where=asked.name, todo=asked.reasons() + lacking)
        return asked

    def groups(self, material: AskedVariants, settings: ConsistencySettings) -> ColumnGroups | None:
        return column_groups_of(material, settings)

    def facts(self, material: AskedVariants, settings: ConsistencySettings) -> Iterable[tuple[str, object]]:
        return [
            ("treebank", material.release), ("analysis", None if material.has_gold else "first system"),
            ("batches", len(material.cases)), ("perturb", list(material.signatures)),
        ]  # fmt: skip

    def clusters(self, material: AskedVariants, settings: ConsistencySettings) -> Clusters:
        return material.clusters(settings.independent)

    def ask(
        self, material: AskedVariants, entrants: Sequence[Entrant], settings: ConsistencySettings, work: Work
    ) -> dict[str, VariantAnswers]:
        variants = sum(len(case.variants) for case in material.cases)
        work.tell(f"{len(material.cases):,} batches, {variants:,} different variants")
        by_system = {}

        def asked(entrant: Entrant, mode: str, gold: Sequence[str]) -> VariantAnswers:
            return answers(
                entrant.system, material.treebank, mode=mode, gold=gold, any_language=settings.any_language,
                where=work.place,
            )  # fmt: skip

        for entrant in entrants:
            answered = asked(entrant, settings.input, settings.gold)
            stages = {stage: asked(entrant, "tokens", LAYERS[stage]) for stage in settings.stages}
            work.tell_notes(entrant.name, answered.notes)
            trees = Treebank(b"".join(answer.conllu for answer in answered.answers))
            foreign = guarded(entrant.name, material.treebank, trees, settings, work) | unbridged(entrant, trees, work)
            by_system[entrant.name] = replace(answered, stages=stages, foreign=foreign)
        return by_system

    def judge(
        self, material: AskedVariants, answers: Mapping[str, VariantAnswers], settings: ConsistencySettings
    ) -> JudgedVariants:
        return judge_all(material, answers, settings.orders)

    def findings(self, judged: JudgedVariants, settings: ConsistencySettings) -> Result:
        findings = corrected(consistency_findings(judged, settings), family)
        tables = consistency_tables(judged.asked, findings, judged.systems, settings)
        if judged.asked.has_gold:
            asked = judged.asked
            papers = study_tables(
                findings, asked.treebank_name, judged.systems, asked.perturbations, settings.orders[0]
            )  # fmt: skip
            tables += unfolded(papers, "paper" in settings.tables)
        details: dict[str, Any] = {}
        if most := list(most_classes(judged, settings.orders[0])):
            details["tree_classes"] = most
        if settings.examples:
            details["examples"], shown = variant_examples(judged, settings)
            tables += shown
        return Result(findings=findings, tables=tables, failures=judged.failures(), details=details)

    def verdicts(
        self, findings: Sequence[Finding], judged: JudgedVariants, settings: ConsistencySettings
    ) -> Iterable[Verdict]:
        clusters = self.clusters(judged.asked, settings)
        return consistency_verdicts(findings, judged.asked.perturbations, settings.orders[0], clusters.name)

    def kept(self, judged: JudgedVariants, settings: ConsistencySettings) -> Kept:
        return Kept(observations(judged, independent=settings.independent), trees(judged))


CONSISTENCY = Consistency()
