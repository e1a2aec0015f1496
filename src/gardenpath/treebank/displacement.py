"""Edge displacement: how far, and to which side of its head, a word stands (EDV, Equation 1).

`histogram` works on a treebank that was read; `histogram_of_file` needs only ID and HEAD of every row and is
made for collections of hundreds of files. Both give the same numbers and refuse the same files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .index import _chunks
from .source import open_files
from .treebank import Treebank, first_bad_utf8

LIMIT = 30
"""The paper's range is -30 to 30: longer edges are too few to be a reliable part of a distribution."""

Ints = NDArray[Any]

_TAB, _NEWLINE, _HASH, _DASH, _DOT, _UNDERSCORE = 9, 10, 35, 45, 46, 95
_DIGITS = 4
"""Longer numbers than this do not fit the four bytes that are looked at; the full reader takes over."""

_ONE, _BYTE, _TEN, _HALF, _LAST_BIT, _BITS, _HUNDRED = map(np.uint32, (1, 8, 10, 16, 31, 32, 100))
_ASCII_ZEROS, _ABOVE_NINE, _HIGH_BITS = map(np.uint32, (0x30303030, 0x76767676, 0x80808080))
_EVEN_BYTES, _LOW_BYTE = map(np.uint32, (0x00FF00FF, 0xFF))


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """How often each displacement from -limit to limit occurs, and how many edges are longer than that."""

    counts: NDArray[np.int64]
    outside: int

    @property
    def limit(self) -> int:
        return len(self.counts) // 2

    @property
    def values(self) -> NDArray[np.int64]:
        """The displacement that each count belongs to."""
        return np.arange(-self.limit, self.limit + 1)

    @property
    def edges(self) -> int:
        """All edges but those of roots."""
        return int(self.counts.sum()) + self.outside

    def __add__(self, other: Histogram) -> Histogram:
        return Histogram(self.counts + other.counts, self.outside + other.outside)


def displacements(treebank: Treebank) -> Ints:
    """s = position of the word - position of its head, of every edge; roots and words without head have none."""
    edge = treebank.heads > 0
    return (treebank.ids - treebank.heads)[edge]


def histogram(treebank: Treebank, limit: int = LIMIT) -> Histogram:
    """The displacements of a treebank, counted."""
    return counted(displacements(treebank), limit)


def distribution(of: Histogram | Treebank) -> NDArray[np.float64]:
    """The share of each displacement from -limit to limit among the edges in that range."""
    found = histogram(of) if isinstance(of, Treebank) else of
    total = int(found.counts.sum())
    if total == 0:
        where = of.name if isinstance(of, Treebank) else ""
        raise InputError(
            "no edge, so no distribution of displacements", where=where, todo="the words need heads in column 7"
        )
    return found.counts / total


def histogram_of_file(path: str | PathLike[str], limit: int = LIMIT) -> Histogram:
    """The displacements of a file, or of all files that a folder, a glob or an archive holds."""
    found = [histogram_of_bytes(data, limit, name=name) for name, data, _ in open_files(path)]
    return _sum(found, limit)


def histogram_of_bytes(data: bytes, limit: int = LIMIT, *, name: str = "<bytes>") -> Histogram:
    """The displacements of CoNLL-U bytes, without reading what they do not depend on."""
    try:
        if (
            not data
            or data.isspace()
            or data.startswith(b"\xef\xbb\xbf")
            or b"\0" in data
            or b"\r" in data
            or first_bad_utf8(data) is not None
        ):
            raise _UnusualError
        whole = data if data.endswith(b"\n\n") else data.rstrip(b"\n") + b"\n\n"
        view = np.frombuffer(whole, dtype=np.uint8)
        return _sum((counted(_of_chunk(view[begin:end]), limit) for begin, end in _pieces(whole)), limit)
    except _UnusualError:
        return histogram(Treebank(data, name=name), limit)


def _sum(found: Iterable[Histogram], limit: int) -> Histogram:
    return sum(found, Histogram(np.zeros(2 * limit + 1, dtype=np.int64), 0))


def counted(values: Ints, limit: int = LIMIT) -> Histogram:
    """Displacements as a histogram."""
    bounded = np.clip(values, -limit - 1, limit + 1)
    bounded += limit + 1
    counts = np.bincount(bounded, minlength=2 * limit + 3)
    return Histogram(counts[1:-1], int(counts[0] + counts[-1]))


class _UnusualError(Exception):
    """Something that the fast way does not handle: an error, or a number of more than four digits."""


def _pieces(data: bytes) -> Iterator[tuple[int, int]]:
    """Pieces of whole sentences, two of the reader's at a time: fewer columns are looked at, so more rows fit."""
    ends = [end for _, end in _chunks(data)]
    cuts = [0, *ends[1:-1:2], *ends[-1:]]
    return pairwise(cuts)


