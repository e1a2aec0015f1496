"""TIGER-XML and exportXML."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from random_trees import trees

from gardenpath.errors import InputError
from gardenpath.phrase import PhraseTree, from_notation, grown, read, to_notation
from gardenpath.phrase.formats.xml import read_exportxml, read_tigerxml, write_tigerxml

TOKENS = '<t id="s1_1" word="Anna" pos="NE"/><t id="s1_2" word="liest" pos="VVFIN"/><t id="s1_3" word="." pos="$."/>'
CLAUSE = '<nt id="s1_500" cat="S"><edge label="SB" idref="s1_1"/><edge label="HD" idref="s1_2"/></nt>'


def document(tokens: str = TOKENS, nodes: str = CLAUSE, root: str = "s1_500", prolog: str = "") -> bytes:
    graph = f'<graph root="{root}"><terminals>{tokens}</terminals><nonterminals>{nodes}</nonterminals></graph>'
    return f'{prolog}<corpus id="c"><head/><body><s id="s1">{graph}</s></body></corpus>'.encode()


def only(data: bytes) -> PhraseTree:
    (tree,) = read_tigerxml(data, "f.xml")
    return tree


def test_a_sentence() -> None:
    tree = only(document())
    assert to_notation(tree) == "(S (NE:SB Anna) (VVFIN:HD liest)) ($. .)"
    assert (tree.sent_id, tree.lemmas, tree.morphs) == ("s1", (), ())


def test_a_node_vroot_is_the_virtual_root() -> None:
    top = '<nt id="s1_VROOT" cat="VROOT"><edge label="--" idref="s1_500"/><edge label="--" idref="s1_3"/></nt>'
    assert only(document(nodes=CLAUSE + top, root="s1_VROOT")) == only(document())


def test_order_in_the_file_is_not_the_order_of_words() -> None:
    turned = '<nt id="s1_500" cat="S"><edge label="HD" idref="s1_2"/><edge label="SB" idref="s1_1"/></nt>'
    assert only(document(nodes=turned)) == only(document())


def test_secondary_edges_stand_in_the_dependent() -> None:
    tokens = TOKENS.replace('pos="NE"/>', 'pos="NE"><secedge label="SB" idref="s1_501"/></t>')
    above = '<nt id="s1_501" cat="CS"><edge label="CJ" idref="s1_500"/></nt>'
    in_node = CLAUSE.replace("</nt>", '<secedge label="MO" idref="s1_501"/></nt>')
    tree = only(document(tokens, in_node + above, "s1_501"))
    assert tree.secondary == ((0, "SB", 4), (3, "MO", 4))


def test_a_secondary_edge_to_a_token_stands_in_the_mother() -> None:
    # SMULTRON has one such edge: HD from a clause to the verb that it shares.
    tree = only(document(nodes=CLAUSE.replace("</nt>", '<secedge label="HD" idref="s1_3"/></nt>')))
    assert tree.secondary == ((2, "HD", 3),)


def test_what_is_written() -> None:
    tree = from_notation('(S (NN:SB "&<) (VVFIN:HD x)) ($. .)', "12")
    text = "".join(write_tigerxml([tree]))
    assert '<s id="s12">\n<graph root="s12_VROOT">' in text
    assert '<t id="s12_1" word="&quot;&amp;&lt;" lemma="--" pos="NN" morph="--"/>' in text
    back = only(text.encode())
    assert (back, back.sent_id) == (tree, "s12")


@given(trees())
def test_every_tree_comes_back(tree: PhraseTree) -> None:
    assert only("".join(write_tigerxml([tree])).encode()) == tree


def test_words_with_blanks_and_lemmas_come_back() -> None:
    tree = grown(
        ["New York", "a\tb\n"], ["NE", "XY"], [], ["", ""], [-1, -1], lemmas=["New York", ""], morphs=["", "m"]
    )
    assert only("".join(write_tigerxml([tree])).encode()) == tree
    with pytest.raises(InputError, match="a character that XML cannot hold"):
        list(write_tigerxml([grown(["a\x01"], ["XY"], [], [""], [-1])]))


def test_the_declared_encoding_is_used() -> None:
    data = document(TOKENS.replace("Anna", "Jörg"), prolog='<?xml version="1.0" encoding="ISO-8859-1"?>')
    assert only(data.decode().encode("latin-1")).words[0] == "Jörg"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            document(nodes=CLAUSE + '<nt id="s1_501" cat="X"><edge label="Y" idref="s1_1"/></nt>'),
            "s1_1 has two mothers",
        ),
        (document(nodes=CLAUSE.replace("s1_2", "s1_9")), "s1_500 has an edge to s1_9, which is not a node"),
        (document(root="s1_9"), "the root s1_9 is not a node"),
        (document(nodes=CLAUSE.replace('"s1_1"', '"s1_500"')), "circle"),
        (document(tokens=TOKENS.replace("s1_2", "s1_1")), "two nodes have the same id"),
        (document(tokens=TOKENS.replace('word="Anna"', "")), "an element lacks 'word'"),
        (document(nodes=CLAUSE.replace("</nt>", '<secedge label="X" idref="s1_7"/></nt>')), "a secondary edge to s1_7"),
        (document(nodes=CLAUSE + '<nt id="s1_501" cat="X"/>'), "no token below"),
        (b"<corpus><body></body></corpus>", "no sentence"),
        (document()[:-20], "f.xml:1: broken XML"),
        (document(prolog='<?xml version="1.0" encoding="big5"?>'), "the encoding is not supported"),
    ],
)
def test_broken_files_are_refused(data: bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        only(data)
    assert message in str(caught.value)
    assert "f.xml" in str(caught.value)


LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>'


@pytest.mark.parametrize("prolog", [LAUGHS, '<!DOCTYPE c SYSTEM "file:///etc/passwd">', "<!DOCTYPE corpus>"])
def test_entities_and_document_types_are_refused(prolog: str) -> None:
    with pytest.raises(InputError, match=r"f\.xml:1: a document type or entities"):
        only(document(TOKENS.replace("Anna", "&c;") if "ENTITY" in prolog else TOKENS, prolog=prolog))


SENTENCE = """<exml-doc><schema><node name="edu"><text-attr name="x"/></node></schema><exml><body>
<sentence xml:id="s1">
 <node xml:id="s1_501" cat="SIMPX" func="--">
  <node xml:id="s1_500" cat="NX" func="ON" parent="s1_501">
   <word xml:id="s1_1" form="Anna" pos="NE" lemma="Anna" func="HD" parent="s1_500"/>
   <ne xml:id="ne_1" type="PER"><word xml:id="s1_3" form="und" pos="KON" func="--"/></ne>
   <secEdge cat="refint" parent="s1_501"/>
  </node>
  <word xml:id="s1_2" form="liest" pos="VVFIN" morph="3sis" func="-" parent="s1_501"/>
 </node>
