"""Sentences without gold trees: plain text, one sentence a line, in the analysis of the first system.

The analysis says where a name or a year stands. Nothing is called right or wrong by it: a system is compared with
itself, sentence and variants.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UsageError
from ...runs.result import Finding
from ...systems.input import TEXTS, read_input
from ...systems.parsing import parse_with
from ...treebank.given import given_files
from ...treebank.treebank import Treebank
from .settings import ConsistencySettings

if TYPE_CHECKING:
    from ...runs.where import Workplace
    from ...systems.entrants import Entrant

_OF_GOLD = (
    "right", "original_right", "originals_right", "variants_right", "value_right", "complete", "complete_batches",
    "right_per_batch", "consistent_error_batches",
)  # fmt: skip
"""What needs gold trees, with what it is continued by: a difference, a standard deviation."""
_NEEDS_GOLD = {"broken", "repaired"}


def is_plain_text(source: Any) -> bool:
    """Is it a text by its name, such as sentences.txt?"""
    files = [] if isinstance(source, str) and source in ("", "-") else given_files(source)
    return bool(files) and all(path.lower().endswith(TEXTS) for path in files)


def check_plain_text(source: Any, settings: ConsistencySettings) -> None:
    """What cannot be done without gold."""
    if settings.stages:
        raise UsageError("plain text has no gold tokens and tags", where="--stages", todo="leave it out")
    if settings.examples.partition(":")[0] in _NEEDS_GOLD:
        todo = "name changed or failed"
        raise UsageError("without gold trees no parse is right or wrong", where="--examples", todo=todo)
    if settings.mode == "tokens":
        raise UsageError("plain text has no gold tokens", where=str(source), todo="add --mode text (or sentences)")


def analysed(source: Any, entrant: Entrant, settings: ConsistencySettings, place: Workplace) -> Treebank:
    """The sentences as this system analyses them, one a line."""
    given, _ = read_input(source, "sentences")
    if isinstance(getattr(entrant.system, "treebank", None), Treebank):
        what = "plain text is analysed by the first system, and this one is a file"
        raise UsageError(what, where=entrant.name, todo="name a parser first")
    result = parse_with(
        entrant.system, given, mode="sentences", any_language=settings.any_language or None, where=place
    )
    if not len(result.treebank):
        raise InputError("nothing came back for this text", where=entrant.name)
    return Treebank(result.treebank.to_bytes(), name=given.name)


def without_gold(findings: Sequence[Finding]) -> list[Finding]:
    """The findings that no gold tree is needed for; batches are not divided by how the original was parsed."""
    return [
        finding
        for finding in findings
        if not any(finding.measure in (name, *(f"{name}_{more}" for more in _MORE)) for name in _OF_GOLD)
        and finding.by.get("original") in (None, "all")
    ]


_MORE = ("difference", "p", "p_holm", "sd", "median", "min", "max")