def _of_chunk(chunk: NDArray[np.uint8]) -> Ints:
    """The displacements of whole sentences; all that the reader would refuse is unusual."""
    marks = np.flatnonzero(chunk - np.uint8(_TAB) <= 1)  # tabs and newlines in one pass
    line_marks = np.flatnonzero(chunk[marks] == _NEWLINE)
    line_starts = np.zeros(len(line_marks), dtype=np.int64)
    np.add(marks[line_marks[:-1]], 1, out=line_starts[1:])
    first = chunk[line_starts]
    blank, comment = first == _NEWLINE, first == _HASH
    token = ~(blank | comment)
    lines = np.flatnonzero(token)
    ends = line_marks[lines]
    # A row has ten marks exactly when the newline before it is ten marks back.
    before = np.full(len(line_marks), -1, dtype=np.int64)
    before[1:] = line_marks[:-1]
    fits = ends - before[lines] == 10
    begins = np.flatnonzero(~blank[1:] & blank[:-1]) + 1
    begins = begins if blank[0] else np.concatenate([[0], begins])
    bounds = np.concatenate([np.searchsorted(lines, begins), [len(lines)]])
    sizes = np.diff(bounds)
    _refuse_if(not fits.all() or not sizes.all() or (comment[1:] & token[:-1]).any())

    window = _windows(chunk)
    id_starts, id_ends = line_starts[lines], marks[ends - 9]
    ids, other = _small_integers(window, id_starts, id_ends)
    head_starts, head_ends = marks[ends - 4] + 1, marks[ends - 3]
    heads, missing = _small_integers(window, head_starts, head_ends)
    if missing.any():
        at = np.flatnonzero(missing)
        _refuse_if((chunk[head_starts[at]] != _UNDERSCORE).any() or (head_ends[at] - head_starts[at] != 1).any())
        heads[at] = 0  # no edge, as for a root
    if other.any():
        rows, words = np.flatnonzero(other), np.flatnonzero(~other)
        word_bounds = bounds - np.searchsorted(rows, bounds)
        _check_others(chunk, window, rows, id_starts[rows], id_ends[rows], bounds, word_bounds)
        ids, heads, bounds = ids[words], heads[words], word_bounds
        sizes = np.diff(bounds)
        _refuse_if(not sizes.all())
    positions = np.arange(1, len(ids) + 1) - np.repeat(bounds[:-1], sizes)
    _refuse_if((ids != positions).any() or (heads > np.repeat(sizes, sizes)).any())
    found: Ints = (positions - heads)[heads > 0]
    return found


def _windows(chunk: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """The four bytes at each place as one integer; a number is followed by at least that many others."""
    return np.ndarray((len(chunk) - 3,), dtype="<u4", buffer=chunk, strides=(1,))


def _small_integers(
    window: NDArray[np.uint32], starts: Ints, ends: Ints
) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    """Decimal numbers of up to four digits at these places, and where there is something else.

    All digits of a number are computed with at once: neighbours are joined to pairs, then pairs to the number.
    """
    lengths = (ends - starts).astype(np.uint32)
    broken = lengths - _ONE >= _DIGITS  # an empty field becomes a very large number
    digits = window[starts] ^ _ASCII_ZEROS
    broken |= (digits & _LOW_BYTE == 0) & (lengths > _ONE)  # 007
    digits <<= (_BITS - lengths * _BYTE) & _LAST_BIT
    broken |= ((digits + _ABOVE_NINE) | digits) & _HIGH_BITS != 0
    digits = (digits * _TEN + (digits >> _BYTE)) & _EVEN_BYTES
    return (digits & _LOW_BYTE) * _HUNDRED + (digits >> _HALF), broken


def _check_others(
    chunk: NDArray[np.uint8],
    window: NDArray[np.uint32],
    rows: Ints,
    starts: Ints,
    ends: Ints,
    bounds: Ints,
    word_bounds: Ints,
) -> None:
    """Multiword tokens (3-4) and empty nodes (8.1) have no displacement, but they must stand where they belong."""
    place = np.zeros(len(rows), dtype=np.int64)
    for step in range(_DIGITS, 0, -1):
        byte = chunk[starts + step]
        place[(byte == _DASH) | (byte == _DOT)] = step
    number, broken = _small_integers(window, starts, starts + place)
    second, broken_second = _small_integers(window, starts + place + 1, ends)
    _refuse_if(broken.any() or broken_second.any())
    number, second = number.astype(np.int64), second.astype(np.int64)
    sentence = np.searchsorted(bounds, rows, side="right") - 1
    words_before = rows - np.arange(len(rows)) - word_bounds[sentence]
    dashed = chunk[starts + place] == _DASH
    _refuse_if((number != words_before + dashed).any())
    sizes = np.diff(word_bounds)[sentence]
    _refuse_if((dashed & ((second <= number) | (second > sizes))).any())
    first, last, where = number[dashed], second[dashed], sentence[dashed]
    _refuse_if(((first[1:] <= last[:-1]) & (where[1:] == where[:-1])).any())
    if not dashed.all():
        after, rank, where = number[~dashed], second[~dashed], sentence[~dashed]
        follows = np.ones(len(rank), dtype=np.int64)
        follows[1:] += np.where((after[1:] == after[:-1]) & (where[1:] == where[:-1]), rank[:-1], 0)
        _refuse_if((rank != follows).any())


def _refuse_if(unusual: bool | np.bool_) -> None:
    if unusual:
        raise _UnusualError
