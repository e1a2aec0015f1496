"""Converting changes what it was asked to change, and can be undone where it says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import UsageError
from gardenpath.treebank import Treebank, read
from gardenpath.treebank.format.convert import convert, export, switch_feats
from gardenpath.treebank.validate.report import validate_bytes

CASES = Path(__file__).parent / "cases"
PERFECT = read(CASES / "perfect.conllu")
WORDS = "Cats sleep .\nEr geht zu dem Arzt und sie heim .\n"


def test_nothing_asked_nothing_changed() -> None:
    assert convert(PERFECT) is PERFECT
    assert export(PERFECT) == (CASES / "perfect.conllu").read_bytes()


def test_the_end_of_a_file_is_completed() -> None:
    assert export(Treebank(PERFECT.data[:-2])) == PERFECT.data


def test_feats_equals_and_back() -> None:
    colon = convert(PERFECT, feats="colon")
    assert b"Mood:Ind|Tense:Pres" in colon.data
    assert convert(colon, feats="equals").data == PERFECT.data
    equal = convert(read(CASES / "feats-colon.conllu"), feats="equals")
    assert b"\tNumber=Plur|props=base\t" in equal.data


_values = st.text(st.characters(exclude_characters="|\t\n\r", exclude_categories=["Cs"]), min_size=1, max_size=5)
_names = st.text(st.characters(exclude_characters="|\t\n\r:=", exclude_categories=["Cs"]), min_size=1, max_size=5)


@given(st.lists(st.tuples(_names, _values), min_size=1, max_size=3), st.sampled_from(["equals", "colon"]))
def test_switching_feats_loses_nothing(pairs: list[tuple[str, str]], flavour: str) -> None:
    sign, other = ("=", "colon") if flavour == "equals" else (":", "equals")
    field = "|".join(f"{name}{sign}{value}" for name, value in pairs)
    assert switch_feats(field, flavour) == field
    assert switch_feats(switch_feats(field, other), flavour) == field


def test_drop_enhanced() -> None:
    plain = convert(PERFECT, drop_enhanced=True)
    assert all(row[8] == "_" and "." not in row[0] for sentence in plain for row in sentence.rows)
    assert plain.heads.tolist() == PERFECT.heads.tolist()
    assert plain.texts == PERFECT.texts
    assert list(validate_bytes(plain.data)) == []


def test_add_text_only_where_it_is_missing() -> None:
    bare = Treebank(PERFECT.data.replace(b"# text = Cats sleep.\n", b"# source = here\n"))
    assert convert(bare, add_text=True).data == PERFECT.data.replace(b"sleep.\n", b"sleep.\n# source = here\n", 1)
    assert convert(PERFECT, add_text=True).data == PERFECT.data


def test_renumber_sent_ids() -> None:
    changed = convert(PERFECT, sent_ids="de-")
    assert changed.sent_ids == ["de-1", "de-2"]
    assert changed.data == PERFECT.data.replace(b"= s1\n", b"= de-1\n").replace(b"= s2\n", b"= de-2\n")
    bare = Treebank(b"# newdoc id = d\n# text = Cats sleep.\n" + PERFECT.data.split(b"\n", 2)[2])
    assert convert(bare, sent_ids="").data.startswith(b"# newdoc id = d\n# sent_id = 1\n# text = Cats")


@pytest.mark.parametrize(
    ("to", "expected"),
    [
        ("text", "Cats sleep.\nEr geht zum Arzt und sie heim.\n"),
        ("horizontal", WORDS),
        ("vertical", "".join(line.replace(" ", "\n") + "\n\n" for line in WORDS.splitlines())),
    ],
)
def test_export(to: str, expected: str) -> None:
    assert export(PERFECT, to).decode() == expected


def test_horizontal_keeps_words_with_blanks_whole() -> None:
    """As UDPipe reads it: a no-break space inside a word is a blank."""
    two = Treebank(PERFECT.data.replace(b"1\tCats", b"1\tBig cats"))
    assert export(two, "horizontal").decode().startswith("Big\u00a0cats sleep")


def test_tsv_has_a_row_per_line() -> None:
    header, *rows = export(PERFECT, "tsv").decode().splitlines()
    assert header == "sentence\tsent_id\tid\tform\tlemma\tupos\txpos\tfeats\thead\tdeprel\tdeps\tmisc"
    assert len(rows) == len(PERFECT.index.kinds)
    assert rows[0] == "1\ts1\t1\tCats\tcat\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t2:nsubj\t_"


def test_wrong_calls() -> None:
    with pytest.raises(UsageError, match="did you mean text"):
        export(PERFECT, "txt")
    with pytest.raises(UsageError, match="flavour"):
        convert(PERFECT, feats="dots")
    with pytest.raises(UsageError, match="white space"):
        convert(PERFECT, sent_ids="a b")


def test_suite_becomes_conllu(shared: Path) -> None:
    suite = read(shared / "roles" / "ppats" / "pp-test-suite-all-heads.conll")
    made = convert(suite, feats="equals", add_text=True, sent_ids="pp-")
    wrong = {problem.id for problem in validate_bytes(made.data) if problem.level == "error"}
    assert wrong <= {"feats-form"}
    assert made.heads.tolist() == suite.heads.tolist()
