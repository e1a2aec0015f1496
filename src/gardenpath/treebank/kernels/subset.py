"""The subset tree kernel (Collins and Duffy 2002) on pairs of subtrees, and the subtree kernel (Vishwanathan, Smola).

Fragments keep or drop all children of a node together; a leaf alone is no fragment.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from .alike import Alike, Deltas
from .sharing import Forest, Ints

if TYPE_CHECKING:
    from .kernel import TreeKernel


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
