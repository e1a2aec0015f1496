"""Tree kernels against slow oracles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_oracles import (
    Tree,
    common_fragments,
    from_nested,
    nodes_of,
    partial_by_definition,
    partial_by_lengths,
    random_tree,
    subset_by_definition,
    subtree,
    trees,
    written_out,
)

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.kernels import forest as partial
from gardenpath.treebank.kernels import kernel
from gardenpath.treebank.kernels.forest import equal_classes
from gardenpath.treebank.kernels.kernel import KINDS, TreeKernel
from gardenpath.treebank.kernels.shapes import kernel_trees

BATCHES = st.lists(trees(), min_size=1, max_size=4)
PARAMETERS = st.sampled_from([0.1, 0.4, 0.5, 0.9, 1.0])


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None)
@given(batch=BATCHES)
def test_kernels_count_common_fragments(kind: str, batch: list[Tree]) -> None:
    found = TreeKernel(kind).gram(from_nested(batch)).values
    assert found.tolist() == [[common_fragments(kind, a, b) for b in batch] for a in batch]
    assert all(type(value) is int for value in found.ravel())


@settings(deadline=None)
@given(batch=BATCHES, decay=PARAMETERS, mu=PARAMETERS, weight=st.sampled_from(["span", "gaps"]))
def test_partial_kernel_with_decay_is_moschittis_equation_3(
    batch: list[Tree], decay: float, mu: float, weight: str
) -> None:
    found = TreeKernel("partial", decay, mu, weight).gram(from_nested(batch)).values
    expected = [[partial_by_definition(a, b, Fraction(decay), Fraction(mu), weight) for b in batch] for a in batch]
    assert found.astype(float).ravel() == pytest.approx(np.array(expected, dtype=float).ravel(), rel=1e-12)


@settings(deadline=None)
@given(batch=BATCHES, decay=PARAMETERS, mu=PARAMETERS, weight=st.sampled_from(["span", "gaps"]))
def test_the_compiled_partial_kernel_is_moschittis_equation_3(
    batch: list[Tree], decay: float, mu: float, weight: str
) -> None:
    compiled = pytest.importorskip("gardenpath.treebank.kernels.compiled")
    partial_kernel = TreeKernel("partial", decay, mu, weight, whole=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel, "COMPILED_FROM", 0)
        watched = Mock(wraps=compiled.partial_matrix)
        patch.setattr(compiled, "partial_matrix", watched)
        values = partial_kernel.gram(from_nested(batch)).values
    assert watched.call_count == 1
    expected = [[partial_by_definition(a, b, Fraction(decay), Fraction(mu), weight) for b in batch] for a in batch]
    assert values.ravel() == pytest.approx(np.array(expected, dtype=float).ravel(), rel=1e-12)


@settings(deadline=None)
@given(batch=BATCHES, decay=PARAMETERS, mu=PARAMETERS, weight=st.sampled_from(["span", "gaps"]), most=st.integers(0, 3))
def test_pairs_with_many_children_are_done_the_same(
    batch: list[Tree], decay: float, mu: float, weight: str, most: int
) -> None:
    kernel, forest = TreeKernel("partial", decay, mu, weight), from_nested(batch)
    expected = kernel.gram(forest).values
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(partial, "WIDE", most)
        found = kernel.gram(forest).values
    assert found.astype(float).ravel() == pytest.approx(expected.astype(float).ravel(), rel=1e-12)


@settings(deadline=None)
@given(batch=BATCHES, decay=PARAMETERS, kind=st.sampled_from(["subset", "subtree"]))
def test_subset_and_subtree_kernels_with_decay_are_collins_and_duffys_recursion(
    batch: list[Tree], decay: float, kind: str
) -> None:
    found = TreeKernel(kind, decay).gram(from_nested(batch)).values
    expected = [[subset_by_definition(a, b, Fraction(decay), kind == "subtree") for b in batch] for a in batch]
    assert found.astype(float).ravel() == pytest.approx(np.array(expected, dtype=float).ravel(), rel=1e-12)


@settings(deadline=None)
@given(batch=BATCHES, decay=PARAMETERS, mu=PARAMETERS)
def test_weight_gaps_is_the_recursion_over_lengths(batch: list[Tree], decay: float, mu: float) -> None:
    found = TreeKernel("partial", decay, mu, "gaps").gram(from_nested(batch)).values
    expected = [[partial_by_lengths(a, b, Fraction(decay), Fraction(mu)) for b in batch] for a in batch]
    assert found.astype(float).ravel() == pytest.approx(np.array(expected, dtype=float).ravel(), rel=1e-12)


def test_values_of_large_trees_are_exact_whole_numbers() -> None:
    chance = Random(1)
    batch = [random_tree(size, chance) for size in (220, 250, 40)]
    batch.append((batch[1][0], [*batch[1][1], ("g", [])]))  # nearly equal, far past floating point
    found = TreeKernel().gram(from_nested(batch)).values
    assert found.tolist() == [[partial_by_lengths(a, b) for b in batch] for a in batch]
    assert found.max() > 2**100


def test_wide_and_deep_trees_are_exact() -> None:
    flat: Tree = ("a", [("b", []) for _ in range(90)])
    deep: Tree = ("a", [])
    for _ in range(400):
        deep = ("a", [deep])
    kernel = TreeKernel()
    # k of 90 equal children on both sides: Σ C(90, k)² = C(180, 90); and 90 · 90 pairs of leaves
    assert kernel.gram(from_nested([flat])).values[0, 0] == comb(180, 90) + 90 * 90
    # chains of n nodes share Σ min(i, j) over all pairs of nodes
    assert kernel.gram(from_nested([deep])).values[0, 0] == 401 * 402 * (2 * 401 + 1) // 6


@pytest.mark.parametrize("compiled", [True, False])
def test_floating_point_is_enough_for_normalised_values(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also past its range, where it goes on in decimals; trees that differ are never called equal."""
    monkeypatch.setattr(kernel, "COMPILED_FROM" if compiled else "COMPILED_TO", 0)
    chance = Random(7)
    batch = [random_tree(size, chance, "ab", 6) for size in (20, 60, 60, 150)]
    huge: Tree = ("a", [("b", []) for _ in range(600)])
    for some in (batch, [huge, ("a", [("b", []) for _ in range(599)])]):
        forest = from_nested(some)
        exact, floating = (TreeKernel(whole=whole).gram(forest) for whole in (True, False))
        assert exact.exact
        assert not floating.exact
        assert floating.normalised() == pytest.approx(exact.normalised(), rel=1e-12)
        assert (floating.normalised()[~np.eye(len(some), dtype=bool)] < 1).all()
    assert TreeKernel().gram(from_nested([huge])).values[0, 0] > 10**308


