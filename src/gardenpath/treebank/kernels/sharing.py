"""Labelled ordered trees in which equal subtrees are one: a node's number is its whole subtree."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Nested = tuple[Hashable, Sequence[Any]]
"""A tree written out: its label, and the trees below it."""
_DENSE = 16
"""Pairs of a tree and a subtree, for each node, up to which all of them are counted in one array."""


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


def from_nested(trees: Iterable[Nested]) -> Forest:
    """A forest of trees that are written out; labels may be anything that can be compared and hashed."""
    pool: dict[Hashable, int] = {}
    names: list[Hashable] = []
    sharing, once = Sharing(names), dict[int, list[int]]()
    roots = []
    for tree in trees:
        own: list[int] = []
        roots.append(_shared(tree, sharing, pool, own))
        once.setdefault(roots[-1], own)
    names += pool
    trees = np.repeat(np.arange(len(once)), list(map(len, once.values())))
    nodes = np.fromiter(chain.from_iterable(once.values()), np.int64, count=len(trees))
    return Forest.of(names, *sharing.arrays(), np.array(roots, dtype=np.int64), trees, nodes)


def _shared(tree: Nested, sharing: Sharing, pool: dict[Hashable, int], own: list[int]) -> int:
    """Without recursion: trees may be deeper than Python's stack."""
    open_nodes: list[list[int]] = [[]]
    waiting: list[tuple[Nested, bool]] = [(tree, False)]
    while waiting:
        (label, below), done = waiting.pop()
        if done:
            node = sharing.node(pool.setdefault(label, len(pool)), tuple(open_nodes.pop()))
            own.append(node)
            open_nodes[-1].append(node)
        else:
            waiting.append(((label, below), True))
            waiting += [(child, False) for child in reversed(below)]
            open_nodes.append([])
    return open_nodes[0][0]


def equal_classes(forest: Forest) -> list[Ints]:
    """The trees by classes of equal ones, those that stand alone included; the largest class first."""
    _, which = forest.different
    order = np.argsort(which, kind="stable")
    classes = np.split(order, np.flatnonzero(np.diff(which[order])) + 1) if len(order) else []
    return sorted(classes, key=lambda members: (-len(members), int(members[0])))
