"""Sentences and nodes; the oracle is Udapi, on real treebanks and on made trees."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_treebanks import conllu, heads
from udapi.core.document import Document

from gardenpath.errors import UsageError
from gardenpath.treebank import Node, Sentence, Treebank, read

SMALL = Treebank(
    b"""# newdoc id = d
# sent_id = one
# text = Im Haus.
0.1\tleer\tleer\tX\t_\t_\t_\t_\t2:dep\t_
1-2\tIm\t_\t_\t_\tTypo=Yes\t_\t_\t_\tA=b
1\tin\tin\tADP\tAPPR\t_\t3\tcase\t3:case|0.1:x:y\t_
1.1\tn\tn\t_\t_\t_\t_\t_\t_\t_
2\tdem\tder\tDET\tART\tCase=Dat|Number=Sing\t3\tdet:def\t_\t_
3\tHaus\tHaus\tNOUN\tNN\t_\t0\troot\t_\tSpaceAfter=No|Gloss=house|Mark
4\t.\t.\tPUNCT\t$.\t_\t3\tpunct\t_\t_

""",
    name="small",
)


def udapi(data: bytes) -> Document:
    document = Document()
    gc.disable()  # else Udapi looks for garbage, in all that the tests have loaded, each time it has read something
    try:
        document.from_conllu_string(data.decode())
    finally:
        gc.enable()
    return document


def assert_same_tree(ours: Sentence, theirs: Any) -> None:
    """Everything that a tree is asked for, node by node."""
    nodes = {node.ord: node for node in theirs.descendants}
    assert [node.form for node in ours] == [nodes[i].form for i in sorted(nodes)]
    assert orders(ours.root.children) == orders(theirs.children)
    assert orders(ours.root.descendants) == orders(theirs.descendants)
    for node in ours:
        other = nodes[node.ord]
        assert node.parent is not None
        assert node.parent.ord == other.parent.ord
        assert orders(node.children) == orders(other.children)
        assert orders(node.descendants) == orders(other.descendants)
        assert orders(node.siblings) == orders(other.siblings)
        assert node.is_leaf() == other.is_leaf()
        assert node.is_nonprojective() == bool(other.is_nonprojective())
        assert node.is_nonprojective_gap() == other.is_nonprojective_gap()
        assert node.depth == other._get_attr("depth")
        assert (node.upos, node.lemma, node.udeprel) == (other.upos or "_", other.lemma, other.udeprel)
        assert node.feats == dict(other.feats)
        assert node.misc == dict(other.misc)
        assert node.no_space_after == other.no_space_after
        mine, its = node.multiword_token, other.multiword_token
        assert (mine and mine.form) == (its and its.form)
    first, last = ours.words[0], ours.words[-1]
    for node in ours:
        other = nodes[node.ord]
        assert node.is_descendant_of(first) == other.is_descendant_of(nodes[1])
        assert node.precedes(last) == other.precedes(nodes[last.ord])
    assert ours.is_projective == (not any(node.is_nonprojective() for node in nodes.values()))


def orders(nodes: Any) -> list[int]:
    return [node.ord for node in nodes]


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-test",
        "made:odd",
        "ud/UD_Latin-Perseus/la_perseus-ud-test.conllu",
        "ud/UD_French-ParTUT/fr_partut-ud-test.conllu",
    ],
)
def test_real_trees_as_udapi_sees_them(file_named: Callable[[str], Path], name: str) -> None:
    treebank = read(file_named(name))[:100]
    for ours, bundle in zip(treebank, udapi(treebank.data).bundles, strict=True):
        assert_same_tree(ours, bundle.get_tree())


@settings(deadline=None, max_examples=20)
@given(st.lists(heads(), min_size=1, max_size=10))
def test_made_trees_as_udapi_sees_them(trees: list[list[int]]) -> None:
    data = conllu(*trees)
    for ours, bundle in zip(Treebank(data), udapi(data).bundles, strict=True):
        assert_same_tree(ours, bundle.get_tree())


@pytest.mark.parametrize("heads", [[2, 1], [1], [2, 3, 1, 0, 1], [0, 3, 2]])
def test_cycles_do_not_hang(heads: list[int | None]) -> None:
    sentence = Treebank(conllu(heads))[0]
    assert not sentence.is_tree
    for node in sentence:
        assert len(node.ancestors()) <= len(sentence)
        assert len(node.descendants) < len(sentence)
        assert node.depth == len(node.ancestors())
        assert isinstance(node.is_nonprojective() or node.is_nonprojective_gap(), bool)
        assert not node.is_descendant_of(sentence.root) or node.ancestors()[-1].is_root()


def test_a_deep_sentence_is_walked() -> None:
    sentence = Treebank(conllu(list(range(5000))))[0]
    assert sentence.words[-1].depth == 5000
    assert len(sentence.words[0].descendants) == 4999
    assert sentence.is_projective


def test_partial_gold_has_no_parent() -> None:
    node = Treebank(conllu([None, 1]))[0].words[0]
    assert (node.head, node.parent, node.siblings, node.depth, node.displacement) == (None, None, [], 0, None)
    assert not Treebank(conllu([None, 1]))[0].is_tree


def test_the_parts_of_a_sentence() -> None:
    sentence = SMALL[0]
    assert len(sentence) == 4
    assert (sentence.sent_id, sentence.text) == ("one", "Im Haus.")
    assert sentence.comments == ["newdoc id = d", "sent_id = one", "text = Im Haus."]
    assert [token.form for token in sentence.tokens] == ["Im", "Haus", "."]
    assert [token.is_multiword for token in sentence.tokens] == [True, False, False]
    assert [node.form for node in sentence.tokens[0].words] == ["in", "dem"]
    assert [node.id for node in sentence.empty_nodes] == ["0.1", "1.1"]
    assert sentence.is_tree
    assert sentence.to_conllu().encode() == SMALL.data
    assert repr(sentence) == "<Sentence one: Im Haus.>"
    assert (repr(sentence.words[2]), repr(sentence.tokens[0])) == ("<Node 3 Haus>", "<Token 1-2 Im>")


def test_text_is_made_where_there_is_none() -> None:
    data = SMALL.data.replace(b"# text = Im Haus.\n", b"")
    assert Treebank(data)[0].text == "Im Haus."


def test_the_fields_of_a_node() -> None:
    first, second, house, point = SMALL[0].words
    assert first.deps == [("3", "case"), ("0.1", "x:y")]
    assert second.deps == []
    assert (second.deprel, second.udeprel, second["deprel"]) == ("det:def", "det", "det:def")
    assert second.feats == {"Case": "Dat", "Number": "Sing"}
    assert house.misc == {"SpaceAfter": "No", "Gloss": "house", "Mark": ""}
    assert (house.xpos, house.head, house.displacement, point.displacement) == ("NN", 0, None, 1)
    assert first.multiword_token is not None
    assert first.multiword_token.misc == "A=b"
    assert house.multiword_token is None
    with pytest.raises(UsageError, match="unknown field 'hed'\n  did you mean head"):
        house["hed"]


def test_feats_of_suites_in_the_conll_x_manner() -> None:
    row = b"1\ta\t_\t_\t_\t%s\t0\troot\t_\t_\n\n"
    assert Treebank(row % b"order:VF[S]|props:base-acc|t")[0].words[0].feats == {
        "order": "VF[S]",
        "props": "base-acc",
        "t": "",
    }
    assert Treebank(row % b"A=x:y|B")[0].words[0].feats == {"A": "x:y", "B": ""}


def test_empty_nodes_stand_between_words_and_outside_the_tree() -> None:
    sentence = SMALL[0]
    before, between = sentence.empty_nodes
    ordered = [sentence.root, before, sentence.words[0], between, *sentence.words[1:]]
    backwards = ordered[::-1]
    assert sorted(backwards) == ordered
    assert between.precedes(sentence.words[1])
    assert not between.precedes(sentence.words[0])
    for node in (before, between):
        assert (node.parent, node.children, node.descendants, node.head) == (None, [], [], None)
        assert not node.is_nonprojective()
        assert node.multiword_token is None


def test_nodes_are_equal_by_place() -> None:
    sentence, again = SMALL[0], SMALL[0]
    assert sentence.words[1] == again.words[1] != again.words[2]
    assert len({*sentence.words, *again.words}) == 4
    assert sentence.words[0] != Treebank(SMALL.data)[0].words[0]
    assert sentence.words[0] != "in"
    assert sentence.node(0).is_root()
    assert isinstance(sentence.node(4), Node)
    with pytest.raises(IndexError, match="word 5 of a sentence with 4 words"):
        sentence.node(5)
