"""`gardenpath suite make constructions TREEBANK`: counted, listed, drawn, and by the published list."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from calls import Capture, call
from gardenpath.phrase import from_notation
from gardenpath.phrase.formats.source import write
from gardenpath.suites.constructions.storage import read_constructions

SHARED_SUBJECT = (
    "(CS (S:CJ (NP:SB (ART:NK Die) (NN:NK Nachbarin)) (VVFIN:HD öffnete) (NP:OA (ART:NK das) (NN:NK Fenster))) "
    "(KON:CD und) (S:CJ (VVFIN:HD rief) (NP:OA (PPOSAT:NK ihren) (NN:NK Hund))))"
)
SUBJECT_GAP = (
    "(CS (S:CJ (ADV:MO Abends) (VVFIN:HD schloss) (NP:SB (ART:NK der) (NN:NK Wirt)) (NP:OA (ART:NK die) (NN:NK Tür))) "
    "(KON:CD und) (S:CJ (VVFIN:HD löschte) (NP:OA (ART:NK das) (NN:NK Licht)))) ($. .)"
)
UNLIKE = "(S (PPER:SB Es) (VAFIN:HD ist) (CO:PD (ADJD:CJ still) (KON:CD und) (PP:CJ (APPR:AC ohne) (NN:NK Licht))))"


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    lines = [SHARED_SUBJECT, SHARED_SUBJECT, SUBJECT_GAP, UNLIKE]
    path = tmp_path / "trees.export"
    write([from_notation(line, str(at)) for at, line in enumerate(lines, 1)], path)
    return path


run = partial(call, "suite", "make", "constructions")


def counts(text: str) -> dict[tuple[str, str, str], int]:
    found = json.loads(text)["findings"]
    return {(one["phenomenon"], one["variant"], one["measure"]): one["value"] for one in found if "variant" in one}


def test_counts_by_phenomenon_and_variant(treebank: Path, capsys: Capture) -> None:
    assert run(treebank, "--scheme", "tiger", "--format", "json") == 0
    assert counts(capsys.readouterr().out) == {
        ("fcr", "v2", "items"): 2, ("fcr", "v2", "sentences"): 2, ("fcr", "v2", "short"): 2,
        ("sgf", "", "items"): 1, ("sgf", "", "sentences"): 1, ("sgf", "", "short"): 1,
    }  # fmt: skip
    assert (
        run(
            treebank,
            "--scheme",
            "tiger",
            "--phenomena",
            "cuc,sgf",
            "--set",
            "wide=yes",
            "--max-length",
            10,
            "-f",
            "json",
        )
        == 0
    )
    found = counts(capsys.readouterr().out)
    assert found["cuc", "ap+pp", "items"] == 1
    assert found["sgf", "", "short"] == 0
    assert (
        run(
            treebank,
            "--scheme",
            "tiger",
            "--phenomena",
            "sgf",
            "--max-length",
            10,
            "--set",
            "punctuation=no",
            "-f",
            "json",
        )
        == 0
    )
    assert counts(capsys.readouterr().out)["sgf", "", "short"] == 1


@pytest.mark.parametrize("format", ["table", "tsv", "json", "markdown", "latex"])
def test_a_row_for_each_hit(treebank: Path, capsys: Capture, format: str) -> None:
    assert run(treebank, "--scheme", "tiger", "--set", "items=yes", "--format", format) == 0
    shown = capsys.readouterr().out
    assert shown.count("subject=") == 3
    assert "subject=4:Wirt" in shown


def test_what_was_drawn_is_a_suite(treebank: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "suite"
    assert run(treebank, "--scheme", "tiger", "--size", 1, "--seed", 5, "-o", folder, "--set", "release=2026") == 0
    captured = capsys.readouterr()
    suite = read_constructions(folder)
    assert (suite.name, suite.release, suite.scheme) == ("suite", "2026", "tiger")
    assert [item.item for item in suite.items] == ["fcr-v2-001", "sgf-001"]
    assert "2 items in" in captured.err
    assert "only 0 of 1 sentences for erc" in captured.err
    assert "sample:1|seed:5" in captured.out


def test_the_published_list_says_which_sentences(treebank: Path, tmp_path: Path, capsys: Capture) -> None:
    listed = tmp_path / "tepacoc.txt"
    there = "3\t\tAbends schloss der Wirt die Tür und löschte das Licht ."
    rows = ["\t\tSGF", there, "\t\tCUC", "9\t\tGanz anders", "\t\tERC", there]
    listed.write_text("\n".join(rows), encoding="utf-8")
    assert run(treebank, "--scheme", "tiger", "--set", f"list={listed}", "-f", "json") == 0
    captured = capsys.readouterr()
    assert counts(captured.out)["sgf", "", "items"] == 1
    assert json.loads(captured.out)["failures"] == {
        "listed, but not in the treebank": 1,
        "in the treebank, but not found by the rules": 1,
    }
    assert "CUC 9 is not in the treebank: the treebank has only 4 sentences" in captured.err
    assert "ERC 3 is sentence 3, but the rules find no erc in it" in captured.err
    assert run(treebank, "--scheme", "tiger", "--set", f"list={listed}", "-f", "json", "--phenomena", "sgf") == 0
    assert json.loads(capsys.readouterr().out)["failures"] == {}  # rows of others are not asked for
    assert run(treebank, "--scheme", "tiger", "--set", f"list={listed}", "--size", 3) == 2
    assert "leave one of them out" in capsys.readouterr().err
    assert run(treebank, "--scheme", "tiger", "--set", f"list={listed}", "--set", "wide=yes") == 2
    assert "--set wide is for what is found by rule" in capsys.readouterr().err
    assert run(treebank, "--scheme", "tiger", "--set", f"list={listed}", "-f", "json", "--quiet") == 0
    quiet = capsys.readouterr()
    assert (quiet.out, quiet.err) == (captured.out, "")


def test_wrong_calls_are_told_before_the_work(treebank: Path, tmp_path: Path, capsys: Capture) -> None:
    assert run(treebank, "--scheme", "tiger", "--phenomena", "fcr,sfg") == 2
    assert "unknown phenomenon 'sfg'" in capsys.readouterr().err
    assert run(treebank, "--scheme", "tiger", "-o", treebank) == 2
    assert "this is a file" in capsys.readouterr().err
    assert run(treebank, "--scheme", "tigger") == 2
    assert "did you mean tiger?" in capsys.readouterr().err
    assert run(tmp_path / "none.export", "--scheme", "tiger") == 2


def test_trees_that_do_not_fit_the_scheme_are_told(treebank: Path, tmp_path: Path, capsys: Capture) -> None:
    assert run(treebank, "--scheme", "tuebadz") == 0
    assert "warning: the trees look like tiger, not tuebadz" in capsys.readouterr().err
    bare = tmp_path / "bare.export"
    write([from_notation("(S (NP (NN Hunde)) (VVFIN bellen))")], bare)
    assert run(bare, "--scheme", "tiger") == 0
    assert "the trees have no functions" in capsys.readouterr().err
    assert run(treebank, "--scheme", "tiger") == 0
    assert "warning" not in capsys.readouterr().err
    english = tmp_path / "english.mrg"
    english.write_text("(S (NP-SBJ (DT The) (NN dog)) (VP (VBZ sleeps) (PP-LOC (IN in) (NP (DT the) (NN sun)))))\n")
    assert run(english, "--scheme", "tiger") == 0
    misfit = "none of the functions of TIGER (AC, CD, CJ, CP …) occurs in the trees; they have SBJ, LOC …"
    assert f"warning: {misfit}" in capsys.readouterr().err
    assert call("constructions", english, english, "--scheme", "tiger") == 2
    assert f"no construction is here: {misfit}" in capsys.readouterr().err
