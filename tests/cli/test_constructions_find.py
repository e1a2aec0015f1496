"""`gardenpath constructions find`, and how the group tells it from the study."""

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


run = partial(call, "constructions")


def counts(text: str) -> dict[tuple[str, str, str], int]:
    found = json.loads(text)["findings"]
    return {(one["phenomenon"], one["variant"], one["measure"]): one["value"] for one in found if "variant" in one}


def test_counts_by_phenomenon_and_variant(treebank: Path, capsys: Capture) -> None:
    assert run("find", treebank, "--scheme", "tiger", "--format", "json") == 0
    assert counts(capsys.readouterr().out) == {
        ("fcr", "v2", "items"): 2, ("fcr", "v2", "sentences"): 2, ("fcr", "v2", "short"): 2,
        ("sgf", "", "items"): 1, ("sgf", "", "sentences"): 1, ("sgf", "", "short"): 1,
    }  # fmt: skip
    assert (
        run("find", treebank, "--scheme", "tiger", "--phenomena", "cuc,sgf", "--wide", "--max-length", 10, "-f", "json")
        == 0
    )
    found = counts(capsys.readouterr().out)
    assert found["cuc", "ap+pp", "items"] == 1
    assert found["sgf", "", "short"] == 0
    assert (
        run(
            "find",
            treebank,
            "--scheme",
            "tiger",
            "--phenomena",
            "sgf",
            "--max-length",
            10,
            "--no-punctuation",
            "-f",
            "json",
        )
        == 0
    )
    assert counts(capsys.readouterr().out)["sgf", "", "short"] == 1


@pytest.mark.parametrize("format", ["table", "tsv", "json", "markdown", "latex"])
def test_a_row_for_each_hit(treebank: Path, capsys: Capture, format: str) -> None:
    assert run("find", treebank, "--scheme", "tiger", "--items", "--format", format) == 0
    shown = capsys.readouterr().out
    assert shown.count("subject=") == 3
    assert "subject=4:Wirt" in shown


def test_what_was_drawn_is_a_suite(treebank: Path, tmp_path: Path, capsys: Capture) -> None:
    folder = tmp_path / "suite"
    assert (
        run("find", treebank, "--scheme", "tiger", "--sample", 1, "--seed", 5, "-o", folder, "--release", "2026") == 0
    )
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
    assert run("find", treebank, "--scheme", "tiger", "--list", listed, "-f", "json") == 0
    captured = capsys.readouterr()
    assert counts(captured.out)["sgf", "", "items"] == 1
    assert json.loads(captured.out)["failures"] == {
        "listed, but not in the treebank": 1,
        "in the treebank, but not found by the rules": 1,
    }
    assert "CUC 9 is not in the treebank: the treebank has only 4 sentences" in captured.err
    assert "ERC 3 is sentence 3, but the rules find no erc in it" in captured.err
    assert run("find", treebank, "--scheme", "tiger", "--list", listed, "-f", "json", "--phenomena", "sgf") == 0
    assert json.loads(capsys.readouterr().out)["failures"] == {}  # rows of others are not asked for
    assert run("find", treebank, "--scheme", "tiger", "--list", listed, "--sample", 3) == 2
    assert "leave one of them out" in capsys.readouterr().err
    assert run("find", treebank, "--scheme", "tiger", "--list", listed, "--wide") == 2
    assert "--wide is for what is found by rule" in capsys.readouterr().err
    assert run("find", treebank, "--scheme", "tiger", "--list", listed, "-f", "json", "--quiet") == 0
    quiet = capsys.readouterr()
    assert (quiet.out, quiet.err) == (captured.out, "")


def test_wrong_calls_are_told_before_the_work(treebank: Path, tmp_path: Path, capsys: Capture) -> None:
    assert run("find", treebank, "--scheme", "tiger", "--phenomena", "fcr,sfg") == 2
    assert "unknown phenomenon 'sfg'" in capsys.readouterr().err
    assert run("find", treebank, "--scheme", "tiger", "-o", treebank) == 2
    assert "this is a file" in capsys.readouterr().err
    assert run("find", treebank, "--scheme", "tigger") == 2
    assert "did you mean tiger?" in capsys.readouterr().err
    assert run("find", tmp_path / "none.export", "--scheme", "tiger") == 2


def test_trees_that_do_not_fit_the_scheme_are_told(treebank: Path, tmp_path: Path, capsys: Capture) -> None:
    assert run("find", treebank, "--scheme", "tuebadz") == 0
    assert "warning: the trees look like tiger, not tuebadz" in capsys.readouterr().err
    bare = tmp_path / "bare.export"
    write([from_notation("(S (NP (NN Hunde)) (VVFIN bellen))")], bare)
    assert run("find", bare, "--scheme", "tiger") == 0
    assert "the trees have no functions" in capsys.readouterr().err
    assert run("find", treebank, "--scheme", "tiger") == 0
    assert "warning" not in capsys.readouterr().err
    english = tmp_path / "english.mrg"
    english.write_text("(S (NP-SBJ (DT The) (NN dog)) (VP (VBZ sleeps) (PP-LOC (IN in) (NP (DT the) (NN sun)))))\n")
    assert run("find", english, "--scheme", "tiger") == 0
    misfit = "none of the functions of TIGER (AC, CD, CJ, CP …) occurs in the trees; they have SBJ, LOC …"
    assert f"warning: {misfit}" in capsys.readouterr().err
    assert run(english, english, "--scheme", "tiger") == 2
    assert f"no construction is here: {misfit}" in capsys.readouterr().err


def test_help_shows_the_study_and_find(capsys: Capture) -> None:
    assert run("--help") == 0
    shown = capsys.readouterr().out
    assert "gardenpath constructions SUITE... SYSTEM..." in shown
    assert "  judge " in shown
    assert "  find " in shown
    assert shown.count("Example: gardenpath constructions") == 2


@pytest.mark.parametrize("first", [(), ("judge",)])
def test_what_is_no_subcommand_is_the_study(tmp_path: Path, capsys: Capture, first: tuple[str, ...]) -> None:
    assert run(*first, tmp_path / "none", "trees:none.export") == 2
    assert "none" in capsys.readouterr().err
    assert run(*first, "--nonsense") == 2
    assert "--nonsense" in capsys.readouterr().err
