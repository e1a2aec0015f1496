"""Requests to parsers hide gold, and answers are matched to the sentences that were asked."""

from __future__ import annotations

import re
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.runs.work.where import Where
from gardenpath.systems import parse_with, read_blocks, text_treebank
from gardenpath.systems.asking.matching import AFTER, BEFORE, reconcile, tree_fault
from gardenpath.systems.asking.request import check_gold, glued_tokens, paragraphs, request_for, surface
from gardenpath.treebank import Treebank, tree_mask
from gardenpath.treebank.trees.alignment import SentenceKey, match

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


@pytest.mark.parametrize(
    ("layer", "columns"), [("lemmas", {2}), ("tags", {3, 4}), ("feats", {5}), ("heads", {6}), ("labels", {7})]
)
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


GOLD = """# sent_id = a
# condition = x
# text = Am Abend.
1-2\tAm\t_\t_\t_\tTypo=Yes\t_\t_\t_\t_
1\tan\tan\tADP\t_\t_\t3\tcase\t3:case\t_
2\tdem\tder\tDET\t_\t_\t3\tdet\t3:det\t_
2.1\tleer\t_\tVERB\t_\t_\t_\t_\t0:root\tMark=1
3\tAbend\tAbend\tNOUN\t_\t_\t0\troot\t0:root\tGloss=evening|SpaceAfter=No
4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t3:punct\t_

# sent_id = b
# text = Sie geht
1\tSie\tsie\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tgeht\tgehen\tVERB\t_\t_\t0\troot\t_\t_

"""
BANK = Treebank(GOLD.encode())


def answer(*sentences: str) -> str:
    """CoNLL-U from `form:head form:head`."""
    blocks = []
    for sentence in sentences:
        words = [word.rsplit(":", 1) for word in sentence.split()]
        rows = [f"{i}\t{form}\tL\tX\tY\tF=1\t{head}\tdep\t_\t_" for i, (form, head) in enumerate(words, 1)]
        blocks.append("\n".join(rows) + "\n\n")
    return "".join(blocks)


FIRST, SECOND = "an:2 dem:3 Abend:0 .:3", "Sie:2 geht:0"


def test_tokens_comments_ranges_and_empty_nodes_stay_and_the_tree_is_the_parsers() -> None:
    done = reconcile(BANK, answer(FIRST, SECOND))
    assert not done.failures
    assert done.conllu.splitlines()[:8] == [
        "# sent_id = a",
        "# condition = x",
        "# text = Am Abend.",
        "1-2\tAm\t_\t_\t_\tTypo=Yes\t_\t_\t_\t_",
        "1\tan\tL\tX\tY\tF=1\t2\tdep\t_\t_",
        "2\tdem\tL\tX\tY\tF=1\t3\tdep\t_\t_",
        "2.1\tleer\t_\tVERB\t_\t_\t_\t_\t0:root\tMark=1",
        "3\tAbend\tL\tX\tY\tF=1\t0\tdep\t_\tGloss=evening|SpaceAfter=No",
    ]


def test_gold_layers_stay_gold() -> None:
    done = reconcile(BANK, answer(FIRST, SECOND), gold=frozenset({"tags"}))
    assert "2\tgeht\tL\tVERB\t_\tF=1\t0\tdep\t_\t_" in done.conllu


@pytest.mark.parametrize(
    ("second", "failure"),
    [
        ("Sie:0 geht:0", "two-roots"),
        ("Sie:2 geht:1", "no-root"),
        ("Sie:_ geht:0", "incomplete"),
        ("Sie:2 ging:0", "other-tokens"),
        ("Siegeht:0", "other-tokens"),
        ("Sie:7 geht:0", "malformed"),
        ("", "unparsed"),
    ],
)
def test_each_failure_is_marked_and_counted(second: str, failure: str) -> None:
    done = reconcile(BANK, answer(FIRST, second) if second else answer(FIRST))
    assert done.failures == {failure: 1}
    parsed = Treebank(done.conllu.encode())
    assert parsed[1].metadata["gardenpath_failure"] == failure
    assert [word.form for word in parsed[1]] == ["Sie", "geht"]
    assert "gardenpath_failure" not in parsed[0].metadata