def test_subset_kernel_is_exact_past_floating_point() -> None:
    tree: Tree = ("a", [("b", [])])
    for _ in range(6):
        tree = ("a", [tree, tree])
    other: Tree = ("a", [tree, ("a", [("c", []), tree])])
    found = TreeKernel("subset").gram(from_nested([tree, other])).values
    expected = [[subset_by_definition(a, b, Fraction(1), whole=False) for b in (tree, other)] for a in (tree, other)]
    assert found.tolist() == expected
    assert found.min() > 2**64


def test_values_past_the_range_of_floating_point_with_decay_are_decimals() -> None:
    chance = Random(5)
    batch = [random_tree(3000, chance, "a", 40), random_tree(30, chance, "a", 40)]
    for weight in ("span", "gaps"):
        gram = TreeKernel("partial", 0.99, 0.98, weight).gram(from_nested(batch))
        assert isinstance(gram.values[0, 0], Decimal)
        assert gram.values[0, 0] > Decimal("1e308")
        assert gram.values[0, 1] == gram.values[1, 0]
        normalised = gram.normalised()
        assert normalised.diagonal().tolist() == [1, 1]
        assert 0 < normalised[0, 1] < 1


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 99), decay=st.sampled_from([0.3, 0.9]), weight=st.sampled_from(["span", "gaps"]))
def test_decimals_are_what_floating_point_would_be(seed: int, decay: float, weight: str) -> None:
    """The slow way in numbers without bounds, where both can be had."""
    chance = Random(seed)
    forest = from_nested([random_tree(60, chance), random_tree(60, chance)])

    class Slow(TreeKernel):
        limit = 1e-9  # everything counts as too large for floating point

    plain = TreeKernel("partial", decay, 0.8, weight).gram(forest).values
    slow = Slow("partial", decay, 0.8, weight).gram(forest).values
    assert slow.astype(float).ravel() == pytest.approx(plain.ravel(), rel=1e-12)