</sentence></body></exml></exml-doc>"""


def test_nesting_does_not_count() -> None:
    (tree,) = read_exportxml(SENTENCE.encode(), "f.xml")
    assert to_notation(tree) == "(SIMPX (NX:ON (NE:HD Anna)) (VVFIN:- liest)) (KON und)"
    assert [(label, mother.label) for label, mother in tree.inner.__next__().second_mothers] == [("refint", "SIMPX")]
    assert (tree.lemmas, tree.morphs, tree.sent_id) == (("Anna", "", ""), ("", "3sis", ""), "s1")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('parent="s1_500"', 'parent="s1_9"', "s1_1 hangs at s1_9"),
        ('refint" parent="s1_501"', 'refint" parent="s2_7"', "a secEdge to 's2_7'"),
        ('xml:id="s1_2"', 'xml:id="s1_1"', "same xml:id"),
        ("<exml-doc>", "<!DOCTYPE x><exml-doc>", "a document type"),
        ("</sentence>", "", "broken XML"),
        ("sentence", "phrase", "no element <sentence>"),
    ],
)
def test_broken_files_are_refused_exportxml(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_exportxml(SENTENCE.replace(old, new).encode(), "f.xml"))
    assert message in str(caught.value)


def test_the_sample(shared: Path) -> None:
    # Counts by grep over the file: <sentence, <word, <node without the schema, <secEdge.
    found = read(shared / "phrase" / "formats" / "discoursegraphs_tueba_exportxml-example.xml")
    assert len(found) == 102
    assert sum(len(tree) for tree in found) == 1780
    assert sum(len(tree.labels) for tree in found) == 2224
    assert sum(len(tree.secondary) for tree in found) == 5
    assert {tree.tags[at] for tree in found for at in range(len(tree)) if tree.functions[at] == ""} >= {"$,", "$."}
