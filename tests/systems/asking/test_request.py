"""What a parser gets to see: tokens, and of the gold annotation only what was allowed."""

from __future__ import annotations

import pytest

from gardenpath.errors import UsageError
from gardenpath.systems.asking.request import check_gold, paragraphs, request_for
from gardenpath.treebank import Treebank

SENTENCE = b"""# newdoc id = d1
# sent_id = s1
# condition = object-first
# text = Am Abend kam sie.
1-2\tAm\t_\t_\t_\tTypo=Yes\t_\t_\t_\tMark=1
1\tan\tan\tADP\tAPPR\tA=b\t3\tcase\t3:case\t_
2\tdem\tder\tDET\tART\tCase=Dat\t3\tdet\t3:det\t_
3\tAbend\tAbend\tNOUN\tNN\tCase=Dat\t4\tobl\t4:obl\t_
3.1\tging\tgehen\tVERB\t_\t_\t_\t_\t0:root\t_
4\tkam\tkommen\tVERB\tVVFIN\t_\t0\troot\t0:root\tGloss=came
5\tsie\tsie\tPRON\tPPER\tCase=Nom\t4\tnsubj\t4:nsubj\tMark=subject|SpaceAfter=No
6\t.\t.\tPUNCT\t$.\t_\t4\tpunct\t4:punct\t_

"""


def test_without_gold_nothing_but_tokens_is_left() -> None:
    request = request_for(Treebank(SENTENCE), "tokens", frozenset())
    assert request.conllu == (
        "# sent_id = s1\n# text = Am Abend kam sie.\n"
        "1-2\tAm\t_\t_\t_\t_\t_\t_\t_\t_\n1\tan\t_\t_\t_\t_\t_\t_\t_\t_\n2\tdem\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "3\tAbend\t_\t_\t_\t_\t_\t_\t_\t_\n4\tkam\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "5\tsie\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n6\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    )


@pytest.mark.parametrize(("layer", "columns"), [("lemmas", {2}), ("tags", {3, 4}), ("feats", {5}), ("heads", {6, 7})])
def test_a_layer_shows_its_columns_and_no_others(layer: str, columns: set[int]) -> None:
    request = request_for(Treebank(SENTENCE), "tokens", frozenset({layer}))
    word = request.tokens[0].words[2]
    assert {column for column in range(2, 9) if word._row[column] != "_"} == columns


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_with_raw_text_not_even_the_tokens_are_shown(mode: str) -> None:
    request = request_for(Treebank(SENTENCE), mode, frozenset())
    assert request.conllu == ""
    assert request.texts == ("Am Abend kam sie.",)


def test_paragraphs_end_at_newpar_and_glue_where_no_space_is() -> None:
    row = "1\t{}\t_\t_\t_\t_\t0\troot\t_\t{}\n\n"
    text = (
        "# newpar\n" + row.format("eins", "_") + row.format("zwei", "SpaceAfter=No")
        + row.format("drei", "_") + "# newpar id = 2\n" + row.format("vier", "_")
    )  # fmt: skip
    assert paragraphs(Treebank(text.encode())) == ["eins zweidrei", "vier"]


def test_an_unknown_layer_is_named() -> None:
    with pytest.raises(UsageError, match="did you mean tags"):
        check_gold("tag,feats")
