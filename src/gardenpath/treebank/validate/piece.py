"""What checks look at: a piece of some thousand lines in columns, and what must be kept of a sentence."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from ..checking import Level
from .registry import Hit, check_of_piece

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


def judged(function: Callable[[str], str]) -> Verdicts:
    """Verdicts on values; empty fields and white space are problems of their own."""
    return Verdicts(lambda text: "" if text in ("_", "") or _WHITE.search(text) else function(text))


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
        verdicts = judged(function)

        @check_of_piece(id, about, todo, level=level)
        def check(piece: Piece) -> Iterator[Hit]:
            hits = piece.odd(column, verdicts)
            return (hit for hit in hits if not any(mark in hit.token for mark in except_ids)) if except_ids else hits

        return function

    return register
