"""CKY and the sum over all trees against every tree of short sentences, and the gradient against differences."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="the extra neural is not installed")

from gardenpath.systems.chart.cky import best_splits, spans_of  # noqa: E402
from gardenpath.systems.chart.decoding import best_mothers, probabilities  # noqa: E402
from gardenpath.systems.chart.encoding import Answers, spans_of_all  # noqa: E402
from gardenpath.systems.chart.lessons import candidates, skeleton_of  # noqa: E402
from gardenpath.systems.chart.losses import tree_loss  # noqa: E402

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
        chosen = spans_of(splits[number].tolist(), length)
        assert sorted(chosen) == sorted(trees[int(np.argmax(sums))])
        assert chosen == sorted(chosen, key=lambda span: (span[0], -span[1])), "mothers first"
    assert len(list(binary_trees(0, 6))) == 42


def gold_of(chains: list[tuple[int, int, int]]) -> Answers:
    return Answers(np.zeros(0, np.int64), np.array(chains, np.int64).reshape(-1, 3), np.zeros(0, np.int64))


def test_the_loss_is_that_of_a_distribution_over_all_trees() -> None:
    """Brute force: every binary tree with every chain at every span, of sentences of 4, 1 and 2 words, 3 chains.

    Summed over the binary trees that come to it, the probability of gold is exp(-loss) times their number.
    """
    lengths, gold = [4, 1, 2], [{(0, 4): 1, (1, 3): 2}, {(0, 1): 1}, {(0, 1): 2}]
    spans = spans_of_all(lengths)
    at = {tuple(place): number for number, place in enumerate(spans.places.tolist())}
    answers = [gold_of([(begin, end, chain) for (begin, end), chain in own.items()]) for own in gold]
    scores = torch.randn((len(at), 3), generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    scores[:, 0] = 0
    marginal = probabilities(scores, spans, torch.tensor(lengths))
    plain = scores.tolist()
    expected = 0.0
    for number, (length, true) in enumerate(zip(lengths, gold, strict=True)):
        every = right = 0.0
        same = 0
        likely: dict[tuple[int, int], float] = {}
        for tree in binary_trees(0, length):
            for chains in product(range(3), repeat=len(tree)):
                labelled = dict(zip(tree, chains, strict=True))
                weight = math.exp(sum(plain[at[number, *span]][chain] for span, chain in labelled.items()))
                every += weight
                for place, chain in ((at[number, *span], chain) for span, chain in labelled.items()):
                    likely[place, chain] = likely.get((place, chain), 0.0) + weight
                if {span: chain for span, chain in labelled.items() if chain} == true:
                    right += weight
                    same += 1
        expected -= math.log(right / every / same)
        for (place, chain), weight in likely.items():
            assert float(marginal[place, chain]) == pytest.approx(weight / every)
    scores.requires_grad_()
    assert float(tree_loss(scores, spans, torch.tensor(lengths), answers).detach()) == pytest.approx(expected)
    assert torch.autograd.gradcheck(lambda given: tree_loss(given, spans, torch.tensor(lengths), answers), (scores,))


@pytest.mark.parametrize(
    ("loss", "single", "mother"),
    [(0.5, (), "VP"), (2.0, (), "S"), (0.5, ("VP",), "S"), (-0.5, ("VP",), "VP")],
    ids=["nearly as likely", "much less likely", "may have one child", "more likely"],
)
def test_a_phrase_with_one_child_takes_what_nearly_belongs_there(
    loss: float, single: tuple[str, ...], mother: str
) -> None:
    """*Das Buch hat er gelesen*: S over all, NP over the first two words, VP over the last."""
    tree = skeleton_of([(0, 5, ("S",)), (0, 2, ("NP",)), (4, 5, ("VP",))], ["ART", "NN", "VAFIN", "PPER", "VVPP"])
    pairs = candidates(tree, ())
    named = [f"{tree.names[a]} at {tree.names[b]}" for a, b in zip(pairs.children, pairs.targets, strict=True)]
    assert {"NP at S", "NP at VP"} < set(named)
    scores = [-loss if name == "NP at VP" else 0 if name.endswith("S") else -9 for name in named]
    found = best_mothers(tree, pairs, np.array(scores, np.float32), single)
    changed = {tree.names[row]: tree.names[found[row]] for row in np.flatnonzero(found != tree.mothers[:-1])}
    assert changed == ({"NP": "VP"} if mother == "VP" else {})
