"""NEGRA export and the format of the Sinica Treebank."""

from __future__ import annotations

import pytest
from hypothesis import given
from random_trees import trees

from gardenpath.errors import InputError
from gardenpath.phrase import PhraseTree, from_notation, grown, to_notation
from gardenpath.phrase.formats.export import read_export, write_export
from gardenpath.phrase.formats.sinica import read_sinica

HEADER = "%% a corpus\n#FORMAT 3\n#BOT ORIGIN\n0\t--\n1\tmine.txt\n#EOT ORIGIN\n#BOT WORDTAG\n0 NN #BOS\n#EOT WORDTAG\n"
BODY = """#BOS 7 2 1098266456 1 %% @hello@
Das\tART\tNom.Sg\tNK\t500
Haus  \t\tNN  --   NK  500 %% R=anaphoric
steht\tVVFIN\t--\tHD\t501
.\t$.\t--\t--\t0
#500\tNP\t--\tSB\t501\tSB\t502
#501\tS\t--\tCJ\t502
#502\tCS\t--\t--\t0
#EOS 7
"""


def only(text: str) -> PhraseTree:
    (tree,) = read_export(text, "f.export")
    return tree


def test_version_3_with_tables_comments_and_a_secondary_edge() -> None:
    tree = only(HEADER + BODY)
    assert to_notation(tree) == "(CS (S:CJ (NP:SB (ART:NK Das) (NN:NK Haus)) (VVFIN:HD steht))) ($. .)"
    assert tree.sent_id == "7"
    assert tree.comments == ("#BOS 2 1098266456 1", "@hello@", "WORD 2: R=anaphoric")
    assert [(label, to.label) for label, to in tree[4].second_mothers] == [("SB", "CS")]
    assert tree.morphs == ("Nom.Sg", "", "", "")
    assert tree.lemmas == ()


def test_without_a_header_each_line_says_its_version() -> None:
    three, four = only(BODY), only("#BOS 1\nHaus\tHaus\tNN\t--\tHD\t500\n#500\t--\tNP\t--\t--\t0\n#EOS\n")
    assert three == only(HEADER + BODY)
    assert (four.words, four.lemmas, four.labels) == (("Haus",), ("Haus",), ("NP",))


def test_several_nodes_at_the_root_and_bare_ends() -> None:
    first, second = read_export("#FORMAT 3\n#BOS 1\na T -- -- 0\nb T -- -- 0\n#EOS\n\n#BOS 2\nc T -- -- 0\n#EOS\n")
    assert [node.word for node in first.top] == ["a", "b"]
    assert second.sent_id == "2"


def test_fields_behind_the_parent_that_are_no_edge_are_kept() -> None:
    tree = only("#FORMAT 4\n#BOS 1\na a T m HD 500 x refint 500 12\n#500 -- X -- -- 0 0 %% NE=PER\n#EOS 1\n")
    assert tree.secondary == ()
    assert tree.comments == ("WORD 1: x refint 500 12", "NODE 500: 0 %% NE=PER")


def test_a_no_break_space_is_part_of_a_word() -> None:
    tree = only("#FORMAT 3\n#BOS 1\n10\u00a0000 CARD -- -- 0\n#EOS 1\n")
    assert tree.words == ("10\u00a0000",)
    assert only("".join(write_export([tree]))) == tree


def test_comments_and_numbers_come_back() -> None:
    tree = only(HEADER + BODY)
    text = "".join(write_export([tree]))
    assert text.startswith(
        "#FORMAT 4\n%% @hello@\n%% WORD 2: R=anaphoric\n#BOS 7 2 1098266456 1\nDas\t--\tART\tNom.Sg\tNK\t500\n"
    )
    assert set(only(text).comments) == set(tree.comments)


def test_names_of_tiger_xml_become_numbers() -> None:
    text = "".join(write_export([from_notation("(NN Haus)", "s12"), from_notation("(NN Haus)", "maz-3")]))
    assert [line for line in text.split("\n") if line.startswith("#BOS")] == ["#BOS 12", "#BOS maz-3"]


