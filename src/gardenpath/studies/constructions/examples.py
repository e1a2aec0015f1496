"""The items behind a number: those of one class, with the sentence and the reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import unknown_name
from ...suites.constructions.model import PHENOMENA
from .judged import JudgedConstructions
from .verdict import CLASSES, RIGHT, UNCLASSED, UNDECIDED, WRONG, Verdict

KINDS = (RIGHT, WRONG, *sorted({code for table in CLASSES.values() for code in table} - {WRONG}), *UNCLASSED)


@dataclass(frozen=True, slots=True)
class ConstructionExample:
    """One item with its verdict."""

    system: str
    item: str
    phenomenon: str
    outcome: str
    flags: str
    text: str
    reason: str


def parse_wanted(wanted: str) -> tuple[str, str]:
    """`CLASS` or `CLASS:PHENOMENON`; `wrong` is all that is not right."""
    kind, _, phenomenon = wanted.partition(":")
    if kind not in KINDS:
        raise unknown_name("class", kind, KINDS, where="--examples")
    if phenomenon and phenomenon not in PHENOMENA:
        raise unknown_name("phenomenon", phenomenon, PHENOMENA, where="--examples")
    return kind, phenomenon


def find_examples(
    judged: Sequence[JudgedConstructions], wanted: str, limit: int = 10
) -> tuple[list[ConstructionExample], int]:
    """The first `limit` items of a class, and how many there are."""
    kind, phenomenon = parse_wanted(wanted)
    examples = [
        ConstructionExample(
            performance.system, item.item, item.construction.phenomenon, verdict.primary, " ".join(verdict.flags),
            " ".join(item.tree.words), verdict.reason,
        )
        for performance in judged
        for item, verdict in zip(performance.suite.items, performance.verdicts, strict=True)
        if _fits(verdict, kind) and phenomenon in ("", item.construction.phenomenon)
    ]  # fmt: skip
    return examples[:limit], len(examples)


def _fits(verdict: Verdict, kind: str) -> bool:
    if kind == WRONG:
        return not verdict.right and verdict.primary != UNDECIDED
    return kind == verdict.primary or kind in verdict.codes
