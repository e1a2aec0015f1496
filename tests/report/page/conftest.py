"""Runs to report on, and a real browser to look at the page with."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from recorded_run import recorded

from gardenpath.data import bundled
from gardenpath.runs.record import Run
from gardenpath.systems import parse_with
from gardenpath.treebank import read

FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip


@pytest.fixture(scope="session")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Two baselines on the bundled German test set."""
    gold = read(bundled("de-test"))
    names = ("baseline:nearest-head", "baseline:right-branching")
    systems = {name: parse_with(name, gold, gold=["tags"]).treebank for name in names}
    return recorded(tmp_path_factory.mktemp("runs") / "baselines", gold, systems)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium of the machine, driven by Playwright."""
    program = os.environ.get("GARDENPATH_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("no Chromium on this machine: the page is not looked at in a browser")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        started.close()
