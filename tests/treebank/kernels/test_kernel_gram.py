"""Properties of Gram matrices: symmetric, positive semidefinite, 1 for equal trees and for no others."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_oracles import Tree, partial_by_lengths, random_tree, trees, written_out

from gardenpath.errors import UsageError
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.kernels import TreeKernel, equal_classes, kernel_trees
from gardenpath.treebank.kernels.kernel import KINDS
from gardenpath.treebank.kernels.sharing import from_nested

KERNELS = st.builds(TreeKernel, st.sampled_from(KINDS), st.sampled_from([0.4, 1]))
INNER = trees(12, "abc").filter(lambda tree: bool(tree[1]))
"""Trees of more than a leaf: a leaf alone has no fragment in two of the kernels."""


@settings(deadline=None)
@given(kernel=KERNELS, batch=st.lists(trees(12, "abc"), min_size=1, max_size=6))
def test_symmetric_and_positive_semidefinite(kernel: TreeKernel, batch: list[Tree]) -> None:
    gram = kernel.gram(from_nested(batch))
    normalised = gram.normalised()
    assert (gram.values == gram.values.T).all()
    assert (normalised == normalised.T).all()
    assert np.linalg.eigvalsh(normalised).min() > -1e-9


@settings(deadline=None)
@given(kernel=KERNELS, batch=st.lists(INNER, min_size=1, max_size=6))
def test_normalised_is_1_for_equal_trees_and_no_others(kernel: TreeKernel, batch: list[Tree]) -> None:
    batch = [*batch, deepcopy(batch[0])]
    normalised = kernel.gram(from_nested(batch)).normalised()
    assert ((normalised == 1) == np.array([[a == b for b in batch] for a in batch])).all()
    assert (normalised >= 0).all()
    assert (normalised <= 1).all()


@settings(deadline=None)
@given(kernel=KERNELS, batch=st.lists(trees(12, "abc"), min_size=1, max_size=8), pairs=st.sampled_from([1, 30, 100]))
def test_blocks_give_the_same_matrix(kernel: TreeKernel, batch: list[Tree], pairs: int) -> None:
    forest = from_nested(batch)
    whole, blocks = kernel.gram(forest).values, kernel.gram(forest, pairs=pairs).values
    assert blocks.astype(float).ravel() == pytest.approx(whole.astype(float).ravel(), rel=1e-12)
    if kernel.exact:
        assert blocks.tolist() == whole.tolist()


def test_blocks_are_exact_past_floating_point() -> None:
    chance = Random(3)
    batch = [random_tree(80, chance, "abc") for _ in range(5)]
    forest = from_nested([*batch, batch[2]])
    assert TreeKernel().gram(forest, pairs=1).values.tolist() == TreeKernel().gram(forest).values.tolist()


def test_values_past_floating_point_are_normalised_without_it() -> None:
    wide: Tree = ("top", [("a", [("b", [])]) for _ in range(420)])
    other: Tree = ("top", [*wide[1], ("c", [])])
    gram = TreeKernel().gram(from_nested([wide, other, ("top", [("a", [])])]))
    assert gram.values[0, 0] > 10**308
    normalised = gram.normalised()
    # the new leaf doubles the fragments of the top, and adds one: of all there are, half are shared
    assert normalised[0, 1] == pytest.approx(0.5**0.5)
    assert 0 < normalised[0, 2] < 1e-150
    assert normalised.diagonal().tolist() == [1, 1, 1]


def test_published_rounding_can_call_different_trees_equal() -> None:
    near = from_nested([("a", [("b", []) for _ in range(count)]) for count in (60, 61)])
    gram = TreeKernel("partial", decay=0.001).gram(near)
    assert gram.normalised("published")[0, 1] == 1
    assert 0.9999 < gram.normalised()[0, 1] < 1
    assert len(equal_classes(near)) == 2


def test_trees_without_any_fragment_share_nothing() -> None:
    normalised = TreeKernel("subset").gram(from_nested([("a", []), ("b", []), ("a", [("b", [])])])).normalised()
    assert normalised.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_unknown_rounding_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown rounding"):
        TreeKernel().gram(from_nested([("a", [])])).normalised("publish")


def test_no_trees_give_an_empty_matrix() -> None:
    forest = from_nested([])
    assert TreeKernel().gram(forest).values.shape == (0, 0)
    assert TreeKernel().gram(forest).normalised().shape == (0, 0)
    assert equal_classes(forest) == []


def two_long_sentences() -> Treebank:
    """Two of 110 words, in which every word hangs at one of the five before it."""
    chance = Random(4)
    rows = ""
    for _ in range(2):
        for number in range(1, 111):
            head = 0 if number == 1 else chance.randint(max(1, number - 5), number - 1)
            label = "root" if number == 1 else chance.choice(["obj", "det", "conj"])
            rows += f"{number}\tw\t_\t{chance.choice(['NOUN', 'VERB'])}\t_\t_\t{head}\t{label}\t_\t_\n"
        rows += "\n"
    return Treebank(rows.encode())


@pytest.mark.parametrize("name", ["made", "ud/UD_English-EWT/en_ewt-ud-train.conllu"])
def test_sentences_of_more_than_a_hundred_words(name: str, file_named: Callable[[str], Path]) -> None:
    treebank = two_long_sentences() if name == "made" else read(file_named(name))
    long = np.flatnonzero(treebank.lengths > 100)[:2]
    forest = kernel_trees(treebank.select(long))
    found = TreeKernel().gram(forest).values
    batch = [written_out(forest, number) for number in range(len(long))]
    assert found.tolist() == [[partial_by_lengths(a, b) for b in batch] for a in batch]
    assert found.max() > 2**150
