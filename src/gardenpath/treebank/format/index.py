"""Where everything is in the bytes of a CoNLL-U file, found by NumPy in chunks that fit the processor's cache."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FIELDS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
WORD, MULTIWORD, EMPTY = 0, 1, 2

_CHUNK = 1 << 19
_MAX_DIGITS = 7
_TAB, _NEWLINE, _HASH, _ZERO, _UNDERSCORE = 9, 10, 35, 48, 95
_RANGE = re.compile(rb"([1-9][0-9]{0,6})-([1-9][0-9]{0,6})")
_DECIMAL = re.compile(rb"(0|[1-9][0-9]{0,6})\.([1-9][0-9]{0,6})")

Ints = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why bytes cannot be indexed: where the line starts, what is wrong, what to do."""

    offset: int
    what: str
    todo: str = ""


class FaultError(Exception):
    """Carries the first fault out of the index; the reader turns it into an error with file and line."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.what)
        self.fault = fault


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """One row per token line: words, multiword tokens and empty nodes, in the order of the file."""

    separators: Ints
    """(rows, 10): the byte after each of the ten fields: nine tabs and the newline."""
    starts: Ints
    """The byte where each row begins."""
    kinds: NDArray[np.uint8]
    numbers: NDArray[np.int32]
    """ID of a word; first word of a multiword token; word before an empty node."""
    seconds: dict[int, int]
    """By row: last word of a multiword token, second number of an empty node."""
    heads: NDArray[np.int32]
    """HEAD, -1 where it is `_`."""
    rows: NDArray[np.int64]
    """Sentence i has the rows from rows[i] to rows[i + 1]."""
    blocks: NDArray[np.int64]
    """Sentence i has the bytes from blocks[i] to blocks[i + 1], comments and the blank line included."""


def build(data: bytes) -> Index:
    """The index of bytes that end with a blank line; raises FaultError at the first line that is not CoNLL-U."""
    view = np.frombuffer(data, dtype=np.uint8)
    offset_type = np.int32 if len(data) < 2**31 else np.int64
    parts: list[_Chunk] = [_scan(view, data, a, b, offset_type) for a, b in _chunks(data)]
    if not parts:
        raise FaultError(Fault(0, "no sentence in here"))
    counts = [len(part.starts) for part in parts]
    separators, starts = _joined(parts, "separators"), _joined(parts, "starts")
    numbers, kinds, heads = _joined(parts, "numbers"), _joined(parts, "kinds"), _joined(parts, "heads")
    sizes = _joined(parts, "sizes")
    rows = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=rows[1:])
    frozen(rows)
    blocks = np.append(_joined(parts, "blocks"), len(data))
    blocks[0] = 0
    frozen(blocks)
    seconds: dict[int, int] = {}
    done = 0
    for part, count in zip(parts, counts, strict=True):
        seconds.update((row + done, second) for row, second in part.seconds.items())
        done += count
    return Index(separators, starts, kinds, numbers, seconds, heads, rows, blocks)


def _joined(parts: Sequence[_Chunk], name: str) -> Ints:
    """An array of all chunks in one; theirs are let go, so that no more than one array is there twice."""
    whole = np.concatenate([getattr(part, name) for part in parts])
    for part in parts:
        delattr(part, name)
    return frozen(whole)


def frozen(array: Ints) -> Ints:
    """The array itself, which from now on cannot be changed: a treebank is immutable."""
    array.flags.writeable = False
    return array


@dataclass(slots=True, eq=False)
class _Chunk:
    separators: Ints
    starts: Ints
    kinds: NDArray[np.uint8]
    numbers: NDArray[np.int32]
    seconds: dict[int, int]
    heads: NDArray[np.int32]
    sizes: NDArray[np.int64]
    blocks: NDArray[np.int64]


def _chunks(data: bytes) -> Iterator[tuple[int, int]]:
    """Pieces of about half a megabyte that end where a sentence ends."""
    begin, size = 0, len(data)
    while begin < size:
        end = begin + _CHUNK
        if end >= size:
            yield begin, size
            return
        cut = data.rfind(b"\n\n", begin, end)
        if cut < 0:
            cut = data.find(b"\n\n", end - 1)
        cut = size if cut < 0 else cut + 2
        while cut < size and data[cut] == _NEWLINE:  # more blank lines than one: they stay with this piece
            cut += 1
        yield begin, cut
        begin = cut


def _scan(view: NDArray[np.uint8], data: bytes, begin: int, end: int, offset_type: Any) -> _Chunk:
    """One chunk: lines, fields, sentences, then IDs and heads as integers."""
    chunk = view[begin:end]
    marks = np.flatnonzero((chunk - np.uint8(_TAB)) <= 1)  # tabs and newlines in one pass
    line_marks = np.flatnonzero(chunk[marks] == _NEWLINE)
    line_ends = marks[line_marks]
    line_starts = np.empty_like(line_ends)
    line_starts[0] = 0
    np.add(line_ends[:-1], 1, out=line_starts[1:])
    first_bytes = chunk[line_starts]
    blank = first_bytes == _NEWLINE
    token = ~(blank | (first_bytes == _HASH))
    lines = np.flatnonzero(token)
    marks_per_line = np.diff(line_marks, prepend=-1)
    fields = marks_per_line[lines]
    if (fields != 10).any():
        _fault_columns(data, begin + int(line_starts[lines[np.argmax(fields != 10)]]))
    # Every token line has ten marks now, so that those left over without the other lines make the table.
    separators = marks[np.repeat(token, marks_per_line)].reshape(-1, 10)
    starts = line_starts[lines]
    if (separators[:, 1:] - separators[:, :-1] == 1).any():
        _fault_empty(begin, starts, separators)
    # A sentence is a run of lines without a blank one between; it begins after the blank lines before it.
    filled = ~blank
    begins = np.flatnonzero(filled & np.concatenate([[True], blank[:-1]]))
    tokens_before = np.concatenate([[0], np.cumsum(token)])
    bounds = tokens_before[np.append(begins, len(token))]
    sizes = np.diff(bounds)
    if (sizes == 0).any():
        at = line_starts[begins[np.argmax(sizes == 0)]]
        raise FaultError(
            Fault(begin + int(at), "comments without a sentence", "give the sentence its words or remove it")
        )
    late = np.flatnonzero((first_bytes[1:] == _HASH) & token[:-1])
    if len(late):
        at = begin + int(line_starts[late[0] + 1])
        todo = "comments stand before the first word; is a blank line missing?"
        raise FaultError(Fault(at, "a comment inside a sentence", todo))
    numbers, broken = _integers(chunk, starts, separators[:, 0])
    kinds = np.zeros(len(lines), dtype=np.uint8)
    seconds: dict[int, int] = {}
    for row in np.flatnonzero(broken).tolist():
        kinds[row], numbers[row], seconds[row] = _other_id(
            data, begin + int(starts[row]), begin + int(separators[row, 0])
        )
    words = kinds == WORD
    heads, broken = _integers(chunk, separators[:, 5] + 1, separators[:, 6])
    if broken.any():
        missing = broken & (chunk[separators[:, 5] + 1] == _UNDERSCORE) & (separators[:, 6] - separators[:, 5] == 2)
        heads[missing] = -1
        wrong = broken & ~missing
        if wrong.any():
            row = int(np.argmax(wrong))
            value = data[begin + int(separators[row, 5]) + 1 : begin + int(separators[row, 6])]
            raise FaultError(
                Fault(
                    begin + int(starts[row]),
                    f"HEAD is {_shown(value)}, not a plain number",
                    "use the ID of a word, or 0",
                )
            )
    result = _Chunk(
        (separators + begin).astype(offset_type),
        (starts + begin).astype(offset_type),
        kinds,
        numbers,
        seconds,
        heads,
        sizes,
        line_starts[begins] + begin,
    )
    _check_sequence(result, words, bounds)
    return result


def _integers(chunk: NDArray[np.uint8], starts: Ints, ends: Ints) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Decimal numbers of up to seven digits at these places, and where there is something else (also 007)."""
    digit = chunk[starts] - np.uint8(_ZERO)
    values = digit.astype(np.int32)
    lengths = ends - starts
    broken = (digit > 9) | (lengths > _MAX_DIGITS) | (lengths < 1) | ((digit == 0) & (lengths > 1))
    longer = np.flatnonzero((lengths > 1) & ~broken)
    place = 1
    while len(longer):
        digit = chunk[starts[longer] + place] - np.uint8(_ZERO)
        values[longer] = values[longer] * 10 + digit
        broken[longer] |= digit > 9
        place += 1
        longer = longer[(lengths[longer] > place) & (digit <= 9)]
    return values, broken


