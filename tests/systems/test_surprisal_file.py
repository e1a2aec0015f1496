"""`surprisals:`: LM Zoo's tables and plain lines, a file per suite, a folder per seed; what is wrong, and where."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError, UsageError
from gardenpath.systems.registry import language_model
from gardenpath.systems.surprisal_file import SurprisalFiles, is_unknown, read_surprisals, to_lm_zoo

HEADER = "sentence_id\ttoken_id\ttoken\tsurprisal\n"
SENTENCES = [["the", "dog", "barks"], ["a", "cat"]]
VALUES = [[1.0, 2.5, 3.25], [0.5, 7.0]]


def zoo(path: Path, sentences: list[list[str]] = SENTENCES, values: list[list[float]] = VALUES) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(to_lm_zoo(sentences, values), encoding="utf-8")
    return path


def test_table_of_lm_zoo(tmp_path: Path) -> None:
    found = read_surprisals(zoo(tmp_path / "x.tsv"))
    assert [one.tokens for one in found] == [("the", "dog", "barks"), ("a", "cat")]
    assert [one.surprisals.tolist() for one in found] == VALUES
    assert found[1].place.endswith("x.tsv:5")
    assert found[0].oov is None


def test_lines_with_blank_ones_between_sentences(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("token\tsurprisal\nthe\t1\n<unk>\t2\r\n\n\na\t3\n</s>\t4\n", encoding="utf-8")
    found = read_surprisals(path)
    assert [one.tokens for one in found] == [("the", "<unk>"), ("a",)]
    assert found[0].oov is not None
    assert found[0].oov.tolist() == [False, True]


def test_a_column_says_which_words_are_unknown(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("sentence_id\ttoken_id\ttoken\tsurprisal\toov\n1\t0\ta\t1\t0\n1\t1\tb\t2\t1\n", encoding="utf-8")
    (found,) = read_surprisals(path)
    assert found.oov is not None
    assert found.oov.tolist() == [False, True]


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        (HEADER + "1\t1\ta\tnan\n", "the surprisal is nan", 2),
        (HEADER + "1\t1\ta\t1\n1\t2\tb\tinf\n", "the surprisal is inf", 3),
        (HEADER + "1\t1\ta\tx\n", "'x' is no number", 2),
        (HEADER + "1\t1\ta\t1\n3\t1\tb\t1\n", "sentence 2 is missing: 3 comes after 1", 3),
        (HEADER + "2\t1\ta\t1\n", "sentence 1 is missing", 2),
        (HEADER + "1\t1\ta\t1\n1\t3\tb\t1\n", "token 3 of sentence 1", 3),
        (HEADER + "1\t1\ta\n", "3 cells in a table with 4 columns", 2),
        ("sentence_id\ttoken\n1\ta\n", "no column surprisal", 1),
        ("a b c\n", "no line of surprisals", 1),
        ("a\tNaN\n", "the surprisal is NaN", 1),
        (HEADER, "no surprisals", 0),
        (HEADER + "1\t1\t<s>\t1\n", "a sentence without words", 2),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text: str, message: str, line: int, tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        read_surprisals(path)
    assert error.value.where == (f"{path}:{line}" if line else str(path))


def test_seeds_are_folders_and_names_of_files_differ(tmp_path: Path) -> None:
    for seed, prefix in (("trial2", "surprisals_output_cls_adj.txt"), ("trial10", "surprisals_cls_adj.tsv")):
        zoo(tmp_path / "out" / seed / prefix)
        zoo(tmp_path / "out" / seed / prefix.replace("adj", "adj_pp"), SENTENCES[:1], VALUES[:1])
    files = SurprisalFiles(str(tmp_path / "out"))
    assert list(files.seeds) == ["trial2", "trial10"]
    assert "seeds:2" in files.signature
    for seed in files.seeds:
        assert len(files.of_suite("cls_adj", SENTENCES, seed)) == 2
    with pytest.raises(InputError, match="no file with the surprisals of cls_obj"):
        files.of_suite("cls_obj", SENTENCES, "trial2")
    with pytest.raises(UsageError, match="2 seeds, and one is asked"):
        files.surprisals(SENTENCES)


def test_two_files_for_one_suite(tmp_path: Path) -> None:
    for name in ("a_cls.tsv", "b_cls.tsv"):
        zoo(tmp_path / name)
    with pytest.raises(InputError, match="2 files for cls"):
        SurprisalFiles(str(tmp_path)).of_suite("cls", SENTENCES)


def test_sentences_are_found_by_their_words_where_the_numbers_differ(tmp_path: Path) -> None:
    more = zoo(tmp_path / "x.tsv", [["more"], *SENTENCES[::-1]], [[9.0], *VALUES[::-1]])
    files = SurprisalFiles(str(more))
    assert [one.surprisals.tolist() for one in files.of_suite("any", SENTENCES)] == VALUES
    with pytest.raises(InputError, match="sentence 2 is missing: a bird"):
        files.of_suite("any", [SENTENCES[0], ["a", "bird"]])


def test_it_is_a_language_model(tmp_path: Path) -> None:
    model = language_model(f"surprisals:{zoo(tmp_path / 'x.tsv')}")
    assert [one.tolist() for one in model.surprisals(SENTENCES)] == VALUES
    assert [one.tolist() for one in model.oov(SENTENCES)] == [[False] * 3, [False] * 2]
    assert model.signature.startswith("kind:surprisals|files:")
    with pytest.raises(InputError, match="no such file"):
        language_model(f"surprisals:{tmp_path / 'none'}")


@pytest.mark.parametrize(
    ("token", "expected"),
    [("<unk>", True), ("UNK-LC-s", True), ("[UNK]", True), ("<UNK_num>", True), ("unkind", False), ("trunk", False)],
)
def test_marks_of_unknown_words(token: str, expected: bool) -> None:
    assert is_unknown(token) is expected


WORDS = st.lists(st.text("abcé的书", min_size=1, max_size=4), min_size=1, max_size=5)


@given(st.lists(WORDS, min_size=1, max_size=4), st.data())
def test_written_and_read_again(sentences: list[list[str]], data: st.DataObject) -> None:
    import tempfile

    numbers = st.floats(0, 60, allow_nan=False)
    values = [[data.draw(numbers) for _ in words] for words in sentences]
    with tempfile.TemporaryDirectory() as folder:
        found = read_surprisals(zoo(Path(folder) / "x.tsv", sentences, values))
    assert [list(one.tokens) for one in found] == sentences
    assert all(np.array_equal(one.surprisals, given) for one, given in zip(found, values, strict=True))
