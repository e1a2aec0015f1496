"""Whatever tokens and sentences a parser makes of a text, together they give the text back."""

from __future__ import annotations

import re
from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.runs.where import Where
from gardenpath.systems import parse_with, read_blocks, text_treebank
from gardenpath.systems.reconcile import reconcile
from gardenpath.systems.spacing import AFTER, BEFORE
from gardenpath.systems.surface import surface
from gardenpath.treebank import Treebank

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


def answer(sentences: list[list[str]]) -> str:
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
    done = reconcile(bank, answer([part for part in (forms[:middle], forms[middle:]) if part]), mode="text")
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
    done = reconcile(bank, answer(forms), mode=mode)
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
    done = reconcile(text_treebank(text, by_line=False), answer([["Schöne", "Grüße"]]), mode="text")
    assert text_of(Treebank(done.conllu.encode())) == text


@pytest.mark.parametrize("mode", ["sentences", "text"])
def test_no_id_occurs_twice_where_a_piece_of_text_fails(mode: str) -> None:
    bank = text_treebank("eins\n\nzwei\n\ndrei", by_line=mode == "sentences")
    failed = Treebank(reconcile(bank, answer([["eins"]]), mode=mode, first=6 if mode == "text" else 1).conllu.encode())
    assert failed.sent_ids == (["6", "7", "8"] if mode == "text" else ["1", "2", "3"])


@pytest.mark.parametrize("mode", ["sentences", "text"])
@pytest.mark.parametrize("size", [8, 9, 10, 11, 1 << 20])
def test_however_a_file_is_cut_into_stretches(tmp_path: Path, mode: str, size: int) -> None:
    (tmp_path / "text.txt").write_bytes(TEXT.encode())
    blocks = [treebank for treebank, _ in read_blocks(tmp_path / "text.txt", mode, size)]
    assert "".join(map(text_of, blocks)) == TEXT
    whole = text_treebank(TEXT, by_line=mode == "sentences")
    assert b"".join(block.to_bytes() for block in blocks) == whole.to_bytes()
