"""Kernels against fragments written out one by one, and against the papers' recursions in fractions."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import comb
from random import Random
from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_oracles import (
    Tree,
    common_fragments,
    partial_by_definition,
    partial_by_lengths,
    random_tree,
    subset_by_definition,
    trees,
)

from gardenpath.errors import UsageError
from gardenpath.treebank.kernels import TreeKernel, kernel, partial
from gardenpath.treebank.kernels.kernel import KINDS
from gardenpath.treebank.kernels.sharing import from_nested

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
