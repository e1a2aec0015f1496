"""Tree kernels the slow way: fragments written out and counted, and Moschitti's recursion as it stands in the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from itertools import chain, combinations, product
from random import Random
from typing import Any

import numpy as np
from hypothesis import strategies as st

from gardenpath.treebank.kernels.forest import Forest, Sharing

Tree = tuple[Any, Any]
"""Label and list of children."""


@st.composite
def trees(draw: st.DrawFn, most: int = 7, labels: str = "ab") -> Tree:
    """A small tree with few labels, so that fragments recur."""
    nodes: list[Tree] = [(draw(st.sampled_from(labels)), [])]
    for _ in range(draw(st.integers(0, most - 1))):
        node: Tree = (draw(st.sampled_from(labels)), [])
        draw(st.sampled_from(nodes))[1].append(node)
        nodes.append(node)
    return nodes[0]


def random_tree(nodes: int, chance: Random, labels: str = "abcdef", reach: int = 12) -> Tree:
    """A large one; each node hangs below one of the last few, so that it grows deep and wide."""
    every: list[Tree] = [(chance.choice(labels), [])]
    while len(every) < nodes:
        node: Tree = (chance.choice(labels), [])
        chance.choice(every[-reach:])[1].append(node)
        every.append(node)
    return every[0]


def written_out(forest: Forest, tree: int) -> Tree:
    """A tree of a forest, with its labels."""
    return subtree(forest, int(forest.roots[tree]))


def subtree(forest: Forest, number: int) -> Tree:
    """A subtree of a forest by its number; those below a node have lower numbers."""
    built: list[Tree] = []
    for node in range(number + 1):
        children = forest.children[forest.starts[node] : forest.starts[node + 1]]
        built.append((forest.label_names[forest.labels[node]], [built[child] for child in children]))
    return built[number]


def nodes_of(tree: Tree) -> Iterator[Tree]:
    yield tree
    for child in tree[1]:
        yield from nodes_of(child)


def _partial(node: Tree) -> list[Any]:
    """All partial trees with this root: some of the children in their order, each with one of its partial trees."""
    label, children = node
    below = [_partial(child) for child in children]
    return [
        (label, chosen)
        for size in range(len(children) + 1)
        for some in combinations(below, size)
        for chosen in product(*some)
    ]


def _subset(node: Tree) -> list[Any]:
    """All subset trees with this root: all children or none, and at least one production."""
    label, children = node
    if not children:
        return []
    below = [[(child[0], ()), *_subset(child)] for child in children]
    return [(label, chosen) for chosen in product(*below)]


def _whole(node: Tree) -> list[Any]:
    def written(one: Tree) -> Any:
        return one[0], tuple(map(written, one[1]))

    return [written(node)] if node[1] else []


FRAGMENTS = {"partial": _partial, "subset": _subset, "subtree": _whole}


def common_fragments(kind: str, a: Tree, b: Tree) -> int:
    """How many pairs of equal fragments, by writing all of them out."""
    mine, yours = (Counter(f for node in nodes_of(tree) for f in FRAGMENTS[kind](node)) for tree in (a, b))
    return sum(count * yours[fragment] for fragment, count in mine.items())


def partial_by_definition(a: Tree, b: Tree, decay: Fraction, mu: Fraction, weight: str = "span") -> Fraction:
    """Moschitti 2006, Equation 3: every pair of subsequences of children, one by one."""

    def span(chosen: tuple[int, ...]) -> int:
        skipped = chosen[-1] - chosen[0]
        return skipped if weight == "span" else skipped - (len(chosen) - 1)

    def delta(u: Tree, v: Tree) -> Fraction:
        if u[0] != v[0]:
            return Fraction(0)
        total = decay**2
        for size in range(1, min(len(u[1]), len(v[1])) + 1):
            for left, right in product(*(combinations(range(len(node[1])), size) for node in (u, v))):
                term = decay ** (span(left) + span(right))
                for i, j in zip(left, right, strict=True):
                    term *= delta(u[1][i], v[1][j])
                total += term
        return mu * total

    return sum((delta(u, v) for u in nodes_of(a) for v in nodes_of(b)), Fraction(0))


def subset_by_definition(a: Tree, b: Tree, decay: Fraction, whole: bool) -> Fraction:
    """Collins and Duffy's recursion; with `whole` nothing below a node may be left out."""

    known: dict[tuple[int, int], Fraction] = {}

    def delta(u: Tree, v: Tree) -> Fraction:
        key = id(u), id(v)
        if key not in known:
            known[key] = computed(u, v)
        return known[key]

    def computed(u: Tree, v: Tree) -> Fraction:
        if u[0] != v[0] or not u[1] or [c[0] for c in u[1]] != [c[0] for c in v[1]]:
            return Fraction(0)
        found = decay
        for c, d in zip(u[1], v[1], strict=True):
            if whole and (c[1] or d[1]):
                found *= delta(c, d)
            elif not whole:
                found *= 1 + delta(c, d)
        return found

    return sum((delta(u, v) for u in nodes_of(a) for v in nodes_of(b)), Fraction(0))


def partial_by_lengths(a: Tree, b: Tree, decay: Any = 1, mu: Any = 1) -> Any:
    """Moschitti's recursion over lengths of subsequences (Section 3.2), which weighs gaps; in any kind of number."""
    known: dict[tuple[int, int], Any] = {}

    def delta(u: Tree, v: Tree) -> Any:
        key = id(u), id(v)
        if key not in known:
            known[key] = mu * (decay**2 + sequences(u[1], v[1])) if u[0] == v[0] else 0
        return known[key]

    def sequences(left: list[Tree], right: list[Tree]) -> Any:
        last = [[delta(x, y) for y in right] for x in left]
        total = sum(map(sum, last))
        for _ in range(1, min(len(left), len(right))):
            fresh = [[0 * decay for _ in right] for _ in left]
            before = [[0 * decay for _ in range(len(right) + 1)] for _ in range(len(left) + 1)]
            for i, x in enumerate(left):
                for j, y in enumerate(right):
                    fresh[i][j] = delta(x, y) * before[i][j]
                    before[i + 1][j + 1] = (
                        last[i][j] + decay * (before[i + 1][j] + before[i][j + 1]) - decay**2 * before[i][j]
                    )
            last = fresh
            total += sum(map(sum, last))
        return total

    return sum(delta(u, v) for u in nodes_of(a) for v in nodes_of(b))


def from_nested(trees: Iterable[Tree]) -> Forest:
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


def _shared(tree: Tree, sharing: Sharing, pool: dict[Hashable, int], own: list[int]) -> int:
    """Without recursion: trees may be deeper than Python's stack."""
    open_nodes: list[list[int]] = [[]]
    waiting: list[tuple[Tree, bool]] = [(tree, False)]
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
