"""Drafts: what is not changed comes back as it was, and changes keep a sentence whole."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_treebanks import conllu, heads, treebanks

from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import Draft, Treebank, Word, from_drafts, read
from gardenpath.treebank.draft import Span

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
