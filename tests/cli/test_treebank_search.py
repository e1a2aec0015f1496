"""`gardenpath treebank search`: counts, groups, sentences, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.cli.main import main

PATTERN = "pattern { V [upos=VERB]; V -[obj]-> O } without { V -[nsubj]-> S }"


def search(*arguments: object) -> int:
    with pytest.raises(SystemExit) as end:
        main(["treebank", "search", *map(str, arguments)])
    return int(end.value.code or 0)


def test_counts_groups_and_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert search("bundled:de-test", PATTERN, "--by", "O.upos,V.VerbForm", "--format", "json") == 0
    printed = json.loads(capsys.readouterr().out)
    matches = gp.read("bundled:de-test").search(PATTERN)
    counts = matches.counts("O.upos", "V.VerbForm")
    rows = {
        (row.get("O.upos"), row.get("V.VerbForm")): row for row in printed["findings"] if row["measure"] == "matches"
    }
    assert rows[None, None]["value"] == len(matches) > 0
    grouped = {(upos or "(none)", form or "(none)"): count for (upos, form), count in counts.items()}
    assert {key: row["value"] for key, row in rows.items() if key != (None, None)} == grouped
    shares = [row["value"] for row in printed["findings"] if row["measure"] == "share"]
    assert sum(shares) == pytest.approx(100)
    assert printed["examples"][0]["text"].count("«") == 2
    assert f"|pattern:{PATTERN}|" in printed["signature"]


def test_sentences_as_conllu(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    request = tmp_path / "request.txt"
    request.write_text(PATTERN, encoding="utf-8")
    assert search("bundled:de-test", f"@{request}", "--to", "conllu") == 0
    treebank = gp.read("bundled:de-test")
    assert capsys.readouterr().out.encode() == treebank[treebank.search(PATTERN).sentences].to_bytes()
    assert search("bundled:de-test", "X [upos=SYM]", "--to", "conllu") == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("pattern", "message"),
    [("X -[nsubj> Y", "]-> is missing before '>'"), ("@nowhere.txt", "the request cannot be read: No such file")],
)
def test_what_is_no_request_is_refused(pattern: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert search("bundled:de-test", pattern) == 2
    assert message in capsys.readouterr().err


def test_phrase_trees_are_searched_by_the_same_command(capsys: pytest.CaptureFixture[str]) -> None:
    place, pattern = "bundled:de-constructions/tiger", "X [cat=NP, gap]; X ->> R; R [cat=S]"
    assert search(place, pattern, "--by", "R.function", "--format", "json") == 0
    printed = json.loads(capsys.readouterr().out)
    matches = gp.search(place, pattern)
    assert printed["findings"][0]["value"] == len(matches) > 0
    assert printed["examples"][0]["text"].count("[X") == 2
    assert search(place, pattern, "--to", "discbracket") == 0
    assert len(capsys.readouterr().out.splitlines()) == len(matches.sentences)
    assert search(place, pattern, "--to", "conllu") == 2
    assert "unknown format of phrase trees" in capsys.readouterr().err
