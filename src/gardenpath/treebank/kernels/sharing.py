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
    _nodes: Sequence[Sequence[int]] = field(repr=False)
    """For each different tree, in the order of their first occurrence, all its nodes."""

    @classmethod
    def of(cls, sharing: Sharing, roots: Sequence[int], nodes: Sequence[Sequence[int]]) -> Forest:
        labels = np.array(sharing.labels, dtype=np.int64)
        used, labels = np.unique(labels, return_inverse=True)
        starts = np.zeros(len(labels) + 1, dtype=np.int64)
        np.cumsum([len(below) for below in sharing.children], out=starts[1:])
        children = np.fromiter(chain.from_iterable(sharing.children), dtype=np.int64, count=int(starts[-1]))
        names = [sharing.names[label] for label in used.tolist()]
        return cls(names, labels, starts, children, np.array(roots, dtype=np.int64), nodes)

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
        lengths = [len(nodes) for nodes in self._nodes]
        places = np.repeat(np.arange(len(lengths)) * self.subtrees, lengths)
        nodes = np.fromiter(chain.from_iterable(self._nodes), np.int64, count=len(places))
        cells, times = np.unique(places + nodes, return_counts=True)
        return cells // self.subtrees, cells % self.subtrees, times

    def nested(self, tree: int) -> Nested:
        """A tree written out."""
        built: dict[int, Nested] = {}
        below, starts = self.children.tolist(), self.starts.tolist()
        for number in self._below(int(self.roots[tree])):
            children = below[starts[number] : starts[number + 1]]
            built[number] = (self.label_names[self.labels[number]], [built[child] for child in children])
        return built[int(self.roots[tree])]

    def _below(self, root: int) -> list[int]:
        """The different subtrees of a tree, children before parents."""
        seen, waiting = {root}, [root]
        while waiting:
            top = waiting.pop()
            fresh = set(self.children[self.starts[top] : self.starts[top + 1]].tolist()) - seen
            seen |= fresh
            waiting += fresh
        return sorted(seen)


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
    return Forest.of(sharing, roots, list(once.values()))


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
