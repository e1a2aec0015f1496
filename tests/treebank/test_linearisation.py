"""Dependency lengths in other orders, against all orders of the words of small trees."""

from __future__ import annotations

from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from gardenpath.treebank.linearisation import dependency_lengths


def trees(size: int) -> list[tuple[int, ...]]:
    """Heads of all rooted trees over words that are numbered from the root down."""
    return [(0, *heads) for heads in product(*(range(1, word) for word in range(2, size + 1)))]


@cache
def orders(size: int) -> np.ndarray[Any, Any]:
    """(size! × size): all places of all words."""
    return np.array(list(permutations(range(size))))


def sums(heads: tuple[int, ...]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The sum of lengths in every order, and whether the order is projective: no edge is crossed, no root covered."""
    places = orders(len(heads))
    edges = [(word, head - 1) for word, head in enumerate(heads) if head]
    total = sum((np.abs(places[:, word] - places[:, head]) for word, head in edges), np.zeros(len(places), int))
    below = [{word} for word in range(len(heads))]
    for word in range(len(heads) - 1, 0, -1):
        below[heads[word] - 1] |= below[word]
    projective = np.ones(len(places), dtype=bool)
    for words in below:
        inside = places[:, sorted(words)]
        projective &= inside.max(axis=1) - inside.min(axis=1) == len(words) - 1
    return total, projective


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_all_orders_of_all_small_trees(size: int) -> None:
    chosen = trees(size)
    lengths = dependency_lengths(np.array(chosen).ravel(), np.arange(len(chosen) + 1) * size)
    for number, heads in enumerate(chosen):
        total, projective = sums(heads)
        assert lengths.real[number] == total[0]  # the order in which they are numbered
        assert lengths.random[number] == pytest.approx(total.mean())
        assert lengths.random_projective[number] == pytest.approx(total[projective].mean())
        assert lengths.best_projective[number] == total[projective].min()
        assert lengths.best[number] == total.min()


def least_by_cuts(heads: tuple[int, ...]) -> int:
    """The least sum over all orders: words are put down one by one, and every edge is as long as it stays open.

    least[S] = min over v in S of least[S - v] + the edges between S and the other words; S as bits.
    """
    size = len(heads)
    sets = np.arange(1 << size)
    cut = np.zeros(1 << size, dtype=np.int64)
    for word, head in enumerate(heads):
        if head:
            cut += (sets >> word & 1) ^ (sets >> (head - 1) & 1)
    ones = np.array([number.bit_count() for number in range(1 << size)])
    least = np.full(1 << size, 1 << 30)
    least[0] = 0
    for count in range(1, size + 1):
        chosen = sets[ones == count]
        for word in range(size):
            having = chosen[chosen >> word & 1 == 1]
            least[having] = np.minimum(least[having], least[having ^ (1 << word)] + cut[having])
    return int(least[-1])


def test_the_best_order_of_larger_trees() -> None:
    """Spread ones too: from three large subtrees on, the best order is none with all edges nested."""
    spread = [
        (0, *(1 for _ in range(4)), *(word for word in (2, 3, 4, 5) for _ in range(2))),
        (0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6),
    ]
    rng = np.random.default_rng(1)
    drawn = [(0, *(int(rng.integers(max(1, word - reach), word)) for word in range(2, 14))) for reach in (2, 4, 6) * 3]
    for heads in spread + drawn:
        lengths = dependency_lengths(np.array(heads), np.array([0, len(heads)]))
        assert lengths.best[0] == least_by_cuts(heads) <= lengths.best_projective[0]


def test_what_is_no_tree_has_no_lengths() -> None:
    lengths = dependency_lengths(np.array([2, 1, 0, 1]), np.array([0, 2, 4]))
    assert np.isnan(lengths.best_projective[0])
    assert np.isnan(lengths.best[0])
    assert (lengths.real[1], lengths.edges.tolist()) == (1.0, [0, 1])
