"""Runs to report on, and their page in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from recorded_run import recorded, surprisal_run

from gardenpath.data import bundled
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.engine.study import run
from gardenpath.studies.roles.declaration import RolesSettings
from gardenpath.studies.roles.study import ROLES
from gardenpath.systems import parse_with
from gardenpath.treebank import read


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two baselines on the bundled German test set."""
    gold = read(bundled("de-test"))
    names = ("baseline:nearest-head", "baseline:right-branching")
    systems = {name: parse_with(name, gold, gold=["tags"]).treebank for name in names}
    return recorded(tmp_path_factory.mktemp("runs") / "baselines", gold, systems)


@pytest.fixture(scope="session")
def several(evaluated: Run, tmp_path_factory: pytest.TempPathFactory) -> list[Run]:
    """Runs of four studies: three that say something in verdicts, and one that has but two numbers."""
    folder = tmp_path_factory.mktemp("several")
    systems = ["baseline:subject-first", "baseline:right-branching"]
    settings = RolesSettings(by=("order", "property"), baseline=systems[0])
    run(ROLES, "bundled:de-roles", systems, settings, folder=folder / "roles")
    with Run.open(folder / "numbers", command="other") as small:
        groups = [
            Finding("other", "s", "x", "accuracy", 50.0, n, 10.0, 90.0, by={"property": name})
            for name, n in (("amb", 100), ("aux", 3))
        ]
        small.finish(Result("none", [Finding("other", "s", "x", "accuracy", 62.5, 8, 30.0, 87.5), *groups]))
    return [evaluated, Run.load(folder / "roles"), surprisal_run(folder / "surprisal"), Run.load(folder / "numbers")]


@pytest.fixture(scope="module")
def seen(browser: Any, several: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The page of several studies, opened once; a test leaves it as it found it, or goes to an address of its own."""
    from opened_page import opened

    path: Path = tmp_path_factory.mktemp("seen") / "page.html"
    with opened(browser, path, several, 1280) as view:
        yield view
