"""Columns of a treebank as integer codes, sums over parts of a column, and groups of consecutive sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from .treebank import Treebank


_LOW_BYTES = np.array([(1 << (8 * n)) - 1 for n in range(9)], dtype=np.uint64)
_PRIME = np.uint64(0x9E3779B97F4A7C15)
_ROUNDS = 6
_BLOCK = 1 << 17
_LONG = 128  # Longer strings are rare (a MISC full of annotations) and compared by Python


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One string column: `values[codes[i]]` is the string of word i; codes count up from the first word."""

    codes: NDArray[np.int32]
    values: Sequence[str]
    _code_of: dict[str, int] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.codes.flags.writeable = False

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, index: int) -> str:
        return self.values[int(self.codes[index])]

    def code(self, value: str) -> int:
        """The code of a string, -1 if it does not occur."""
        if not self._code_of:
            self._code_of.update({value: number for number, value in enumerate(self.values)})
        return self._code_of.get(value, -1)

    def strings(self) -> list[str]:
        values = self.values
        return [values[code] for code in self.codes.tolist()]

    def mapped(self, function: Callable[[str], str]) -> Column:
        """The column with `function` applied to each string, once per different string."""
        return self.replaced(map(function, self.values))

    def replaced(self, values: Iterable[str]) -> Column:
        """The column with these strings instead of its different ones, in their order."""
        pool: dict[str, int] = {}
        table = np.array([pool.setdefault(value, len(pool)) for value in values], dtype=np.int32)
        return Column(table[self.codes], list(pool), pool)

    def counts(self) -> dict[str, int]:
        """How often each string occurs, most frequent first."""
        counts = np.bincount(self.codes, minlength=len(self.values)).tolist()
        return dict(sorted(zip(self.values, counts, strict=True), key=lambda pair: (-pair[1], pair[0])))


def encode(data: bytes, starts: NDArray[Any], ends: NDArray[Any]) -> Column:
    """The column whose strings are `data[starts[i]:ends[i]]`; in blocks, which fit the cache and bound memory."""
    count = len(starts)
    if count <= _BLOCK:
        return _encode_block(data, starts, ends)
    pool: dict[str, int] = {}
    codes = np.empty(count, dtype=np.int32)
    for begin in range(0, count, _BLOCK):
        some = slice(begin, begin + _BLOCK)
        block = _encode_block(data, starts[some], ends[some])
        table = np.array([pool.setdefault(value, len(pool)) for value in block.values], dtype=np.int32)
        codes[some] = table[block.codes]
    return Column(codes, tuple(pool))


