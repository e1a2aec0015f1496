"""`gardenpath check` as a continuous integration calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gardenpath.cli.main import main


def call(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("check") / "run"
    assert call("roles", "bundled:de-roles", "baseline:subject-first", "--run", str(folder),
                "-o", str(folder.parent / "out.txt")) == 0  # fmt: skip
    return str(folder)


def test_exit_codes_and_table(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", run, "--min", "roles.las>=1") == 0
    shown = capsys.readouterr()
    assert "all 1 hold" in shown.out
    assert shown.err == ""
    assert call("check", run, "--min", "roles.las>=1", "--min", "roles.las>100") == 1
    shown = capsys.readouterr()
    assert "1 of 2 fail" in shown.out
    assert "baseline:subject-first: roles.las>100 fails with" in shown.err
    assert call("check", run, "--min", "roles.lsa>=1") == 2
    assert "did you mean las" in capsys.readouterr().err


def test_groups_and_json(run: str, capsys: pytest.CaptureFixture[str]) -> None:
    condition = "roles.las[order=VF[O]LK[V]MF[S]]>=99"
    assert call("check", run, "--min", condition, "-f", "json") == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert finding["condition"] == condition
    assert finding["holds"] is False


def test_no_condition_and_no_run(run: str, tmp_path: Path) -> None:
    assert call("check", run) == 2
    assert call("check", str(tmp_path), "--min", "roles.las>=1") == 2
