"""Random trees: uniform by enumeration, and the shortest arrangement against all arrangements."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest
from scipy.stats import chisquare

from gardenpath.errors import UsageError
from gardenpath.systems import parse_with, system
from gardenpath.systems.random_trees import random_labelled, random_projective, shortest_arrangement, tree_count
from gardenpath.systems.reconcile import tree_fault
from gardenpath.treebank import Treebank, tree_mask


def all_trees(words: int) -> list[tuple[int, ...]]:
    """Every assignment of heads that is a tree."""
    return [heads for heads in product(range(words + 1), repeat=words) if not tree_fault([str(head) for head in heads])]


def is_projective(heads: tuple[int, ...]) -> bool:
    """No two edges cross, the one from the root (0) included."""
    edges = [sorted((head, word)) for word, head in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in edges for c, d in edges)


def test_there_are_as_many_projective_trees_as_counted() -> None:
    for words in range(1, 6):
        assert tree_count(words) == sum(map(is_projective, all_trees(words)))
    assert [tree_count(words) for words in range(1, 9)] == [1, 2, 7, 30, 143, 728, 3876, 21318]  # OEIS A006013


@pytest.mark.parametrize(
    ("make", "trees"),
    [
        (random_projective, [heads for heads in all_trees(4) if is_projective(heads)]),
        (random_labelled, all_trees(4)),
    ],
)
def test_each_tree_is_as_likely_as_any_other(make, trees) -> None:
    draw = Random(1)
    counts = Counter(tuple(make(4, draw)) for _ in range(100 * len(trees)))
    assert set(counts) == set(trees)
    assert chisquare([counts[tree] for tree in trees]).pvalue > 0.01


def arrangements(heads: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The tree with its nodes in every order that is projective."""
    words = range(1, len(heads) + 1)
    trees = []
    for places in permutations(words):
        arranged = [0] * len(heads)
        for node in words:
            head = heads[node - 1]
            arranged[places[node - 1] - 1] = places[head - 1] if head else 0
        if is_projective(tuple(arranged)):
            trees.append(tuple(arranged))
    return trees


def length(heads) -> int:
    return sum(abs(head - word) for word, head in enumerate(heads, 1) if head)


def test_the_arrangement_is_the_shortest_of_all() -> None:
    draw = Random(2)
    trees = [heads for words in (1, 2, 3) for heads in all_trees(words)]
    trees += [tuple(random_labelled(words, draw)) for words in (4, 5, 6) for _ in range(15)]
    for heads in trees:
        others = arrangements(heads)
        arranged = tuple(shortest_arrangement(heads))
        assert arranged in others
        assert length(arranged) == min(map(length, others))


@pytest.mark.parametrize("rule", ["random-projective", "optimal-linear-arrangement"])
def test_words_and_seed_decide_the_tree(dev: Treebank, rule: str) -> None:
    first, other = (parse_with(f"baseline:{rule}{seed}", dev) for seed in ("", "#seed=1"))
    assert not first.failures
    assert tree_mask(first.treebank.heads, first.treebank.offsets).all()
    assert first.treebank.heads.tolist() != other.treebank.heads.tolist()
    alone = parse_with(f"baseline:{rule}", dev[3:4])
    assert alone.treebank.heads.tolist() == [word.head for word in first.treebank[3]]
    assert (f"rule:{rule}|seed:0" in first.signature, f"rule:{rule}|seed:1" in other.signature) == (True, True)
    assert system(f"baseline:{rule}#seed=1").name == f"baseline:{rule}#seed=1"


def test_long_sentences_are_no_trouble() -> None:
    assert not tree_fault([str(head) for head in random_projective(300, Random(0))])
    assert not tree_fault([str(head) for head in shortest_arrangement(random_labelled(300, Random(0)))])


def test_a_seed_where_nothing_is_drawn_is_refused() -> None:
    with pytest.raises(UsageError, match="nothing is drawn"):
        system("baseline:right-branching#seed=1")
