"""What is installed: looked up once for a search path, and again for another one."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from gardenpath._packages import plugins, version_of


def installed(folder: Path, version: str) -> str:
    info = folder / f"thing-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: thing\nVersion: {version}\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[gardenpath.things]\nodd = thing:Odd\n", encoding="utf-8")
    return str(folder)


def test_packages_are_looked_up_once_for_a_search_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    entry_points, version = metadata.entry_points, metadata.version

    def counted_entries(**given: Any) -> Any:
        looked.append("entries")
        return entry_points(**given)

    def counted_version(package: str) -> str:
        looked.append("version")
        return version(package)

    monkeypatch.setattr(metadata, "entry_points", counted_entries)
    monkeypatch.setattr(metadata, "version", counted_version)
    assert plugins("gardenpath.things") == ()
    assert version_of("thing") is None
    for release in ("1.0", "2.0"):  # the later one stands before the earlier one
        looked.clear()
        monkeypatch.syspath_prepend(installed(tmp_path / release, release))
        for _ in range(3):
            assert plugins("gardenpath.things")[0] == ("odd", "thing:Odd", f"thing {release}")
            assert version_of("thing") == release
        assert looked == ["entries", "version"]