@pytest.mark.parametrize(
    ("output", "failures"),
    [
        (answer("an:2 dem:1 Abend:0 .:3", SECOND), {"cycle": 1}),
        (answer(SECOND, FIRST), {}),  # another order costs nothing
        (answer(SECOND), {"unparsed": 1}),
        (answer(FIRST, "Er:2 kommt:0", SECOND), {"surplus": 1}),
        ("", {"unparsed": 2}),
        (answer(FIRST, SECOND).replace("\n", "\r\n"), {}),
        (request_for(BANK, "tokens", frozenset()).conllu, {"incomplete": 2}),  # an echo is not lost
    ],
)
def test_only_what_is_lost_is_counted(output: str, failures: dict[str, int]) -> None:
    assert reconcile(BANK, output).failures == failures


def test_a_mark_of_an_earlier_parse_does_not_stay() -> None:
    again = Treebank(reconcile(BANK, answer(FIRST)).conllu.encode())
    assert "gardenpath_failure" not in reconcile(again, answer(FIRST, SECOND)).conllu


def test_one_broken_sentence_does_not_take_the_others_with_it() -> None:
    done = reconcile(BANK, "1\tan\tbroken\n\n" + answer(SECOND))
    assert done.failures == {"malformed": 1}
    assert "2\tgeht\tL" in done.conllu


def test_garbage_is_counted_and_remembered() -> None:
    done = reconcile(BANK, "Segmentation fault\nsorry\n", where="command:x")
    assert done.failures == {"unparsed": 2, "surplus": 1}
    assert done.garbage is not None
    assert (done.garbage.what, done.garbage.where) == ("1 column instead of 10", "command:x:1")
    assert reconcile(BANK, answer(FIRST, SECOND)).garbage is None


def test_text_and_id_and_spaces_are_made_where_they_are_missing() -> None:
    bank = Treebank(b"# text = Ja, gut.\n" + b"".join(
        f"{i}\t{form}\t_\t_\t_\t_\t_\t_\t_\t_\n".encode() for i, form in enumerate(["Ja", ",", "gut", "."], 1)
    ) + b"\n1\tNein\t_\t_\t_\t_\t_\t_\t_\t_\n\n")  # fmt: skip
    parsed = Treebank(reconcile(bank, answer("Ja:0 ,:1 gut:1 .:1", "Nein:0"), first=7).conllu.encode())
    assert [(s.sent_id, s.text) for s in parsed] == [("7", "Ja, gut."), ("8", "Nein")]
    assert [word.no_space_after for word in parsed[0]] == [True, False, True, False]


def test_sentences_keep_their_comments_with_the_tokens_of_the_parser() -> None:
    done = reconcile(BANK, answer("Am:2 Abend.:0", SECOND), mode="sentences")
    parsed = Treebank(done.conllu.encode())
    assert not done.failures
    assert [word.form for word in parsed[0]] == ["Am", "Abend."]
    assert parsed[0].metadata["condition"] == "x"
    assert reconcile(BANK, answer("Am:2 Morgen.:0", SECOND), mode="sentences").failures == {"other-tokens": 1}


def test_text_is_cut_as_the_parser_says_and_nothing_of_it_is_lost() -> None:
    done = reconcile(BANK, answer("Am:2 Abend:0", ".:0 Sie:1", "geht:0"), mode="text", first=5)
    parsed = Treebank(done.conllu.encode())
    assert not done.failures
    assert [(s.sent_id, s.text) for s in parsed] == [("5", "Am Abend"), ("6", ". Sie"), ("7", "geht")]
    lost = reconcile(BANK, answer("Am:2 Abend:0"), mode="text")
    assert lost.failures == {"other-tokens": 2}
    assert "# sent_id = b" in lost.conllu


