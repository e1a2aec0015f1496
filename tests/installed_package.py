"""A distribution with entry points of `gardenpath.systems`, installed into a folder on the path."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def install(folder: Path, monkeypatch: pytest.MonkeyPatch, module: str, points: str) -> None:
    """The module lies in the folder; `points` are the lines of its entry points."""
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    name = module.replace("_", "-")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[gardenpath.systems]\n{points}", encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, module, raising=False)
