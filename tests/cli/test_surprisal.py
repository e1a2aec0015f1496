"""`gardenpath surprisal`, and `show` and `suite` on suites of regions, as a user calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calls import Capture, call
from gardenpath.cli.main import main
from gardenpath.runs import Run
from scored_text import to_lm_zoo

PAIRS = "item\tgood\tbad\n1\tthe dog barks\tthe dog bark\n2\tcats sleep\tcats sleeps\n"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A suite of two pairs, and surprisals by which the first is right."""
    suite, out = tmp_path / "agreement.tsv", tmp_path / "out.tsv"
    suite.write_text(PAIRS, encoding="utf-8")
    sentences = [line.split() for row in PAIRS.splitlines()[1:] for line in row.split("\t")[1:]]
    values = [[1.0, 1.0, 1.0], [1.0, 1.0, 2.0], [2.0, 2.0], [2.0, 1.0]]
    out.write_text(to_lm_zoo(sentences, values), encoding="utf-8")
    return str(suite), f"surprisals:{out}"


def test_table_and_json(files: tuple[str, str], capsys: Capture) -> None:
    assert call("surprisal", *files, "--by", "all") == 0
    shown = capsys.readouterr().out
    assert "agreement: 2 items" in shown
    assert "surprisals:out.tsv" in shown
    assert "(*;%bad%) > (*;%good%)" in shown
    assert call("surprisal", *files, "--format", "json") == 0
    result = json.loads(capsys.readouterr().out)
    (accuracy,) = [one for one in result["findings"] if one["measure"] == "accuracy" and "prediction" not in one][:1]
    assert (accuracy["value"], accuracy["n"], accuracy["suite"]) == (50.0, 2, "agreement")
    assert "ties:half" in result["signature"]


def test_run_folder_and_bounds(files: tuple[str, str], tmp_path: Path, capsys: Capture) -> None:
    folder = str(tmp_path / "run")
    for _ in range(2):  # the second time the run is there already
        assert call("surprisal", *files, "--run", folder) == 0
    run = Run.load(folder)
    assert run.finished
    assert run.observations()["value"].to_list() == [1.0, 0.0]
    assert call("check", *files, "--min", "surprisal.accuracy>=50") == 0
    assert call("check", folder, "--min", "surprisal.accuracy_per_byte>=60") == 1
    assert "accuracy_per_byte>=60 fails with" in capsys.readouterr().err
    assert call("check", folder, "--min", "surprisal.accuracy_known>=3") == 2
    assert "accuracy_known" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{suite}"], "no system is named"),
        (["{system}"], "no suite is named"),
        (["{suite}", "{system}", "--ties", "hlaf"], "did you mean half"),
        (["{suite}", "{suite}", "{system}"], "two suites are called"),
        (["{suite}", "surprisal:x"], "did you mean surprisals"),
        (["{suite}", "surprisals:none"], "no such file"),
        (["none.json", "{system}"], "no such file"),
    ],
)
def test_calls_that_are_wrong(arguments: list[str], message: str, files: tuple[str, str], capsys: Capture) -> None:
    given = [one.format(suite=files[0], system=files[1]) for one in arguments]
    assert call("surprisal", *given) == 2
    assert message in capsys.readouterr().err


def test_suites_commands(files: tuple[str, str], tmp_path: Path, capsys: Capture) -> None:
    suite, _ = files
    assert call("suite", "check", suite) == 0
    assert "No problems" in capsys.readouterr().out
    assert call("show", suite) == 0
    assert "(*;%bad%) > (*;%good%)" in capsys.readouterr().out
    assert call("show", suite, "--sentence", "2") == 0
    assert "cats sleeps" in capsys.readouterr().out
    target = tmp_path / "suite.json"
    assert call("suite", "convert", suite, str(target)) == 0
    assert call("suite", "convert", str(target), "-", "--to", "pairs") == 0
    assert capsys.readouterr().out == PAIRS
    assert call("suite", "convert", suite, str(tmp_path / "x.csv")) == 2
    assert "say --to" in capsys.readouterr().err
    spoiled = json.loads(target.read_text("utf-8"))
    spoiled["predictions"][0]["formula"] = "(*;%bda%) > (*;%good%)"
    target.write_text(json.dumps(spoiled), encoding="utf-8")
    assert call("suite", "check", str(tmp_path / "*.json")) == 1
    shown = capsys.readouterr()
    assert "no condition bda" in shown.out
    assert "did you mean bad?" in shown.out
    assert call("suite", "check", str(target), "--against", suite) == 2


def test_files_globs_and_an_option_of_the_system(files: tuple[str, str], tmp_path: Path, capsys: Capture) -> None:
    glob = str(tmp_path / "agree*.tsv")
    assert call("surprisal", glob, f"m={files[1]}#match=order", "--format", "json", "--quiet") == 0
    result = json.loads(capsys.readouterr().out)
    assert "/match:order/" in result["signature"]
    assert call("surprisal", glob, f"{files[1]}#match=ordr") == 2
    assert "did you mean order" in capsys.readouterr().err


def test_a_failure_is_told_and_counted(files: tuple[str, str], tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "out.tsv"
    out.write_text(out.read_text(encoding="utf-8").replace("sleeps\t1.0", "sleeps\tnan"), encoding="utf-8")
    assert call("surprisal", *files) == 0
    shown = capsys.readouterr()
    assert "items failed (not scored) 1" in " ".join(shown.out.split())
    assert "failed on an item; the first reason: " in shown.err
    assert call("surprisal", *files, "--quiet") == 0
    assert capsys.readouterr().err == ""


def test_a_folder_of_a_model_without_its_kind_is_named(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(SystemExit, match="2"):
        main(["surprisal", "bundled:en-surprisal", str(tmp_path)])
    assert f"write its kind before it: hf:{tmp_path}" in capsys.readouterr().err
