"""Edge displacement and dependency lengths."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gardenpath.treebank import Treebank, read
from gardenpath.treebank.trees.displacement import counted, dependency_lengths, displacements


def row(number: object, head: object, form: str = "w") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t_\n"


def sentence(*heads: object) -> str:
    return "".join(row(number, head) for number, head in enumerate(heads, 1)) + "\n"


# The devil eats flies: Not has two dependents before it, Fliegen stands three words after its head (EDV, Figure 1).
DEVIL = "# text = In der Not frisst der Teufel Fliegen\n" + sentence(3, 3, 4, 0, 6, 4, 4)


def test_displacement_is_position_minus_position_of_the_head() -> None:
    assert displacements(Treebank(DEVIL.encode())).tolist() == [-2, -1, -1, -1, 2, 3]


def test_histogram_leaves_out_roots_and_words_without_head() -> None:
    found = counted(displacements(Treebank((DEVIL + sentence(0, "_", 1)).encode())))
    assert dict(zip(found.values.tolist(), found.counts.tolist(), strict=True)) == {
        **dict.fromkeys(range(-30, 31), 0), -2: 1, -1: 3, 2: 2, 3: 1
    }  # fmt: skip
    assert (found.outside, found.edges, found.limit) == (0, 7, 30)


def test_long_edges_are_counted_apart() -> None:
    heads = [0, *[1] * 39]
    values = displacements(Treebank(sentence(*heads).encode()))
    found = counted(values)
    assert found.counts.sum() == 30
    assert found.outside == 9
    assert counted(values, limit=2).outside == 37


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-test",
        "made:odd",
        "ud/UD_French-Sequoia/fr_sequoia-ud-test.conllu",
        "ud/UD_Tamil-TTB/ta_ttb-ud-test.conllu",
    ],
)
def test_real_treebank_equals_udapi(file_named: Callable[[str], Path], name: str) -> None:
    from udapi.core.document import Document

    path = file_named(name)
    expected = np.zeros(61, dtype=np.int64)
    outside = 0
    for bundle in Document(str(path)).bundles:
        for node in bundle.get_tree().descendants:
            if node.parent.ord == 0:
                continue
            if abs(node.ord - node.parent.ord) > 30:
                outside += 1
            else:
                expected[node.ord - node.parent.ord + 30] += 1
    found = counted(displacements(read(path)))
    assert (found.counts.tolist(), found.outside) == (expected.tolist(), outside)


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
