"""Columns of numbers that are in memory, or beyond a budget in files: what would jump about goes bucket by bucket.

A file is read and written from front to back only. Where numbers are wanted in another order, they are first spread
over buckets that each fit into memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

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