@given(st.lists(st.integers(0, 6), min_size=1, max_size=6))
def test_a_tree_is_what_the_treebank_calls_a_tree(heads: list[int]) -> None:
    heads = [min(head, len(heads)) for head in heads]
    expected = tree_mask(np.array(heads, dtype=np.int32), np.array([0, len(heads)]))[0]
    assert (tree_fault(list(map(str, heads))) == "") == expected


@given(st.lists(st.sampled_from("abc"), max_size=8), st.randoms(use_true_random=False))
def test_matching_is_a_bijection_onto_what_was_returned(contents: list[str], random: object) -> None:
    asked = [SentenceKey(content, str(number)) for number, content in enumerate(contents)]
    returned = list(asked)
    random.shuffle(returned)  # type: ignore[attr-defined]
    matches = match(asked, returned, near=True)
    assert sorted(n for n in matches if n is not None) == list(range(len(asked)))
    assert [returned[n].content for n in matches if n is not None] == contents


def test_tokens_that_do_not_make_the_text_have_no_spaces() -> None:
    assert glued_tokens(["a", "b"], "ab") == [True, False]
    assert glued_tokens(["a", "b"], "a  b") == [False, False]
    assert glued_tokens(["a", "c"], "a b") is None


TEXT = "  Der Garten blüht.Sie kommt.\r\n\r\n\tEr geht  heim. Ja\n\n\n\u3000Wohin?\n Nach Hause"
WORDS = st.text(st.sampled_from("aé.e\u0301|\\ß長"), min_size=1, max_size=4)
SPACES = st.sampled_from([" ", "  ", "\n", "\n\n", "\r\n", "\t", " \n \n", "\u00a0", "\n\n \u3000", "\u2028"])


def text_of(treebank: Treebank) -> str:
    """The text that the sentences were cut from, white space and all."""
    pieces: list[str] = []
    for sentence in treebank:
        for form, misc in surface(sentence.rows):
            spaces = dict(part.partition("=")[::2] for part in misc.split("|"))
            pieces += [plain(spaces.get(BEFORE, "")), form]
            pieces.append("" if spaces.get("SpaceAfter") == "No" else plain(spaces.get(AFTER, "\\s")))
    return "".join(pieces)


def plain(escape: str) -> str:
    meanings = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}
    return re.sub(r"\\(.)", lambda match: meanings[match[1]], escape)


def conllu_of(sentences: list[list[str]]) -> str:
    """A parser's output: each sentence a chain, with the worst MISC."""
    rows = [
        [f"{n}\t{form}\t_\t_\t_\t_\t{n - 1}\tdep\t_\tSpaceAfter=No|A=b" for n, form in enumerate(sentence, 1)]
        for sentence in sentences
    ]
    return "".join("\n".join(sentence) + "\n\n" for sentence in rows)


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_real_parsers_give_the_text_back(udpipe_model: Path, mode: str) -> None:
    bank = text_treebank(TEXT, by_line=mode == "sentences")
    result = parse_with(f"udpipe:{udpipe_model}", bank, mode=mode, where=Where(cache=False))
    assert not result.failures
    assert text_of(result.treebank) == text_of(bank) == TEXT
    assert all(sentence.text == sentence.edit().text() for sentence in result.treebank)


@given(st.lists(st.tuples(WORDS, SPACES), min_size=1, max_size=12), SPACES, st.booleans(), st.data())
def test_any_cuts_of_any_text_give_it_back(
    pieces: list[tuple[str, str]], lead: str, composes: bool, data: st.DataObject
) -> None:
    text = lead + "".join(word + space for word, space in pieces)
    bank = text_treebank(text, by_line=False)
    assert text_of(bank) == text
    forms = []
    for word in text.split():  # cut further, and by some parsers composed
        at = data.draw(st.integers(0, len(word) - 1))
        forms += [normalize("NFC", part) if composes else part for part in (word[:at], word[at:]) if part]
    middle = data.draw(st.integers(0, len(forms)))
    done = reconcile(bank, conllu_of([part for part in (forms[:middle], forms[middle:]) if part]), mode="text")
    parsed = Treebank(done.conllu.encode())
    assert not done.failures
    assert text_of(parsed) == text
    assert [s.text for s in parsed] == [s.edit().text() for s in parsed]