Spans = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Where strings begin and where they end."""


def same_strings(data: bytes, spans: Spans, other_data: bytes, other_spans: Spans) -> NDArray[np.bool_]:
    """For each pair of strings: are they the same? Eight bytes at a time, and without codes for them."""
    lengths = spans[1] - spans[0]
    same: NDArray[np.bool_] = lengths == other_spans[1] - other_spans[0]
    left, right = Words(data), Words(other_data)
    undecided, offset = np.flatnonzero(same), 0
    while len(undecided):
        rest = lengths[undecided] - offset
        agree = left.at(spans[0][undecided] + offset, rest) == right.at(other_spans[0][undecided] + offset, rest)
        same[undecided[~agree]] = False
        undecided, offset = undecided[agree & (rest > 8)], offset + 8
    return same


def _encode_block(data: bytes, starts: NDArray[Any], ends: NDArray[Any]) -> Column:
    """Strings are compared eight bytes at a time: a hash puts equal ones into one slot of a table, and every
    string is then compared, to the last byte, with the one that holds its slot.
    """
    count = len(starts)
    if count == 0:
        return Column(np.zeros(0, dtype=np.int32), ())
    starts = starts.astype(np.int64)
    lengths = ends.astype(np.int64) - starts
    words = Words(data)
    beginnings = words.at(starts, lengths)
    mixed = (beginnings ^ lengths.astype(np.uint64)) * _PRIME
    pieces: list[tuple[NDArray[Any], NDArray[np.uint64]]] = []
    for offset in range(8, min(int(lengths.max()), _LONG), 8):
        longer = np.flatnonzero(lengths > offset)
        piece = words.at(starts[longer] + offset, lengths[longer] - offset)
        pieces.append((longer, piece))
        mixed[longer] = (mixed[longer] ^ (mixed[longer] >> np.uint64(29)) ^ piece) * _PRIME
    mixed ^= mixed >> np.uint64(32)
    long = np.flatnonzero(lengths > _LONG).tolist()
    for i in long:
        mixed[i] = hash(data[starts[i] : ends[i]]) & 0xFFFFFFFFFFFFFFFF
    first = _first_with_same(mixed)
    same = (lengths == lengths[first]) & (beginnings == beginnings[first])
    for which, piece in pieces:
        place = np.zeros(count, dtype=np.int64)
        place[which] = np.arange(len(which))
        same[which] &= piece == piece[place[first[which]]]
    for i in long:
        same[i] = data[starts[i] : ends[i]] == data[starts[first[i]] : ends[first[i]]]
    if not same.all():  # two strings with one 64-bit hash: never seen, but then be slow and right
        return _encode_slowly(data, starts, ends)
    codes, owners = _counted_up(first)
    spans = zip(starts[owners].tolist(), ends[owners].tolist(), strict=True)
    values = [data[a:b].decode("utf-8") for a, b in spans]
    return Column(codes, tuple(values))


def numbered(keys: NDArray[np.uint64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Codes of keys, counted up in the order in which they come, and where each comes first."""
    return _counted_up(_first_with_same(keys))


