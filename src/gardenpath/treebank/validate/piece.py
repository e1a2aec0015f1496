"""Pieces of some thousand lines in columns, which checks look at, and the scanner that makes them from bytes."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import add
from typing import Generic, NamedTuple, TypeVar

from ..format.index import EMPTY, MULTIWORD, WORD
from .check import Hit, Level, check_of_piece

ID, FORM, LEMMA, UPOS, _, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
MISSING, UNREADABLE = -1, -2
"""A HEAD that is `_`, and one that is not a number."""

_KEPT = 100_000
_WHITE = re.compile(r"\s")

V = TypeVar("V")


class Remembered(dict[str, V], Generic[V]):
    """What a function says about a string, asked once per different string; forgets when it grows too large."""

    def __init__(self, function: Callable[[str], V]) -> None:
        super().__init__()
        self._function = function

    def __missing__(self, text: str) -> V:
        if len(self) >= _KEPT:
            self.clear()
        value = self[text] = self._function(text)
        return value


class Verdicts:
    """What a function says is wrong with a value; those that are right are remembered, and not asked for again."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function
        self._right = set[str]()

    def wrong(self, values: frozenset[str]) -> dict[str, str]:
        """Those of the values that something is wrong with, and what it is."""
        wrong = {}
        if len(self._right) >= _KEPT:
            self._right.clear()
        for text in values - self._right:
            if why := self._function(text):
                wrong[text] = why
            else:
                self._right.add(text)
        return wrong


class Other(NamedTuple):
    """A row that is no word: the range `first`-`second`, or the empty node `first`.`second`."""

    kind: int
    first: int
    second: int
    line: int
    id: str
    words_before: int
    covered: int
    """The last word of the ranges before it."""


@dataclass(slots=True)
class Sentence:
    """What checks of a whole sentence need, and no more: it may have a million words."""

    first_line: int
    sent_ids: list[tuple[int, str]] = field(default_factory=list)
    texts: list[tuple[int, str]] = field(default_factory=list)
    seen_ids: dict[str, int] = field(default_factory=dict)
    """`sent_id` and line of all sentences of the file so far."""
    first_row: int = 0
    """The line of the first row; 0 where there is none."""
    words: int = 0
    heads: array[int] = field(default_factory=lambda: array("i"))
    lines: array[int] = field(default_factory=lambda: array("q"))
    surface: list[str] = field(default_factory=list)
    others: list[Other] = field(default_factory=list)
    covered: int = 0
    spaceless: list[tuple[int, str]] = field(default_factory=list)
    """Words inside a range that say SpaceAfter=No."""
    misnumbered: tuple[int, str, int] | None = None
    """The first word whose ID is not its place: line, ID, the number that should be there."""
    broken: bool = False
    """Some row has no readable ID or not ten columns: heads and text mean nothing."""
    highest_target: tuple[int, int, str] = (0, 0, "")
    """The highest word in DEPS, with line and token."""
    empty_targets: dict[str, tuple[int, str]] = field(default_factory=dict)
    skipped: bool = False

    @property
    def is_tree_readable(self) -> bool:
        """Can heads be followed?"""
        return not self.broken and self.words > 0 and UNREADABLE not in self.heads

    @property
    def sent_id(self) -> str:
        return self.sent_ids[0][1] if self.sent_ids else ""


@dataclass(slots=True)
class Piece:
    """Some thousand lines: the columns of all rows that have ten, and what else was met."""

    first_line: int
    text: str
    lines: list[str]
    row_lines: list[int] = field(default_factory=list)
    columns: list[tuple[str, ...]] = field(default_factory=list)
    heads: list[int] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    closed: list[Sentence] = field(default_factory=list)
    misshapen: list[tuple[int, list[str]]] = field(default_factory=list)
    not_utf8: list[tuple[int, int, int]] = field(default_factory=list)
    """Line, byte in the line, its value."""
    white_lines: list[int] = field(default_factory=list)
    extra_blank: list[int] = field(default_factory=list)
    """The first line of each run of blank lines that end no sentence."""
    late_comments: list[int] = field(default_factory=list)
    odd_comments: list[tuple[int, str]] = field(default_factory=list)
    unfinished: int = 0
    """The last line of the file, if it is not blank."""
    _distinct: dict[int, frozenset[str]] = field(default_factory=dict)
    _white: dict[int, list[str]] = field(default_factory=dict)
    _pairs: dict[tuple[int, int], frozenset[tuple[str, str]]] = field(default_factory=dict)

    def distinct(self, column: int) -> frozenset[str]:
        """The different values of a column."""
        if column not in self._distinct:
            self._distinct[column] = frozenset(self.columns[column])
        return self._distinct[column]

    def pairs(self, first: int, second: int) -> frozenset[tuple[str, str]]:
        """The different pairs of values of two columns in one row."""
        if (first, second) not in self._pairs:
            self._pairs[first, second] = frozenset(zip(self.columns[first], self.columns[second], strict=True))
        return self._pairs[first, second]

    def where(self, column: int, notes: dict[str, str]) -> Iterator[tuple[int, str, str]]:
        """(line, ID, what was found) of the rows whose value in a column is a key of `found`."""
        if notes:
            for line, token, value in zip(self.row_lines, self.columns[ID], self.columns[column], strict=True):
                if value in notes:
                    yield line, token, notes[value]

    def odd(self, column: int, verdicts: Verdicts) -> Iterator[Hit]:
        """The rows whose value in a column is judged to be wrong."""
        odd = verdicts.wrong(self.distinct(column))
        return (Hit(line, why, token) for line, token, why in self.where(column, odd))

    def white(self, column: int) -> list[str]:
        """The different values of a column that hold white space."""
        if column not in self._white:
            together = "".join(self.columns[column])
            # The blank is the only white space that can be printed.
            is_plain = together.isprintable() and " " not in together
            self._white[column] = [] if is_plain else [text for text in self.distinct(column) if _WHITE.search(text)]
        return self._white[column]

    def sentence_at(self, line: int) -> Sentence | None:
        """The sentence of a line; none for lines before the first."""
        number = bisect_right(self.sentences, line, key=lambda sentence: sentence.first_line)
        return self.sentences[number - 1] if number else None


