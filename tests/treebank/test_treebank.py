"""Treebanks: index, columns, building from drafts, documents."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_treebanks import conllu, heads, treebanks

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import Draft, Treebank, Word, concatenate, from_drafts, read
from gardenpath.treebank.format import index
from gardenpath.treebank.format.documents import document_numbers, sentence_columns
from gardenpath.treebank.format.draft import Span
from gardenpath.treebank.format.index import EMPTY, FIELDS, MULTIWORD, WORD

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


anyhow = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)


def split(data: bytes) -> list[list[list[bytes]]]:
    """Sentences, rows, fields."""
    found: list[list[list[bytes]]] = [[]]
    for line in data.split(b"\n"):
        if not line:
            found.append([])
        elif not line.startswith(b"#"):
            found[-1].append(line.split(b"\t"))
    return [rows for rows in found if rows]


@anyhow
@given(data=treebanks(), chunk=st.sampled_from([1, 7, 64, 300, 1 << 19]))
def test_offsets_are_those_of_a_plain_split(data: bytes, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_CHUNK", chunk)  # small chunks: sentences straddle their borders
    treebank = Treebank(data)
    found, expected = treebank.index, split(data)
    rows = [row for sentence in expected for row in sentence]
    assert np.diff(found.rows).tolist() == [len(sentence) for sentence in expected]
    for number, row in enumerate(rows):
        begins = [int(found.starts[number]), *(int(end) + 1 for end in found.separators[number, :-1])]
        ends = found.separators[number].tolist()
        assert [treebank.data[a:b] for a, b in zip(begins, ends, strict=True)] == row
    kinds = [MULTIWORD if b"-" in row[0] else EMPTY if b"." in row[0] else WORD for row in rows]
    assert found.kinds.tolist() == kinds
    numbers = [tuple(map(int, row[0].replace(b"-", b".").split(b"."))) for row in rows]
    assert found.numbers.tolist() == [number[0] for number in numbers]
    assert found.seconds == {row: number[1] for row, number in enumerate(numbers) if len(number) > 1}
    assert found.heads.tolist() == [-1 if row[6] == b"_" else int(row[6]) for row in rows]
    assert b"".join(treebank.block(number) for number in range(len(treebank))) == treebank.data


@anyhow
@given(data=treebanks(), chunk=st.sampled_from([1, 100, 1 << 19]))
def test_columns_are_those_of_a_plain_split(data: bytes, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "_CHUNK", chunk)
    treebank = Treebank(data)
    words = [[row for row in sentence if row[0].isdigit()] for sentence in split(data)]
    assert treebank.lengths.tolist() == [len(sentence) for sentence in words]
    assert treebank.word_count == treebank.offsets[-1] == sum(map(len, words))
    assert treebank.ids.tolist() == [int(row[0]) for sentence in words for row in sentence]
    assert treebank.sentence_of.tolist() == [number for number, sentence in enumerate(words) for _ in sentence]
    for place, name in enumerate(FIELDS):
        assert treebank.column(name).strings() == [row[place].decode() for sentence in words for row in sentence]


def test_the_chunk_size_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "\t".join(["{}", "form", *["_"] * 4, "0", *["_"] * 3]) + "\n"
    data = "".join(
        f"# sent_id = {i}\n" + "".join(line.format(k + 1) for k in range(i % 7 + 1)) + "\n" for i in range(60)
    )
    whole = Treebank(data.encode()).index
    for size in range(1, 200, 13):
        monkeypatch.setattr(index, "_CHUNK", size)
        part = Treebank(data.encode()).index
        for name in ("separators", "starts", "kinds", "numbers", "heads", "rows", "blocks"):
            assert np.array_equal(getattr(part, name), getattr(whole, name)), (size, name)


@pytest.mark.parametrize("number", [9, 10, 99, 100, 1000])
def test_numbers_of_any_length_are_read(number: int) -> None:
    lines = ["\t".join([str(i), "w", *["_"] * 4, str(number - i), *["_"] * 3]) for i in range(1, number + 1)]
    treebank = Treebank("\n".join(lines).encode())
    assert treebank.ids.tolist() == list(range(1, number + 1))
    assert treebank.heads.tolist() == list(range(number - 1, -1, -1))


ROW = "1\tw\t_\t_\t_\t{}\t0\troot\t_\t{}\n\n"


@pytest.mark.parametrize(
    "name",
    [
        "bundled:de-train",
        "made:odd",
        "ud/UD_English-EWT/en_ewt-ud-dev.conllu",  # empty nodes, enhanced dependencies
        "ud/UD_Swedish-Talbanken/sv_talbanken-ud-test.conllu",  # one key twice in MISC
        "ud/UD_Tamil-TTB/ta_ttb-ud-train.conllu",  # multiword tokens; MISC with keys that have an empty value
        "ud/UD_Low_Saxon-LSDC/nds_lsdc-ud-test.conllu",  # two blanks in a comment
    ],
)
def test_drafts_of_real_sentences_come_back_byte_for_byte(file_named: Callable[[str], Path], name: str) -> None:
    seen = 0
    for sentence in read(file_named(name)):
        draft = sentence.edit()
        if sentence.metadata.get("text") == draft.text():  # a wrong `# text` is put right
            assert draft.to_conllu() == sentence.to_conllu()
            seen += 1
    assert seen > (150 if name == "made:odd" else 300)


@settings(deadline=None)
@given(treebanks())
def test_drafts_of_made_sentences_mean_the_same(data: bytes) -> None:
    for sentence in Treebank(data):
        draft = sentence.edit()
        again = from_drafts([draft])[0]
        assert again.rows == sentence.rows
        assert again.edit() == Draft.from_sentence(again)
        assert [c for c in again.comments if not c.startswith("text")] == [
            c for c in sentence.comments if not c.startswith("text")
        ]


@pytest.mark.parametrize("feats", ["_", "B=x|A=y", "order:VF[S]|props:base-acc", "A=1|A=2", "Odd", "A="])
@pytest.mark.parametrize("misc", ["_", "B|A=y", "A=1|A=2", "A=|B=", "x=y=z", "||"])
def test_feats_and_misc_stay_as_they_were_read_until_they_are_changed(feats: str, misc: str) -> None:
    draft = Treebank(ROW.format(feats, misc).encode())[0].edit()
    assert draft.to_conllu() == "# text = w\n" + ROW.format(feats, misc)
    draft.words[0].misc["New"] = "1"
    draft.words[0].feats = {"b": "2", "A": "1"}
    cells = draft.to_conllu().split("\n")[1].split("\t")
    assert cells[5] == "A=1|b=2"
    assert cells[9].endswith("New=1")


def test_the_text_is_made_from_the_surface() -> None:
    words = [
        Word("in", head=3),
        Word("dem", head=3),
        Word("Haus", head=0, misc={"SpaceAfter": "No"}),
        Word(".", head=3),
    ]
    draft = Draft(words, [Span(1, 2, "Im")], comments=["sent_id = a", "text = old", "last"])
    assert draft.text() == "Im Haus."
    lines = draft.to_conllu().split("\n")
    assert lines[:3] == ["# sent_id = a", "# text = Im Haus.", "# last"]
    assert draft.comments[1] == "text = old"  # writing does not change the draft
    assert [line.split("\t")[0] for line in lines[3:-2]] == ["1-2", "1", "2", "3", "4"]


def test_comments_are_got_and_set() -> None:
    draft = Draft([Word("a", head=0)], comments=["a  = 1", "note", "a = 2"])
    assert (draft.get("a"), draft.get("b")) == ("1", "")
    draft.set("a", "3")
    draft.set("b", "4")
    assert draft.comments == ["a = 3", "note", "a = 2", "b = 4"]
    for bad in ("x\ny", "x\ry"):
        with pytest.raises(UsageError, match="must stay on one line"):
            draft.set("c", bad)
    draft.comments.append("sneaked\n1\tin")
    with pytest.raises(UsageError, match="must stay on one line"):
        draft.to_conllu()


@settings(deadline=None)
@given(heads(), st.data())
def test_inserting_and_removing_again_changes_nothing(heads: list[int], data: st.DataObject) -> None:
    draft = Treebank(conllu(list(heads)))[0].edit()
    before = draft.to_conllu()
    number = data.draw(st.integers(1, len(heads) + 1))
    draft.insert(number, Word("new", head=0))
    assert [word.form for word in draft.words].index("new") == number - 1
    assert [None if not w.head else draft.words[w.head - 1].form for w in draft.words if w.form != "new"] == [
        f"w{head}" if head else None for head in heads
    ]
    draft.remove(number)
    assert draft.to_conllu() == before


@settings(deadline=None)
@given(heads(), st.data())
def test_removing_a_word_hands_its_dependents_to_its_head(heads: list[int], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(heads)))
    draft = Treebank(conllu(list(heads)))[0].edit()
    draft.remove(number)
    above = {w: heads[number - 1] if h == number else h for w, h in enumerate(heads, 1) if w != number}
    assert [word.form for word in draft.words] == [f"w{word}" for word in above]
    assert [draft.words[w.head - 1].form if w.head else None for w in draft.words] == [
        f"w{head}" if head else None for head in above.values()
    ]


@settings(deadline=None)
@given(st.integers(2, 7), st.data())
def test_multiword_tokens_keep_their_words(size: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(1, size - 1))
    last = data.draw(st.integers(first + 1, size))
    draft = Draft([Word(f"w{i}", head=0) for i in range(1, size + 1)], [Span(first, last, "span")])
    number = data.draw(st.integers(1, size + 1))
    draft.insert(number, Word("new", head=0))
    inside = [f"w{i}" for i in range(first, last + 1)]
    if first < number <= last:
        inside.insert(number - first, "new")
    assert [word.form for word in from_drafts([draft])[0].multiword_tokens[0].words] == inside
    gone = data.draw(st.integers(1, size + 1))
    left = [form for form in inside if form != draft.words[gone - 1].form]
    draft.remove(gone)
    tokens = from_drafts([draft])[0].multiword_tokens
    assert [[word.form for word in token.words] for token in tokens] == ([left] if len(left) > 1 else [])


def test_a_word_that_is_its_own_head_leaves_none_behind() -> None:
    draft = Draft([Word("a", head=1), Word("b", head=1)])
    draft.remove(1)
    assert [word.head for word in draft.words] == [None]


def test_enhanced_dependencies_are_not_broken_silently() -> None:
    draft = Draft([Word("a", head=0, deps="0:root")], empty=[(1, Word("e"))], comments=["sent_id = s"])
    refused = r"s: cannot .* enhanced dependencies\n  call drop_enhanced"
    with pytest.raises(UsageError, match=refused):
        draft.remove(1)
    with pytest.raises(UsageError, match=refused):
        draft.insert(1, Word("b"))
    draft.drop_enhanced()
    draft.insert(2, Word("b", head=1))
    assert from_drafts([draft])[0].empty_nodes == []
    assert [word.deps for word in draft.words] == ["_", "_"]


@pytest.mark.parametrize("number", [0, -1, 4])
def test_words_that_are_not_there(number: int) -> None:
    draft = Draft([Word("a", head=0), Word("b", head=1)])
    with pytest.raises(UsageError, match=f"no word {number} in a sentence of 2 words"):
        draft.remove(number)
    with pytest.raises(UsageError, match=f"cannot insert word {number} into a sentence of 2 words"):
        draft.insert(number, Word("c"))


@pytest.mark.parametrize("field", ["", "a\tb", "a\nb", "a\rb"])
def test_fields_that_would_break_the_file(field: str) -> None:
    fine = Word("a", head=0)
    for draft in (
        Draft([Word(field, head=0)]),
        Draft([Word("a", head=0, misc={"Gloss": field + "\t"})]),
        Draft([fine, fine], [Span(1, 2, field)]),
        Draft([fine], empty=[(1, Word(field))]),
    ):
        with pytest.raises(UsageError, match="a field of CoNLL-U cannot be"):
            draft.to_conllu()


@pytest.mark.parametrize("spans", [[(2, 3)], [(1, 1)], [(0, 1)], [(1, 2), (1, 2)], [(5, 6)], [(2, 1)]])
def test_ranges_without_a_place_are_refused(spans: list[tuple[int, int]]) -> None:
    draft = Draft([Word("a", head=0), Word("b", head=1)], [Span(a, b, "ab") for a, b in spans])
    with pytest.raises(UsageError, match="does not fit"):
        draft.to_conllu()


def test_other_drafts_that_are_no_sentence() -> None:
    with pytest.raises(UsageError, match="at least one word"):
        Draft().to_conllu()
    with pytest.raises(UsageError, match="an empty node after word 2 of 1 words"):
        Draft([Word("a", head=0)], empty=[(2, Word("e"))]).to_conllu()
    with pytest.raises(InputError, match="<built>:2: HEAD 7 in a sentence of 1 words"):
        from_drafts([Draft([Word("a", head=7)])])


DOCUMENT_ROW = "1\tnewdoc\t# newdoc\tX\t_\t_\t0\troot\t_\tid=newdoc\n\n"


def treebank(*comments: str) -> Treebank:
    return Treebank("".join(f"{comment}{DOCUMENT_ROW}" for comment in comments).encode())


def by_lines(given: Treebank) -> list[int] | None:
    """The oracle: `# newdoc`, alone or before something else, on a line of its own."""
    count, numbers, seen = -1, [], False
    for number, block in enumerate(given.to_bytes().decode().split("\n\n")[: len(given)]):
        heads = [line[1:].split() for line in block.split("\n") if line.startswith("#")]
        begins = any(words[:1] == ["newdoc"] for words in heads)
        seen |= begins
        count += begins or number == 0
        numbers.append(count)
    return numbers if seen else None


@pytest.mark.parametrize(
    "comments",
    [
        ("# newdoc\n", "", "# newdoc id = b\n", ""),
        ("", "#newdoc\n# text = x\n", "# text = no newdoc here\n"),
        ("", "# newdocument\n", "# text = newdoc\n"),
        ("# sent_id = 1\n# newdoc id = newdoc\n# newdoc\n", "# newdoc\n"),
    ],
)
def test_documents_begin_where_a_comment_says_so(comments: tuple[str, ...]) -> None:
    given = treebank(*comments)
    numbers = document_numbers(given)
    assert (None if numbers is None else numbers.tolist()) == by_lines(given)


_WORD = "1\tw\t_\tX\t_\t_\t0\troot\t_\t_\n\n"


def test_documents_hand_on_what_is_said_of_them() -> None:
    text = (
        "# newdoc id = d1\n# meta::genre = news\n# sent_id = 1\n# text = w\n" + _WORD
        + "# sent_id = 2\n# mood=calm = quiet\n" + _WORD
        + "# newdoc\n# sent_id = 3\n" + _WORD
    )  # fmt: skip
    assert sentence_columns(Treebank(text.encode())) == {
        "length": [1, 1, 1], "document": ["d1", "d1", ""], "meta::genre": ["news", "news", None],
        "sent_id": ["1", "2", "3"], "mood": [None, "calm = quiet", None],
    }  # fmt: skip
