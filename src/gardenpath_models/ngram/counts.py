"""Counts of n-grams: a text as word numbers, and the counts of all orders at once.

An n-gram is the rank of its first n-1 words and its last word. Columns of numbers are in memory, or beyond a budget in
files, which are read and written from front to back only: where numbers are wanted in another order, they are first
spread over buckets that each fit into memory.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count as counter
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gardenpath.errors import InputError, UsageError
from gardenpath.systems import BEGIN, END, UNKNOWN

from ..neural.vocabulary import vocabulary_from

Array = NDArray[Any]
_BYTES = 128
"""What a row takes while its bucket is sorted: keys, places, their order, ranks, and copies of them."""
_EVERYTHING = 1 << 62


class Scratch:
    """Where columns are, and how many rows may be in memory at once; without a budget (bytes) all of them."""

    def __init__(self, budget: int | None = None, folder: Path | None = None) -> None:
        self.folder, self.on_disk = folder, budget is not None
        self.rows = _EVERYTHING if budget is None else max(1, budget // _BYTES)

    def column(self, dtype: DTypeLike, values: Array | None = None) -> Column:
        """A new column, with these values."""
        made = Column(self, np.dtype(dtype))
        if values is not None:
            made.append(values)
        return made

    def file(self) -> IO[bytes]:
        """One without a name, which is gone when nobody has it any more."""
        return TemporaryFile(dir=self.folder, prefix="gardenpath-")

    def buckets(self, rows: int) -> int:
        """Into how many parts so many rows are cut."""
        return max(1, -(-rows // self.rows))


class Column:
    """Numbers of one kind, one after the other."""

    def __init__(self, scratch: Scratch, dtype: np.dtype[Any]) -> None:
        self.scratch, self.dtype = scratch, dtype
        self._parts: list[Array] = []
        self._file = scratch.file() if scratch.on_disk else None
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, values: Array) -> None:
        values = values.astype(self.dtype, copy=False)
        self._size += len(values)
        if self._file is None:
            self._parts.append(values)
        else:
            self._file.write(np.ascontiguousarray(values).data)

    def read(self, start: int, stop: int) -> Array:
        """These rows; those beyond the end are left out."""
        stop = min(stop, self._size)
        if self._file is None:
            return self.array[start:stop]
        size = self.dtype.itemsize
        return np.frombuffer(_bytes_at(self._file, start * size, max(0, stop - start) * size), self.dtype)

    def blocks(self) -> Iterator[tuple[int, Array]]:
        """Rows that fit into memory, and where they begin."""
        for start in range(0, self._size, self.scratch.rows):
            yield start, self.read(start, start + self.scratch.rows)

    @property
    def array(self) -> Array:
        """All of it; a file is mapped, and its pages come and go."""
        if self._file is not None:
            self._file.flush()
            return np.memmap(self._file, self.dtype, "r") if self._size else np.empty(0, self.dtype)
        if len(self._parts) != 1:
            self._parts = [np.concatenate([np.empty(0, self.dtype), *self._parts])]
        return self._parts[0]


class Buckets:
    """Rows of several columns, spread over parts that fit into memory each; all of them are in one file."""

    def __init__(self, scratch: Scratch, count: int, dtypes: Sequence[DTypeLike]) -> None:
        self.scratch, self.count, self._dtypes = scratch, count, [np.dtype(dtype) for dtype in dtypes]
        self._chunks: list[list[Array]] = []
        self._stored: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        """Of each bucket: where a chunk begins, and how many rows it has."""
        self._file = scratch.file() if count > 1 else None
        self._end = 0

    def add(self, which: Array | int, *columns: Array) -> None:
        """Rows of columns; `which` has the bucket of each."""
        values = [column.astype(dtype, copy=False) for column, dtype in zip(columns, self._dtypes, strict=True)]
        if self._file is None:
            self._chunks.append(values)
            return
        order = np.argsort(which, kind="stable")
        sizes = np.bincount(which, minlength=self.count)
        ends = np.cumsum(sizes)
        for number in np.flatnonzero(sizes).tolist():
            rows = order[ends[number] - sizes[number] : ends[number]]
            self._stored[number].append((self._end, len(rows)))
            for column in values:
                self._end += self._file.write(column[rows].data)

    def add_places(self, places: Array, *columns: Array) -> None:
        """Rows whose first column says where they belong: a bucket is a stretch of places."""
        self.add(places // self.scratch.rows if self._file else 0, places, *columns)

    def take(self, number: int) -> list[Array]:
        """The columns of one bucket, once; rows are in the order in which they came."""
        chunks = self._chunks if self._file is None else [self._read(*stored) for stored in self._stored[number]]
        self._chunks = []
        return [
            chunks[0][at]
            if len(chunks) == 1
            else np.concatenate([np.empty(0, dtype), *(chunk[at] for chunk in chunks)])
            for at, dtype in enumerate(self._dtypes)
        ]

    def pieces(self, number: int) -> Iterator[list[Array]]:
        """The columns of a bucket as they came, some rows at a time and as often as wanted."""
        if self._file is None:
            return iter(self._chunks)
        return (self._read(*stored) for stored in self._stored[number])

    def overfull(self, number: int) -> bool:
        """Has it more rows than memory? All rows of one key are in one bucket, and a key may be that frequent."""
        return sum(size for _, size in self._stored[number]) > self.scratch.rows

    def _read(self, offset: int, size: int) -> list[Array]:
        assert self._file is not None
        chunk = []
        for dtype in self._dtypes:
            chunk.append(np.frombuffer(_bytes_at(self._file, offset, size * dtype.itemsize), dtype))
            offset += size * dtype.itemsize
        return chunk


def scattered(places_and_values: Buckets, size: int, dtype: DTypeLike, fill: int = 0) -> Column:
    """values[i] at places[i] of a new column; the buckets are stretches of places, one after the other."""
    scratch = places_and_values.scratch
    column = scratch.column(dtype)
    for number in range(places_and_values.count):
        start = number * scratch.rows
        block = np.full(min(scratch.rows, size - start), fill, dtype)
        places, values = places_and_values.take(number)
        block[places - start] = values
        column.append(block)
    return column


def gathered(source: Column, index: Column) -> Column:
    """source[index] as a new column."""
    scratch = source.scratch
    if not scratch.on_disk:
        return scratch.column(source.dtype, source.array[index.array])
    wanted = Buckets(scratch, scratch.buckets(len(source)), (index.dtype, np.int32))
    for start, block in index.blocks():
        wanted.add_places(block, np.arange(start, start + len(block)))
    values = Buckets(scratch, scratch.buckets(len(index)), (np.int32, source.dtype))
    for number in range(wanted.count):
        start = number * scratch.rows
        block = source.read(start, start + scratch.rows)
        for rows, places in wanted.pieces(number):  # some stretches of a source are wanted far more often
            values.add_places(places, block[rows - start])
    return scattered(values, len(index), source.dtype)


def occurrences(index: Column, size: int) -> Column:
    """How often each of the numbers below `size` occurs."""
    scratch = index.scratch
    spread = Buckets(scratch, scratch.buckets(size), (index.dtype,))
    for _, block in index.blocks():
        spread.add_places(block)
    column = scratch.column(np.int32)
    for number in range(spread.count):
        start = number * scratch.rows
        stretch = min(scratch.rows, size - start)
        counts = np.zeros(stretch, np.int64)
        for (rows,) in spread.pieces(number):
            counts += np.bincount(rows - start, minlength=stretch)
        column.append(counts)
    return column


def _bytes_at(file: IO[bytes], offset: int, size: int) -> bytes:
    """Exactly so many bytes; what is written next goes to the end again."""
    file.seek(offset)
    data = file.read(size)
    file.seek(0, os.SEEK_END)
    if len(data) < size:
        raise OSError(f"{size - len(data)} bytes are missing in a scratch file")
    return data


UNKNOWN_ID, BEGIN_ID, END_ID = 0, 1, 2
SPECIAL = (UNKNOWN, BEGIN, END)


@dataclass(frozen=True)
class Corpus:
    """All sentences one after the other."""

    words: list[str]
    """By id; the first three are <unk>, <s> and </s>."""
    ids: Column
    """<s> w … w </s> <s> w … w </s> …"""
    sentences: int
    classes: tuple[str, ...] = ()
    """Of unknown words, which are then words of their own after </s>."""

    @property
    def tokens(self) -> int:
        """Words, without the marks of sentences."""
        return len(self.ids) - 2 * self.sentences


def encoded(
    pieces: Iterable[list[bytes]], vocabulary: int | None = None, scratch: Scratch | None = None, min_count: int = 0
) -> Corpus:
    """Return the corpus of tokens in pieces, with `</s>` after each sentence (two in a row: an empty one, left out).

    Ids are in the order of first occurrence. With `vocabulary` only so many of the most frequent words keep
    theirs, and the others are <unk>, as is the word <unk> in the text; of equally frequent words the first wins.
    With `min_count` the words that are known, and the classes of the others, are those of our neural models.
    """
    if vocabulary is not None and vocabulary < 1:
        raise UsageError(f"{vocabulary} is not a size of a vocabulary", todo="give 1 or more words")
    scratch = scratch or Scratch()
    # A new word takes the next number, without a step of Python's interpreter per token.
    known: defaultdict[bytes, int] = defaultdict(counter(len(SPECIAL)).__next__)
    known.update((word.encode(), number) for number, word in enumerate(SPECIAL))
    text, ended, sentences = scratch.column(np.int32), True, 0
    for tokens in pieces:
        ids = np.fromiter(map(known.__getitem__, tokens), np.int32, len(tokens))
        ends = ids == END_ID
        after = np.concatenate([[ended], ends[:-1]])  # an end stands before it
        ended = bool(ends[-1]) if len(ends) else ended
        empty = ends & after
        sentences += int((ends & ~empty).sum())
        # <s> before the first word of a sentence
        ids, starts = ids[~empty], (after & ~ends)[~empty]
        text.append(np.insert(ids, np.flatnonzero(starts), BEGIN_ID))
    if not len(text):
        raise InputError("there is no text in it")
    words = [token.decode("utf-8") for token in known]
    if min_count:
        return _with_classes(words, text, sentences, vocabulary, min_count)
    if vocabulary is not None and len(words) - len(SPECIAL) > vocabulary:
        counts = occurrences(text, len(words)).array.copy()
        counts[: len(SPECIAL)] = 0
        kept = np.sort(np.argsort(-counts, kind="stable")[:vocabulary])
        kept = np.concatenate([np.arange(len(SPECIAL)), kept[kept >= len(SPECIAL)]])
        new = np.full(len(words), UNKNOWN_ID, np.int32)
        new[kept] = np.arange(len(kept))
        words, text = [words[number] for number in kept.tolist()], _renumbered(text, new)
    return Corpus(words, text, sentences)


def _with_classes(words: list[str], text: Column, sentences: int, size: int | None, min_count: int) -> Corpus:
    """Return the corpus in which every rare word is replaced by its class, such as UNK-LC-ing."""
    special, counts = len(SPECIAL), occurrences(text, len(words)).array.tolist()
    texts = {word: count for word, count in zip(words[special:], counts[special:], strict=True) if count}
    if unmarked := counts[UNKNOWN_ID]:
        texts[UNKNOWN] = unmarked
    vocabulary = vocabulary_from(texts, min_count=min_count, size=size)
    new = np.arange(len(words), dtype=np.int32)  # both kinds of vocabularies begin with three special words
    new[UNKNOWN_ID] = vocabulary.unknown(UNKNOWN)
    new[special:] = vocabulary.encode(words[special:])
    names = [*SPECIAL, *vocabulary.classes, *vocabulary.words]
    return Corpus(names, _renumbered(text, new), sentences, vocabulary.classes)


def _renumbered(text: Column, new: NDArray[np.int32]) -> Column:
    renumbered = text.scratch.column(np.int32)
    for _, ids in text.blocks():
        renumbered.append(new[ids])
    return renumbered


ORDERS = range(1, 6)
Integers = NDArray[np.int64]
_SAMPLE = 256
"""Keys looked at for each bucket before they are spread: buckets are of about the same size."""


@dataclass(frozen=True)
class Counts:
    """The different n-grams of one order, sorted."""

    keys: Column
    """context << bits | word; the context is a place in the order below. Of unigrams, the words themselves."""
    suffixes: Column
    """The place of the n-gram without its first word in the order below (of unigrams, zeros)."""
    raw: Column
    """How often it occurs."""
    adjusted: Column
    """Below the highest order: how many different words stand before it; but how often it occurs if it begins
    with <s>, before which nothing stands. In the highest order: how often it occurs. <s> alone counts 0."""


def word_bits(words: Sequence[str]) -> int:
    """Bits that an id needs."""
    return max(1, (len(words) - 1).bit_length())


def count(corpus: Corpus, order: int) -> list[Counts]:
    """Counts of the orders 1 to `order`, as KenLM's `lmplz` adjusts them."""
    if order not in ORDERS:
        raise UsageError(f"{order} is not an order of a model", todo=f"give one from {ORDERS[0]} to {ORDERS[-1]}")
    if len(corpus.ids) >= 1 << 31:
        raise UsageError(f"{len(corpus.ids)} tokens are too many for one model", todo="train on less than 2 billion")
    bits = word_bits(corpus.words)
    ids, size = corpus.ids, len(corpus.words)
    scratch = ids.scratch
    numbers = scratch.column(np.int64, np.arange(size))
    by_order = [(numbers, scratch.column(np.int32, np.zeros(size)), occurrences(ids, size))]
    ranks = ids  # of the n-gram that ends here, in its order; -1 where a sentence has had too few words
    for length in range(2, order + 1):
        spread, size = _spread(ids, ranks, bits), size << bits
        keys, suffixes, raw = scratch.column(np.int64), scratch.column(np.int32), scratch.column(np.int32)
        ranked = Buckets(scratch, scratch.buckets(len(ids)), (np.int32, np.int32))
        for number in range(spread.count):
            if spread.overfull(number):
                distinct, own_suffixes, times = _distinct_of_pieces(spread.pieces(number))
                for unsorted, places, _ in spread.pieces(number) if length < order else ():
                    ranked.add_places(places, np.searchsorted(distinct, unsorted) + len(keys))
            else:
                unsorted, places, ends = spread.take(number)
                distinct, firsts, times, new = _distinct(unsorted, size, ranked=length < order)
                own_suffixes = ends[firsts]
                if new is not None:
                    new += len(keys)
                    ranked.add_places(places, new)
            keys.append(distinct)
            suffixes.append(own_suffixes)
            raw.append(times)
        by_order.append((keys, suffixes, raw))
        size = len(keys)
        if length < order:
            ranks = scattered(ranked, len(ids), np.int32, fill=-1)
    return _adjusted(by_order)