def _check_sequence(chunk: _Chunk, words: NDArray[np.bool_], bounds: Ints) -> None:
    """IDs count 1, 2, 3 …; ranges and empty nodes stand where they belong; heads are words of the sentence."""
    before = np.concatenate([[0], np.cumsum(words)])
    word_counts = np.diff(before[bounds])
    if (word_counts == 0).any():
        row = int(bounds[np.argmax(word_counts == 0)])
        raise FaultError(
            Fault(int(chunk.starts[row]), "a sentence without words", "every sentence needs the word with ID 1")
        )
    at = np.flatnonzero(words)
    expected = np.arange(1, len(at) + 1) - np.repeat(before[bounds[:-1]], word_counts)
    wrong = chunk.numbers[at] != expected
    if wrong.any():
        row = int(at[np.argmax(wrong)])
        raise FaultError(
            Fault(
                int(chunk.starts[row]),
                f"ID {chunk.numbers[row]} where {expected[np.argmax(wrong)]} should stand",
                "words of a sentence are numbered 1, 2, 3, …",
            )
        )
    outside = chunk.heads[at] > np.repeat(word_counts, word_counts)
    if outside.any():
        row = int(at[np.argmax(outside)])
        size = int(np.repeat(word_counts, word_counts)[np.argmax(outside)])
        raise FaultError(
            Fault(
                int(chunk.starts[row]),
                f"HEAD {chunk.heads[row]} in a sentence of {size} words",
                "use the ID of a word, or 0",
            )
        )
    if chunk.seconds:
        _check_others(chunk, before, bounds, word_counts)


