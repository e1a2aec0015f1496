"""Checks of the ID column: words count 1, 2, 3 …; ranges and empty nodes stand where they belong."""

from __future__ import annotations

from collections.abc import Iterator

from ..checking import shown
from ..index import EMPTY, FIELDS, MULTIWORD
from .piece import DEPREL, FEATS, HEAD, ID, MISC, Other, Piece, Sentence
from .registry import Hit, check_of_piece, check_of_sentence
from .scan import BROKEN, ids


def _ranges(sentence: Sentence) -> Iterator[Other]:
    return (other for other in sentence.others if other.kind == MULTIWORD)


def odd_ranges(sentence: Sentence) -> bool:
    """Do ranges leave it open which tokens are on the surface?"""
    return any(
        not span.words_before + 1 == span.first < span.second <= sentence.words or span.first <= span.covered
        for span in _ranges(sentence)
    )


@check_of_piece(
    "broken-id", "An ID is neither a number, a range nor an empty node.",
    "an ID is 3, a range such as 3-4, or 8.1 for an empty node", skips="the tree and the text",
)  # fmt: skip
def broken_id(piece: Piece) -> Iterator[Hit]:
    broken = {token: token for token in piece.distinct(ID) if ids[token][0] == BROKEN}
    for line, _, token in piece.where(ID, broken):
        yield Hit(line, f"ID is {shown(token)}")


@check_of_sentence(
    "id-sequence", "Words are not numbered 1, 2, 3, …",
    "renumber the words; is a blank line missing?", skips="the tree and the text",
)  # fmt: skip
def id_sequence(sentence: Sentence) -> Iterator[Hit]:
    if sentence.misnumbered:
        line, token, expected = sentence.misnumbered
        yield Hit(line, f"ID {token} where {expected} should stand", token)


@check_of_sentence(
    "range-order", "A range does not cover two or more words.",
    "write the first word, then the last", skips="the text", needs="others",
)  # fmt: skip
def range_order(sentence: Sentence) -> Iterator[Hit]:
    for span in _ranges(sentence):
        if span.first >= span.second:
            yield Hit(span.line, f"the range {span.id} does not go up", span.id)


@check_of_sentence(
    "range-place", "A range does not stand right before its first word.",
    "move the range before its first word", skips="the text", needs="others",
)  # fmt: skip
def range_place(sentence: Sentence) -> Iterator[Hit]:
    for span in _ranges(sentence):
        if span.first != span.words_before + 1 and not sentence.broken:
            yield Hit(span.line, f"the range {span.id} stands before word {span.words_before + 1}", span.id)


@check_of_sentence(
    "range-overlap", "Two ranges overlap.", "a word is in one range at most", skips="the text", needs="others"
)
def range_overlap(sentence: Sentence) -> Iterator[Hit]:
    for span in _ranges(sentence):
        if span.words_before < span.first <= span.covered:
            yield Hit(span.line, f"the range {span.id} begins before the last one ends, at {span.covered}", span.id)


@check_of_sentence(
    "range-outside", "A range ends after the last word.",
    "is the range wrong, or are words missing?", skips="the text", needs="others",
)  # fmt: skip
def range_outside(sentence: Sentence) -> Iterator[Hit]:
    for span in _ranges(sentence):
        if span.second > sentence.words and not sentence.broken:
            yield Hit(span.line, f"the range {span.id} in a sentence of {sentence.words} words", span.id)


def _filled(piece: Piece, kind: int, columns: tuple[int, ...]) -> Iterator[tuple[int, str, int, str]]:
    """Rows of a kind whose columns should be `_` and are not."""
    mark = "-" if kind == MULTIWORD else "."
    if not any(mark in token for token in piece.distinct(ID)):
        return
    for row, token in enumerate(piece.columns[ID]):
        if mark in token and ids[token][0] == kind:
            for column in columns:
                value = piece.columns[column][row]
                # An empty field is a problem of its own.
                if value not in ("_", "") and not (column == FEATS and value == "Typo=Yes" and kind == MULTIWORD):
                    yield piece.row_lines[row], token, column, value
                    break


@check_of_piece(
    "range-columns", "A range has more than FORM and MISC.",
    "put _ there (FEATS may be Typo=Yes); the words of the range have the rest",
)  # fmt: skip
def range_columns(piece: Piece) -> Iterator[Hit]:
    for line, token, column, value in _filled(piece, MULTIWORD, tuple(range(2, MISC))):
        yield Hit(line, f"{FIELDS[column].upper()} of a range is {shown(value)}, not _", token)


@check_of_piece(
    "empty-node-columns", "An empty node has HEAD or DEPREL.",
    "put _ there; an empty node has its relations in DEPS",
)  # fmt: skip
def empty_node_columns(piece: Piece) -> Iterator[Hit]:
    for line, token, column, value in _filled(piece, EMPTY, (HEAD, DEPREL)):
        yield Hit(line, f"{FIELDS[column].upper()} of an empty node is {shown(value)}, not _", token)


@check_of_sentence(
    "empty-node-place", "An empty node does not fit its place.",
    "after word 8 stand 8.1, 8.2, …, before a range that begins there", needs="others",
)  # fmt: skip
def empty_node_place(sentence: Sentence) -> Iterator[Hit]:
    before, count, last = -1, 0, MULTIWORD
    for node in () if sentence.broken else sentence.others:
        same = node.words_before == before
        count = count if same else 0
        if node.kind == EMPTY:
            if (node.first, node.second) != (node.words_before, count + 1):
                yield Hit(node.line, f"{node.id} where {node.words_before}.{count + 1} should stand", node.id)
            elif same and last == MULTIWORD:
                yield Hit(node.line, f"{node.id} stands between a range and its first word", node.id)
            count += 1
        before, last = node.words_before, node.kind
