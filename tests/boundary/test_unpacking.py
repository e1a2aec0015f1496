"""Packed files, archives and files without an end."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import tarfile
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from gardenpath.boundary import unpacking
from gardenpath.boundary.texts import file_bytes
from gardenpath.boundary.unpacking import file_content
from gardenpath.data.store import unpack
from gardenpath.errors import InputError, UsageError
from gardenpath.treebank import read
from gardenpath.treebank.format import reading as source
from gardenpath.treebank.format.reading import blocks

LIMIT = 1 << 20
BOMB = bytes(3 * LIMIT)


@pytest.fixture(autouse=True)
def low_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "HARMLESS", LIMIT)


def tarred(data: bytes, mode: str, name: str = "a.conllu", **pax: str) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode, format=tarfile.PAX_FORMAT) as archive:  # type: ignore[call-overload]
        member = tarfile.TarInfo(name)
        member.size, member.pax_headers = len(data), pax
        archive.addfile(member, io.BytesIO(data))
    return stream.getvalue()


def claiming(size: int) -> bytes:
    """A header of tar that says so much of what is not there."""
    member = tarfile.TarInfo("a.txt")
    member.size = size
    return member.tobuf(tarfile.GNU_FORMAT)


def zipped(data: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.conllu", data)
    return stream.getvalue()


BOMBS: dict[str, Callable[[], bytes]] = {
    "a.conllu.gz": lambda: gzip.compress(BOMB),
    "a.conllu.xz": lambda: lzma.compress(BOMB),
    "b.conllu.gz": lambda: gzip.compress(bytes(LIMIT // 2)) * 5,  # several in a row
    "a.zip": lambda: zipped(BOMB),
    "a.tar.gz": lambda: tarred(BOMB, "w:gz"),
    "b.tar.gz": lambda: tarred(BOMB, "w:gz", "passed-over.txt"),
    "c.tar.xz": lambda: tarred(b"", "w:xz", comment="x" * len(BOMB)),  # in a header, which is read whole
    "d.tar.gz": lambda: gzip.compress(claiming(8 << 30)),  # whose end is looked for
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_stopped_on_every_way_in(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(BOMBS[name]())
    (tmp_path / "out").mkdir()
    ways = [lambda: read(path), lambda: list(blocks(path, 1 << 16))]
    if ".conllu" not in name:
        ways.append(lambda: unpack(path, tmp_path / "out"))  # type: ignore[arg-type,return-value]
    for way in ways:
        with pytest.raises(InputError, match=rf"{name}: unpacks to more than 1 MB, 200 times its size"):
            way()


def test_blocks_are_the_file_however_they_are_cut(tmp_path: Path) -> None:
    text = b"\n\n# a\n1\tx\n\n2\ty\n\n\n\n" + b"z" * 50 + b"\n\nlast"
    (tmp_path / "a.conllu").write_bytes(text)
    for size in range(1, 40):
        pieces = list(blocks(tmp_path / "a.conllu", size))
        assert b"".join(piece.data for piece in pieces) == text
        assert all(piece.data.strip() for piece in pieces)
        before = 0
        for piece in pieces:
            assert piece.lines_before == before
            before += piece.data.count(b"\n")


def test_names_of_members_that_are_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.tar").write_bytes(tarred(b"x", "w", name="d\udcffa.conllu"))
    (tmp_path / "out").mkdir()
    for way in (lambda: read(tmp_path / "a.tar"), lambda: unpack(tmp_path / "a.tar", tmp_path / "out")):
        with pytest.raises(UsageError, match=r"the name of a member of .* is not UTF-8") as caught:
            way()
        str(caught.value).encode("utf-8")


def test_members_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MEMBERS", 3)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for number in range(4):
            archive.writestr(f"{number}.conllu", b"x")
    with pytest.raises(InputError, match="more than 3 members"):
        read(tmp_path / "a.zip")


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
