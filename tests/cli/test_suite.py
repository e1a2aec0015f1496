"""`gardenpath suite`, and `show` of suites: what is printed where, and the exit codes."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import pytest

from calls import call

CASES = Path(__file__).parents[1] / "suites" / "cases"


run = partial(call, "suite")


def test_no_problem_is_exit_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", CASES / "perfect.conll", "--against", CASES / "perfect.tsv") == 0
    assert "No problems" in capsys.readouterr().out


def test_problems_are_lines_then_a_summary_and_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    path = CASES / "missing-subject.tsv"
    assert run("check", path, CASES / "perfect.tsv") == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == f"{path}:3: error missing-subject [item 2]: no subject (nsubj)"
    assert out.splitlines()[1] == "  mark the subject's noun with nsubj and its verb"
    assert "1 error and 0 warnings in 12 items of 2 files" in out
    assert err == "1 error\n"


def test_only_errors_exit_1(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pairs = "item\tgood\tbad\n1\tthe dog barks\tthe  dog bark\n2\tcats sleep\tcats sleeps\n"
    (tmp_path / "blanks.tsv").write_text(pairs, encoding="utf-8")
    assert run("check", tmp_path / "blanks.tsv") == 0
    out, err = capsys.readouterr()
    assert "note blanks [item 1]: region 1 of bad has extra blanks" in out
    assert "0 errors, 0 warnings and 1 note in 2 items of 1 file" in out
    assert not err
    (tmp_path / "same.tsv").write_text(pairs + "3\tit is\tit is\n", encoding="utf-8")
    assert run("check", tmp_path / "same.tsv", "--format", "json") == 1
    out, err = capsys.readouterr()
    assert {problem["id"]: problem["level"] for problem in json.loads(out)["problems"]} == {
        "same-sentence": "error", "blanks": "note",
    }  # fmt: skip
    assert err == "1 error\n"


def test_json_has_findings_and_problems(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    output = tmp_path / "problems.json"
    assert run("check", CASES / "duplicate.tsv", "--format", "json", "-o", output) == 1
    assert capsys.readouterr().out == ""
    found = json.loads(output.read_text("utf-8"))
    assert [(one["measure"], one["value"], one["id"]) for one in found["findings"]] == [("problems", 1, "duplicate")]
    assert (found["problems"][0]["line"], found["problems"][0]["item"]) == (4, "3")


def test_checks_can_be_listed_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "--list", "--format", "tsv") == 0
    assert "loose-preposition" in capsys.readouterr().out
    assert run("check", CASES / "duplicate.tsv", "--ignore", "duplicate,no-pair") == 0
    assert run("check", CASES / "duplicate.tsv", "--only", "dublicate") == 2
    assert run("check", "--ignore", "no-pair") == 2


def test_a_file_that_is_no_suite_is_exit_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("order\tsentence\n", encoding="utf-8")
    assert run("check", path) == 2
    assert f"error: {path}:1: this is not a suite" in capsys.readouterr().err


def test_convert_to_a_file_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tsv, conllu = tmp_path / "a.tsv", tmp_path / "a.conllu"
    assert run("convert", CASES / "perfect.conll", tsv) == 0
    assert "not in tsv: heads of subject" in capsys.readouterr().err
    assert tsv.read_bytes() == (CASES / "perfect.tsv").read_bytes()
    assert run("convert", CASES / "pp-perfect.tsv", conllu) == 0
    assert "props=base-2head" in conllu.read_text("utf-8")
    assert run("convert", conllu, tmp_path / "b.dat") == 2
    assert run("convert", conllu, tmp_path / "b.dat", "--to", "tsv") == 0
    assert (tmp_path / "b.dat").read_bytes() == (CASES / "pp-perfect.tsv").read_bytes()


def test_convert_to_standard_output(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run("convert", CASES / "old-names.tsv", "-", "--to", "tsv", "--set", "names=today") == 0
    sys.stdout.flush()
    assert b"VF[ADV]LK[V]MF[SO]\tbase-regpol\t" in capfdbinary.readouterr().out


def test_show_a_suite_and_an_item(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("show", CASES / "perfect.conll", "--format", "json") == 0
    shown = json.loads(capsys.readouterr().out)
    counts = {one["property"]: one["value"] for one in shown["findings"] if one["measure"] == "pairs"}
    assert counts == {"acc": 0, "aux": 5, "(order)": 20}
    assert shown["facts"]["items"] == 10
    assert call("show", CASES / "perfect.conll", "--sentence", 7) == 0
    out = capsys.readouterr().out
    assert "Einen Knochen wird der Hund suchen ." in out
    assert "without aux" in out
    assert call("show", CASES / "perfect.conll", "--sentence", 70) == 2


def test_list_names_the_suites_and_their_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "roles" / "ppats").mkdir(parents=True)
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path))
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    assert call("data", "list", "--format", "json") == 0
    places = {one["suite"]: one["path"] for one in json.loads(capsys.readouterr().out)["findings"]}
    assert places["ppats"] == str(tmp_path / "roles" / "ppats")
    assert places["sorts@2020"] is None
