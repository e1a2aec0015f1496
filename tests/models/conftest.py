"""Models are trained anew in every test that asks for one."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads what another one, or the user, has computed."""
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
