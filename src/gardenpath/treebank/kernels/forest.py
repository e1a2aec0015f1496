"""Labelled ordered trees with equal subtrees shared, and the values of pairs of alike subtrees: the partial tree
kernel (Moschitti 2006) and the subset tree kernel (Collins and Duffy 2002)."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import accumulate, chain, pairwise
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..format.columns import ranges

if TYPE_CHECKING:
    from .kernel import TreeKernel


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


WIDE = 32
"""Columns: pairs with more are done one by one, since the work on all together grows with their square."""


def partial_deltas(forest: Forest, pairs: Alike, kernel: TreeKernel) -> Deltas:
    """Δ of all pairs with the same label."""
    alone = float(kernel.mu * kernel.decay**2)
    deltas = Deltas(pairs, np.full(pairs.size, alone), limit=kernel.limit)
    cells = _Cells.of(forest, pairs)
    if len(cells.child):
        with np.errstate(over="ignore", invalid="ignore"):
            _filled(deltas, cells, kernel)
    return deltas


@dataclass(slots=True)
class _Cells:
    """The cells by level, pair and column. A *slot* is a column of a pair: all its cells with the same j."""

    child: Ints  # Where the Δ of the two children is
    row: Ints
    slot: Ints
    column_of_slot: Ints
    slot_of_pair: Ints  # The first slot of each pair, and the end
    cell_of_pair: Ints  # The first cell of each pair, and the end
    place: Ints  # Where the Δ of the pair goes, and its mirror image
    mirror: Ints
    pair_of_level: Ints  # The first pair of each level, and the end. Δ needs pairs of lower levels only

    @classmethod
    def of(cls, forest: Forest, pairs: Alike) -> _Cells:
        below, above, positions = forest.children, forest.parents, forest.positions
        labels = forest.labels
        keys = labels[above] * (int(labels.max(initial=0)) + 1) + labels[below]
        e, f = pairs.partners(keys, above)
        u, v, column = above.take(e), above.take(f), positions.take(f)
        place = pairs.place(u, v)
        level = np.minimum(forest.heights.take(u), forest.heights.take(v))
        order = _sorted(level, place, column, pairs.size)
        held, columns = place.take(order), column.take(order)
        new_pair = np.ones(len(order), dtype=bool)
        new_pair[1:] = held[1:] != held[:-1]
        new_slot = new_pair.copy()
        new_slot[1:] |= columns[1:] != columns[:-1]
        firsts, slot = np.flatnonzero(new_pair), np.cumsum(new_slot) - 1
        first_cells = order[firsts]
        return cls(
            pairs.place(below.take(e), below.take(f)).take(order),
            positions.take(e.take(order)),
            slot,
            columns[new_slot],
            np.append(slot[firsts], np.count_nonzero(new_slot)),
            np.append(firsts, len(order)),
            held[firsts],
            pairs.mirrored(u[first_cells], v[first_cells]),
            np.searchsorted(level[first_cells], np.arange(int(level.max(initial=0)) + 2)),
        )


def _sorted(level: Ints, place: Ints, column: Ints, size: int) -> Ints:
    """By level, place and column; as one number if that is small enough, which sorts faster."""
    wide = int(column.max(initial=0)) + 1
    if (int(level.max(initial=0)) + 1) * size * wide < 1 << 62:
        return np.argsort((level * size + place) * wide + column)
    return np.lexsort((column, place, level))


def _filled(deltas: Deltas, cells: _Cells, kernel: TreeKernel) -> None:
    """Level by level, and in a level row by row: cells of one row do not need each other."""
    wide = np.diff(cells.slot_of_pair) > WIDE
    steps = _Steps(cells, ~wide, deltas.values, kernel)
    squared, mu = kernel.decay**2, kernel.mu
    bounds = cells.pair_of_level.tolist()
    for level, (first, last) in enumerate(pairwise(bounds)):
        if first == last:
            continue
        steps.run(level)
        a, b = cells.slot_of_pair[first], cells.slot_of_pair[last]
        sums = np.add.reduceat(steps.totals[a:b], cells.slot_of_pair[first:last] - a)
        for pair in np.flatnonzero(wide[first:last]).tolist():
            sums[pair] = _wide(deltas.values, cells, first + pair, kernel)
        values = mu * (squared + sums)
        places, mirrors = cells.place[first:last], cells.mirror[first:last]
        deltas.values[places] = values
        deltas.values[mirrors] = values
        far = deltas.too_large(values)
        if len(far):
            large = _exact(deltas, cells, first + far, kernel)
            deltas.large.update(zip(places[far].tolist(), large, strict=True))
            deltas.large.update(zip(mirrors[far].tolist(), large, strict=True))


def _wide(values: Floats, cells: _Cells, pair: int, kernel: TreeKernel) -> float:
    """The sum over common subsequences for one pair with many columns, row by row."""
    first, end = cells.slot_of_pair[pair : pair + 2].tolist()
    a, b = cells.cell_of_pair[pair : pair + 2].tolist()
    order = a + np.argsort(cells.row[a:b], kind="stable")
    row, slot, products = cells.row[order], cells.slot[order] - first, values[cells.child[order]]
    bounds = [*np.flatnonzero(np.diff(row, prepend=-1)).tolist(), len(row)]
    held = np.zeros(end - first)
    before = np.zeros(end - first)
    total, last, fade = 0.0, 0, kernel.decay
    if fade != 1:
        columns = cells.column_of_slot[first:end]
        gaps = columns[None, :] - 1 - columns[:, None]
        reach = np.where(gaps >= 0, fade ** np.maximum(gaps, 0), 0.0)
    for x, y in pairwise(bounds):
        if fade == 1:
            before[1:] = np.cumsum(held[:-1])
        else:
            held *= fade ** (row[x] - last)
            last = row[x]
            before = held @ reach / fade
        products[x:y] *= 1 + kernel.carry * before[slot[x:y]]
        held[slot[x:y]] += products[x:y]
        total += products[x:y].sum()
    return float(total)


class _Steps:
    """The cells of narrow pairs by level and row, each step a slice of them; what they add up to, by slot."""

    def __init__(self, cells: _Cells, narrow: Any, values: Floats, kernel: TreeKernel) -> None:
        self.values, self.decay, self.carry = values, kernel.decay, kernel.carry
        wide = int(cells.row.max()) + 1
        sizes = np.diff(cells.cell_of_pair)
        levels = np.diff(cells.cell_of_pair[cells.pair_of_level])
        step = np.repeat(np.arange(len(levels)) * wide, levels) + cells.row
        before = cells.slot - np.repeat(cells.slot_of_pair[:-1], sizes)
        order = np.argsort(step.astype(np.uint16) if int(step.max()) < 1 << 16 else step, kind="stable")
        order = order if narrow.all() else order[np.repeat(narrow, sizes)[order]]
        step, before = step.take(order), before.take(order)
        self.starts = np.append(np.flatnonzero(np.diff(step, prepend=-1)), len(step)).tolist()
        self.level_of = (step[self.starts[:-1]] // wide).tolist()
        self.next = 0
        self.child, self.slot = cells.child.take(order), cells.slot.take(order)
        self.linked = np.flatnonzero(before)
        lengths = before[self.linked]
        self.links = ranges(self.slot[self.linked] - lengths, lengths)
        self.link_ends = np.append(0, np.cumsum(lengths))
        self.linked_starts = np.searchsorted(self.linked, self.starts).tolist()
        self.totals = np.zeros(len(cells.column_of_slot))
        if self.decay != 1:
            self.row = cells.row[order]
            self.columns = cells.column_of_slot
            self.decayed = np.zeros(len(self.totals))
            self.last = np.zeros(len(self.totals), dtype=np.int64)

    def run(self, level: int) -> None:
        """All steps of a level; levels come in order."""
        while self.next < len(self.level_of) and self.level_of[self.next] == level:
            a, b = self.starts[self.next : self.next + 2]
            products = self.values.take(self.child[a:b])
            x, y = self.linked_starts[self.next : self.next + 2]
            if x < y:
                low, high = self.link_ends[x], self.link_ends[y]
                before = self._before(low, high, x, y)
                sums = np.add.reduceat(before, self.link_ends[x:y] - low)
                products[self.linked[x:y] - a] *= 1 + self.carry * sums
            self._add(self.slot[a:b], products, a, b)
            self.next += 1

    def _before(self, low: int, high: int, x: int, y: int) -> Floats:
        links = self.links[low:high]
        if self.decay == 1:
            return self.totals.take(links)
        target = np.repeat(self.linked[x:y], np.diff(self.link_ends[x : y + 1]))
        gaps = (self.row[target] - 1 - self.last[links]) + (self.columns[self.slot[target]] - 1 - self.columns[links])
        faded: Floats = self.decayed[links] * self.decay ** np.maximum(gaps, 0)
        return faded

    def _add(self, slots: Ints, products: Floats, a: int, b: int) -> None:
        self.totals[slots] += products
        if self.decay != 1:
            row = self.row[a:b]
            self.decayed[slots] = self.decayed[slots] * self.decay ** (row - self.last[slots]) + products
            self.last[slots] = row


def _exact(deltas: Deltas, cells: _Cells, which: Ints, kernel: TreeKernel) -> list[Number]:
    """Δ of some pairs in numbers without bound, column by column."""
    decay, mu, _ = kernel.numbers
    begins, ends = cells.cell_of_pair[which], cells.cell_of_pair[which + 1]
    results = []
    for a, b in zip(begins.tolist(), ends.tolist(), strict=True):
        row = cells.row[a:b].tolist()
        rows = sorted(set(row))
        number = {place: at for at, place in enumerate(rows)}
        columns: dict[int, list[tuple[int, Any]]] = {}
        values = deltas.exact(cells.child[a:b].tolist())
        for slot, place, value in zip(cells.slot[a:b].tolist(), row, values, strict=True):
            columns.setdefault(slot, []).append((number[place], value))
        if decay == 1:
            total = _undecayed(columns.values(), len(rows))
        else:
            places = cells.column_of_slot[list(columns)].tolist()
            total = _decayed(list(zip(places, columns.values(), strict=True)), rows, kernel)
        results.append(mu * (decay**2 + total))
    return results


def _undecayed(columns: Iterable[list[tuple[int, Any]]], rows: int) -> Any:
    """The sum over common subsequences with λ = 1; a column has its rows and their Δ."""
    held: list[Any] = [0] * rows
    for column in columns:
        before = [0, *accumulate(held)]
        for row, value in column:
            held[row] += value * (1 + before[row])
    return sum(held)


def _decayed(columns: list[tuple[int, list[tuple[int, Any]]]], rows: list[int], kernel: TreeKernel) -> Any:
    """The same with decay: `held` and `running` fade with every position they are carried over."""
    decay, _, carry = kernel.numbers
    held: list[Any] = [0] * len(rows)
    total: Any = 0
    previous = columns[0][0]
    steps = [decay ** (b - a) for a, b in pairwise([rows[0], *rows])]
    for place, column in columns:
        fade = decay ** (place - previous)
        held = [value * fade for value in held]
        before, running = [], 0
        for step, value in zip(steps, held, strict=True):
            running *= step
            before.append(running)
            running += value
        for at, value in column:
            fresh = value * (1 + carry * before[at] / decay**2)
            held[at] += fresh
            total += fresh
        previous = place
    return total


def productions(forest: Forest) -> Ints:
    """Subtrees by their production: the label and the labels of the children in order. Leaves have none each."""
    labels, starts, below = forest.labels.tolist(), forest.starts.tolist(), forest.labels[forest.children].tolist()
    number: dict[tuple[int, ...], int] = {}
    numbers = [
        number.setdefault((labels[node], *below[starts[node] : starts[node + 1]]), len(number))
        for node in range(forest.subtrees)
    ]
    return np.array(numbers, dtype=np.int64)


def subset_deltas(forest: Forest, pairs: Alike, kernel: TreeKernel) -> Deltas:
    """Δ of all pairs with the same production: λ Π over children (1 + Δ); 0 for leaves."""
    deltas = Deltas(pairs, np.zeros(pairs.size + 1), limit=kernel.limit)  # the last one is of all pairs not alike
    above, below, positions = forest.parents, forest.children, forest.positions
    keys = pairs.classes[above] * (int(positions.max(initial=0)) + 1) + positions
    e, f = pairs.partners(keys, above)
    if not len(e):
        return deltas
    u, v, c, d = above[e], above[f], below[e], below[f]
    place = pairs.place(u, v)
    level = np.minimum(forest.heights[u], forest.heights[v])
    order = np.lexsort((place, level))
    child = np.where(pairs.classes[c] == pairs.classes[d], pairs.place(c, d), pairs.size)[order]
    u, v, place, level = u[order], v[order], place[order], level[order]
    firsts = np.flatnonzero(np.diff(place, prepend=-1))
    ends = np.append(firsts, len(place))
    mirror = pairs.mirrored(u[firsts], v[firsts])
    bounds = np.searchsorted(level[firsts], np.arange(int(level.max()) + 2)).tolist()
    with np.errstate(over="ignore", invalid="ignore"):
        for first, last in pairwise(bounds):
            if first == last:
                continue
            a, b = ends[first], ends[last]
            values = kernel.decay * np.multiply.reduceat(1 + deltas.values[child[a:b]], firsts[first:last] - a)
            deltas.values[place[firsts[first:last]]] = values
            deltas.values[mirror[first:last]] = values
            for pair in deltas.too_large(values).tolist():
                some = child[ends[first + pair] : ends[first + pair + 1]].tolist()
                large: Any = kernel.numbers.decay * prod(1 + value for value in deltas.exact(some))
                here = int(place[firsts[first + pair]])
                deltas.large[here] = deltas.large[int(mirror[first + pair])] = large
    return deltas


def inner_nodes(forest: Forest) -> Ints:
    """Nodes of each subtree that have children, itself included."""
    counts = [0] * forest.subtrees
    below, starts = forest.children.tolist(), forest.starts.tolist()
    for node in range(forest.subtrees):
        children = below[starts[node] : starts[node + 1]]
        counts[node] = 1 + sum(map(counts.__getitem__, children)) if children else 0
    return np.array(counts, dtype=object)