def check_of_column(
    column: int, id: str, about: str, todo: str, *, level: Level = "error", except_ids: str = ""
) -> Callable[[Callable[[str], str]], Callable[[str], str]]:
    """Registers a function that says what is wrong with a value of the column; `except_ids`: not of IDs with one
    of these marks, `-` for ranges and `.` for empty nodes."""

    def register(function: Callable[[str], str]) -> Callable[[str], str]:
        # Empty fields and white space are problems of their own.
        verdicts = Verdicts(lambda text: "" if text in ("_", "") or _WHITE.search(text) else function(text))

        @check_of_piece(id, about, todo, level=level)
        def check(piece: Piece) -> Iterator[Hit]:
            hits = piece.odd(column, verdicts)
            return (hit for hit in hits if not any(mark in hit.token for mark in except_ids)) if except_ids else hits

        return function

    return register


BROKEN = 3
_BYTES = 1 << 17

_ID = re.compile(r"([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))?|(0|[1-9][0-9]{0,6})\.([1-9][0-9]{0,6})")
_HEAD = re.compile(r"0|[1-9][0-9]{0,6}")
_COMMENT = re.compile(r"#\s*(sent_id|text)\s*=\s*(.*)")
_DIGITS = frozenset("0123456789")
_TARGET = re.compile(r"(0|[1-9][0-9]{0,6})(\.[1-9][0-9]{0,6})?:")


@Remembered
def ids(text: str) -> tuple[int, int, int]:
    """Return the kind of an ID and its numbers."""
    match = _ID.fullmatch(text)
    if match is None:
        return BROKEN, 0, 0
    if match[3] is not None:
        return EMPTY, int(match[3]), int(match[4])
    return (MULTIWORD, int(match[1]), int(match[2])) if match[2] else (WORD, int(match[1]), 0)


@Remembered
def heads(text: str) -> int:
    """Return a HEAD as a number."""
    return MISSING if text == "_" else int(text) if _HEAD.fullmatch(text) else UNREADABLE


@Remembered
def targets(text: str) -> tuple[int, tuple[str, ...]]:
    """The highest word and the empty nodes that DEPS names."""
    matches = [match for part in text.split("|") if (match := _TARGET.match(part))]
    words = [int(match[1]) for match in matches if not match[2]]
    return max(words, default=0), tuple(match[1] + match[2] for match in matches if match[2])


gaps = Remembered(lambda misc: "" if "SpaceAfter=No" in misc.split("|") else " ")
_COUNT = tuple(str(number) for number in range(1, 1001))


def _counted(begin: int, size: int) -> tuple[str, ...]:
    """The IDs that the next `size` words should have."""
    end = begin + size
    return _COUNT[begin:end] if end <= len(_COUNT) else tuple(map(str, range(begin + 1, end + 1)))


