"""Measures of a treebank against Udapi and against brute force over all pairs of edges."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from statistics import mean, median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.treebank import Draft, Treebank, Word, from_drafts, read
from gardenpath.treebank.measures import Measures, measure


def tree(*heads: int | None) -> Draft:
    return Draft([Word("w", "w", "X", head=head) for head in heads])


def measured(*drafts: Draft) -> Measures:
    return measure(from_drafts(drafts))


def test_sizes_with_multiword_tokens_and_empty_nodes() -> None:
    text = (
        "1-2\tzum\t_\t_\t_\t_\t_\t_\t_\t_\n1\tzu\tzu\tADP\t_\t_\t3\tcase\t_\t_\n2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_\n"
        "3\tZug\tZug\tNOUN\t_\t_\t0\troot\t_\t_\n3.1\t_\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
        "1\tZug\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
    )
    found = measure(Treebank(text.encode()))
    assert found.sizes._asdict() == {
        "sentences": 2, "words": 4, "tokens": 3, "multiword_tokens": 1, "empty_nodes": 1, "forms": 3, "lemmas": 3,
        "length_mean": 2.0, "length_median": 2.0, "length_min": 1, "length_max": 3,
    }  # fmt: skip
    assert found.upos == {"NOUN": 2, "ADP": 1, "DET": 1}
    assert found.deprel == {"root": 2, "case": 1, "det": 1}
    assert found.morphology.type_token_ratio == 3 / 4


def test_only_trees_are_measured_and_the_rest_is_counted() -> None:
    crossing, cycle, two_roots, partial = tree(3, 4, 0, 3), tree(2, 1, 0), tree(0, 0), tree(0, None)
    rootless = tree(2, 3, 1)
    found = measured(crossing, cycle, two_roots, partial, rootless)
    assert found.failures == {
        "not a tree": 4, "no root": 1, "several roots": 1, "cyclic": 2, "words without head": 1,
        "trees longer than 5000 words": 0,
    }  # fmt: skip
    assert found.shape == measured(crossing).shape
    assert found.shape.crossings == 1
    assert found.displacement.edges == 3


def test_no_tree_at_all() -> None:
    found = measured(tree(None, None))
    assert found.wellformed.trees == 0
    assert (found.shape.depth_mean, found.shape.projective_share, found.shape.crossing_ratio) == (None, None, None)


def test_edge_over_the_root_is_not_projective_and_crosses_nothing() -> None:
    found = measured(tree(3, 0, 2)).shape
    assert (found.projective, found.nonprojective_edges, found.crossings) == (0, 1, 0)


def test_mean_crossing_ratio_leaves_out_trees_where_nothing_could_cross() -> None:
    star, crossing, chain = tree(0, 1, 1, 1), tree(3, 4, 0, 3), tree(0, 1, 2, 3)
    found = measured(star, crossing, chain).shape
    assert (found.crossable, found.possible_crossings, found.crossings) == (2, 2, 1)
    assert found.crossing_ratio == pytest.approx((1 / 1 + 0 / 1) / 2)


def test_very_long_trees_are_left_out_where_edges_are_compared() -> None:
    long = tree(0, *range(1, 5001))
    found = measured(long, tree(0, 1))
    assert found.wellformed.too_long == 1
    assert (found.shape.edges, found.shape.edges_compared, found.shape.depth_max) == (5001, 1, 5001)
    assert found.shape.projective_share == 1.0


def brute_force(sentences: list[list[int]]) -> dict[str, float | None]:
    crossed, possible, ratios, bent, projective, depths, moves = 0, 0, [], 0, 0, [], []
    for heads in sentences:
        edges = [(word, head) for word, head in enumerate(heads, 1) if head]
        apart = [(a, b) for a, b in combinations(edges, 2) if not set(a) & set(b)]
        cross = [(a, b) for a, b in apart if min(a) < min(b) < max(a) < max(b) or min(b) < min(a) < max(b) < max(a)]
        crossed, possible = crossed + len(cross), possible + len(apart)
        ratios += [len(cross) / len(apart)] if apart else []
        above = []
        for word in range(1, len(heads) + 1):
            chain = [word]
            while chain[-1]:
                chain.append(heads[chain[-1] - 1])
            above.append(chain)
        gaps = sum(
            any(head not in above[between - 1] for between in range(min(word, head) + 1, max(word, head)))
            for word, head in edges
        )
        bent, projective = bent + gaps, projective + (gaps == 0)
        depths.append(max(len(chain) - 1 for chain in above))
        moves += [word - head for word, head in edges]
    return {
        "crossings": crossed, "possible_crossings": possible, "crossing_ratio": mean(ratios) if ratios else None,
        "nonprojective_edges": bent, "projective": projective, "depth_mean": mean(depths), "depth_max": max(depths),
        "displacement_mean": mean(moves) if moves else None,
        "dependency_length_mean": mean(map(abs, moves)) if moves else None,
        "left_share": sum(move < 0 for move in moves) / len(moves) if moves else None,
    }  # fmt: skip


@st.composite
def trees(draw: st.DrawFn) -> list[int]:
    """Heads of a tree: each word in some order hangs under one that came before it."""
    order = draw(st.permutations(range(1, draw(st.integers(1, 9)) + 1)))
    heads = dict.fromkeys(order[:1], 0)
    for number, word in enumerate(order[1:], 1):
        heads[word] = order[draw(st.integers(0, number - 1))]
    return [heads[word] for word in sorted(order)]


@given(st.lists(trees(), min_size=1, max_size=5))
def test_trees_equal_brute_force(sentences: list[list[int]]) -> None:
    found = measured(*(tree(*heads) for heads in sentences))
    assert found.wellformed.trees == len(sentences)
    shape = found.shape._asdict()
    for name, value in brute_force(sentences).items():
        assert shape[name] == (value if value is None else pytest.approx(value)), name


@given(st.lists(trees(), min_size=1, max_size=6))
def test_lengths_equal_the_statistics_module(sentences: list[list[int]]) -> None:
    sizes = measured(*(tree(*heads) for heads in sentences)).sizes
    lengths = [len(heads) for heads in sentences]
    assert (sizes.length_mean, sizes.length_median) == (pytest.approx(mean(lengths)), median(lengths))
    assert (sizes.length_min, sizes.length_max) == (min(lengths), max(lengths))


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-test",
        "made:odd",
        "ud/UD_Latin-Perseus/la_perseus-ud-test.conllu",
        "ud/UD_Galician-TreeGal/gl_treegal-ud-test.conllu",
    ],
)
def test_real_treebank_equals_udapi(file_named: Callable[[str], Path], name: str) -> None:
    from udapi.core.document import Document

    path = file_named(name)
    roots = [bundle.get_tree() for bundle in Document(str(path)).bundles]
    nodes = [root.descendants for root in roots]
    flat = [node for sentence in nodes for node in sentence]
    edges = [node for node in flat if node.parent.ord]
    found = measure(read(path))
    assert found.sizes.sentences == len(roots)
    assert found.sizes.words == len(flat)
    assert found.sizes.multiword_tokens == sum(len(root.multiword_tokens) for root in roots)
    assert found.sizes.tokens == sum(len(root.token_descendants) for root in roots)
    assert found.sizes.empty_nodes == sum(len(root.empty_nodes) for root in roots)
    assert found.sizes.forms == len({node.form for node in flat})
    assert found.wellformed.trees == len(roots)
    assert found.shape.edges == len(edges)
    assert found.shape.nonprojective_edges == sum(node.is_nonprojective() for node in flat)
    assert found.shape.projective == sum(not any(n.is_nonprojective() for n in sentence) for sentence in nodes)
    depths = [max(node._get_attr("depth") for node in sentence) for sentence in nodes]
    assert (found.shape.depth_mean, found.shape.depth_max) == (pytest.approx(mean(depths)), max(depths))
    assert found.shape.displacement_mean == pytest.approx(mean(node.ord - node.parent.ord for node in edges))
    assert found.upos["NOUN"] == sum(node.upos == "NOUN" for node in flat)
    assert found.deprel["nsubj"] == sum(node.deprel == "nsubj" for node in flat)
