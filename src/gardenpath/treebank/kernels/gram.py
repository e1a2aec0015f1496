"""Gram matrices: the values of pairs of subtrees added up to those of pairs of trees, and normalised."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import ldexp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import unknown_name
from .alike import LARGEST, Deltas, Floats, ranges
from .sharing import Forest, Ints

Matrix = NDArray[Any]
Counts = tuple[Ints, Ints, Ints]
"""Tree, subtree, and how often it occurs there."""
_APART, _FAR = float(1 << 40), 1e280
"""Values from here on are added one by one in numbers without bounds, so that the sums of the others stay exact."""
_AT_ONCE = 1 << 20
"""Numbers that are added up in one step."""
_HALF = 1 << 26
"""Whole numbers below 2^53 in two halves: each can be multiplied by counts and added without rounding."""
ROUNDINGS = ("none", "published")


@dataclass(frozen=True)
class Gram:
    """K of all pairs of trees. Equal trees are stored once."""

    of_different: Matrix
    which: Ints
    """For each tree which of the different ones it is."""
    exact: bool

    @property
    def values(self) -> Matrix:
        """K as a matrix: Python's whole numbers if exact, else floating point (or decimals, past its range)."""
        return self.of_different[np.ix_(self.which, self.which)]

    def normalised(self, rounding: str = "none") -> Floats:
        """K(a, b) / √(K(a, a) K(b, b)): 1 if the trees are equal, and only then.

        With `rounding="published"` to four decimals, as the published study did before it asked whether it is 1.
        """
        if rounding not in ROUNDINGS:
            raise unknown_name("rounding", rounding, ROUNDINGS)
        matrix = self._normalised
        if rounding == "published":
            matrix = np.round(matrix, 4)
        return matrix[np.ix_(self.which, self.which)]

    @cached_property
    def _normalised(self) -> Floats:
        matrix = self.of_different
        if matrix.dtype == object and not _in_range(matrix):
            normalised = _from_far(matrix)
        else:
            plain: Floats = matrix.astype(np.float64)
            lengths = np.sqrt(np.diagonal(plain))
            with np.errstate(divide="ignore", invalid="ignore"):
                normalised = plain / (lengths[:, None] * lengths[None, :])
            normalised[~np.isfinite(normalised)] = 0.0  # a tree without any fragment shares none
        normalised = np.minimum(normalised, np.nextafter(1.0, 0.0))  # different trees, however near
        np.fill_diagonal(normalised, 1.0)
        return normalised


def _in_range(matrix: Matrix) -> bool:
    return all(value < 2**1000 for value in np.diagonal(matrix).tolist())


