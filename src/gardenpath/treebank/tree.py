"""Is it a tree, how deep, what crosses: for all sentences at once, on arrays of heads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

LONGEST = 5_000
"""Words: in longer sentences pairs of edges are too many to look at; they are left out and counted."""

_PAIRS = 1 << 21
"""Pairs that are looked at in one step, so that memory stays bounded."""

Ints = NDArray[Any]


def parents(heads: Ints, offsets: Ints) -> Ints:
    """For each word the index of its parent among all words; of itself for roots and words without head."""
    begins = np.repeat(offsets[:-1], np.diff(offsets))
    found = begins + heads - 1
    return np.where(heads > 0, found, np.arange(len(heads)))


def depths(heads: Ints, offsets: Ints) -> NDArray[np.int64]:
    """Edges from each word up to the root: 1 for the root word, -1 where no root is above (cycle, no head)."""
    jump = parents(heads, offsets)
    steps = (heads > 0).astype(np.int64)
    longest = int(np.diff(offsets).max(initial=1))
    reach = 1
    while reach < longest:  # doubling: after k rounds every word knows its 2^k-th ancestor
        further = steps + steps[jump]
        jump = jump[jump]
        steps, reach = further, reach * 2
        if not (heads[jump] > 0).any():
            break
    return np.where(heads[jump] == 0, steps + 1, -1)


def tree_mask(heads: Ints, offsets: Ints) -> NDArray[np.bool_]:
    """For each sentence: is it a tree, with one root and every word below it?"""
    return (root_counts(heads, offsets) == 1) & ~_any(depths(heads, offsets) < 0, offsets)


def root_counts(heads: Ints, offsets: Ints) -> NDArray[np.int64]:
    """Words with HEAD 0 per sentence."""
    return _sums(heads == 0, offsets)


def cyclic_mask(heads: Ints, offsets: Ints) -> NDArray[np.bool_]:
    """For each sentence: does some word stand above itself?"""
    jump = parents(heads, offsets)
    longest = int(np.diff(offsets).max(initial=1))
    reach = 1
    while reach < longest:
        jump, reach = jump[jump], reach * 2
    return _any(heads[jump] > 0, offsets)


class Crossings(NamedTuple):
    """Per word: does its edge cross another, and is it non-projective? Per sentence: pairs that cross."""

    crossed: NDArray[np.bool_]
    nonprojective: NDArray[np.bool_]
    pairs: NDArray[np.int64]
    too_long: NDArray[np.bool_]


def crossings(heads: Ints, offsets: Ints) -> Crossings:
    """Pairs of edges that cross (root edges left out), and non-projective edges (a word between is not below the head).

    Only edges that something crosses are looked at one by one; a range maximum finds them.
    """
    lengths = np.diff(offsets)
    too_long = lengths > LONGEST
    usable = (heads > 0) & ~np.repeat(too_long, lengths)
    up = parents(np.where(usable, heads, 0), offsets)
    here = np.arange(len(heads))
    low, high = np.minimum(here, up), np.maximum(here, up)
    edges = np.flatnonzero(usable)
    reach = here.copy()
    np.maximum.at(reach, low[edges], high[edges])
    roots_before = np.concatenate([[0], np.cumsum(heads == 0)])
    crossed = np.zeros(len(heads), dtype=bool)
    nonprojective = usable & (roots_before[high] - roots_before[np.minimum(low + 1, high)] > 0)
    pairs = np.zeros(len(lengths), dtype=np.int64)
    suspects = edges[_range_maxima(reach, low[edges] + 1, high[edges]) > high[edges]]
    if len(suspects) == 0:
        return Crossings(crossed, nonprojective, pairs, too_long)
    by_low = edges[np.argsort(low[edges], kind="stable")]
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
            nonprojective[edge[~_is_above(up[edge], other, up)]] = True
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
        starts = np.repeat(begins[which] - (np.cumsum(count) - count), count)
        yield np.repeat(items[which], count), starts + np.arange(len(starts))


def _is_above(ancestors: Ints, words: Ints, up: Ints) -> NDArray[np.bool_]:
    """For each pair: is the first above the second? Roots are their own parents."""
    found = np.zeros(len(words), dtype=bool)
    active = np.arange(len(words))
    for _ in range(LONGEST):
        above = up[words[active]]
        found[active] = above == ancestors[active]
        going = ~found[active] & (above != words[active])
        words = words.copy()
        words[active] = above
        active = active[going]
        if len(active) == 0:
            break
    return found


def possible_crossings(heads: Ints, offsets: Ints) -> NDArray[np.int64]:
    """|Q| per sentence: pairs of edges that share no word (Ferrer-i-Cancho et al. 2018), root edges left out."""
    begins = np.repeat(offsets[:-1], np.diff(offsets))
    edge = heads > 0
    degree = edge.astype(np.int64) + np.bincount((begins + heads - 1)[edge], minlength=len(heads))
    edges = _sums(edge, offsets)
    sharing = _sums(degree * (degree - 1) // 2, offsets)
    return edges * (edges - 1) // 2 - sharing


def _sums(values: Ints, offsets: Ints) -> NDArray[np.int64]:
    total = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
    result: NDArray[np.int64] = total[offsets[1:]] - total[offsets[:-1]]
    return result


def _any(values: NDArray[np.bool_], offsets: Ints) -> NDArray[np.bool_]:
    return _sums(values, offsets) > 0
