"""The pytest plugin in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gardenpath
from gardenpath.runs import Run
from gardenpath.runs.result.result import Finding, Result


@pytest.fixture
def project(tmp_path: Path) -> Path:
    with Run.open(tmp_path / "run", command="roles") as run:
        run.finish(Result("study:roles|version:1", [Finding("roles", "s", "mine", "las", 60.0, 10)]))
    return tmp_path


def run_pytest(project: Path, *marks: str) -> tuple[int, str]:
    tests = [f"@pytest.mark.gardenpath_suite({mark})\ndef test_{n}():\n    pass\n" for n, mark in enumerate(marks)]
    (project / "test_grammar.py").write_text("import pytest\n\n" + "\n\n".join(tests), encoding="utf-8")
    (project / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n", encoding="utf-8")
    source = str(Path(gardenpath.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, "-m", "pytest", "-p", "gardenpath.pytest_plugin", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_a_run_that_meets_its_conditions_passes(project: Path) -> None:
    code, shown = run_pytest(
        project, 'run="run", min=["roles.las>=40", "roles.las<61"]', 'run="run", min="roles.las>0"'
    )
    assert code == 0, shown
    assert "2 passed" in shown


def test_what_fails_is_named(project: Path) -> None:
    code, shown = run_pytest(
        project,
        'run="run", min=["roles.las>=80"]',
        'run="run", min=["roles.lsa>=80"]',
        'run="nowhere", min=["roles.las>=8"]',
        'runn="run"',
        '"suite.conll", min="roles.las>=8"',
    )
    assert code == 1
    assert "mine: roles.las>=80 fails with 60.00" in shown
    assert "5 failed" in shown
    assert "error" not in shown.rpartition("short test summary")[2]
    assert "did you mean las" in shown
    assert "nowhere: no system is named, and this is not a run" in shown
    assert "the marker takes min= or against=" in shown
    assert "the marker takes systems after the suite" in shown


def test_it_carries_out_the_study_itself(tmp_path: Path, samples: Path) -> None:
    """A small suite: what a parser is compared with is a run that another one made."""
    from gardenpath import read, roles

    read(samples / "de_garden-roles.conllu")[list(range(0, 2000, 17))].write(tmp_path / "suite.conllu")
    roles(tmp_path / "suite.conllu", {"mine": "baseline:subject-first"}, run=tmp_path / "old")
    good, bad = '"suite.conllu", "mine=baseline:subject-first"', '"suite.conllu", "mine=baseline:right-branching"'
    code, shown = run_pytest(
        tmp_path,
        f'{good}, min="roles.LAS>=40", against="old"',
        f'{good}, study="roles", gold="tags", run="kept", min=["roles.las>=101"]',
        f'{bad}, against="old", margin=1.0',
        f'{good}, min="roles.las>=1", nosuch=1',
    )
    assert code == 1
    assert "1 passed" in shown, shown
    assert "mine: roles.las>=101 fails with" in shown
    assert (tmp_path / "kept" / "run.json").is_file()
    assert "mine: las, all: worse: " in shown
    assert "Der Polizist trägt eine Bluse." in shown
    assert "unknown setting 'nosuch'" in shown


def test_a_run_that_was_changed_is_refused(project: Path) -> None:
    path = project / "run" / "result.json"
    path.write_text(path.read_text(encoding="utf-8").replace("60.0", "99.9"), encoding="utf-8")
    code, shown = run_pytest(project, 'run="run", min=["roles.las>=80"]')
    assert code == 1
    assert "result.json: this file was changed after the run was finished" in shown
