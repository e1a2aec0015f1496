"""`gardenpath suite make constructions`: the files of the folder, and the exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from calls import call as run
from gardenpath.phrase.formats.source import read
from gardenpath.suites.constructions.finding import find_in
from gardenpath.suites.constructions.model import PHENOMENA
from gardenpath.suites.constructions.storage import read_parallel
from gardenpath.treebank import read as read_treebank


def generate(*arguments: object) -> int:
    return run("suite", "make", "constructions", *arguments)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_three_treebanks_and_a_parallel_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "made"
    assert generate("-n", 60, "--seed", 2, "-o", folder) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "60 sentences: 24 plain, 6 ppn, 6 ppv, 6 erc, 6 fcr, 6 sgf, 6 cuc\n"
    trees = {scheme: read(folder / f"{scheme}.export") for scheme in ("tiger", "tuebadz")}
    words = [tree.words for tree in trees["tiger"]]
    assert words == [tree.words for tree in trees["tuebadz"]]
    treebank = read_treebank(folder / "ud.conllu")
    assert [tuple(word.form for word in sentence) for sentence in treebank] == words
    suites = read_parallel(folder)
    assert set(suites) == {"tiger", "tuebadz", "ud"}
    for scheme, suite in suites.items():
        assert len(suite.items) == 36
        hits = {
            (number, hit.phenomenon, hit.node, hit.anchors)
            for number, hit in find_in([item.tree for item in suite.items], scheme, tuple(PHENOMENA))
        }
        for number, item in enumerate(suite.items):
            meant = item.construction
            assert (number, meant.phenomenon, meant.node, meant.anchors) in hits
    assert run("treebank", "validate", folder / "ud.conllu") == 0


def test_the_same_options_give_the_same_files_and_replace_them(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert generate("-n", 20, "--seed", 5, "-o", first) == 0
    assert generate("-n", 30, "--seed", 1, "-o", second) == 0
    assert generate("-n", 20, "--seed", 5, "-o", second) == 0
    assert len(contents(first)) == 12
    assert contents(first) == contents(second)


def test_plain_sentences_have_no_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "plain"
    assert generate("-n", 5, "--set", "mix=plain", "-o", folder) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["tiger.export", "tuebadz.export", "ud.conllu"]
    assert generate("-n", 9, "--set", "mix=erc=2, plain=1", "-o", tmp_path / "mixed") == 0
    assert capsys.readouterr().err.endswith("9 sentences: 3 plain, 6 erc\n")


def test_bad_calls_are_exit_2_and_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "made"
    for arguments, said in (
        (("--language", "nl"), "language is not for constructions"),
        (("--set", "partial=yes"), "partial is not for constructions"),
        (("--set", "mix=ecr=1"), "did you mean"),
        (("--set", "mix=erc=many"), "'many' is not a share"),
        (("--set", "mix=erc=0"), "all shares are 0"),
    ):
        assert generate("-n", 5, *arguments, "-o", folder) == 2
        assert said in capsys.readouterr().err
    assert not folder.exists()
    assert generate("-n", 5) == 2
    assert "needs a folder" in capsys.readouterr().err
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    assert generate("-n", 5, "-o", file) == 2
    other = tmp_path / "other" / "tiger"
    other.mkdir(parents=True)
    (other / "notes.txt").write_text("mine", encoding="utf-8")
    assert generate("-n", 5, "-o", tmp_path / "other") == 2
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["tiger"]
    assert run("suite", "make", "roles", "--set", "mix=erc=1") == 2
