"""`gardenpath compare` and `check` on runs as other commands make them, as a continuous integration calls them."""

from __future__ import annotations

import json
import shlex
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from calls import call


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("runs")
    for name, more in (("right-branching", ()), ("nearest-head", ("--gold", "tags"))):
        target = ("--run", str(folder / name), "-o", str(folder / "out.txt"))
        assert call("evaluate", "bundled:de-test", f"baseline:{name}", *more, *target) == 0
    return str(folder / "right-branching"), str(folder / "nearest-head")


def test_it_finds_the_difference_that_evaluate_finds(runs: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert call("evaluate", "bundled:de-test", "baseline:right-branching", "baseline:nearest-head", "--gold", "tags",
                "-f", "json") == 0  # fmt: skip
    findings = json.loads(capsys.readouterr().out)["findings"]
    expected = {one["measure"]: one["value"] for one in findings if one["measure"].endswith("_difference")}
    assert call("compare", *runs, "-f", "json", "--by", "direction") == 0
    result = json.loads(capsys.readouterr().out)
    found = {one["measure"]: one["value"] for one in result["findings"] if "direction" not in one}
    assert found["las_difference"] == pytest.approx(expected["las_difference"])
    assert found["uas_difference"] == pytest.approx(expected["uas_difference"])
    assert {one.get("direction") for one in result["findings"]} == {
        None, "head to the right", "head to the left", "root",
    }  # fmt: skip
    assert result["signature"].startswith("study:comparison|runs:")


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "tsv"])
def test_every_format(runs: tuple[str, str], format: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("compare", *runs, "--format", format) == 0
    assert "nearest-head" in capsys.readouterr().out


def test_roles_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("subject-first", "right-branching"):
        assert call("roles", "bundled:de-roles", f"baseline:{name}", "--run", str(tmp_path / name)) == 0
    capsys.readouterr()
    assert call("compare", str(tmp_path / "subject-first"), str(tmp_path / "right-branching"), "-f", "tsv") == 0
    header, *rows = capsys.readouterr().out.splitlines()
    assert "order" in header.split("\t")
    assert "property" in header.split("\t")
    assert len(rows) > 20


def test_other_suites_and_bad_calls(runs: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = str(tmp_path / "other")
    assert call("evaluate", "bundled:en-test", "baseline:right-branching", "--run", other) == 0
    capsys.readouterr()
    assert call("compare", runs[0], other) == 2
    assert "not of the same suite: gold de_garden-test.conllu#" in capsys.readouterr().err
    (tmp_path / "empty").mkdir()
    assert call("compare", runs[0], str(tmp_path / "empty")) == 2
    assert "holds no run" in capsys.readouterr().err
    assert call("compare", *runs, "--by", "directoin") == 2
    assert "did you mean direction" in capsys.readouterr().err


# ---- `gardenpath check` as a continuous integration calls it


def examples(command: str) -> list[list[str]]:
    """The examples of the help, as one would type them."""
    with redirect_stdout(StringIO()) as shown:
        assert call(command, "--help") == 0
    text = " ".join(shown.getvalue().split()).partition(" Arguments:")[0].partition(" Options:")[0]
    return [shlex.split(example) for example in text.split("Example: gardenpath ")[1:]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the examples of the help were typed: a run before, and one now that is worse."""
    place = tmp_path_factory.mktemp("check")
    with chdir(place), redirect_stdout(StringIO()):
        assert [call(*example) for example in examples("check")] == [0, 0, 1]
        assert call("roles", "bundled:de-roles", "mine=baseline:right-branching", "--run", "now") == 0
    return place


@pytest.fixture(scope="module")
def run(folder: Path) -> str:
    return str(folder / "before")


@pytest.fixture(scope="module")
def worse(folder: Path) -> str:
    return str(folder / "now")


def test_exit_codes_and_table(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", run, "--min", "roles.las>=1") == 0
    shown = capsys.readouterr()
    assert "all 1 hold" in shown.out
    assert shown.err == ""
    assert call("check", run, "--min", "roles.las>=1", "--min", "roles.las>100") == 1
    shown = capsys.readouterr()
    assert "1 of 2 fail" in shown.out
    assert "mine: roles.las>100 fails with" in shown.err
    assert call("check", run, "--min", "roles.lsa>=1") == 2
    assert "did you mean las" in capsys.readouterr().err


def test_groups_and_json(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    condition = "roles.las[order=VF[O]LK[V]MF[S]]>=99"
    assert call("check", run, "--min", condition, "-f", "json") == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["condition"] == condition
    assert finding["holds"] is False


def test_no_run_and_nothing_to_compare_with(run: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", str(tmp_path), "--min", "roles.las>=1") == 2
    for unfit in (("--margin", "1"), ("--by", "order"), ("--measure", "uas"), ("--set", "independent=yes")):
        capsys.readouterr()
        assert call("check", run, *unfit) == 2
        assert "need a reference" in capsys.readouterr().err


def test_a_run_that_got_worse_fails_with_sentences(run: str, worse: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", worse, "--against", run, "--by", "order", "--margin", "1") == 1
    shown = capsys.readouterr()
    assert "mine got worse at order LK[V]MF[SO]: LAS loses 100.0 points" in " ".join(shown.out.split())
    assert "Trägt der Polizist eine Bluse?" in shown.out
    assert "mine: las, all: worse: 72.7 → 0.0, -72.7 points" in shown.err
    assert call("check", run, "--against", worse, "--by", "none") == 0
    assert "no loss is shown" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("format", "words"),
    [
        ("markdown", "| verdict |"),
        ("json", '"lost"'),
        ("junit", "<failure "),
        ("sarif", '"ruleId": "las-worse"'),
        ("github", "::error file="),
    ],
)
def test_formats(run: str, worse: str, format: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("--against", run, "--by", "none", "--min", "roles.las>=0", "-f", format)
    assert call("check", worse, *arguments) == 1
    assert words in capsys.readouterr().out


def test_the_first_of_two_runs_is_the_reference(run: str, worse: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", run, worse, "--by", "none") == 1
    shown = capsys.readouterr()
    assert "Der Polizist trägt eine Bluse." in shown.out
    assert call("check", worse, "--against", run, "--by", "none") == 1
    assert capsys.readouterr() == shown
    assert call("check", run, worse, "--by", "none", "--margin", "90") == 0
    assert call("check", worse, run, "--by", "none") == 0


def test_a_run_is_repeated_with_a_new_system(run: str, worse: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The suite and the settings of the run, with another system, are what a run of it has."""
    assert call("check", run, "mine=baseline:right-branching", "--by", "order", "-f", "json") == 1
    repeated = json.loads(capsys.readouterr().out)["findings"]
    assert call("check", run, worse, "--by", "order", "-f", "json") == 1
    assert json.loads(capsys.readouterr().out)["findings"] == repeated


def test_a_source_with_two_systems_and_conditions(capsys: pytest.CaptureFixture[str]) -> None:
    systems = ("baseline:subject-first", "baseline:right-branching")
    assert call("check", "bundled:de-roles", *systems, "--by", "none") == 1
    assert "72.7 → 0.0" in capsys.readouterr().err
    assert call("check", "bundled:de-roles", systems[0], "--min", "roles.las>=70") == 0
    assert call("check", "bundled:de-roles", systems[0], "--min", "roles.las>=80") == 1


def test_the_examples_of_the_help_of_compare_work_as_typed(tmp_path: Path) -> None:
    with chdir(tmp_path):
        assert [call(*example) for example in examples("compare")] == [0, 0, 0]
