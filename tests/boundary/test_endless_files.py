"""Files that never end: devices are refused, and of what comes through a pipe no more is kept than of a text."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from gardenpath.boundary import unpacking
from gardenpath.boundary.texts import file_bytes
from gardenpath.boundary.unpacking import file_content
from gardenpath.errors import InputError
from gardenpath.treebank import read, source

ZERO = "/dev/zero"
needs_devices = pytest.mark.skipif(not Path(ZERO).exists(), reason="no devices here")
needs_pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


@needs_devices
@pytest.mark.parametrize("reader", [file_bytes, file_content, read, lambda path: list(source.blocks(path, 1 << 20))])
def test_devices_are_refused(reader: object, tmp_path: Path) -> None:
    link = tmp_path / "a.conllu"
    link.symlink_to(ZERO)
    with pytest.raises(InputError, match="this is a device"):
        reader(str(link))  # type: ignore[operator]


@needs_devices
def test_nothing_is_nothing() -> None:
    assert file_bytes(os.devnull) == file_content(os.devnull) == b""


def poured(path: Path, data: bytes) -> None:
    """Whoever opens the pipe gets this."""

    def pour() -> None:
        with path.open("wb") as pipe:
            try:
                pipe.write(data)
            except BrokenPipeError:
                return

    os.mkfifo(path)
    threading.Thread(target=pour, daemon=True).start()


@needs_pipes
def test_pipes_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    poured(tmp_path / "short", b"abc")
    assert file_content(str(tmp_path / "short")) == b"abc"
    monkeypatch.setattr(unpacking, "LARGEST", 1000)
    poured(tmp_path / "long", b"a" * 1001)
    with pytest.raises(InputError, match="put it into a file"):
        file_content(str(tmp_path / "long"))


def test_a_part_that_never_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "LARGEST", 1000)
    file = tmp_path / "a.txt"
    file.write_bytes(b"a" * 900 + b"\n\n" + b"b" * 900)
    assert [len(block.data) for block in source.blocks(str(file), 100)] == [902, 900]
    file.write_bytes(b"a" * 900 + b"\n\n" + b"b" * 1200)
    with pytest.raises(InputError, match="without an end"):
        list(source.blocks(str(file), 100))
