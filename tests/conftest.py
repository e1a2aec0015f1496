"""Fixtures that many tests need."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real treebanks and suites beside the repository; tests skip where it is not."""
    if not SHARED.is_dir():
        pytest.skip("needs the shared data beside the repository (../shared/data)")
    return SHARED


@pytest.fixture(scope="session")
def samples() -> Path:
    """The folder of bundled treebanks."""
    import gardenpath

    return Path(gardenpath.__file__).parent / "data" / "samples"
