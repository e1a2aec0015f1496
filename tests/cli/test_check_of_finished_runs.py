"""`gardenpath check`, and that every command which reads runs refuses those that were changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import gardenpath as gp
from calls import Capture, call

EVALUATE = ("evaluate", "bundled:de-test", "baseline:right-branching")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("verify") / "run"
    assert call(*EVALUATE, "--run", folder, "-o", folder.parent / "out.txt") == 0
    return folder


@pytest.fixture
def forged(made: Path, tmp_path: Path) -> Path:
    """LAS is 99.9 in the result."""
    folder = shutil.copytree(made, tmp_path / "forged")
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    next(finding for finding in result["findings"] if finding["measure"] == "las")["value"] = 99.9
    (folder / "result.json").write_text(json.dumps(result, indent=1), encoding="utf-8")
    return folder


def test_a_run_as_it_was_finished(made: Path, capsys: Capture) -> None:
    assert call("check", made) == 0
    shown = capsys.readouterr()
    assert "unchanged since it was finished" in shown.out
    assert "all files have the checksums of run.json" in shown.out
    assert shown.err == ""
    assert call("check", made, "--format", "json") == 0
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["measure"], finding["value"]) == ("problems", 0)


def test_a_run_that_was_changed(made: Path, forged: Path, tmp_path: Path, capsys: Capture) -> None:
    (forged / "notes.txt").touch()
    assert call("check", forged) == 1
    shown = capsys.readouterr()
    assert "changed since it was finished" in shown.out
    assert "result.json: this file was " in shown.err
    assert "notes.txt: this file was added" in shown.err
    assert call("check", tmp_path / "nowhere") == 2
    assert "this is not a run" in capsys.readouterr().err


def test_every_reader_refuses_it(made: Path, forged: Path, tmp_path: Path, capsys: Capture) -> None:
    calls = [
        ("check", forged, "--min", "evaluation.las>=90"),
        ("compare", made, forged),
        ("report", forged, "-o", tmp_path / "page.html"),
        ("stats", forged, "value ~ 1 + (1|item)"),
        (*EVALUATE, "--run", forged),
    ]
    for arguments in calls:
        assert call(*arguments) == 2
        assert "result.json: this file was " in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()
    for use in (
        lambda: gp.check(forged, min="evaluation.las>=90"),
        lambda: gp.compare(made, forged),
        lambda: gp.report(forged, output=tmp_path / "page.html"),
        lambda: gp.evaluate("bundled:de-test", "baseline:right-branching", run=forged),
    ):
        with pytest.raises(gp.GardenpathError, match=r"result\.json: this file was "):
            use()
    assert not gp.check(forged)


def test_nothing_else_is_written_into_the_folder(made: Path, tmp_path: Path, capsys: Capture) -> None:
    assert call(*EVALUATE, "--run", tmp_path / "run", "--output", tmp_path / "run" / "more") == 2
    assert "this would add a file to the run" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    assert call("report", made, "-o", made / "report.html") == 2
    assert call("report", made, "--to", "figures", "-o", made / "figures") == 2
    assert call("check", made, "-o", made / "verdict.txt") == 2
    assert gp.check(made)


def test_called_again_a_run_is_read_and_its_page_stays(made: Path, tmp_path: Path) -> None:
    before = (made / "run.json").read_bytes(), (made / "report.html").read_bytes()
    assert call(*EVALUATE, "--run", made, "-o", tmp_path / "out.txt") == 0
    assert ((made / "run.json").read_bytes(), (made / "report.html").read_bytes()) == before
