"""Partial tree, subset tree and subtree kernels, and their Gram matrices over many trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from functools import cached_property
from importlib.util import find_spec
from math import ldexp, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ..format.columns import ranges
from .forest import (
    LARGEST,
    Alike,
    Deltas,
    Floats,
    Forest,
    Ints,
    closure,
    inner_nodes,
    partial_deltas,
    productions,
    subset_deltas,
)

Matrix = NDArray[Any]
Counts = tuple[Ints, Ints, Ints]
"""Tree, subtree, and how often it occurs there."""
_APART, _FAR = float(1 << 40), 1e280
"""Values from here on are added one by one in numbers without bounds, so that the sums of the others stay exact."""
_AT_ONCE = 1 << 20  # Numbers that are added up in one step
_HALF = 1 << 26  # Whole numbers below 2^53 in two halves: each can be multiplied by counts and added without rounding
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
        if matrix.dtype == object and not all(value < 2**1000 for value in np.diagonal(matrix).tolist()):
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


KINDS = ("partial", "subset", "subtree")
WEIGHTS = ("span", "gaps")
PAIRS = 1 << 20
"""Pairs of subtrees (and of their children) that are held at a time; one tree against all others is the least."""
COMPILED_FROM, COMPILED_TO = 1 << 13, 1 << 23
"""Pairs of subtrees with one label from which on Numba pays for its start, and which it can hold (64 MB)."""


class Numbers(NamedTuple):
    """The parameters in a type without bounds: whole numbers, or decimals."""

    decay: Any
    mu: Any
    carry: Any


@dataclass(frozen=True)
class TreeKernel:
    """K(a, b): the weighted number of fragments that two trees share, Σ Δ(u, v) over all pairs of their nodes.

    - `partial` (PTK, Moschitti 2006, Equation 3): Δ = μ (λ² + Σ λ^(d(I) + d(J)) Π Δ) over common subsequences I, J of
      children; Δ = μ λ² if one of the nodes has none. d is last minus first position; with `weight="gaps"` the
      positions skipped, as Moschitti's own program and UDon2 have it. Both are the same for λ = 1.
    - `subset` (SST): Δ = λ Π (1 + Δ) for the same production. `subtree` (ST): whole subtrees, λ^(inner nodes).

    λ is `decay`. With λ = μ = 1 values are counts, and exact whole numbers however large; without `whole` they are
    floating point there too, which is enough for normalised values and needs no numbers of hundreds of digits.
    """

    kind: str = "partial"
    decay: float = 1
    mu: float = 1
    weight: str = "span"
    whole: bool = True

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("tree kernel", self.kind, KINDS)
        if self.weight not in WEIGHTS:
            raise unknown_name("weight of subsequences", self.weight, WEIGHTS)
        for name, value in (("decay", self.decay), ("mu", self.mu)):
            if not 0 < value <= 1:
                raise UsageError(f"{name} is {value}: it must be above 0 and at most 1")
        if self.kind != "partial" and self.mu != 1:
            raise UsageError(f"mu is of the partial tree kernel alone, not of {self.kind}")

    @property
    def exact(self) -> bool:
        """Are the values whole numbers?"""
        return self.whole and self.decay == self.mu == 1

    @property
    def limit(self) -> float:
        """From here on floating point does not do: it would round, or, with decay, overflow."""
        return LARGEST if self.exact else np.inf

    @property
    def carry(self) -> float:
        """What a step to the next child costs beside the positions it skips."""
        return self.decay**2 if self.weight == "span" else 1.0

    @cached_property
    def numbers(self) -> Numbers:
        if self.exact:
            return Numbers(1, 1, 1)
        decay = Decimal(self.decay)
        return Numbers(decay, Decimal(self.mu), decay**2 if self.weight == "span" else Decimal(1))

    def gram(self, forest: Forest, *, pairs: int = PAIRS) -> Gram:
        """K of all pairs of trees. Equal subtrees are compared once, or once per block if memory asks for blocks.

        A block is some trees against all trees that follow. It holds at most about `pairs` pairs of subtrees, or
        those of one tree: memory grows with the number of different subtrees, not with its square.
        """
        roots, which = forest.different
        if self.kind == "subtree":
            return Gram(self._subtrees(forest), which, self.exact)
        if (quick := self._compiled(forest)) is not None:
            return Gram(quick, which, exact=False)
        classes = forest.labels if self.kind == "partial" else productions(forest)
        deltas: Callable[[Forest, Alike, TreeKernel], Deltas]
        deltas = partial_deltas if self.kind == "partial" else subset_deltas
        matrix = empty_matrix(len(roots), self.exact)
        with localcontext(prec=40, Emax=MAX_EMAX, Emin=MIN_EMIN):
            for first, last in _blocks(forest, classes, pairs):
                trees = np.arange(first, len(roots))
                alike = Alike(classes, closure(forest, trees[: last - first]), closure(forest, trees))
                part = collected(forest, deltas(forest, alike, self), first, last)
                matrix = joined(matrix, part, first, last)
        return Gram(matrix, which, self.exact)

    def _compiled(self, forest: Forest) -> Floats | None:
        """The partial kernel in floating point by Numba: if it is installed, pays, and nothing overflows."""
        if self.kind != "partial" or self.exact:
            return None
        alike = int((np.bincount(forest.labels).astype(np.int64) ** 2).sum())
        if not COMPILED_FROM <= alike <= COMPILED_TO or find_spec("numba") is None:
            return None
        from .compiled import partial_matrix

        every = np.arange(forest.subtrees)
        matrix = partial_matrix(forest, Alike(forest.labels, every, every), self.decay, self.mu, self.carry)
        return matrix if np.isfinite(matrix).all() else None

    def value(self, forest: Forest, a: int, b: int) -> Any:
        """K of two trees; for many, `gram` is faster."""
        return self.gram(forest).values[a, b]

    def _subtrees(self, forest: Forest) -> Any:
        """Only equal subtrees share anything: a product of counts."""
        tree, node, times = forest.counts
        size = inner_nodes(forest)
        matrix = empty_matrix(len(forest.different[0]), self.exact)
        weights = [0 if not n else 1 if self.exact else self.decay**n for n in size.tolist()]
        order = np.argsort(node, kind="stable")
        bounds = np.searchsorted(node[order], np.arange(forest.subtrees + 1)).tolist()
        for number, weight in enumerate(weights):
            if weight:
                some = order[bounds[number] : bounds[number + 1]]
                matrix[np.ix_(tree[some], tree[some])] += weight * np.outer(times[some], times[some])
        return matrix


def _blocks(forest: Forest, classes: Ints, pairs: int) -> Iterator[tuple[int, int]]:
    """Runs of different trees whose subtrees, each against all alike, are not too many."""
    labels, above, below = forest.labels, forest.parents, forest.children
    cost = np.bincount(classes)[classes]
    _, kinds, sizes = np.unique(
        classes[above] * (int(labels.max(initial=0)) + 1) + labels[below], return_inverse=True, return_counts=True
    )
    cost = cost + np.bincount(above, weights=sizes[kinds], minlength=forest.subtrees).astype(np.int64)
    tree, node, _ = forest.counts
    count = len(forest.different[0])
    if not count:
        return
    most = max(1, 4 * pairs // max(1, forest.subtrees))  # rows of a matrix with a column for each subtree
    if int(cost.sum()) <= pairs and count <= most:
        yield 0, count
        return
    costs = np.bincount(tree, weights=cost[node], minlength=count) + len(node)
    first, total = 0, 0.0
    for number, own_cost in enumerate(costs.tolist()):
        if number > first and (total + own_cost > pairs or number - first >= most):
            yield first, number
            first, total = number, 0.0
        total += own_cost
    yield first, count
