"""Checks of bytes, lines and columns, and of the ID column."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ...runs.result.verdict import count_text
from ..format.index import EMPTY, FIELDS, MULTIWORD
from .check import Hit, check_of_file, check_of_piece, check_of_sentence, shown
from .piece import BROKEN, DEPREL, FEATS, HEAD, ID, MISC, Other, Piece, Sentence, ids


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


_REPAIR = "gardenpath treebank convert --tolerant FILE -o OUT repairs it"


@check_of_file("empty-file", "The file holds nothing.", "was it written to the end?")
def empty_file(data: bytes) -> Iterator[Hit]:
    if not data or data.isspace():
        yield Hit(1, "the file is empty" if not data else "the file holds nothing but white space")


@check_of_file("byte-order-mark", "The file begins with a byte order mark.", _REPAIR)
def byte_order_mark(data: bytes) -> Iterator[Hit]:
    if data.startswith(b"\xef\xbb\xbf"):
        yield Hit(1, "the file begins with a byte order mark")


@check_of_file("nul", "There are NUL bytes.", "is the file compressed, UTF-16 or damaged?")
def nul(data: bytes) -> Iterator[Hit]:
    if (at := data.find(b"\0")) >= 0:
        yield Hit(data.count(b"\n", 0, at) + 1, f"{count_text(data.count(0), 'NUL byte')}; this is the first")


@check_of_file("carriage-return", "Lines end with CR LF, or a CR stands elsewhere.", _REPAIR)
def carriage_return(data: bytes) -> Iterator[Hit]:
    if (at := data.find(b"\r")) >= 0:
        pairs = data.count(b"\r\n")
        what = "CR LF line end" if pairs == data.count(b"\r") else "carriage return"
        yield Hit(data.count(b"\n", 0, at) + 1, f"{count_text(data.count(13), what)}; this is the first")


@check_of_piece("not-utf8", "A line is not UTF-8.", "convert the file, e.g. iconv -f latin1 -t utf-8")
def not_utf8(piece: Piece) -> Iterator[Hit]:
    for line, place, byte in piece.not_utf8:
        yield Hit(line, f"byte 0x{byte:02x} at place {place} of the line is not UTF-8")


@check_of_piece("not-nfc", "A line is not in Unicode's normal form NFC.", "normalise the file, e.g. uconv -x nfc")
def not_nfc(piece: Piece) -> Iterator[Hit]:
    if piece.text.isascii() or unicodedata.is_normalized("NFC", piece.text):
        return
    for number, line in enumerate(piece.lines, piece.first_line):
        if not unicodedata.is_normalized("NFC", line):
            part = next((f for f in line.split("\t") if not unicodedata.is_normalized("NFC", f)), line)
            yield Hit(number, f"{shown(part)} is not in normal form NFC")


@check_of_piece(
    "missing-columns", "A row has fewer than ten columns.",
    "columns are separated by single tabs, an empty one is _; " + _REPAIR, skips="the tree and the text",
)  # fmt: skip
def missing_columns(piece: Piece) -> Iterator[Hit]:
    for line, fields in piece.misshapen:
        if len(fields) < 10:
            blanks = len(fields) == 1 and len(fields[0].split()) >= 8
            hint = "; it is separated by blanks, not tabs" if blanks else ""
            yield Hit(line, f"{count_text(len(fields), 'column')} instead of 10{hint}", fields[0] if fields[1:] else "")


@check_of_piece(
    "extra-columns", "A row has more than ten columns.",
    "is there a tab inside a field?", skips="the tree and the text",
)  # fmt: skip
def extra_columns(piece: Piece) -> Iterator[Hit]:
    for line, fields in piece.misshapen:
        if len(fields) > 10:
            yield Hit(line, f"{len(fields)} columns instead of 10", fields[0])


@check_of_piece("white-line", "A line looks empty but holds white space.", _REPAIR)
def white_line(piece: Piece) -> Iterator[Hit]:
    for line in piece.white_lines:
        yield Hit(line, "a line between sentences must be empty, this one holds white space")


@check_of_piece("extra-blank-line", "There are blank lines that end no sentence.", "remove them")
def extra_blank_line(piece: Piece) -> Iterator[Hit]:
    for line in piece.extra_blank:
        yield Hit(line, "a blank line that ends no sentence")


@check_of_piece(
    "missing-final-blank-line", "The last sentence is not followed by a blank line.",
    "add a blank line; was the file written to the end?",
)  # fmt: skip
def missing_final_blank_line(piece: Piece) -> Iterator[Hit]:
    if piece.unfinished:
        yield Hit(piece.unfinished, "the file ends without a blank line after the last sentence")


@check_of_piece(
    "comment-inside-sentence", "A comment stands after the first row of a sentence.",
    "comments stand before the first row; is a blank line missing?",
)  # fmt: skip
def comment_inside_sentence(piece: Piece) -> Iterator[Hit]:
    for line in piece.late_comments:
        yield Hit(line, "a comment inside a sentence")


@check_of_sentence("comments-only", "There are comments without a sentence.", "add its rows or remove them")
def comments_only(sentence: Sentence) -> Iterator[Hit]:
    if not sentence.first_row:
        yield Hit(sentence.first_line, "comments, but no rows after them")


@check_of_sentence("no-words", "A sentence has rows but no words.", "every sentence needs the word with ID 1")
def no_words(sentence: Sentence) -> Iterator[Hit]:
    if sentence.first_row and not sentence.words and not sentence.broken:
        yield Hit(sentence.first_row, "a sentence without words")
