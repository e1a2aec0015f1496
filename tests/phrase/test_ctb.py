"""The Chinese Treebank as it is delivered: SGML, names, genres, encodings, splits by file and statistics.

The oracle is the list of trees that the folder was written from."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from ctb_like import GENRES, SENTENCE, write_ctb
from gardenpath.cli.main import main
from gardenpath.errors import InputError
from gardenpath.phrase.formats.notation import from_notation
from gardenpath.phrase.formats.sniffing import holds_phrases
from gardenpath.phrase.formats.source import by_suffix, document_of, files, read
from gardenpath.phrase.tree import PhraseTree
from gardenpath.treebank.format.reading import read as read_treebank
from gardenpath.treebank.validate.report import survey as validate_survey

NOUNS, VERBS = ("老师", "学生", "医生", "记者", "工人", "朋友"), ("看", "买", "写", "喜欢", "知道")


def trees(count: int) -> list[PhraseTree]:
    """Different sentences of 4 to 6 words."""
    made = []
    for number in range(count):
        noun, verb = NOUNS[number % 6], VERBS[number // 6 % 5]
        more = "(AD 也) " * (number % 3)
        made.append(from_notation(f"(IP (NP (NN {noun})) (VP {more}(VV {verb}) (NP (NN 书{number}))) (PU 。))"))
    return made


@pytest.fixture
def ctb(tmp_path: Path) -> Path:
    return write_ctb(tmp_path, trees(60))


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main([*map(str, arguments)])
    return int(end.value.code or 0)


def test_a_folder_a_file_and_a_glob_hold_the_trees_that_were_written(ctb: Path) -> None:
    assert [tree.words for tree in read(ctb)] == [tree.words for tree in trees(60)]
    assert [tree.labels for tree in read(ctb)] == [tree.labels for tree in trees(60)]
    assert len(read(str(ctb / "*.nw"))) == 12
    assert len(read(ctb.parent)) == 60
    assert all(holds_phrases(str(place)) for place in (ctb, ctb / "chtb_0001.nw", ctb / "*.wb"))


def test_names_tell_document_and_genre() -> None:
    assert document_of("x/chtb_0931.bn") == ("chtb_0931", "bn")
    assert document_of("x/chtb_001.fid.gz") == ("chtb_001", "fid")
    assert document_of("x/news.2.mrg") == ("news.2", "")
    assert by_suffix("chtb_0001.cs") == "penn"
    assert by_suffix("Program.cs") is None
    assert by_suffix("chtb_0001.nw.raw") is None


def test_trees_over_lines_with_tags_on_their_line(tmp_path: Path) -> None:
    text = f"<DOC>\n<DATE>\n1998 12\n</DATE>\n<S ID=1>\n{SENTENCE}\n</S>\n<S ID=2>{SENTENCE}</S>\n</DOC>\n"
    (tmp_path / "chtb_0001.fid").write_text(text, encoding="utf-8")
    both = read(tmp_path / "chtb_0001.fid")
    assert [tree.words for tree in both] == [("老师", "看", "*T*-1", "书", "。")] * 2
    assert both[0].labels == both[1].labels == ("NP", "NP", "VP", "IP")


def test_a_broken_bracket_is_an_error_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "chtb_0001.nw").write_text("<DOC>\n<S ID=1>\n( (IP (NN 书)) ))\n</S>\n</DOC>\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"chtb_0001.nw:3.*closed that was not opened"):
        read(tmp_path / "chtb_0001.nw")


def test_gb18030_is_recognised_and_said(tmp_path: Path) -> None:
    place = write_ctb(tmp_path, trees(60), encoding="gb18030")
    told: list[str] = []
    assert [tree.words for tree in read(place, notice=told.append)] == [tree.words for tree in trees(60)]
    assert len(told) == 10
    assert all(text.endswith("is not UTF-8: read as gb18030") for text in told)


@pytest.mark.parametrize("encoding", ["big5", "euc-kr", "euc-jp"])
def test_other_encodings_of_east_asia_are_refused(tmp_path: Path, encoding: str) -> None:
    words = {"big5": "臺灣經濟發展與國際關係", "euc-kr": "한국어문장을읽는다", "euc-jp": "日本語の文章を読みます"}[
        encoding
    ]
    (tmp_path / "a.mrg").write_bytes(f"( (IP (NN {words}) (VV {words})) )\n".encode(encoding))
    with pytest.raises(InputError, match="neither UTF-8, GB18030 nor latin-1"):
        read(tmp_path / "a.mrg")


def test_german_in_latin1_is_still_read(tmp_path: Path) -> None:
    text = "( (S (NN Größe) (VV können) (NN Bäume)) )\n"
    (tmp_path / "a.mrg").write_bytes(text.encode("latin-1"))
    told: list[str] = []
    assert read(tmp_path / "a.mrg", notice=told.append)[0].words == ("Größe", "können", "Bäume")
    assert told[0].endswith("read as latin-1")


def split_words(folder: Path, part: str) -> list[tuple[str, ...]]:
    (path,) = folder.glob(f"*-{part}.mrg")
    return [tree.words for tree in read(path)]


def test_split_by_document_and_genre(ctb: Path, tmp_path: Path) -> None:
    out = tmp_path / "parts"
    assert run("treebank", "split", ctb, "-o", out, "--by-document", "--shares", "0.5,0,0.5") == 0
    part_of = {words: part for part in ("train", "test") for words in split_words(out, part)}
    assert len(part_of) == 60
    for file in files(ctb):
        assert len({part_of[tree.words] for tree in read(file)}) == 1


def test_split_stratified_by_genre(ctb: Path, tmp_path: Path) -> None:
    out = tmp_path / "parts"
    shares = ("--shares", "0.5,0,0.5")
    assert run("treebank", "split", ctb, "-o", out, "--stratify", "genre", *shares) == 0
    genre_of = {tree.words: document_of(file)[1] for file in files(ctb) for tree in read(file)}
    for part in ("train", "test"):
        assert Counter(genre_of[words] for words in split_words(out, part)) == dict.fromkeys(GENRES, 6)


def test_split_by_lists_of_files(ctb: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = tmp_path / "lists.txt"
    listed.write_text("# as published\ntrain: 1-4, 0006\ndev chtb_0007.\ntest 8-9\n".replace("0007.", "0007"))
    assert run("treebank", "split", ctb, "-o", tmp_path / "parts", "--parts", listed) == 0
    assert "in no listed document, left out 12" in capsys.readouterr().out
    by_number = {int(document_of(file)[0][-4:]): [tree.words for tree in read(file)] for file in files(ctb)}
    for part, numbers in (("train", (1, 2, 3, 4, 6)), ("dev", (7,)), ("test", (8, 9))):
        assert split_words(tmp_path / "parts", part) == [words for number in numbers for words in by_number[number]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("train 1-4\ntest 4-5\n", "document chtb_0004 is in train and in test"),
        ("train 1-4\ntest 99\n", "no document is 99"),
        ("train 1-4\nheld 5\n", "unknown part 'held'"),
        ("train 1-4\n", "a split has two parts or three"),
    ],
)
def test_wrong_lists_of_files(
    ctb: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    (tmp_path / "lists.txt").write_text(text)
    assert run("treebank", "split", ctb, "-o", tmp_path / "parts", "--parts", tmp_path / "lists.txt") == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "parts").exists()


def test_statistics_are_those_of_a_recount(ctb: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "plain.txt"
    text.write_text("老师 看 书 。\n学生 也 看 书 。\n", encoding="utf-8")
    figures = tmp_path / "figures"
    call = ("treebank", "stats", ctb, text, "--by", "argument", "--format", "json", "--run", tmp_path / "run")
    assert run(*call) == 0
    found = json.loads(capsys.readouterr().out)["findings"]
    values = {(row["suite"], row["measure"]): row["value"] for row in found if "length" not in row}
    words = [word for tree in trees(60) for word in tree.words]
    assert values[str(ctb), "sentences"] == 60
    assert values[str(ctb), "words"] == len(words)
    assert values[str(ctb), "forms"] == len(set(words))
    assert (values[str(text), "words"], values[str(text), "forms"], values[str(text), "length_mean"]) == (9, 6, 4.5)
    lengths = {row["length"]: row["value"] for row in found if row["measure"] == "count" and row["suite"] == str(ctb)}
    assert lengths == Counter(len(tree) for tree in trees(60))
    assert run("report", tmp_path / "run", "--to", "figures", "-o", figures) == 0
    assert (figures / "treebank-length.svg").exists()


def test_plain_text_has_no_traces(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    (tmp_path / "chtb_0001.nw").write_text(f"<S ID=1>\n{SENTENCE}\n</S>\n", encoding="utf-8")
    assert run("treebank", "convert", tmp_path, "--to", "text") == 0
    assert capsysbinary.readouterr().out.decode() == "老师 看 书 。\n"


def test_models_learn_from_folders_and_globs(ctb: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("train", "ngram", ctb, "-o", tmp_path / "a.npz", "--dev", ctb / "*.nw", "--quiet") == 0
    assert run("train", "pcfg", ctb / "*.nw", ctb / "*.bn", "-o", tmp_path / "p.npz", "--quiet") == 0
    capsys.readouterr()
    assert run("evaluate", ctb, f"pcfg:{tmp_path / 'p.npz'}", "--format", "json") == 0
    rows = json.loads(capsys.readouterr().out)["findings"]
    assert next(row["n"] for row in rows if row["measure"] == "exact" and len(row) and row["n"]) == 60


def test_dependencies_without_blanks_for_a_segmenter(ctb: Path, tmp_path: Path) -> None:
    out = tmp_path / "ctb.conllu"
    call = ("treebank", "convert", ctb, "--to", "conllu", "--set", "no_spaces=yes", "-o", out)
    assert run(*call) == 2  # heads need a scheme
    assert run(*call, "--scheme", "ctb") == 0
    treebank = read_treebank(out)
    assert [tuple(word.form for word in sentence) for sentence in treebank] == [tree.words for tree in trees(60)]
    assert [sentence.text for sentence in treebank] == ["".join(tree.words) for tree in trees(60)]
    (report,) = validate_survey(out)
    assert set(report.counts) == {"missing-upos", "deprel-form", "missing-sent-id"}  # text and spaces agree


def test_raw_text_of_trees(ctb: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("treebank", "convert", ctb, "--to", "text", "--set", "no_spaces=yes") == 0
    assert capsysbinary.readouterr().out.decode().splitlines() == ["".join(tree.words) for tree in trees(60)]
