"""Phrase trees as values: numbering, views, gaps, and the one-line notation."""

from __future__ import annotations

import pytest

from gardenpath.errors import InputError
from gardenpath.phrase import ROOT, from_notation, grown, to_notation

ERC = (
    "(S (NP:SB (ART:NK Der) (NN:NK Verein)) (VAFIN:HD hat) (VP:OC (NP:OA#1 (ART:NK einen) (NN:NK Trainer)) "
    "(VVPP:HD gefunden) (NP:OA#1 (S:RC (PRELS:SB der) (NN:OA Geduld) (VAFIN:HD hat)))))"
)


def test_a_node_with_a_gap_is_one_node() -> None:
    tree = from_notation(ERC)
    objects = [node for node in tree.inner if node.function == "OA"]
    assert [node.words for node in objects] == [("einen", "Trainer", "der", "Geduld", "hat")]
    (found,) = objects
    assert found.has_gap
    assert found.mother is not None
    assert not found.mother.has_gap
    assert [child.label for child in found.children] == ["ART", "NN", "S"]
    assert to_notation(tree) == ERC


def test_views_lead_through_the_tree() -> None:
    tree = from_notation(ERC)
    (sentence,) = tree.top
    assert sentence.label == "S"
    assert sentence.mother is None
    assert [node.label for node in sentence.children] == ["NP", "VAFIN", "VP"]
    verb = tree[2]
    assert verb.word == "hat"
    assert [one.label for one in verb.sisters] == ["NP", "VP"]
    assert [node.label for node in tree[6].ancestors] == ["S", "NP", "VP", "S"]
    assert (tree[6].start, tree[6].end, tree[6].positions) == (6, 7, (6,))


def test_numbering_does_not_depend_on_the_order_of_the_file() -> None:
    first = grown(["a", "b"], ["T", "T"], ["X", "Y"], ["", "", "f", "g"], [2, 3, 3, ROOT])
    second = grown(["a", "b"], ["T", "T"], ["Y", "X"], ["", "", "g", "f"], [3, 2, ROOT, 2])
    assert first == second
    assert to_notation(first) == "(Y:g (X:f (T a)) (T b))"


def test_several_nodes_at_the_top() -> None:
    tree = from_notation("(S (NN Haus)) ($. .)")
    assert [node.label for node in tree.top] == ["S", "$."]
    assert from_notation("( (S (NN Haus)) ($. .))") == tree


def test_secondary_edges_keep_their_nodes() -> None:
    tree = grown(["a", "b"], ["T", "T"], ["X", "Y"], ["", "", "", ""], [2, 3, ROOT, ROOT], [(0, "SB", 3)])
    assert [(label, mother.label) for label, mother in tree[0].second_mothers] == [("SB", "Y")]


@pytest.mark.parametrize(
    ("labels", "mothers", "message"),
    [
        (["X", "Y"], [2, ROOT, 3, 2], "circle"),
        (["X"], [ROOT, ROOT, ROOT], "no token"),
        (["X"], [1, ROOT, ROOT], "not an inner node"),
    ],
)
def test_what_is_no_tree_is_refused(labels: list[str], mothers: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        grown(["a", "b"], ["T", "T"], labels, [""] * (2 + len(labels)), mothers, sent_id="7")


@pytest.mark.parametrize("text", ["(S (NN Haus)", "(S (NN Haus)))", "(S Haus (NN x))", "(S ())", "(S (NN a b))"])
def test_broken_brackets_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        from_notation(text)


def test_brackets_in_words_and_tags_come_back() -> None:
    tree = grown(["(", "x:y"], ["$(", "NN"], ["NP"], ["", "HD", "SB"], [ROOT, 2, ROOT])
    assert to_notation(tree) == "($-LRB- -LRB-) (NP:SB (NN:HD x:y))"
    assert from_notation(to_notation(tree)) == tree


def test_a_tree_too_deep_for_the_notation_is_refused() -> None:
    deep = grown(["x"], ["N"], ["S"] * 3000, [""] * 3001, [1, *range(2, 3001), ROOT])
    with pytest.raises(InputError, match="nested too deeply"):
        to_notation(deep)
