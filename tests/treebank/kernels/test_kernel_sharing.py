"""Equal subtrees are one, and trees come back as they were."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_oracles import Tree, nodes_of, subtree, trees, written_out

from gardenpath.treebank.kernels import equal_classes
from gardenpath.treebank.kernels.sharing import from_nested

BATCHES = st.lists(trees(9), min_size=1, max_size=8)


@settings(deadline=None)
@given(batch=BATCHES)
def test_a_forest_has_each_different_subtree_once(batch: list[Tree]) -> None:
    forest = from_nested(batch)
    assert [written_out(forest, number) for number in range(len(forest))] == batch
    assert forest.subtrees == len({repr(node) for tree in batch for node in nodes_of(tree)})
    assert (forest.children < forest.parents).all()


@settings(deadline=None)
@given(batch=BATCHES)
def test_counts_are_of_all_nodes(batch: list[Tree]) -> None:
    forest = from_nested(batch)
    different = list({repr(tree): tree for tree in batch}.values())
    found = [Counter[str]() for _ in different]
    subtrees = [repr(subtree(forest, number)) for number in range(forest.subtrees)]
    for tree, node, times in zip(*forest.counts, strict=True):
        found[tree][subtrees[node]] = int(times)
    assert found == [Counter(repr(node) for node in nodes_of(tree)) for tree in different]


@settings(deadline=None)
@given(batch=BATCHES)
def test_classes_are_of_equal_trees_and_hold_every_tree_once(batch: list[Tree]) -> None:
    classes = equal_classes(from_nested(batch))
    assert sorted(np.concatenate(classes).tolist()) == list(range(len(batch)))
    assert all(batch[member] == batch[members[0]] for members in classes for member in members)
    assert len(classes) == len({repr(tree) for tree in batch})
    assert [len(members) for members in classes] == sorted(map(len, classes), reverse=True)


def test_trees_may_be_deeper_than_the_stack() -> None:
    tree: Tree = ("a", [])
    for _ in range(5000):
        tree = ("a", [tree])
    forest = from_nested([tree])
    assert (forest.subtrees, int(forest.heights.max())) == (5001, 5000)
