"""Trees that are drawn without looking at the words, as heads from 1 (0: the root): what a parser must beat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..treebank import Sentence
    from .pp_baselines import Rows

# A projective tree over n words is a head with a forest to its left and one to its right; a forest over n words is a
# tree over the first m of them and a forest over the rest. Each tree is made in one way, so with
#     trees(n) = sum over l of forests(l) * forests(n - 1 - l)
#     forests(n) = sum over m of trees(m) * forests(n - m),  forests(0) = 1
# a tree is drawn uniformly by drawing l and m in proportion to what they lead to.


@cache
def tree_count(words: int) -> int:
    """How many projective trees with one root there are: 1, 2, 7, 30, 143 (OEIS A006013)."""
    return sum(_left_sizes(words))


@cache
def forest_count(words: int) -> int:
    return sum(_first_sizes(words)) if words else 1


@cache
def _left_sizes(words: int) -> tuple[int, ...]:
    return tuple(forest_count(left) * forest_count(words - 1 - left) for left in range(words))


@cache
def _first_sizes(words: int) -> tuple[int, ...]:
    return tuple(tree_count(first) * forest_count(words - first) for first in range(1, words + 1))


def random_projective(words: int, draw: Random) -> list[int]:
    """A projective tree, each as likely as any other."""
    for size in range(words):  # from the bottom, or recursion gets too deep
        tree_count(size)
        forest_count(size)
    heads = [0] * words
    trees = [(0, words, 0)] if words else []  # begin, end, head
    while trees:
        begin, end, head = trees.pop()
        at = begin + _drawn(_left_sizes(end - begin), draw)
        heads[at] = head
        for first, last in ((begin, at), (at + 1, end)):
            while first < last:
                size = 1 + _drawn(_first_sizes(last - first), draw)
                trees.append((first, first + size, at + 1))
                first += size
    return heads


def _drawn(weights: Sequence[int], draw: Random) -> int:
    """A place in proportion to its weight; numbers are too large for floating point."""
    left = draw.randrange(sum(weights))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    raise AssertionError("no weight is left")


def random_labelled(words: int, draw: Random) -> list[int]:
    """A rooted tree over numbered nodes, each as likely as any other: a Prüfer sequence and a root."""
    if words < 2:
        return [0] * words
    sequence = [draw.randrange(words) for _ in range(words - 2)]
    degrees = [1] * words
    for node in sequence:
        degrees[node] += 1
    neighbours: list[list[int]] = [[] for _ in range(words)]
    for node in [*sequence, -1]:
        leaf = degrees.index(1)
        degrees[leaf] = 0
        neighbour = node if node >= 0 else degrees.index(1)
        degrees[neighbour] -= 1
        neighbours[leaf].append(neighbour)
        neighbours[neighbour].append(leaf)
    root = draw.randrange(words)
    heads, waiting = [-1] * words, [root]
    heads[root] = 0
    while waiting:
        node = waiting.pop()
        for neighbour in neighbours[node]:
            if heads[neighbour] < 0:
                heads[neighbour] = node + 1
                waiting.append(neighbour)
    return heads


def shortest_arrangement(heads: Sequence[int]) -> list[int]:
    """The same tree with its nodes in the projective order in which dependencies are shortest in sum.

    The dependents of a node go to its two sides in turn, small subtrees near to it and large ones outside; those of a
    node that has its own head on one side begin on the other (Gildea & Temperley 2007; Alemany-Puig et al. 2022).
    """
    dependents: list[list[int]] = [[] for _ in range(len(heads) + 1)]
    for node, head in enumerate(heads, 1):
        dependents[head].append(node)
    order = [0]
    for node in order:
        order += dependents[node]
    sizes = [1] * (len(heads) + 1)
    for node in reversed(order[1:]):
        sizes[heads[node - 1]] += sizes[node]
    places = [0] * (len(heads) + 1)
    waiting = [(dependents[0][0], 1, -1)] if heads else []  # node, first place of its subtree, side of its head
    while waiting:
        node, first, side = waiting.pop()
        sides: dict[int, list[int]] = {-1: [], 1: []}
        # The largest subtree goes outermost, away from the head; the next to the other side, and so on.
        for rank, child in enumerate(sorted(dependents[node], key=lambda child: (-sizes[child], child))):
            sides[-side if rank % 2 == 0 else side].append(child)
        for child in sides[-1]:
            waiting.append((child, first, 1))
            first += sizes[child]
        places[node] = first
        first += 1
        for child in reversed(sides[1]):
            waiting.append((child, first, -1))
            first += sizes[child]
    arranged = [0] * len(heads)
    for node, head in enumerate(heads, 1):
        arranged[places[node] - 1] = places[head] if head else 0
    return arranged


def optimal_arrangement(words: int, draw: Random) -> list[int]:
    """A random tree whose nodes are put where its dependencies are shortest."""
    return shortest_arrangement(random_labelled(words, draw))


def drawn_rows(heads_of: Callable[[int, Random], list[int]], seed: int) -> Callable[[Sentence], Rows]:
    """A rule that draws the heads of a sentence; words and seed decide them, whatever else is parsed with it."""

    def rule(sentence: Sentence) -> Rows:
        from ..runs.signature import digest
        from .pp_baselines import word_rows

        rows = word_rows(sentence)
        draw = Random(digest(str(seed), *(row[1] for row in rows)))
        for row, head in zip(rows, heads_of(len(rows), draw), strict=True):
            row[6], row[7] = str(head), "dep" if head else "root"
        return rows

    return rule
