"""Labelled ordered trees with equal subtrees shared, and storage for the values of pairs of alike subtrees."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..format.columns import ranges

Ints = NDArray[np.int64]
_DENSE = 16  # Pairs of a tree and a subtree, for each node, up to which all of them are counted in one array


class Sharing:
    """Numbers subtrees as they come, children before parents; equal ones get the number they already have."""

    def __init__(self, names: Sequence[Hashable]) -> None:
        """`names` are the labels; nodes have their numbers."""
        self.names = names
        self.labels: list[int] = []
        self.children: list[tuple[int, ...]] = []
        self._number: dict[tuple[int, tuple[int, ...]], int] = {}

    def node(self, label: int, children: tuple[int, ...] = ()) -> int:
        """The number of the subtree with this label over these subtrees."""
        labels = self.labels
        number = self._number.setdefault((label, children), len(labels))
        if number == len(labels):
            labels.append(label)
            self.children.append(children)
        return number

    def arrays(self) -> tuple[Ints, Ints, Ints]:
        """Labels, where the children of each subtree begin, and the children."""
        starts = np.zeros(len(self.labels) + 1, dtype=np.int64)
        np.cumsum([len(below) for below in self.children], out=starts[1:])
        children = np.fromiter(chain.from_iterable(self.children), dtype=np.int64, count=int(starts[-1]))
        return np.array(self.labels, dtype=np.int64), starts, children


@dataclass(frozen=True, eq=False)
class Forest:
    """Trees whose equal subtrees are shared. Subtrees are numbered with children before parents."""

    label_names: Sequence[Hashable]
    labels: Ints
    """For each subtree the number of its label."""
    starts: Ints
    """Subtree s has the children `children[starts[s]:starts[s + 1]]`."""
    children: Ints
    roots: Ints
    """For each tree its subtree number: trees are equal if and only if these are."""
    _trees: Ints = field(repr=False)
    """Of every node of the different trees, in the order of their first occurrence, the number of its tree."""
    _nodes: Ints = field(repr=False)
    """And its subtree."""

    @classmethod
    def of(
        cls,
        names: Sequence[Hashable],
        labels: Ints,
        starts: Ints,
        children: Ints,
        roots: Ints,
        trees: Ints,
        nodes: Ints,
    ) -> Forest:
        """With the names and numbers of those labels only that occur."""
        used, labels = np.unique(labels, return_inverse=True)
        return cls([names[label] for label in used.tolist()], labels, starts, children, roots, trees, nodes)

    def __len__(self) -> int:
        """How many trees."""
        return len(self.roots)

    @property
    def subtrees(self) -> int:
        """How many different subtrees."""
        return len(self.labels)

    @cached_property
    def widths(self) -> Ints:
        """Children of each subtree's root."""
        return np.diff(self.starts)

    @cached_property
    def heights(self) -> Ints:
        """Edges down to the deepest leaf."""
        heights = np.zeros(self.subtrees, dtype=np.int64)
        inner = np.flatnonzero(self.widths)
        while len(inner):  # the heights of all subtrees that are lower than the round are right
            higher = 1 + np.maximum.reduceat(heights[self.children], self.starts[inner])
            if (higher == heights[inner]).all():
                break
            heights[inner] = higher
        return heights

    @cached_property
    def parents(self) -> Ints:
        """For each entry of `children` the subtree above it."""
        return np.repeat(np.arange(self.subtrees), self.widths)

    @cached_property
    def positions(self) -> Ints:
        """For each entry of `children` its place among its siblings, from 0."""
        return np.arange(len(self.children)) - self.starts[self.parents]

    @cached_property
    def different(self) -> tuple[Ints, Ints]:
        """The roots of the different trees by first occurrence, and for each tree which of them it is."""
        number: dict[int, int] = {}
        which = [number.setdefault(root, len(number)) for root in self.roots.tolist()]
        return np.array(list(number), dtype=np.int64), np.array(which, dtype=np.int64)

    @cached_property
    def counts(self) -> tuple[Ints, Ints, Ints]:
        """Different tree, subtree, and how often it occurs in the tree: one entry each where it does, in order."""
        cells = self._trees * self.subtrees + self._nodes
        most = (int(self._trees.max(initial=-1)) + 1) * self.subtrees
        if most <= _DENSE * len(cells):  # counting is quicker than sorting
            counted = np.bincount(cells, minlength=most)
            cells = np.flatnonzero(counted)
            times = counted[cells]
        else:
            cells, times = np.unique(cells, return_counts=True)
        return cells // self.subtrees, cells % self.subtrees, times


