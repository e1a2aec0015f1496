"""Where the value of each pair of alike subtrees is kept: one block of a class of them after the other."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .sharing import Forest, Ints

Floats = NDArray[np.float64]
Number = int | Decimal
LARGEST = float(2**53)
"""Whole numbers below it are exact in floating point, and so are sums and products of such that stay below it."""


def ranges(starts: Ints, lengths: Ints) -> Ints:
    """start, start + 1, … (so many as its length), for all of them, one after the other."""
    ends = np.cumsum(lengths)
    numbers = np.repeat(starts - ends + lengths, lengths)
    numbers += np.arange(len(numbers))
    return numbers


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