def test_unknown_names_and_parameters_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown tree kernel 'partiel'\n  did you mean partial"):
        TreeKernel("partiel")
    with pytest.raises(UsageError, match="unknown weight"):
        TreeKernel(weight="length")
    with pytest.raises(UsageError, match="decay is 0: it must be above 0"):
        TreeKernel(decay=0)
    with pytest.raises(UsageError, match="mu is of the partial tree kernel alone"):
        TreeKernel("subset", mu=0.5)


CATS = """\
1	Two	two	NUM	_	NumType=Card	2	nummod	_	_
2	cats	cat	NOUN	_	Number=Plur	3	nsubj	_	_
3	sleep	sleep	VERB	_	_	0	root	_	_
4	here	here	ADV	_	_	3	advmod	_	_

"""


def brackets(tree: Any) -> str:
    (_, text), children = tree
    return f"({text}{''.join(map(brackets, children))})"


def shown(text: str, **how: Any) -> str:
    return brackets(written_out(kernel_trees(Treebank(text.encode()), **how), 0))


def test_grct_has_relations_as_centres() -> None:
    assert shown(CATS) == "(root(VERB(_))(nsubj(NOUN(Number=Plur))(nummod(NUM(NumType=Card))))(advmod(ADV(_))))"
    assert shown(CATS, leaves=()) == "(root(VERB)(nsubj(NOUN)(nummod(NUM)))(advmod(ADV)))"
    assert (
        shown(CATS, leaves=("lemma",)) == "(root(VERB(sleep))(nsubj(NOUN(cat))(nummod(NUM(two))))(advmod(ADV(here))))"
    )


def test_pct_has_tags_as_centres() -> None:
    assert shown(CATS, shape="pct", leaves=("form",)) == (
        "(root(VERB(sleep)(nsubj(NOUN(cats)(nummod(NUM(Two)))))(advmod(ADV(here)))))"
    )


def test_lct_has_words_as_centres_with_relation_and_tag_as_the_last_children() -> None:
    assert shown(CATS, shape="lct", leaves=("form", "feats")) == (
        "(sleep(cats(Two(nummod)(NUM)(NumType=Card))(nsubj)(NOUN)(Number=Plur))(here(advmod)(ADV)(_))(root)(VERB)(_))"
    )


def test_siblings_in_the_order_of_udon2() -> None:
    """Dependents by UPOS|DEPREL|FORM, then all children of a node by label: upper case before lower."""
    assert shown(CATS, order="udon2") == (
        "(root(VERB(_))(advmod(ADV(_)))(nsubj(NOUN(Number=Plur))(nummod(NUM(NumType=Card)))))"
    )
    assert shown(CATS, order="udon2", shape="lct", leaves=("form",)) == (
        "(sleep(VERB)(cats(NOUN)(Two(NUM)(nummod))(nsubj))(here(ADV)(advmod))(root))"
    )


def war(year: str) -> str:
    """Two numerals as obl, of which one has a preposition: the tree is the same whatever the year."""
    return f"""\
1	Born	bear	VERB	_	_	0	root	_	_
2	in	in	ADP	_	_	3	case	_	_
3	{year}	{year}	NUM	_	NumType=Card	1	obl	_	_
4	1500	1500	NUM	_	NumType=Card	1	obl	_	_

"""


def test_a_year_alone_changes_the_measure_in_udon2s_order_but_not_in_surface_order() -> None:
    treebank = Treebank((war("1200") + war("2000")).encode())
    surface, udon2 = (kernel_trees(treebank, order=order) for order in ("surface", "udon2"))
    kernel = TreeKernel()
    assert kernel.gram(surface).normalised()[0, 1] == 1
    assert kernel.gram(udon2).normalised()[0, 1] < 0.9
    assert [members.tolist() for members in equal_classes(surface)] == [[0, 1]]
    assert [members.tolist() for members in equal_classes(udon2)] == [[0], [1]]


