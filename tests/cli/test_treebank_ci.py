"""`gardenpath treebank validate` in a continuous integration: formats, changed sentences, known problems."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gardenpath.cli.main import main

GOOD = """# sent_id = {name}
# text = Er geht
1\tEr\ter\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tgeht\tgehen\tVERB\t_\t_\t0\troot\t_\t_

"""
BAD = GOOD.replace("\t0\troot", "\t9\troot")


def validate(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["treebank", "validate", *map(str, arguments)])
    return int(ended.value.code or 0)


def text(*sentences: str) -> str:
    return "".join(sentence.format(name=f"s{number}") for number, sentence in enumerate(sentences, 1))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file with an old problem in its first sentence, committed."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "trees.conllu"
    path.write_text(text(BAD, GOOD, GOOD), encoding="utf-8")
    git("init", "--quiet")
    git("add", "trees.conllu")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "first")
    return path


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True)


def test_the_formats_have_file_line_and_rule(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(file.name, "-f", "sarif") == 1
    (entry, *_) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert (entry["ruleId"], entry["level"]) == ("root-not-head-zero", "error")
    place = entry["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("trees.conllu", 4)
    assert validate(file.name, "-f", "junit") == 1
    root = ElementTree.fromstring(capsys.readouterr().out)
    assert int(root.get("failures") or 0) == len(list(root.iter("failure"))) >= 1
    assert validate(file.name, "-f", "github") == 1
    assert "::error file=trees.conllu,line=4,title=head-outside::" in capsys.readouterr().out


def test_only_changed_sentences_count(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(file, "--changed-since", "HEAD") == 0
    file.write_text(text(BAD, GOOD, GOOD.replace("Er geht", "Er lief"), GOOD), encoding="utf-8")
    assert validate(file, "--changed-since", "HEAD", "--ignore", "warnings", "--ignore", "text-mismatch") == 0
    file.write_text(text(BAD, GOOD, BAD), encoding="utf-8")
    capsys.readouterr()
    assert validate(file, "--changed-since", "HEAD", "--only", "head-outside") == 1
    assert [line for line in capsys.readouterr().out.splitlines() if ": error " in line] == [
        f"{file}:14: error head-outside [s3, token 2]: HEAD 9 in a sentence of 2 words"
    ]


def test_a_new_file_has_changed_as_a_whole(file: Path) -> None:
    fresh = file.with_name("new.conllu")
    fresh.write_text(text(BAD), encoding="utf-8")
    assert validate(fresh, "--changed-since", "HEAD") == 1


@pytest.mark.parametrize(("revision", "words"), [("nowhere", "unknown revision"), ("--output=x", "is not a revision")])
def test_what_is_no_revision(file: Path, revision: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(file, f"--changed-since={revision}") == 2
    assert words in capsys.readouterr().err


def test_known_problems_do_not_fail_and_one_more_does(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert validate(file, "--update-known", "known.json") == 0
    assert validate(file, "--known", "known.json") == 0
    assert "known problem" in capsys.readouterr().err
    file.write_text(text(GOOD, GOOD).replace("s1", "s0").replace("s2", "s00") + text(BAD), encoding="utf-8")
    assert validate(file, "--known", "known.json", "--ignore", "warnings") == 0  # it has moved
    file.write_text(text(BAD, BAD), encoding="utf-8")
    assert validate(file, "--known", "known.json") == 1
    assert ":9: error head-outside [s2, token 2]" in capsys.readouterr().out
    Path("known.json").write_text("{}", encoding="utf-8")
    assert validate(file, "--known", "known.json") == 2
    assert "not a file of known problems" in capsys.readouterr().err
