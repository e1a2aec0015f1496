"""The partial tree kernel in Numba, for floating point: Δ of all pairs of subtrees, and the sums of pairs of trees.

Import this module only for batches that are large enough: Numba takes half a second to start.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from .forest import Alike, Floats, Forest


def partial_matrix(forest: Forest, pairs: Alike, decay: float, mu: float, carry: float) -> Floats:
    """K of all different trees; infinite where floating point does not reach."""
    tree, node, times = forest.counts
    count = len(forest.different[0])
    widest = int(forest.widths.max(initial=0))
    starts_of_class = np.append(0, np.cumsum(pairs.columns))
    deltas = _deltas(
        forest.labels, forest.starts, forest.children, pairs.left, starts_of_class, pairs.begins, pairs.ranks,
        pairs.size, widest, decay, mu, carry,
    )  # fmt: skip
    bounds = np.searchsorted(tree, np.arange(count + 1))
    matrix: Floats = _collected(
        forest.labels, pairs.left, starts_of_class, pairs.begins, deltas, bounds, node, times, count
    )
    return matrix


@njit(cache=True)  # type: ignore[untyped-decorator]
def _deltas(
    labels: Any, starts: Any, children: Any, members: Any, starts_of_class: Any, begins: Any, ranks: Any,
    size: int, widest: int, decay: float, mu: float, carry: float,
) -> Any:  # fmt: skip
    """Δ(u, v) at `begins[u] + ranks[v]`, for subtrees of one label; `members` are the subtrees, label by label.

    Subtrees come after their children, so all that Δ(u, v) with v ≤ u needs is there. Over children i of u, j of v:
    held[j] = Σ over i' < i of A(i', j) λ^(i - 1 - i'); before = Σ over j' < j of held[j'] λ^(j - 1 - j');
    A(i, j) = Δ(child i, child j) (1 + carry · before); Δ(u, v) = μ (λ² + Σ A).
    """
    values = np.empty(size)
    held = np.empty(widest)
    alone = decay * decay
    for u in range(len(labels)):
        label = labels[u]
        for place in range(starts_of_class[label], starts_of_class[label + 1]):
            v = members[place]
            if v > u:
                break
            total = alone
            wide = starts[v + 1] - starts[v]
            for j in range(wide):
                held[j] = 0.0
            for i in range(starts[u], starts[u + 1]) if wide else range(0):
                upper = children[i]
                row, upper_label = begins[upper], labels[upper]
                before = 0.0
                for j in range(wide):
                    lower = children[starts[v] + j]
                    ending = 0.0
                    if labels[lower] == upper_label:
                        ending = values[row + ranks[lower]] * (1 + carry * before)
                        total += ending
                    before = decay * before + held[j]
                    held[j] = decay * held[j] + ending
            values[begins[u] + ranks[v]] = values[begins[v] + ranks[u]] = mu * total
    return values


@njit(cache=True)  # type: ignore[untyped-decorator]
def _collected(
    labels: Any, members: Any, starts_of_class: Any, begins: Any, deltas: Any, bounds: Any, node: Any, times: Any,
    count: int,
) -> Any:  # fmt: skip
    """K(a, b) = Σ times(u in a) · times(v in b) · Δ(u, v); `bounds` are where the nodes of each tree begin."""
    matrix = np.empty((count, count))
    sums = np.empty(len(labels))
    for a in range(count):
        sums[:] = 0.0
        for entry in range(bounds[a], bounds[a + 1]):
            u = node[entry]
            first = starts_of_class[labels[u]]
            for place in range(first, starts_of_class[labels[u] + 1]):
                sums[members[place]] += times[entry] * deltas[begins[u] + place - first]
        for b in range(a, count):
            total = 0.0
            for entry in range(bounds[b], bounds[b + 1]):
                total += times[entry] * sums[node[entry]]
            matrix[a, b] = matrix[b, a] = total
    return matrix
