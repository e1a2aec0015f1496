"""Brackets of the Penn Treebank and their relatives with places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_trees import trees

from gardenpath.errors import GardenpathError, InputError
from gardenpath.phrase import PhraseTree, from_notation, raised, to_notation
from gardenpath.phrase.formats.brackets import Labels, read_discbracket, read_penn, write_discbracket, write_penn

PENN = """
( (S
    (NP-SBJ-1 (DT The) (NN cat) )
    (VP (VBD was)
      (VP (VBN seen)
        (NP (-NONE- *-1) )
        (PP-LOC-CLR=2 (IN by) (NP (-LRB- -LRB-) (NNP Al) (-RRB- -RRB-) ))))
    (. .) ))
"""
GAP = "(S (VP:OC#1 (PROAV:OP Darüber)) (VAFIN:HD hat) (NE:SB Anna) (VP:OC#1 (VVPP:HD nachgedacht))) ($. .)"


def test_functions_indices_and_traces_are_kept() -> None:
    (tree,) = read_penn(PENN)
    assert [(node.label, node.function) for node in tree.inner if node.function] == [
        ("NP", "SBJ-1"),
        ("PP", "LOC-CLR=2"),
    ]
    assert tree.words == ("The", "cat", "was", "seen", "*-1", "by", "(", "Al", ")", ".")
    assert [tree.tags[at] for at in (4, 6, 8)] == ["-NONE-", "-LRB-", "-RRB-"]
    assert list(read_penn("".join(write_penn([tree])))) == [tree]


def test_functions_indices_and_traces_can_be_left_out() -> None:
    (bare,) = read_penn(PENN, labels=Labels(functions="strip", empty=False))
    assert to_notation(bare).startswith("(S (NP (DT The) (NN cat)) (VP (VBD was) (VP (VBN seen) (PP (IN by) (NP ")
    (named,) = read_penn(PENN, labels=Labels(indices=False))
    assert {node.function for node in named.inner} == {"", "SBJ", "LOC-CLR"}


@pytest.mark.parametrize(
    ("name", "separator", "parts"),
    [
        ("NP-SB", "-", ("NP", "SB")),
        ("R-SIMPX-OA-MOD", "-", ("R-SIMPX", "OA-MOD")),
        ("R-SIMPX", "-", ("R-SIMPX", "")),
        ("NX-OA-MOD", "-", ("NX", "OA-MOD")),
        ("NX--", "-", ("NX", "-")),
        ("EN-ADD--", "-", ("EN-ADD", "-")),
        ("NP=2", "-", ("NP", "=2")),
        ("NP-SBJ-1=2", "-", ("NP", "SBJ-1=2")),
        ("-LRB-", "-", ("-LRB-", "")),
        ("--", "-", ("--", "")),
        ("$[", "-", ("$(", "")),
        ("R-SIMPX:OA-MOD", ":", ("R-SIMPX", "OA-MOD")),
        (":", ":", (":", "")),
        ("NP#SB", "#", ("NP", "SB")),
        ("#", "#", ("#", "")),
    ],
)
def test_category_and_function_in_one_name(name: str, separator: str, parts: tuple[str, str]) -> None:
    labels = Labels(separator)
    assert labels.splitter()(name) == parts
    assert labels.joiner()(*parts) == name


def test_outermost_labels() -> None:
    plain = from_notation("(S (NN Haus)) ($. .)")
    assert list(read_penn("((S (NN Haus)) ($. .)) (VROOT (S (NN Haus)) ($. .))")) == [plain, plain]
    assert list(read_penn("(TOP (S (NN Haus)) ($. .))", labels=Labels(virtual=("TOP",)))) == [plain]
    assert next(read_penn("(TOP (NN Haus))")).labels == ("TOP",)


def test_no_parse_is_a_tree_without_words() -> None:
    assert [tree.words for tree in read_penn("(())\n()\n( (NN Haus))\n")] == [(), (), ("Haus",)]


def test_markup_between_trees_is_passed_over() -> None:
    (tree,) = read_penn("<S ID=1>\n( (IP (NN 房子)) )\n</S>\n")
    assert tree.words == ("房子",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN a))\n(S (NN b)", "f:2: a bracket that begins here is not closed"),
        ("(S (NN a))\n\n)", "f:3: a bracket is closed"),
        ("(S (NN a)\nb)", "f:2: the word 'b' has no bracket"),
        ("(S (NN))", "f:1: the bracket (NN) is empty"),
        ("(S (NN a (NP (NN b))))", "a bracket follows the word 'a'"),
        ("word", "the word 'word' has no bracket"),
    ],
)
def test_broken_brackets_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_penn(text, "f"))
    assert message in str(caught.value)


def test_what_brackets_cannot_hold() -> None:
    with pytest.raises(InputError, match="sentence s1: brackets cannot hold the node VP"):
        list(write_penn([from_notation(GAP, "s1")]))
    with pytest.raises(InputError, match="sentence 1: 'A-B' could not be read back"):
        list(write_penn([from_notation("(A-B (NN x))")]))
    with pytest.raises(GardenpathError, match="does not separate"):
        Labels("+")
    with pytest.raises(GardenpathError, match="unknown treatment of functions"):
        Labels(functions="drop")


def test_both_variants_with_places() -> None:
    tree = from_notation(GAP)
    disco = "( (S (VP-OC (PROAV-OP 0=Darüber) (VVPP-HD 3=nachgedacht)) (VAFIN-HD 1=hat) (NE-SB 2=Anna)) ($. 4=.))\n"
    numbers = "( (S (VP-OC (PROAV-OP 1) (VVPP-HD 4)) (VAFIN-HD 2) (NE-SB 3)) ($. 5))\tDarüber hat Anna nachgedacht .\n"
    assert "".join(write_discbracket([tree])) == disco
    assert "".join(write_discbracket([tree], numbered=True)) == numbers
    assert list(read_discbracket(disco + "\n" + numbers)) == [tree, tree]


def test_brackets_as_words_with_places() -> None:
    text = "(S ($[ 0=#LRB#) (NN 1=a=b) ($[ 2=-RRB-))"
    (tree,) = read_discbracket(text)
    assert (tree.words, tree.tags[0]) == (("(", "a=b", ")"), "$(")
    assert next(read_discbracket("(S (XY 1) (NN 2))\t( a\n")).words == ("(", "a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(S (NN 0=a) (NN b))", "f:1: the leaf 'b' has no place"),
        ("(S (NN 0=a) (NN 2=b))", "f:1: the leaves are not the words"),
        ("(S (NN 0=a) (NN 0=b))", "f:1: the leaves are not the words"),
        ("(S (NN 1) (NN 2))\ta", "f:1: the leaves are not the words"),
        ("(S (NN 0=a)) (S (NN 0=a))", "f:1: 2 trees on a line"),
    ],
)
def test_broken_places_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_discbracket(text, "f"))
    assert message in str(caught.value)


@given(trees(edges=False), st.sampled_from(["-", "#", ":"]), st.booleans())
def test_every_tree_comes_back(tree: PhraseTree, separator: str, numbered: bool) -> None:
    labels = Labels(separator)
    text = "".join(write_discbracket([tree], labels, numbered=numbered))
    assert list(read_discbracket(text, "f", labels)) == [tree]
    flat = raised(tree)
    assert list(read_penn("".join(write_penn([flat], labels)), "f", labels)) == [flat]
