"""Edge displacement (EDV, Equation 1), and dependency lengths in random and optimal orders of the same words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..format.treebank import Treebank
from .tree import depths, tree_mask

LIMIT = 30
"""The paper's range is -30 to 30: longer edges are too few to be a reliable part of a distribution."""

Ints = NDArray[Any]


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


def displacements(treebank: Treebank) -> Ints:
    """s = position of the word - position of its head, of every edge; roots and words without head have none."""
    edge = treebank.heads > 0
    return (treebank.ids - treebank.heads)[edge]


def counted(values: Ints, limit: int = LIMIT) -> Histogram:
    """Displacements as a histogram."""
    return counted_between(values, np.array([0, len(values)]), limit)[0]


def counted_between(values: Ints, borders: Ints, limit: int = LIMIT) -> list[Histogram]:
    """A histogram of the displacements between borders."""
    groups, width = len(borders) - 1, 2 * limit + 3
    cells = np.clip(values, -limit - 1, limit + 1) + (limit + 1)
    if groups > 1:
        cells = cells + np.repeat(np.arange(groups) * width, np.diff(borders))
    table = np.bincount(cells, minlength=groups * width).reshape(groups, width)
    outside = (table[:, 0] + table[:, -1]).tolist()
    return [Histogram(counts, beyond) for counts, beyond in zip(table[:, 1:-1], outside, strict=True)]


LONGEST = 80
"""Words of a tree whose best order of all is looked for."""
Shape = tuple[Any, ...]
"""A rooted tree: the shapes of its subtrees, the largest first."""


@dataclass(frozen=True, eq=False)
class Lengths:
    """Sums of dependency lengths of each tree of a treebank; NaN where a sentence is not a tree (or too long)."""

    edges: NDArray[np.int64]
    real: NDArray[np.float64]
    random: NDArray[np.float64]
    random_projective: NDArray[np.float64]
    best_projective: NDArray[np.float64]
    best: NDArray[np.float64]


def dependency_lengths(heads: NDArray[Any], offsets: NDArray[Any]) -> Lengths:
    """The sums of all trees, as they are and in other orders."""
    sizes = np.diff(offsets)
    sentence = np.repeat(np.arange(len(sizes)), sizes)
    places = np.arange(len(heads)) - offsets[sentence]
    is_tree = tree_mask(heads, offsets)
    levels = np.where(is_tree[sentence], depths(heads, offsets), 0)
    governor = np.where(heads > 0, offsets[sentence] + heads - 1, -1)
    below = np.ones(len(heads), dtype=np.int64)
    for level in range(int(levels.max(initial=0)), 1, -1):  # from the leaves up: a word adds its subtree to its head's
        words = np.flatnonzero(levels == level)
        np.add.at(below, governor[words], below[words])
    edge = np.flatnonzero(levels > 1)
    head = governor[edge]
    order = np.lexsort((-below[edge], head))
    edge, head = edge[order], head[order]
    first = np.flatnonzero(np.r_[True, head[1:] != head[:-1]]) if len(head) else np.zeros(0, dtype=np.int64)
    rank = np.arange(len(edge)) - np.repeat(first, np.diff(np.r_[first, len(edge)]))
    own, above = below[edge], below[head]
    passed = rank // 2 + ((rank % 2 == 1) & (levels[head] > 1))

    def summed(values: NDArray[Any]) -> NDArray[np.float64]:
        sums = np.bincount(sentence[edge], weights=values, minlength=len(sizes))
        return np.where(is_tree, sums, np.nan)

    best = [
        float(_free(_shape(heads[begin:end]))) if known and end - begin <= LONGEST else np.nan
        for begin, end, known in zip(offsets[:-1].tolist(), offsets[1:].tolist(), is_tree.tolist(), strict=True)
    ]
    return Lengths(
        np.where(is_tree, sizes - 1, 0),
        summed(np.abs(places[edge] + 1 - heads[edge])),
        summed((sizes[sentence[edge]] + 1) / 3),
        summed(1 + (own - 1) / 2 + (above - 1 - own) / 3),
        summed(1 + own * passed),
        np.array(best),
    )


# ---- the best order of all


def _shape(heads: NDArray[Any]) -> Shape:
    children: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for word, head in enumerate(heads.tolist(), 1):
        children[head].append(word)
    shapes: list[Shape] = [()] * (len(heads) + 1)
    order, waiting = [], list(children[0])
    while waiting:
        word = waiting.pop()
        order.append(word)
        waiting += children[word]
    for word in reversed(order):
        shapes[word] = _ordered(shapes[child] for child in children[word])
    return shapes[order[0]]


def _ordered(shapes: Any) -> Shape:
    return tuple(sorted(shapes, key=lambda shape: (_size(shape), shape), reverse=True))


@lru_cache(maxsize=1 << 18)
def _size(shape: Shape) -> int:
    return 1 + sum(map(_size, shape))


def _centred(shape: Shape) -> Shape:
    """The same tree with a root none of whose subtrees has more than half of the nodes."""
    total = _size(shape)
    while shape and 2 * _size(shape[0]) > total:
        shape = _ordered((*shape[0], shape[1:]))
    return shape


@lru_cache(maxsize=1 << 18)
def _free(shape: Shape) -> int:
    """The least sum of a tree. T0, T1, … are the subtrees of its centre v, the largest first, n0, n1, … their sizes.

    Either T0 stands on one side and the rest on the other, their roots towards each other. Or 2p subtrees stand outside
    of the rest R, T1 T3 … R … T4 T2: pairs of edges from v pass R as a whole, and Ti is passed by those before it.
    """
    if not shape:
        return 0
    shape = _centred(shape)
    least = _anchored(shape[0]) + _anchored(shape[1:]) + 1
    outside = 0
    for i in range(1, len(shape)):
        outside += _anchored(shape[i]) + (i - 1) // 2 * _size(shape[i])
        if i % 2 == 0:
            rest = (shape[0], *shape[i + 1 :])
            least = min(least, outside + _free(rest) + i // 2 * (_size(rest) + 1))
    return least


@lru_cache(maxsize=1 << 18)
def _anchored(shape: Shape) -> int:
    """The least sum of a tree and of the nodes to the right of its root, from which an edge leads out there.

    Either T0 stands left of the rest, in which its edge and the one that leads out pass all nodes together; or
    T1 T3 … R … T4 T2 with 2p - 1 of them outside, as above, and those on the right passed by the edge that leads out.
    """
    if not shape:
        return 0
    rest = shape[1:]
    least = _anchored(shape[0]) + _free(rest) + _size(rest)
    outside = 0
    for i in range(1, len(shape)):
        outside += _anchored(shape[i]) + i // 2 * _size(shape[i])
        if i % 2 == 1:
            rest = (shape[0], *shape[i + 1 :])
            least = min(least, outside + _free(rest) + (i + 1) // 2 * (_size(rest) + 1) - 1)
    return least