def _counted_up(first: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """From the first place with the same to codes, and the places that are first."""
    owners = np.flatnonzero(first == np.arange(len(first)))
    number = np.empty(len(first), dtype=np.int32)
    number[owners] = np.arange(len(owners), dtype=np.int32)
    return number[first], owners


class Words:
    """The eight bytes at any place of the data as one integer; bytes past a string's end are zero."""

    def __init__(self, data: bytes) -> None:
        self.size = len(data)
        padded = data if self.size >= 8 else data + bytes(8 - self.size)
        self.window = np.ndarray((len(padded) - 7,), dtype="<u8", buffer=padded, strides=(1,))

    def at(self, places: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.uint64]:
        last = len(self.window) - 1
        if int(places.max(initial=0)) <= last:
            bytes_there = self.window[places]
        else:
            safe = np.minimum(places, last)
            bytes_there = self.window[safe] >> ((places - safe) * 8).astype(np.uint64)
        result: NDArray[np.uint64] = bytes_there & _LOW_BYTES[np.minimum(lengths, 8)]
        return result


def _first_with_same(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """For each key the index of its first occurrence, by scattering into a table instead of sorting."""
    count = len(keys)
    first = np.empty(count, dtype=np.int64)
    rest = np.arange(count)
    bits = max(12, min(22, int(count).bit_length()))
    for round_number in range(_ROUNDS):
        left = keys[rest]
        slots = ((left * (_PRIME + np.uint64(2 * round_number))) >> np.uint64(64 - bits)).astype(np.int64)
        table = np.empty(1 << bits, dtype=np.int64)
        table[slots[::-1]] = rest[::-1]  # the last to write is the first in the text
        owner = table[slots]
        hit = keys[owner] == left
        first[rest[hit]] = owner[hit]
        rest = rest[~hit]
        if len(rest) == 0:
            return first
    _, where, inverse = np.unique(keys[rest], return_index=True, return_inverse=True)
    first[rest] = rest[where][inverse]
    return first


def _encode_slowly(data: bytes, starts: NDArray[Any], ends: NDArray[Any]) -> Column:
    pool: dict[bytes, int] = {}
    codes = [pool.setdefault(data[a:b], len(pool)) for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    return Column(np.array(codes, dtype=np.int32), tuple(value.decode("utf-8") for value in pool))


Ints = NDArray[Any]


def running(values: Ints) -> Ints:
    """(n + 1,): how much there is before each place, and in all."""
    return np.concatenate([[0], np.cumsum(values, dtype=np.int64)])


def ranges(starts: Ints, lengths: Ints) -> Ints:
    """Return start, start + 1, … (as many as its length) for each start, one range after the other."""
    numbers = np.repeat(starts - np.cumsum(lengths) + lengths, lengths)
    numbers += np.arange(len(numbers))
    return numbers


def sums(values: Ints, borders: Ints) -> NDArray[np.int64]:
    """Whole numbers, summed up between borders."""
    total = running(values)
    result: NDArray[np.int64] = total[borders[1:]] - total[borders[:-1]]
    return result


def slices(values: Ints, borders: Ints) -> list[Ints]:
    """The values between borders: sums of fractions are taken in each alone, to the last digit as in one group."""
    return [values[begin:end] for begin, end in pairwise(borders.tolist())]


def means(values: Ints, borders: Ints) -> list[float | None]:
    """The mean between borders; None where nothing is."""
    return [float(np.add.reduce(part)) / len(part) if len(part) else None for part in slices(values, borders)]


def ratios(tops: Ints, bottoms: Ints) -> list[float | None]:
    """Quotients of whole numbers; None where the second is 0."""
    return [top / bottom if bottom else None for top, bottom in zip(tops.tolist(), bottoms.tolist(), strict=True)]


class GroupStrings(NamedTuple):
    """A string column in which no two groups share a code; each group counts up from its first word."""

    codes: Ints
    """(words,)"""
    borders: Ints
    """(groups + 1,): group g has the codes from borders[g] to borders[g + 1]."""
    column_codes: Ints
    """(codes,): the same string's code in the column of the whole treebank."""

    @property
    def kinds(self) -> Ints:
        """How many different strings each group has."""
        return np.diff(self.borders)


class Groups:
    """A treebank and where its groups begin: group g has the sentences from borders[g] to borders[g + 1]."""

    def __init__(
        self, treebank: Treebank, borders: Ints | None = None, repairs: Sequence[Mapping[str, int]] = ()
    ) -> None:
        self.treebank = treebank
        self.borders: Ints = np.array([0, len(treebank)]) if borders is None else borders
        self.repairs = tuple(repairs) or (treebank.repairs,)
        self._strings: dict[str, GroupStrings] = {}

    def __len__(self) -> int:
        return len(self.borders) - 1

    @cached_property
    def word_borders(self) -> Ints:
        """Group g has the words from word_borders[g] to word_borders[g + 1]."""
        return self.treebank.offsets[self.borders]

    @cached_property
    def group_of_word(self) -> Ints:
        return np.repeat(np.arange(len(self)), np.diff(self.word_borders))

    def strings(self, name: str) -> GroupStrings:
        """A string column of the treebank with codes for each group."""
        if name not in self._strings:
            self._strings[name] = self._encoded(name)
        return self._strings[name]

    def _encoded(self, name: str) -> GroupStrings:
        column = self.treebank.column(name)
        kinds = len(column.values)
        if len(self) == 1:
            return GroupStrings(column.codes, np.array([0, kinds]), np.arange(kinds))
        # Groups follow each other, so codes by first occurrence of (group, string) do too.
        codes, first = numbered((self.group_of_word * kinds + column.codes).astype(np.uint64))
        return GroupStrings(codes, np.searchsorted(first, self.word_borders), column.codes[first])

    def counts(self, name: str) -> list[dict[str, int]]:
        """How often each string occurs in each group, most frequent first."""
        strings, values = self.strings(name), self.treebank.column(name).values
        counts = np.bincount(strings.codes, minlength=len(strings.column_codes)).tolist()
        pairs = [(values[code], count) for code, count in zip(strings.column_codes.tolist(), counts, strict=True)]
        return [
            dict(sorted(pairs[begin:end], key=lambda pair: (-pair[1], pair[0])))
            for begin, end in pairwise(strings.borders.tolist())
        ]