def _spread(ids: Column, ranks: Column, bits: int) -> Buckets:
    """The n-grams of a text in buckets of about the same size, all of one before those of the next: key, place of the
    last word, rank of the suffix."""
    scratch = ids.scratch
    buckets = Buckets(scratch, scratch.buckets(len(ids)), (np.int64, np.int32, np.int32))
    borders = np.empty(0, np.int64)
    if buckets.count > 1:
        step = max(1, len(ids) // (buckets.count * _SAMPLE))
        sample = np.sort(np.concatenate([keys[::step] for keys, _, _ in _ngrams(ids, ranks, bits)]))
        places = len(sample) * np.arange(1, buckets.count) // buckets.count
        borders = sample[places] if len(sample) else places  # no sentence may be long enough
    for keys, places, ends in _ngrams(ids, ranks, bits):
        buckets.add(np.searchsorted(borders, keys, side="right") if len(borders) else 0, keys, places, ends)
    return buckets


def _ngrams(ids: Column, ranks: Column, bits: int) -> Iterator[tuple[Integers, Integers, NDArray[np.int32]]]:
    """Block by block: the keys of the n-grams that end at a word, where it is, and the ranks of their suffixes."""
    for start, words in ids.blocks():
        ends = ranks.read(start, start + len(words))
        before = np.empty(len(words), np.int64)
        before[0] = ranks.read(start - 1, start)[0] if start else -1
        before[1:] = ends[:-1]
        places = np.flatnonzero((before >= 0) & (words != BEGIN_ID))
        keys = before[places]
        keys <<= bits
        keys |= words[places]
        yield keys, places + start, ends[places]


def _distinct(
    keys: Integers, limit: int, *, ranked: bool = True
) -> tuple[Integers, Integers, Integers, NDArray[np.int32] | None]:
    """The different keys in order, where each occurs first, how often, and (`ranked`) the rank of every key.

    The keys are overwritten: fresh memory is a third of what counting costs.
    """
    shift = max(1, len(keys).bit_length())
    if limit.bit_length() + shift <= 63:
        # Numbers that carry their own place are sorted four times as fast as places are by numbers.
        keys = keys if keys.flags.writeable else keys.copy()
        keys <<= shift
        keys |= np.arange(len(keys))
        keys.sort()
        order = keys & ((1 << shift) - 1)
        keys >>= shift
    else:
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
    new = np.empty(len(keys), np.bool_)
    new[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    ranks = None
    if ranked:
        ranks = np.empty(len(keys), np.int32)
        ranks[order] = np.cumsum(new, dtype=np.int32) - 1
    return keys[starts], order[starts], np.diff(starts, append=len(keys)), ranks


def _distinct_of_pieces(pieces: Iterable[Sequence[NDArray[Any]]]) -> tuple[Integers, NDArray[np.int32], Integers]:
    """The different keys of a bucket that comes in pieces, in order, with their suffixes and how often each occurs."""
    distinct, suffixes, times = np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int64)
    for keys, _, ends in pieces:
        some, firsts, counts = np.unique(keys, return_index=True, return_counts=True)
        distinct, at, places = np.unique(np.concatenate([distinct, some]), return_index=True, return_inverse=True)
        suffixes = np.concatenate([suffixes, ends[firsts]])[at]
        old, times = times, np.zeros(len(distinct), np.int64)
        times[places[: len(old)]] = old
        times[places[len(old) :]] += counts
    return distinct, suffixes, times


def _adjusted(by_order: list[tuple[Column, Column, Column]]) -> list[Counts]:
    levels = []
    for number, (keys, suffixes, raw) in enumerate(by_order):
        adjusted = raw
        if number + 1 < len(by_order):
            before = occurrences(by_order[number + 1][1], len(keys))
            adjusted = before
            if number:
                adjusted = raw.scratch.column(np.int32)
                for start, block in before.blocks():
                    adjusted.append(np.where(block == 0, raw.read(start, start + len(block)), block))
        if number == 0:
            values = adjusted.array.copy()
            values[BEGIN_ID] = 0
            adjusted = raw.scratch.column(np.int32, values)
        levels.append(Counts(keys, suffixes, raw, adjusted))
    return levels