@given(trees())
def test_every_tree_comes_back(tree: PhraseTree) -> None:
    for version in (3, 4):
        back = only("".join(write_export([tree], version)))
        assert back == tree
        assert back.sent_id == "1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#BOS 1\na T -- -- 501\n#EOS 1\n", "f.export:1, sentence 1: a node hangs at 501"),
        ("#FORMAT 3\n#BOS 1\na T --\n#EOS 1\n", "f.export:3: not a line of version 3"),
        ("#FORMAT 3\n#BOS 1\na a T -- HD 0\n#EOS 1\n", "is #FORMAT right"),
        ("#BOS 1\na b c d e f\n#EOS 1\n", "neither version 3 nor 4"),
        ("#FORMAT 5\n", "f.export:1: export version '5'"),
        ("#BOS 1\na T -- -- 0\n", "f.export:1: the sentence that begins here is not closed"),
        ("#BOS 1\na T -- -- 0\n#BOS 2\n", "f.export:3: a sentence begins inside another"),
        ("#EOS 1\n", "#EOS without #BOS"),
        ("a T -- -- 0\n", "f.export:1: outside of any sentence"),
        ("#BOS 1\na T -- -- 500\n#500 X -- -- 501\n#501 X -- -- 500\n#EOS 1\n", "circle"),
        ("#BOS 1\na T -- -- 500\n#500 X -- -- 0\n#500 X -- -- 0\n#EOS 1\n", "f.export:4: two nodes have the number"),
    ],
)
def test_broken_files_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_export(text, "f.export"))
    assert message in str(caught.value)


@pytest.mark.parametrize("word", ["two words", "#500", "#BOS", "%%x", ""])
def test_words_that_export_cannot_hold(word: str) -> None:
    with pytest.raises(InputError, match="sentence s1"):
        list(write_export([grown([word], ["NN"], [], [""], [-1], sent_id="s1")]))


def test_more_inner_nodes_than_numbers() -> None:
    deep = grown(["a"], ["T"], ["X"] * 500, [""] * 501, [*range(1, 501), -1], sent_id="9")
    with pytest.raises(InputError, match="500 inner nodes, export files have room for 499"):
        list(write_export([deep]))
    assert len(list(write_export([grown(["a"], ["T"], ["X"] * 499, [""] * 500, [*range(1, 500), -1])]))) == 2


LINE = (
    "#3:3.[12] S(theme:NP(Head:N(DUMMY1:Nba:小明|Head:Caa:和|DUMMY2:Nhaa:我))|Head:VC1:在|goal:NP(Head:Nab:家))"
    "# ，(COMMACATEGORY)\r\n"
)


def test_roles_are_functions_and_the_mark_hangs_at_the_root() -> None:
    (tree,) = read_sinica(LINE)
    assert tree.sent_id == "3:3.[12]"
    assert to_notation(tree) == (
        "(S (NP:theme (N:Head (Nba:DUMMY1 小明) (Caa:Head 和) (Nhaa:DUMMY2 我))) (VC1:Head 在) "
        "(NP:goal (Nab:Head 家))) (COMMACATEGORY ，)"
    )


def test_lines_without_a_mark_or_with_a_role_twice() -> None:
    first, second = read_sinica("#:.[7] NP(Head:Nab:貓)#\n#2:.[8] NP(head:Head:Nab:貓)#。(PERIODCATEGORY)\n")
    assert first.words == ("貓",)
    assert second.functions == ("Head", "", "")


@pytest.mark.parametrize(
    "line",
    ["NP(Head:Nab:貓)", "#1:1.[0] NP(Head:Nab:貓#", "#1:1.[0] NP(Head:Nab:貓))#", "#1:1.[0] NP(貓)#", "#1:1.[0] #"],
)
def test_broken_lines_are_refused(line: str) -> None:
    with pytest.raises(InputError, match="f:2"):
        list(read_sinica(LINE + line, "f"))
