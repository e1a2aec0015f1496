"""A treebank as a value: what is read is written, and other treebanks are made of its sentences."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from made_treebanks import conllu, treebanks

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import Draft, Treebank, Word, concatenate, read

TEN = Treebank(b"".join(b"# sent_id = s%d\n" % i + conllu([0, 1]) for i in range(10)), name="ten.conllu")


@pytest.mark.parametrize(("where", "count"), [("bundled", 7), ("shared", 84)])
def test_all_treebanks_come_back_byte_for_byte(where: str, count: int, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue("samples" if where == "bundled" else "shared")
    files = sorted(folder.rglob("*.conllu"))
    assert len(files) == count
    for file in files:
        treebank = read(file)
        assert treebank.to_bytes() == file.read_bytes(), file
        assert b"".join(map(treebank.block, range(len(treebank)))) == treebank.data, file


@settings(deadline=None)
@given(treebanks())
def test_made_treebanks_come_back_byte_for_byte(data: bytes) -> None:
    treebank = Treebank(data)
    assert treebank.to_bytes() == data
    stream = io.BytesIO()
    treebank.write(stream)
    assert stream.getvalue() == data
    again = treebank[range(len(treebank))]
    assert again.data == treebank.data


def test_writing_to_a_file(tmp_path: Path) -> None:
    TEN.write(tmp_path / "out.conllu")
    assert (tmp_path / "out.conllu").read_bytes() == TEN.to_bytes()


def test_sentences_by_number() -> None:
    assert len(TEN) == 10
    assert TEN[3].sent_id == TEN[-7].sent_id == TEN[np.int64(3)].sent_id == "s3"
    assert [sentence.sent_id for sentence in TEN] == TEN.sent_ids == [f"s{i}" for i in range(10)]
    for number in (10, -11):
        with pytest.raises(IndexError, match="of a treebank with 10 sentences"):
            TEN[number]


def test_slices_and_selections() -> None:
    assert TEN[2:5].sent_ids == ["s2", "s3", "s4"]
    assert TEN[::-4].sent_ids == ["s9", "s5", "s1"]
    assert TEN[[4, 4, -1]].sent_ids == ["s4", "s4", "s9"]
    assert TEN.select(number for number in (8, 0)).sent_ids == ["s8", "s0"]
    assert TEN[np.array([7, 1])].sent_ids == ["s7", "s1"]


def test_a_mask_selects_where_it_is_true() -> None:
    assert TEN[np.arange(10) % 4 == 1].sent_ids == ["s1", "s5", "s9"]
    assert TEN.select([False] * 9 + [True]).sent_ids == ["s9"]
    with pytest.raises(IndexError):
        TEN[np.array([True, False])]


def test_a_selection_of_what_is_not_there() -> None:
    with pytest.raises(IndexError):
        TEN[[10]]
    with pytest.raises(InputError, match="no sentence is selected"):
        TEN.select([])
    with pytest.raises(InputError, match="no sentence is selected"):
        TEN[np.zeros(10, dtype=bool)]
    with pytest.raises(InputError, match="no sentence is selected"):
        TEN[3:3]


def test_shuffling_and_sampling_depend_on_the_seed_alone() -> None:
    assert TEN.shuffled(1).data == TEN.shuffled(1).data != TEN.shuffled(2).data
    assert sorted(TEN.shuffled(1).sent_ids) == sorted(TEN.sent_ids)
    drawn = TEN.sample(4, seed=5).sent_ids
    assert drawn == TEN.sample(4, seed=5).sent_ids == sorted(drawn)
    assert len(set(drawn)) == 4
    assert TEN.sample(10, seed=0).data == TEN.data
    for count in (0, 11, -1):
        with pytest.raises(InputError, match=f"cannot draw {count} of 10 sentences"):
            TEN.sample(count, seed=0)


def test_places_are_file_and_line() -> None:
    assert TEN.place(0) == "ten.conllu:1"
    assert TEN.place(int(TEN.index.starts[-1])) == "ten.conllu:39"
    assert TEN[5:].place(0) == "ten.conllu (selection):1"


def test_joined_treebanks_remember_their_files() -> None:
    left = Treebank(conllu([0, 1]).rstrip(b"\n"), name="a.conllu", repairs={"empty fields": 1})
    right = Treebank(conllu([0], [0]), name="b.conllu", repairs={"empty fields": 2, "missing columns": 1})
    both = concatenate([left, right])
    assert both.name == "a.conllu + b.conllu"
    assert both.lengths.tolist() == [2, 1, 1]
    assert both.repairs == {"empty fields": 3, "missing columns": 1}
    starts = both.index.starts.tolist()
    assert [both.place(start) for start in starts] == ["a.conllu:1", "a.conllu:2", "b.conllu:1", "b.conllu:3"]
    triple = concatenate([both, TEN], name="all")
    assert (triple.name, triple.place(triple.data.index(b"# sent_id = s1"))) == ("all", "ten.conllu:5")
    assert concatenate([left]) is left
    with pytest.raises(UsageError, match="no treebank to join"):
        concatenate([])


def test_replaced_sentences_leave_all_others_alone() -> None:
    draft = TEN[4].edit()
    draft.words[0].form = "new"
    changed = TEN.replace({4: draft})
    assert changed[4].words[0].form == "new"
    assert [changed.block(i) == TEN.block(i) for i in range(10)] == [i != 4 for i in range(10)]
    with pytest.raises(UsageError, match="no sentence 10 in 10 sentences"):
        TEN.replace({10: Draft([Word("a", head=0)])})


def test_comment_values() -> None:
    heads = ["# text = a = b\n# sent_id = 1\n", "#sent_id = 2\n# text = \n", "# sent_idx = 9\n# n sent_id = 9\n", "",
             "# text  = wide \n#\tsent_id = 5\n# sent_id = second\n"]  # fmt: skip
    treebank = Treebank(b"\n" + b"\n".join(head.encode() + conllu([0]) for head in heads))
    assert treebank.sent_ids == ["1", "2", "", "", "5"]
    assert treebank.texts == ["a = b", "", "", "", "wide "]
    assert treebank.comment_values("n sent_id") == ["", "", "9", "", ""]
    assert treebank.comment_values("sent.id") == [""] * 5
    assert [sentence.sent_id for sentence in treebank] == treebank.sent_ids
    assert [sentence.metadata.get("text", "") for sentence in treebank] == treebank.texts


@settings(deadline=None)
@given(treebanks())
def test_comments_of_a_treebank_are_those_of_its_sentences(data: bytes) -> None:
    treebank = Treebank(data)
    assert treebank.sent_ids == [sentence.metadata.get("sent_id", "") for sentence in treebank]
    assert treebank.texts == [sentence.metadata.get("text", "") for sentence in treebank]


def test_an_unknown_column_is_named() -> None:
    with pytest.raises(UsageError, match="unknown column 'deprell'\n  did you mean deprel"):
        TEN.column("deprell")
    assert TEN.column("deprel") is TEN.column("deprel")
    assert repr(TEN) == "<Treebank ten.conllu: 10 sentences, 20 words>"