def equal_classes(forest: Forest) -> list[Ints]:
    """The trees by classes of equal ones, those that stand alone included; the largest class first."""
    _, which = forest.different
    order = np.argsort(which, kind="stable")
    classes = np.split(order, np.flatnonzero(np.diff(which[order])) + 1) if len(order) else []
    return sorted(classes, key=lambda members: (-len(members), int(members[0])))


Floats = NDArray[np.float64]
Number = int | Decimal
LARGEST = float(2**53)
"""Whole numbers below it are exact in floating point, and so are sums and products of such that stay below it."""


class Alike:
    """Pairs of a left and a right subtree of one class (same label, or same production): their places in an array.

    The left ones are among the right ones. Where both are left, only one of (u, v) and (v, u) is computed.
    """

    def __init__(self, classes: Ints, left: Ints, right: Ints) -> None:
        count = int(classes.max(initial=-1)) + 1
        self.classes = classes
        self.left = left[np.argsort(classes[left], kind="stable")]
        self.right = right[np.argsort(classes[right], kind="stable")]
        self.rows = np.bincount(classes[left], minlength=count)
        self.columns = np.bincount(classes[right], minlength=count)
        self.ends = np.cumsum(self.rows * self.columns)
        self.size = int(self.ends[-1]) if count else 0
        nodes = len(classes)
        widths = self.columns[classes[self.left]]
        self.begins = np.zeros(nodes, dtype=np.int64)
        """Where the values of a left subtree begin: one for each right one of its class, by `ranks`."""
        self.begins[self.left] = np.cumsum(widths) - widths
        first = np.cumsum(self.columns) - self.columns
        self.ranks = np.zeros(nodes, dtype=np.int64)
        self.ranks[self.right] = np.arange(len(right)) - first[classes[self.right]]
        self.order = np.arange(nodes) + nodes
        """Left subtrees come before the others: (u, v) is computed if v does not come before u."""
        self.order[left] -= nodes
        self._is_left = np.zeros(nodes, dtype=bool)
        self._is_left[left] = True

    def place(self, u: Ints, v: Ints) -> Ints:
        return self.begins.take(u) + self.ranks.take(v)

    def mirrored(self, u: Ints, v: Ints) -> Ints:
        """Where (v, u) is, or (u, v) itself if v is not left."""
        return np.where(self._is_left[v], self.begins[v] + self.ranks[u], self.begins[u] + self.ranks[v])

    def partners(self, keys: Ints, parents: Ints) -> tuple[Ints, Ints]:
        """Pairs of edges (numbers into `keys`) with the same key: one below a left, one below a right subtree."""
        wide = 2 * len(self.classes)
        whole = len(self.left) == len(self.right) == len(self.classes)
        lefts = np.arange(len(keys)) if whole else np.flatnonzero(self._is_left[parents])
        rights = lefts
        if not whole:
            is_right = np.zeros(len(self.classes), dtype=bool)
            is_right[self.right] = True
            rights = np.flatnonzero(is_right[parents])
        places = keys * wide + self.order[parents]
        rights = rights[np.argsort(places[rights])]
        held = places[rights]
        begins = np.searchsorted(held, places[lefts])
        lengths = np.searchsorted(held, (keys[lefts] + 1) * wide) - begins
        return np.repeat(lefts, lengths), rights.take(ranges(begins, lengths))


@dataclass(slots=True)
class Deltas:
    """The value of every pair; those that floating point cannot hold exactly (or at all) stand in `large`."""

    pairs: Alike
    values: Floats
    large: dict[int, Number] = field(default_factory=dict)
    limit: float = LARGEST

    def exact(self, places: list[int]) -> list[Number]:
        """Values in numbers without bounds."""
        number = int if self.limit == LARGEST else Decimal
        held = self.large
        return [
            held[place] if place in held else number(value)
            for place, value in zip(places, self.values[places].tolist(), strict=True)
        ]

    def too_large(self, values: Floats) -> Any:
        """Also what is not a number any more."""
        return np.flatnonzero(~(values < self.limit))


def closure(forest: Forest, trees: Ints) -> Ints:
    """The different subtrees of some of the different trees."""
    tree, node, _ = forest.counts
    if len(trees) == len(forest.different[0]):
        return np.arange(forest.subtrees)
    chosen = np.zeros(len(forest.different[0]), dtype=bool)
    chosen[trees] = True
    return np.unique(node[chosen[tree]])
