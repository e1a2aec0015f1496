"""Which variants of which sentences change the tree, and what of it changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ...errors import unknown_name
from ...runs.layout import short_names
from ...runs.result import Table
from .answered import VariantAnswers
from .asked import AskedVariants
from .changes import PARTS
from .clusters import BatchParses
from .judging import NO_TREE, RIGHT, JudgedBatch, parses_of
from .parts import JudgedVariants
from .settings import EXAMPLES, ConsistencySettings

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
