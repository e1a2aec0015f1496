"""Fixtures that many tests need."""

from __future__ import annotations

import gc
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# No test depends on how busy the machine is: hypothesis would fail an example that takes 0.2 s.
settings.register_profile("untimed", settings.get_profile(settings.get_current_profile_name()), deadline=None)
settings.load_profile("untimed")

for _name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    # Every core has a worker of pytest already: threads of BLAS and torch would only wait for each other.
    os.environ.setdefault(f"{_name}_NUM_THREADS", "1")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
NO_SHARED = "needs the shared data beside the repository (../shared/data)"


def pytest_collection_finish() -> None:
    """What is imported and collected now stays to the end: looking for garbage in it again and again costs CPU."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real treebanks and suites beside the repository; tests skip where it is not."""
    if not SHARED.is_dir():
        pytest.skip(NO_SHARED)
    return SHARED


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of bundled treebanks."""
    import gardenpath

    return Path(gardenpath.__file__).parent / "data" / "samples"


@pytest.fixture(scope="session")
def treebank_files(samples: Path, file_named: Callable[[str], Path]) -> list[Path]:
    """Every dependency treebank there is: the bundled ones, a generated one, and those of the shared folder."""
    return [*sorted(samples.glob("*.conllu")), file_named("made:odd"), *sorted((SHARED / "ud").rglob("*.conllu"))]


@pytest.fixture(scope="session")
def file_named(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The file of a name: `bundled:de-test`, `bundled:FOLDER/FILE`, the generated `made:odd`, or a path in the
    shared folder. What is bundled or generated is always there; without the shared folder its tests skip."""
    from gardenpath.data import bundled

    def find(name: str) -> Path:
        kind, _, rest = name.partition(":")
        if kind == "bundled":
            folder, _, inside = rest.partition("/")
            return bundled(folder) / inside if inside else bundled(folder)
        if kind == "made":
            from odd_treebank import odd_treebank

            path = tmp_path_factory.mktemp("made") / "odd.conllu"
            odd_treebank().write(path)
            return path
        if not SHARED.is_dir():
            pytest.skip(NO_SHARED)
        return SHARED / name

    return find


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a cluster whose workers are threads: processes take seconds to start. Tasks and results are
    packed and sent as between processes; clusters of processes are asked for by test_run_cluster.py in tests/runs/work,
    and with each protocol by tests/cli/test_every_option.py."""
    distributed = pytest.importorskip("distributed", reason="needs the extra cluster")
    start = distributed.LocalCluster

    def of_threads(**given: Any) -> Any:
        return start(**{**given, "processes": False, "protocol": "tcp"})

    monkeypatch.setattr(distributed, "LocalCluster", of_threads)
    return "local:2"


FLAGS = [
    "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync",
]  # fmt: skip


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
