"""Checks of DEPS: the enhanced graph."""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import category

from ..checking import shown
from ..index import EMPTY
from .fields import RELATIONS
from .piece import DEPS, ID, Piece, Sentence, check_of_column
from .registry import Hit, check_of_piece, check_of_sentence

_PART = re.compile(r"(0|[1-9][0-9]{0,6})(?:\.([1-9][0-9]{0,6}))?:(.+)")
_LETTERS = frozenset(["Ll", "Lm", "Lo", "Mn", "Mc", "Me"])


def _parsed(text: str) -> list[tuple[int, int, str]]:
    """(word, empty node, relation) of each part; nothing if one part is broken."""
    parts = [_PART.fullmatch(part) for part in text.split("|")]
    return [] if None in parts else [(int(one[1]), int(one[2] or 0), one[3]) for one in parts if one]


@check_of_column(
    DEPS, "deps-form", "DEPS is not a list of head:relation.", "such as 4:nsubj|7:nsubj:xsubj", except_ids="-"
)
def _form(text: str) -> str:
    wrong = next((part for part in text.split("|") if not _PART.fullmatch(part)), None)
    return "" if wrong is None else f"{shown(wrong)} is not of the form head:relation"


@check_of_column(DEPS, "deps-unsorted", "DEPS is not sorted.", "sort by head as a number, then by relation")
def _order(text: str) -> str:
    parts = _parsed(text) if "|" in text else []
    return "" if parts == sorted(parts) else f"{shown(text)} is not sorted by head, then relation"


@check_of_column(DEPS, "deps-duplicate", "DEPS has the same relation twice.", "keep one")
def _repeated(text: str) -> str:
    parts = text.split("|")
    return f"{shown(text)} has the same relation twice" if len(set(parts)) < len(parts) else ""


@check_of_column(
    DEPS, "deps-relation", "DEPS has an unknown relation.", "one of the 37 relations or ref, with additions"
)
def _relations(text: str) -> str:
    for _, _, relation in _parsed(text):
        first, *additions = relation.split(":")
        if not (first in RELATIONS or first == "ref"):
            return f"unknown relation {shown(relation)}"
        if len(additions) > 3 or not all(map(_is_addition, additions)):
            return f"{shown(relation)} is not a relation with subtype, preposition and case"
    return ""


def _is_addition(text: str) -> bool:
    """Small letters of any script, in groups joined by `_`."""
    return all(group and all(category(char) in _LETTERS for char in group) for group in text.split("_"))


@check_of_piece("deps-self-loop", "A node is its own head in DEPS.", "an enhanced graph may have circles, not loops")
def deps_self_loop(piece: Piece) -> Iterator[Hit]:
    if piece.distinct(DEPS) == {"_"}:
        return
    for line, token, deps in zip(piece.row_lines, piece.columns[ID], piece.columns[DEPS], strict=True):
        if deps != "_" and f"{token}:" in deps and any(part.startswith(f"{token}:") for part in deps.split("|")):
            yield Hit(line, f"{shown(token)} is its own head in DEPS", token)


@check_of_sentence(
    "deps-target", "A head in DEPS is not a node of the sentence.", "use the ID of a word or an empty node"
)
def deps_target(sentence: Sentence) -> Iterator[Hit]:
    if sentence.broken:
        return
    highest, line, token = sentence.highest_target
    if highest > sentence.words:
        yield Hit(line, f"head {highest} in a sentence of {sentence.words} words", token)
    if sentence.empty_targets:
        known = {other.id for other in sentence.others if other.kind == EMPTY}
        for target, (line, token) in sentence.empty_targets.items():
            if target not in known:
                yield Hit(line, f"head {target} is no empty node of the sentence", token)
