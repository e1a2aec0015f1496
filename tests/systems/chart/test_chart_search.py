"""CKY and the margin against all trees of short sentences, and the gradient against differences."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra neural is not installed")

from gardenpath.systems.chart.cky import best_splits, spans_of  # noqa: E402
from gardenpath.systems.chart.encoding import Answers, spans_of_all  # noqa: E402
from gardenpath.systems.chart.losses import margin_loss  # noqa: E402

Tree = tuple[tuple[int, int], ...]


def binary_trees(begin: int, end: int) -> Iterator[Tree]:
    """Every binary tree over these fenceposts, as its spans."""
    if end - begin == 1:
        yield ((begin, end),)
    for middle in range(begin + 1, end):
        for left, right in product(binary_trees(begin, middle), binary_trees(middle, end)):
            yield ((begin, end), *left, *right)


def test_the_best_tree_of_all() -> None:
    """Sentences of 1 to 6 words in one batch; 42 trees over 6 words."""
    lengths = [1, 6, 3, 2, 5, 4]
    scores = torch.randn((len(lengths), 7, 7), generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    best, splits = best_splits(scores, torch.tensor(lengths))
    for number, length in enumerate(lengths):
        trees = list(binary_trees(0, length))
        sums = [sum(float(scores[number, begin, end]) for begin, end in tree) for tree in trees]
        assert float(best[number]) == pytest.approx(max(sums))
        found = spans_of(splits[number].tolist(), length)
        assert sorted(found) == sorted(trees[int(np.argmax(sums))])
        assert found == sorted(found, key=lambda span: (span[0], -span[1])), "mothers first"
    assert len(list(binary_trees(0, 6))) == 42


def gold_of(chains: list[tuple[int, int, int]]) -> Answers:
    return Answers(np.zeros(0, np.int64), np.array(chains, np.int64).reshape(-1, 3), np.zeros(0, np.int64))


def test_the_margin_is_that_of_the_worst_tree() -> None:
    """Brute force: every binary tree with every chain at every span, of sentences of 3 and 2 words, 3 chains."""
    lengths, gold = [3, 2], [{(0, 3): 1, (1, 3): 2}, {(0, 1): 2}]
    spans = spans_of_all(lengths)
    answers = [gold_of([(begin, end, chain) for (begin, end), chain in own.items()]) for own in gold]
    for seed in range(5):
        random = torch.Generator().manual_seed(seed)
        scores = torch.randn((len(spans.places), 3), generator=random, dtype=torch.float64)
        scores[:, 0] = 0
        scores.requires_grad_()
        at = {tuple(place): number for number, place in enumerate(spans.places.tolist())}
        plain, wanted = scores.tolist(), 0.0
        for number, (length, true) in enumerate(zip(lengths, gold, strict=True)):
            right = sum(plain[at[number, begin, end]][chain] for (begin, end), chain in true.items())
            worst = max(
                sum(
                    plain[at[number, begin, end]][chain] + (chain != true.get((begin, end), 0))
                    for (begin, end), chain in zip(tree, chains, strict=True)
                )
                for tree in binary_trees(0, length)
                for chains in product(range(3), repeat=len(tree))
            )
            wanted += max(0.0, worst - right)
        assert float(margin_loss(scores, spans, lengths, answers)) == pytest.approx(wanted)
        assert wanted > 0
        assert torch.autograd.gradcheck(lambda given: margin_loss(given, spans, lengths, answers), (scores,))


def test_no_loss_where_the_true_tree_wins_by_the_margin() -> None:
    lengths = [3]
    spans = spans_of_all(lengths)
    scores = torch.full((len(spans.places), 2), -9.0)
    scores[:, 0] = 0
    for number, place in enumerate(spans.places.tolist()):
        if place[1:] in ([0, 3], [0, 2]):
            scores[number, 1] = 9.0
    assert float(margin_loss(scores, spans, lengths, [gold_of([(0, 3, 1), (0, 2, 1)])])) == 0
