"""Maximum spanning trees against a search through all trees."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.treebank.spanning import spanning_tree
from gardenpath.treebank.tree import tree_mask


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
