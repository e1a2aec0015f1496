"""Properties of trees, for all sentences at once on arrays of heads, and maximum spanning trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..format.columns import ranges, sums

LONGEST = 5_000
"""Words: in longer sentences pairs of edges are too many to look at; they are left out and counted."""

_PAIRS = 1 << 21  # Pairs that are looked at in one step, so that memory stays bounded

Ints = NDArray[Any]


def parents(heads: Ints, offsets: Ints) -> Ints:
    """For each word the index of its parent among all words; of itself for roots and words without head."""
    begins = np.repeat(offsets[:-1], np.diff(offsets))
    numbers = begins + heads - 1
    return np.where(heads > 0, numbers, np.arange(len(heads)))


def depths(heads: Ints, offsets: Ints) -> NDArray[np.int64]:
    """Edges from each word up to the root: 1 for the root word, -1 where no root is above (cycle, no head)."""
    steps, top = _climbed(heads, offsets)
    return np.where(heads[top] == 0, steps + 1, -1)


def _climbed(heads: Ints, offsets: Ints) -> tuple[Ints, Ints]:
    """For each word the edges up to the word that has no parent, and that word; with a cycle above, a word of it."""
    top = parents(heads, offsets)
    steps = (heads > 0).astype(np.int64)
    longest = int(np.diff(offsets).max(initial=1))
    reach = 1
    while reach < longest and (heads[top] > 0).any():  # doubling: after k rounds it is the 2^k-th ancestor
        steps, top, reach = steps + steps[top], top[top], reach * 2
    return steps, top


def tree_mask(heads: Ints, offsets: Ints) -> NDArray[np.bool_]:
    """For each sentence: is it a tree, with one root and every word below it?"""
    mask: NDArray[np.bool_] = (root_counts(heads, offsets) == 1) & ~_any(depths(heads, offsets) < 0, offsets)
    return mask


def root_counts(heads: Ints, offsets: Ints) -> NDArray[np.int64]:
    """Words with HEAD 0 per sentence."""
    return sums(heads == 0, offsets)


def cyclic_mask(heads: Ints, offsets: Ints) -> NDArray[np.bool_]:
    """For each sentence: does some word stand above itself?"""
    _, top = _climbed(heads, offsets)
    return _any(heads[top] > 0, offsets)


def projective_mask(heads: Ints, offsets: Ints) -> NDArray[np.bool_]:
    """For each sentence, however long: does no edge cross another, and none span a root?"""
    edges = _edges(heads, offsets)
    faulty = _spans_root(heads, edges)
    faulty[edges.crossed_right] = True
    return ~_any(faulty, offsets)


class _Edges(NamedTuple):
    """The ends of each word's edge (of the word itself where there is none), and the words that have one."""

    up: Ints
    low: Ints
    high: Ints
    words: Ints
    crossed_right: Ints  # Words whose edge is crossed by one that ends right of it; a range maximum finds them


def _edges(heads: Ints, offsets: Ints) -> _Edges:
    up = parents(heads, offsets)
    here = np.arange(len(heads))
    low, high = np.minimum(here, up), np.maximum(here, up)
    words = np.flatnonzero(heads > 0)
    reach = here.copy()
    np.maximum.at(reach, low[words], high[words])
    crossed = words[_range_maxima(reach, low[words] + 1, high[words]) > high[words]]
    return _Edges(up, low, high, words, crossed)


def _spans_root(heads: Ints, edges: _Edges) -> NDArray[np.bool_]:
    """For each word: does a root stand inside its edge?"""
    roots = np.concatenate([[0], np.cumsum(heads == 0)])
    spanning: NDArray[np.bool_] = roots[edges.high] > roots[np.minimum(edges.low + 1, edges.high)]
    return spanning


class Crossings(NamedTuple):
    """Per word: does its edge cross another, and is it non-projective? Per sentence: pairs that cross."""

    crossed: NDArray[np.bool_]
    nonprojective: NDArray[np.bool_]
    pairs: NDArray[np.int64]
    too_long: NDArray[np.bool_]


def crossings(heads: Ints, offsets: Ints) -> Crossings:
    """Pairs of edges that cross (root edges left out), and non-projective edges (a word between is not below the head).

    Only edges that something crosses are looked at one by one. Where the heads make no tree, a word without
    a head (partial gold) is no gap, and words of a cycle are below nothing.
    """
    lengths = np.diff(offsets)
    too_long = lengths > LONGEST
    heads = np.where(np.repeat(too_long, lengths), -1, heads)
    up, low, high, words, suspects = edges = _edges(heads, offsets)
    crossed = np.zeros(len(heads), dtype=bool)
    nonprojective = _spans_root(heads, edges)
    pairs = np.zeros(len(lengths), dtype=np.int64)
    if len(suspects) == 0:
        return Crossings(crossed, nonprojective, pairs, too_long)
    steps, _ = _climbed(heads, offsets)
    by_low = words[np.argsort(low[words], kind="stable")]
    first_from = np.searchsorted(low[by_low], np.arange(len(heads) + 1))
    for left, places in _expanded(suspects, first_from[low[suspects] + 1], first_from[high[suspects]]):
        right = by_low[places]
        cross = high[right] > high[left]
        left, right = left[cross], right[cross]
        crossed[left] = crossed[right] = True
        pairs += np.bincount(np.searchsorted(offsets, left, side="right") - 1, minlength=len(lengths))
        for edge, other in ((left, right), (right, left)):
            inside = (low[edge] < other) & (other < high[edge])  # it is the other's dependent that lies inside
            edge, other = edge[inside], other[inside]
            nonprojective[edge[~_is_above(up[edge], other, up, steps)]] = True
    return Crossings(crossed, nonprojective, pairs, too_long)