def _from_far(matrix: Matrix) -> Floats:
    """The same from numbers past the range of floating point: mantissas and exponents apart."""
    split = [[_split(value) for value in row] for row in matrix.tolist()]
    scaled = np.zeros(matrix.shape)
    for a, row in enumerate(split):
        for b, (mantissa, exponent) in enumerate(row):
            (m, x), (n, y) = split[a][a], split[b][b]
            if m and n:
                scaled[a, b] = ldexp(mantissa / (sqrt(m) * sqrt(n)), max(exponent - (x + y) // 2, -2000))
    return scaled


def _split(value: Any) -> tuple[float, int]:
    """A number as mantissa · 2^exponent, the exponent even."""
    if isinstance(value, Decimal):
        up = max(0, 2 * ((200 - value.adjusted() * 3) // 2)) if value else 0
        top, bottom = (value * (1 << up)).as_integer_ratio() if up else value.as_integer_ratio()
        mantissa, exponent = _split(top // bottom)
        return mantissa, exponent - up
    whole = int(value)
    exponent = max(0, (whole.bit_length() - 64) // 2 * 2)
    return float(whole >> exponent), exponent


def empty_matrix(count: int, exact: bool) -> Matrix:
    zeros = np.zeros((count, count))
    return _whole(zeros) if exact else zeros


def joined(whole: Matrix, part: Matrix, first: int, last: int) -> Matrix:
    """The matrix with a block of rows, from the diagonal on, and its mirror image."""
    if part.dtype == object and whole.dtype != object:
        whole = _decimal(whole)
    whole[first:, first:last] = part.T
    whole[first:last, first:] = part
    square = whole[first:last, first:last]
    below = np.tril_indices(last - first, -1)
    square[below] = square.T[below]  # sums in another order may round another way
    return whole


def collected(forest: Forest, deltas: Deltas, first: int, last: int) -> Matrix:
    """K of the different trees from `first` to `last` with all from `first` on."""
    tree, node, times = forest.counts
    begin, end = np.searchsorted(tree, [first, last]).tolist()
    columns = tree[begin:] - first, node[begin:], times[begin:]
    rows = tree[begin:end] - first, node[begin:end], times[begin:end]
    count = last - first
    if deltas.limit != LARGEST and not deltas.large:
        with np.errstate(over="ignore"):
            plain = _summed(deltas, deltas.values, rows, columns, count)
        if np.isfinite(plain).all():
            return plain
    apart = np.flatnonzero(~(deltas.values < (_APART if deltas.limit == LARGEST else _FAR)))
    values = deltas.values.copy() if len(apart) else deltas.values
    values[apart] = 0
    sums = _summed(deltas, values, rows, columns, count)
    if deltas.limit != LARGEST:
        exact = _decimal(sums)
    elif sums.max(initial=0) < LARGEST:
        exact = _whole(sums)
    else:
        high = np.floor(values / _HALF)
        halves = (_whole(_summed(deltas, part, rows, columns, count)) for part in (high, values - high * _HALF))
        exact = next(halves) * _HALF + next(halves)
    _add_apart(exact, deltas, apart, rows, columns)
    return exact


def _summed(deltas: Deltas, values: Floats, rows: Counts, columns: Counts, count: int) -> Floats:
    """C Δ C', where C has the counts; all of it without zeros, and without threads that spin on small products."""
    pairs = deltas.pairs
    tree, node, times = rows
    widths = pairs.columns[pairs.classes[node]]
    firsts = (np.cumsum(pairs.columns) - pairs.columns)[pairs.classes[node]]
    targets = ranges(firsts, widths) * count + np.repeat(tree, widths)
    weights = values.take(ranges(pairs.begins[node], widths)) * np.repeat(times, widths)
    sums = np.bincount(targets, weights=weights, minlength=count * len(pairs.right)).reshape(-1, count)
    tree, node, times = columns
    place = np.zeros(len(pairs.classes), dtype=np.int64)
    place[pairs.right] = np.arange(len(pairs.right))
    some, starts = place[node], np.flatnonzero(np.diff(tree, prepend=-1))
    totals = np.empty((len(starts), count))
    step = max(1, _AT_ONCE // max(1, len(some)))
    for begin in range(0, count, step):
        part = slice(begin, begin + step)
        np.add.reduceat(sums[:, part].take(some, axis=0) * times[:, None], starts, axis=0, out=totals[:, part])
    return totals.T


def _add_apart(matrix: Matrix, deltas: Deltas, large: Ints, rows: Counts, columns: Counts) -> None:
    """Pairs of subtrees with large values, in numbers without bounds."""
    if not len(large):
        return
    pairs = deltas.pairs
    ends = pairs.ends
    classes = np.searchsorted(ends, large, side="right")
    widths = pairs.columns[classes]
    inside = large - (ends[classes] - pairs.rows[classes] * widths)
    first_left = (np.cumsum(pairs.rows) - pairs.rows)[classes]
    first_right = (np.cumsum(pairs.columns) - pairs.columns)[classes]
    lefts = pairs.left[first_left + inside // widths].tolist()
    rights = pairs.right[first_right + inside % widths].tolist()
    in_rows, in_columns = _trees_of(rows, set(lefts)), _trees_of(columns, set(rights))
    for value, u, v in zip(deltas.exact(large.tolist()), lefts, rights, strict=True):
        for a, often in in_rows[u]:
            row, weighted = matrix[a], value * often
            for b, times in in_columns[v]:
                row[b] += weighted * times


def _trees_of(counts: Counts, wanted: set[int]) -> dict[int, list[tuple[int, int]]]:
    tree, node, times = counts
    by_number: dict[int, list[tuple[int, int]]] = {number: [] for number in wanted}
    some = np.isin(node, np.array(list(wanted)))
    for t, n, c in zip(tree[some].tolist(), node[some].tolist(), times[some].tolist(), strict=True):
        by_number[n].append((t, c))
    return by_number


def _whole(matrix: Floats) -> Matrix:
    """As Python's whole numbers; all must be below 2^63."""
    return matrix.astype(np.int64).astype(object)


def _decimal(matrix: Floats) -> Matrix:
    decimals = np.empty(matrix.size, dtype=object)
    decimals[:] = [Decimal(value) for value in matrix.ravel().tolist()]
    return decimals.reshape(matrix.shape)
