"""What is installed: looked up once for a search path, and again for another one."""

from __future__ import annotations

import os
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from gardenpath.plugins import Plugin, plugins, version_of


def installed(folder: Path, version: str) -> str:
    info = folder / f"thing-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: thing\nVersion: {version}\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[console_scripts]\nodd = thing:main\n\n[gardenpath.things]\n# a comment\nodd = thing:Odd [extra]\n",
        encoding="utf-8",
    )
    return str(folder)


def test_packages_are_looked_up_once_for_a_search_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    scandir, version = os.scandir, metadata.version

    def counted_folders(folder: str) -> Any:
        if str(folder).startswith(str(tmp_path)):
            looked.append("entries")
        return scandir(folder)

    def counted_version(package: str) -> str:
        looked.append("version")
        return version(package)

    monkeypatch.setattr(os, "scandir", counted_folders)
    monkeypatch.setattr(metadata, "version", counted_version)
    assert plugins("gardenpath.things") == ()
    assert version_of("thing") is None
    for at, release in enumerate(("1.0", "2.0"), 1):  # the later one stands before the earlier one
        looked.clear()
        monkeypatch.syspath_prepend(installed(tmp_path / release, release))
        for _ in range(3):
            assert plugins("gardenpath.things") == (Plugin("odd", "thing:Odd", f"thing {release}"),)
            assert version_of("thing") == release
        assert looked == [*["entries"] * at, "version"]


def test_our_own_entry_points_are_those_that_importlib_sees() -> None:
    groups = [group for group in metadata.entry_points().groups if group.startswith("gardenpath.")]
    assert {"gardenpath.systems", "gardenpath.commands", "gardenpath.generators"} <= set(groups)
    for group in groups:
        theirs = {(entry.name, entry.value) for entry in metadata.entry_points(group=group)}
        assert {(plugin.name, plugin.target) for plugin in plugins(group)} == theirs


def test_a_broken_package_is_warned_of_and_does_not_take_the_others_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gardenpath.cli.main import all_commands
    from gardenpath.studies.engine.registry import all_notes

    info = tmp_path / "broken-1.0.dist-info"
    info.mkdir()
    entries = "[gardenpath.commands]\nnowhere = no_such_package:COMMAND\nodd = json:loads\n"
    (info / "entry_points.txt").write_text(f"{entries}[gardenpath.studies]\nwrong = no_such_package:STUDY\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.warns(UserWarning, match=r"(nowhere|odd|wrong) of broken 1\.0 cannot be used") as warned:
        commands = all_commands()
    assert len(warned) == 3
    assert {"reproduce", "suite make"} < set(commands)
    assert not {"nowhere", "odd", "wrong"} & set(commands)
    assert "roles" in all_notes()