class Scanner:
    """Goes through a file once; a sentence may run over several pieces."""

    def __init__(self) -> None:
        self._line = 0
        self._sentence: Sentence | None = None
        self._last: Sentence | None = None
        self._in_blanks = False
        self._seen_ids: dict[str, int] = {}

    def pieces(self, data: bytes) -> Iterator[Piece]:
        begin, size = 0, len(data)
        while begin < size:
            end = data.find(b"\n", begin + _BYTES - 1) + 1 or size
            yield self._piece(data[begin:end], begin == 0, end == size)
            begin = end

    def _piece(self, data: bytes, first: bool, last: bool) -> Piece:
        not_utf8: list[tuple[int, int, int]] = []
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = self._decoded(data, not_utf8)
        if first:
            text = text.removeprefix("\ufeff")
        text = text.replace("\r", "")
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        piece = Piece(self._line + 1, text, lines, not_utf8=not_utf8)
        spans = self._rows(piece)
        piece.heads = list(map(heads.__getitem__, piece.columns[HEAD]))
        spaced = list(map(add, piece.columns[FORM], map(gaps.__getitem__, piece.columns[MISC])))
        enhanced = len(piece.distinct(DEPS)) > 1 or "_" not in piece.distinct(DEPS)
        for sentence, begin, end in spans:
            _extend(sentence, piece, begin, end, spaced)
            if enhanced:
                _collect_targets(sentence, piece, begin, end)
        if last and self._sentence is not None:
            piece.unfinished = self._line
            piece.closed.append(self._sentence)
        return piece

    def _decoded(self, data: bytes, not_utf8: list[tuple[int, int, int]]) -> str:
        lines = data.split(b"\n")
        for number, line in enumerate(lines):
            try:
                line.decode("utf-8")
            except UnicodeDecodeError as error:
                not_utf8.append((self._line + number + 1, error.start + 1, line[error.start]))
                lines[number] = line.decode("utf-8", "replace").encode("utf-8")
        return b"\n".join(lines).decode("utf-8")

    def _rows(self, piece: Piece) -> list[tuple[Sentence, int, int]]:
        """Sorts lines into rows, comments and blanks; returns which rows belong to which sentence."""
        rows: list[str] = []
        row_lines = piece.row_lines
        spans: list[tuple[Sentence, int, int]] = []
        begin, sentence, in_blanks = 0, self._sentence, self._in_blanks
        if self._last is not None:
            piece.sentences.append(self._last)
        for number, line in enumerate(piece.lines, self._line + 1):
            mark = line[:1]
            if mark not in _DIGITS or sentence is None or not sentence.first_row:
                if mark not in _DIGITS and mark != "#" and not line.strip():
                    if line:
                        piece.white_lines.append(number)
                    if sentence is None:
                        if not in_blanks:
                            piece.extra_blank.append(number)
                        in_blanks = True
                        continue
                    spans.append((sentence, begin, len(rows)))
                    piece.closed.append(sentence)
                    begin, sentence = len(rows), None
                    continue
                if sentence is None:
                    sentence = Sentence(number, seen_ids=self._seen_ids)
                    piece.sentences.append(sentence)
                    in_blanks = False
                if mark == "#":
                    if sentence.first_row:
                        piece.late_comments.append(number)
                    self._comment(piece, sentence, number, line)
                    continue
                sentence.first_row = sentence.first_row or number
            if line.count("\t") == 9:
                rows.append(line)
                row_lines.append(number)
            else:
                piece.misshapen.append((number, line.split("\t")))
                sentence.broken = True
        if sentence is not None:
            spans.append((sentence, begin, len(rows)))
        fields = "\t".join(rows).split("\t") if rows else []
        piece.columns = [tuple(fields[column::10]) for column in range(10)]
        self._line, self._sentence, self._in_blanks = self._line + len(piece.lines), sentence, in_blanks
        self._last = piece.sentences[-1] if piece.sentences else None
        return spans

    @staticmethod
    def _comment(piece: Piece, sentence: Sentence, number: int, line: str) -> None:
        match = _COMMENT.match(line)
        if match is None:
            return
        key, value, mark = match[1], match[2], f"# {match[1]} = "
        if line.startswith(mark):
            value = line[len(mark) :]
        elif value:
            piece.odd_comments.append((number, key))
        (sentence.sent_ids if key == "sent_id" else sentence.texts).append((number, value))


def _extend(sentence: Sentence, piece: Piece, begin: int, end: int, spaced: list[str]) -> None:
    """Adds rows of a piece to their sentence. Most are words 1, 2, 3 … and need no second look."""
    tokens = piece.columns[ID][begin:end]
    if sentence.covered <= sentence.words and tokens == _counted(sentence.words, end - begin):
        sentence.words += end - begin
        sentence.heads.extend(piece.heads[begin:end])
        sentence.lines.extend(piece.row_lines[begin:end])
        sentence.surface.append("".join(spaced[begin:end]))
        return
    surface = []
    for row, token in enumerate(tokens, begin):
        kind, first, second = ids[token]
        line = piece.row_lines[row]
        if kind == BROKEN:
            sentence.broken = True
        elif kind == WORD:
            if first != sentence.words + 1 and not sentence.broken:
                sentence.misnumbered = (line, token, sentence.words + 1)
                sentence.broken = True
            sentence.words += 1
            sentence.heads.append(piece.heads[row])
            sentence.lines.append(line)
            if sentence.words > sentence.covered:
                surface.append(spaced[row])
            elif not gaps[piece.columns[MISC][row]]:
                sentence.spaceless.append((line, token))
        else:
            sentence.others.append(Other(kind, first, second, line, token, sentence.words, sentence.covered))
            if kind == MULTIWORD:
                surface.append(spaced[row])
                if sentence.words < first < second and first > sentence.covered:
                    sentence.covered = second
    sentence.surface.append("".join(surface))


def _collect_targets(sentence: Sentence, piece: Piece, begin: int, end: int) -> None:
    tokens, lines = piece.columns[ID], piece.row_lines
    for row, text in enumerate(piece.columns[DEPS][begin:end], begin):
        highest, empty = targets[text]
        if highest > sentence.highest_target[0]:
            sentence.highest_target = (highest, lines[row], tokens[row])
        for target in empty:
            sentence.empty_targets.setdefault(target, (lines[row], tokens[row]))
