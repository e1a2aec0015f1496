"""Properties of trees, and maximum spanning trees."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_treebanks import conllu
from made_treebanks import heads as trees

from gardenpath.treebank import Treebank, crossings, depths
from gardenpath.treebank.trees import tree
from gardenpath.treebank.trees.tree import (
    cyclic_mask,
    possible_crossings,
    projective_mask,
    root_counts,
    spanning_tree,
    tree_mask,
)

GRAPHS = st.lists(st.integers(-1, 6), min_size=1, max_size=6).map(lambda heads: [min(h, len(heads)) for h in heads])


def joined(sentences: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.concatenate([[0], np.cumsum([len(heads) for heads in sentences])])
    return np.array([head for heads in sentences for head in heads]), offsets


def path(heads: list[int], word: int) -> list[int]:
    """The words above a word, to the root (0), to a word without head (-1), or once round a cycle."""
    found: list[int] = []
    while word > 0 and (head := heads[word - 1]) not in found:
        found.append(head)
        word = head
    return found


def edges(heads: list[int]) -> list[tuple[int, int, int]]:
    return [(min(w, h), max(w, h), w) for w, h in enumerate(heads, 1) if h > 0]


def crossing_pairs(heads: list[int]) -> list[tuple[int, int]]:
    pairs = combinations(edges(heads), 2)
    return [(v, w) for (a, b, v), (c, d, w) in pairs if a < c < b < d or c < a < d < b]


def nonprojective(heads: list[int], word: int) -> bool:
    head = heads[word - 1]
    between = range(min(word, head) + 1, max(word, head))
    return head > 0 and any(head not in path(heads, other) for other in between)


@given(st.lists(GRAPHS, min_size=1, max_size=5))
def test_depths_roots_and_cycles_of_any_heads(sentences: list[list[int]]) -> None:
    heads, offsets = joined(sentences)
    paths = [[path(one, word) for word in range(1, len(one) + 1)] for one in sentences]
    expected = [len(found) if found[-1] == 0 else -1 for one in paths for found in one]
    assert depths(heads, offsets).tolist() == expected
    assert cyclic_mask(heads, offsets).tolist() == [any(found[-1] > 0 for found in one) for one in paths]
    assert root_counts(heads, offsets).tolist() == [one.count(0) for one in sentences]
    is_tree = [
        one.count(0) == 1 and all(f[-1] == 0 for f in found) for one, found in zip(sentences, paths, strict=True)
    ]
    assert tree_mask(heads, offsets).tolist() == is_tree


@given(st.lists(GRAPHS, min_size=1, max_size=5))
def test_crossing_pairs_of_any_heads(sentences: list[list[int]]) -> None:
    heads, offsets = joined(sentences)
    found = crossings(heads, offsets)
    pairs = [crossing_pairs(one) for one in sentences]
    assert found.pairs.tolist() == [len(one) for one in pairs]
    crossed = [
        [any(w in pair for pair in some) for w in range(1, len(one) + 1)]
        for one, some in zip(sentences, pairs, strict=True)
    ]
    assert found.crossed.tolist() == [value for one in crossed for value in one]


@given(st.lists(trees(), min_size=1, max_size=6))
def test_nonprojective_edges_and_possible_crossings_of_trees(sentences: list[list[int]]) -> None:
    heads, offsets = joined(sentences)
    expected = [[nonprojective(one, word) for word in range(1, len(one) + 1)] for one in sentences]
    assert crossings(heads, offsets).nonprojective.tolist() == [value for one in expected for value in one]
    assert projective_mask(heads, offsets).tolist() == [not any(one) for one in expected]
    possible = [sum(not {a, b} & {c, d} for (a, b, _), (c, d, _) in combinations(edges(one), 2)) for one in sentences]
    assert possible_crossings(heads, offsets).tolist() == possible
    assert tree_mask(heads, offsets).all()


@given(trees(), st.data())
def test_nonprojective_edges_of_several_roots(heads: list[int], data: st.DataObject) -> None:
    forest = [0 if data.draw(st.booleans()) else head for head in heads]
    found = crossings(*joined([forest])).nonprojective.tolist()
    assert found == [nonprojective(forest, word) for word in range(1, len(forest) + 1)]


def test_pairs_are_counted_over_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    order = np.random.default_rng(3).permutation(60)
    heads = np.zeros(60, dtype=int)
    heads[order[1:]] = order[:-1] + 1
    offsets = np.array([0, 60])
    whole = crossings(heads, offsets)
    monkeypatch.setattr(tree, "_PAIRS", 5)
    steps = crossings(heads, offsets)
    assert steps.pairs.tolist() == whole.pairs.tolist() == [len(crossing_pairs(heads.tolist()))]
    assert np.array_equal(steps.nonprojective, whole.nonprojective)


def test_a_deep_tree_full_of_crossings_is_counted() -> None:
    size = tree.LONGEST // 2
    order = np.random.default_rng(1).permutation(size)
    heads = np.zeros(size, dtype=int)
    heads[order[1:]] = order[:-1] + 1  # one chain through all words in a random order: the worst case
    found = crossings(heads, np.array([0, size]))
    assert not found.too_long.any()
    assert found.pairs[0] > size**2 // 10
    assert depths(heads, np.array([0, size])).max() == size


def test_longer_sentences_are_left_out_and_counted() -> None:
    flat = [0] + [1] * 99_999
    chain = list(range(100_000))
    knot = [3, 4, 0, 3]
    heads, offsets = joined([flat, knot, chain])
    found = crossings(heads, offsets)
    assert found.too_long.tolist() == [True, False, True]
    assert found.pairs.tolist() == [0, len(crossing_pairs(knot)), 0]
    assert projective_mask(heads, offsets).tolist() == [True, False, True]
    assert depths(heads, offsets).max() == 100_000
    assert tree_mask(heads, offsets).all()


def test_partial_gold_is_no_gap() -> None:
    treebank = Treebank(conllu([3, None, 0]))
    assert not crossings(treebank.heads, treebank.offsets).nonprojective.any()
    assert depths(treebank.heads, treebank.offsets).tolist() == [2, -1, 1]


def best(scores: np.ndarray) -> int:
    """The highest score of any tree with one root, by trying all assignments of heads."""
    n = len(scores) - 1
    trees = (
        heads for heads in product(range(n + 1), repeat=n)
        if heads.count(0) == 1 and tree_mask(np.array(heads), np.array([0, n]))[0]
    )  # fmt: skip
    return max(sum(int(scores[head, word]) for word, head in enumerate(heads, 1)) for heads in trees)


@settings(max_examples=150, deadline=None)
@given(st.integers(1, 5), st.data())
def test_no_tree_scores_more(n: int, data: st.DataObject) -> None:
    cells = data.draw(st.lists(st.integers(-3, 9), min_size=(n + 1) ** 2, max_size=(n + 1) ** 2))
    scores = np.array(cells).reshape(n + 1, n + 1)
    heads = spanning_tree(scores)
    assert heads.count(0) == 1
    assert tree_mask(np.array(heads), np.array([0, n]))[0]
    assert sum(int(scores[head, word]) for word, head in enumerate(heads, 1)) == best(scores)


def test_long_sentences_with_many_cycles() -> None:
    """Votes of 20 random trees over 120 words: a tree, and none of the voters scores more."""
    rng = np.random.default_rng(1)
    n, votes, voters = 120, np.zeros((121, 121), dtype=np.int64), []
    for _ in range(20):
        order = rng.permutation(n) + 1
        heads = np.zeros(n, dtype=np.int64)
        for place in range(1, n):
            heads[order[place] - 1] = order[rng.integers(place)]
        voters.append(heads)
        votes[heads, np.arange(1, n + 1)] += 1
    tree = np.array(spanning_tree(votes))
    assert tree_mask(tree, np.array([0, n]))[0]
    won = votes[tree, np.arange(1, n + 1)].sum()
    assert all(votes[heads, np.arange(1, n + 1)].sum() <= won for heads in voters)
