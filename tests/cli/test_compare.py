"""`gardenpath compare`, `check` and `stats` meet runs as other commands make them."""

from __future__ import annotations

import json
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
    assert call("compare", runs[0], str(tmp_path)) == 2
    assert "this folder holds no run" in capsys.readouterr().err
    assert call("compare", *runs, "--by", "directoin") == 2
    assert "did you mean direction" in capsys.readouterr().err