def _range_maxima(values: Ints, begins: Ints, ends: Ints) -> Ints:
    """The maximum of values[begins[i]:ends[i]]; -1 for an empty range. One level of a sparse table at a time."""
    result = np.full(len(begins), -1, dtype=values.dtype)
    sizes = ends - begins
    level, width = values, 1
    while True:
        which = np.flatnonzero((sizes >= width) & (sizes < 2 * width))
        result[which] = np.maximum(level[begins[which]], level[ends[which] - width])
        if not (sizes >= 2 * width).any():
            return result
        level, width = np.maximum(level[:-width], level[width:]), 2 * width


def _expanded(items: Ints, begins: Ints, ends: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Each item with every number from begins[i] to ends[i], in steps of bounded size."""
    sizes = ends - begins
    step = np.cumsum(sizes) // _PAIRS
    for number in np.unique(step):
        which = np.flatnonzero(step == number)
        count = sizes[which]
        yield np.repeat(items[which], count), ranges(begins[which], count)


def _is_above(ancestors: Ints, words: Ints, up: Ints, steps: Ints) -> NDArray[np.bool_]:
    """For each pair: is the first above the second? `steps` says how high to climb, doubling how to do it fast."""
    climb = steps[words] - steps[ancestors]
    higher = climb > 0
    while (climb > 0).any():
        words = np.where((climb > 0) & (climb & 1 == 1), up[words], words)
        up, climb = up[up], climb >> 1
    above: NDArray[np.bool_] = higher & (words == ancestors)
    return above


def possible_crossings(heads: Ints, offsets: Ints) -> NDArray[np.int64]:
    """|Q| per sentence: pairs of edges that share no word (Ferrer-i-Cancho et al. 2018), root edges left out."""
    begins = np.repeat(offsets[:-1], np.diff(offsets))
    edge = heads > 0
    degree = edge.astype(np.int64) + np.bincount((begins + heads - 1)[edge], minlength=len(heads))
    edges = sums(edge, offsets)
    sharing = sums(degree * (degree - 1) // 2, offsets)
    return edges * (edges - 1) // 2 - sharing


def _any(values: NDArray[np.bool_], offsets: Ints) -> NDArray[np.bool_]:
    return sums(values, offsets) > 0


Scores = NDArray[np.int64]


def spanning_tree(scores: Scores) -> list[int]:
    """The heads of the words 1 to n; exactly one of them is 0, the root.

    `scores[head, word]` is an integer; column 0 and the diagonal are not looked at.

    >>> spanning_tree(np.array([[0, 3, 2], [0, 0, 5], [0, 9, 0]]))
    [2, 0]
    """
    scores = np.array(scores, dtype=np.int64)
    # A tree needs one arc from the root: if each costs more than all the others can be worth, no second one is taken.
    scores[0] -= int(np.abs(scores).sum()) + 1
    return [int(head) for head in _arborescence(scores)[1:]]


def _arborescence(scores: Scores) -> NDArray[np.int64]:
    """The head of every node (0 has itself): the best for each alone, and where these make a cycle, the best way out.

    A cycle C becomes one node c. An arc from outside, h → d in C, breaks the cycle at d and so gains
    s(h, d) − s(head of d in C, d); an arc C → w is as good as the best from a node of C.
    """
    n = len(scores)
    own = scores.copy()
    np.fill_diagonal(own, np.iinfo(np.int64).min // 4)
    heads: NDArray[np.int64] = own.argmax(axis=0)
    heads[0] = 0
    cycle = _cycle(heads)
    if not cycle:
        return heads
    inside = np.zeros(n, dtype=bool)
    inside[cycle] = True
    rest, members = np.flatnonzero(~inside), np.array(cycle)
    gains = scores[np.ix_(rest, members)] - scores[heads[members], members]  # rest × members
    entered = gains.argmax(axis=1)  # of each node outside: where it would break the cycle
    left = scores[np.ix_(members, rest)].argmax(axis=0)  # of each node outside: from where it would be reached
    k = len(rest)
    smaller = np.zeros((k + 1, k + 1), dtype=np.int64)
    smaller[:k, :k] = scores[np.ix_(rest, rest)]
    smaller[:k, k] = gains.max(axis=1)
    smaller[k, :k] = scores[members[left], rest]
    chosen = _arborescence(smaller)
    result: NDArray[np.int64] = heads.copy()
    for place in range(1, k):
        result[rest[place]] = members[left[place]] if chosen[place] == k else rest[chosen[place]]
    outside = int(chosen[k])
    result[members[entered[outside]]] = rest[outside]
    return result


def _cycle(heads: NDArray[np.int64]) -> list[int]:
    """The nodes of a cycle that does not lead to 0; nothing where there is none."""
    seen = np.zeros(len(heads), dtype=np.int64)
    seen[0] = -1
    for start in range(1, len(heads)):
        node = start
        while seen[node] == 0:
            seen[node] = start
            node = int(heads[node])
        if seen[node] == start:
            cycle, at = [node], int(heads[node])
            while at != node:
                cycle.append(at)
                at = int(heads[at])
            return cycle
    return []