def _check_others(chunk: _Chunk, before: Ints, bounds: Ints, word_counts: Ints) -> None:
    sentence_of = np.searchsorted(bounds, np.array(sorted(chunk.seconds)), side="right") - 1
    covered, last_sentence, last_empty = 0, -1, (-1, 0)
    for row, sentence in zip(sorted(chunk.seconds), sentence_of.tolist(), strict=True):
        if sentence != last_sentence:
            covered, last_sentence, last_empty = 0, sentence, (-1, 0)
        words_before = int(before[row] - before[bounds[sentence]])
        number, second = int(chunk.numbers[row]), chunk.seconds[row]
        if chunk.kinds[row] == MULTIWORD:
            if number != words_before + 1 or number <= covered or not number < second <= word_counts[sentence]:
                raise FaultError(
                    Fault(
                        int(chunk.starts[row]),
                        f"the range {number}-{second} does not fit its place",
                        "a range stands before its first word, covers two or more words and overlaps no other",
                    )
                )
            covered = second
        else:
            follows = last_empty[1] + 1 if last_empty[0] == words_before else 1
            if number != words_before or second != follows:
                raise FaultError(
                    Fault(
                        int(chunk.starts[row]),
                        f"the empty node {number}.{second} does not fit its place",
                        f"after word {words_before} the next empty node is {words_before}.{follows}",
                    )
                )
            last_empty = (number, second)


def _other_id(data: bytes, begin: int, end: int) -> tuple[int, int, int]:
    text = data[begin:end]
    forms: tuple[tuple[re.Pattern[bytes], int], ...] = ((_RANGE, MULTIWORD), (_DECIMAL, EMPTY))
    for form, kind in forms:
        if match := form.fullmatch(text):
            return kind, int(match[1]), int(match[2])
    raise FaultError(
        Fault(begin, f"ID is {_shown(text)}", "an ID is a number, a range such as 3-4, or 8.1 for an empty node")
    )


def _fault_columns(data: bytes, begin: int) -> None:
    line = data[begin : data.index(b"\n", begin)]
    columns = line.count(b"\t") + 1
    todo = "CoNLL-U has 10 columns separated by single tabs"
    if columns == 1 and len(line.split()) >= 8:
        todo += "; this line is separated by blanks"
    elif not line.strip():
        todo = "a line between sentences must be empty, this one holds white space"
    raise FaultError(Fault(begin, f"{columns} column{'s' if columns > 1 else ''} instead of 10", todo))


def _fault_empty(begin: int, starts: Ints, separators: Ints) -> None:
    empty = separators[:, 1:] - separators[:, :-1] == 1
    row = int(np.argmax(empty.any(axis=1)))
    name = FIELDS[int(np.argmax(empty[row])) + 1].upper()
    raise FaultError(Fault(begin + int(starts[row]), f"{name} is empty", "an empty field is written as _"))


def _shown(text: bytes) -> str:
    return repr(text[:40].decode("utf-8", "replace")) + ("…" if len(text) > 40 else "")