def test_a_tag_never_equals_a_relation_that_is_written_alike() -> None:
    blank = "1\tx\t_\t_\t_\t_\t0\t_\t_\t_\n\n"
    forest = kernel_trees(Treebank(blank.encode()))
    assert forest.subtrees == 3
    # chains of 1, 2 and 3 nodes: 1 + 2 + 3 common fragments, none across columns
    assert TreeKernel().gram(forest).values[0, 0] == 6


def test_equal_sentences_are_equal_trees_and_forms_do_not_matter_unless_they_are_leaves() -> None:
    treebank = Treebank((CATS + CATS.replace("cats", "dogs") + CATS).encode())
    assert [c.tolist() for c in equal_classes(kernel_trees(treebank))] == [[0, 1, 2]]
    assert [c.tolist() for c in equal_classes(kernel_trees(treebank, leaves=("form",)))] == [[0, 2], [1]]


def test_what_is_no_tree_is_refused_with_its_place() -> None:
    cyclic = CATS.replace("\t3\tnsubj", "\t1\tnsubj")
    with pytest.raises(InputError, match="<bytes>:6: sentence s2 is not a tree"):
        kernel_trees(Treebank((CATS + "# sent_id = s2\n" + cyclic).encode()))


def test_unknown_names_are_refused() -> None:
    treebank = Treebank(CATS.encode())
    with pytest.raises(UsageError, match="unknown shape of trees 'grtc'\n  did you mean grct"):
        kernel_trees(treebank, shape="grtc")
    with pytest.raises(UsageError, match="unknown order of siblings 'udon'\n  did you mean udon2"):
        kernel_trees(treebank, order="udon")
    with pytest.raises(UsageError, match="unknown column for leaves 'feat'\n  did you mean feats"):
        kernel_trees(treebank, leaves=("feat",))
    with pytest.raises(UsageError, match="lct needs a leaf"):
        kernel_trees(treebank, shape="lct", leaves=())


@pytest.mark.parametrize("shape", ["grct", "pct", "lct"])
@pytest.mark.parametrize("order", ["surface", "udon2"])
def test_a_whole_treebank_has_a_node_for_every_label_of_every_word(samples: Path, shape: str, order: str) -> None:
    treebank = read(samples / "en_garden-test.conllu")
    forest = kernel_trees(treebank, shape=shape, leaves=("form", "feats"), order=order)
    tree, _, times = forest.counts
    first = np.unique(forest.roots, return_index=True)[1]
    sizes = dict(zip(forest.roots[first].tolist(), treebank.lengths[first].tolist(), strict=True))
    found = np.bincount(tree, weights=times).astype(int).tolist()
    assert found == [4 * sizes[root] for root in forest.different[0].tolist()]


SHARED_BATCHES = st.lists(trees(9), min_size=1, max_size=8)


@settings(deadline=None)
@given(batch=SHARED_BATCHES)
def test_a_forest_has_each_different_subtree_once(batch: list[Tree]) -> None:
    forest = from_nested(batch)
    assert [written_out(forest, number) for number in range(len(forest))] == batch
    assert forest.subtrees == len({repr(node) for tree in batch for node in nodes_of(tree)})
    assert (forest.children < forest.parents).all()


@settings(deadline=None)
@given(batch=SHARED_BATCHES)
def test_counts_are_of_all_nodes(batch: list[Tree]) -> None:
    forest = from_nested(batch)
    different = list({repr(tree): tree for tree in batch}.values())
    found = [Counter[str]() for _ in different]
    subtrees = [repr(subtree(forest, number)) for number in range(forest.subtrees)]
    for tree, node, times in zip(*forest.counts, strict=True):
        found[tree][subtrees[node]] = int(times)
    assert found == [Counter(repr(node) for node in nodes_of(tree)) for tree in different]


@settings(deadline=None)
@given(batch=SHARED_BATCHES)
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
