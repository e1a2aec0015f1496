"""Checks of bytes and lines: encoding, line ends, columns, blank lines, comments in the wrong place."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from ...runs.verdict import count_text
from ..checking import shown
from .piece import Piece, Sentence
from .registry import Hit, check_of_file, check_of_piece, check_of_sentence

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