GLUED = """# sent_id = a
# text = Er kam.
1\tEr\t_\t_\t_\t_\t2\tnsubj\t_\t_
2\tkam\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No
3\t.\t_\t_\t_\t_\t2\tpunct\t_\tSpaceAfter=No

# sent_id = b
# text = Sie  ging
1\tSie\t_\t_\t_\t_\t2\tnsubj\t_\tSpacesAfter=\\s\\s
2\tging\t_\t_\t_\t_\t0\troot\t_\tSpacesAfter=\\n

# newpar
# sent_id = c
# text = Ja
1\tJa\t_\t_\t_\t_\t0\troot\t_\tSpaceAfter=No

"""


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_the_ends_of_the_sentences_of_a_treebank_stay(mode: str) -> None:
    bank = Treebank(GLUED.encode())
    forms = [["Er", "ka", "m."], ["Sie", "ging"], ["Ja"]]
    done = reconcile(bank, conllu_of(forms), mode=mode)
    parsed = Treebank(done.conllu.encode())
    assert not done.failures
    assert text_of(parsed) == text_of(bank) == "Er kam.Sie  ging\nJa"
    assert [[row[9] for row in s.rows] for s in parsed] == [
        ["A=b", "SpaceAfter=No|A=b", "SpaceAfter=No|A=b"],
        ["SpacesAfter=\\s\\s|A=b", "SpacesAfter=\\n|A=b"],
        ["SpaceAfter=No|A=b"],
    ]


def test_a_multiword_token_has_the_space_and_its_words_have_none() -> None:
    output = "1-2\tAm\t_\t_\t_\t_\t_\t_\t_\t_\n" + "".join(
        f"{n}\t{form}\t_\t_\t_\t_\t{n - 1}\tdep\t_\tSpaceAfter=No\n"
        for n, form in enumerate(["an", "dem", "Ende", "."], 1)
    )
    done = reconcile(text_treebank("Am Ende.\n", by_line=True), output + "\n", mode="sentences")
    misc = [line.split("\t")[9] for line in done.conllu.splitlines() if "\t" in line]
    assert misc == ["_", "_", "_", "SpaceAfter=No", "SpacesAfter=\\n"]


def test_what_a_server_composed_is_the_inputs_own_again() -> None:
    text = normalize("NFD", "Schöne Grüße")
    done = reconcile(text_treebank(text, by_line=False), conllu_of([["Schöne", "Grüße"]]), mode="text")
    assert text_of(Treebank(done.conllu.encode())) == text


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_no_id_occurs_twice_where_a_piece_of_text_fails(mode: str) -> None:
    bank = text_treebank("eins\n\nzwei\n\ndrei", by_line=mode == "sentences")
    failed = Treebank(
        reconcile(bank, conllu_of([["eins"]]), mode=mode, first=6 if mode == "text" else 1).conllu.encode()
    )
    assert failed.sent_ids == (["6", "7", "8"] if mode == "text" else ["1", "2", "3"])


@pytest.mark.parametrize("mode", ["sentences", "text"])
@pytest.mark.parametrize("size", [8, 9, 10, 11, 1 << 20])
def test_however_a_file_is_cut_into_stretches(tmp_path: Path, mode: str, size: int) -> None:
    (tmp_path / "text.txt").write_bytes(TEXT.encode())
    blocks = [treebank for treebank, _ in read_blocks(tmp_path / "text.txt", mode, size)]
    assert "".join(map(text_of, blocks)) == TEXT
    whole = text_treebank(TEXT, by_line=mode == "sentences")
    assert b"".join(block.to_bytes() for block in blocks) == whole.to_bytes()
