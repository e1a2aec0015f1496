"""Archives that are honest, and archives that are not."""

from __future__ import annotations

import io
import stat
import tarfile
import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gardenpath.data.store import Bounds, unpack
from gardenpath.errors import InputError

NAMES = st.text("abcÄß中 .-", min_size=1, max_size=8).filter(lambda name: name.strip(".") and name != " ")
FILES = st.dictionaries(NAMES, st.binary(max_size=50), max_size=5).filter(
    lambda files: len({name.casefold() for name in files}) == len(files)
)


def content(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def make_zip(path: Path, *members: tuple[str, bytes, int]) -> Path:
    """Members with name, content and the type bits of their mode (0 for what a plain zip has)."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, kind in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (kind | 0o644) << 16 if kind else 0
            archive.writestr(info, data)
    return path


def make_tar(path: Path, *members: tuple[str, bytes | str, bytes], mode: str = "w:gz") -> Path:
    """Members with name, content (or where a link leads) and type."""
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data, kind in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if isinstance(data, str):
                info.linkname = data
                archive.addfile(info)
            else:
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))
    return path


def refused(archive: Path, tmp_path: Path, bounds: Bounds = Bounds()) -> str:  # noqa: B008
    """The message of the refusal; nothing may have come to lie outside of the folder."""
    before = set(tmp_path.rglob("*"))
    folder = tmp_path / "deep" / "er" / "out"
    folder.mkdir(parents=True)
    with pytest.raises(InputError) as caught:
        unpack(archive, folder, bounds)
    outside = {path for path in tmp_path.rglob("*") if not path.is_relative_to(tmp_path / "deep")}
    assert outside == before
    assert [path for path in (tmp_path / "deep").rglob("*") if folder not in (path, *path.parents)] == [folder.parent]
    return str(caught.value)


@settings(deadline=None)  # it writes files
@given(FILES)
def test_zip_and_tar_give_back_what_was_packed(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        packed = {f"top/{name}": data for name, data in files.items()}
        make_zip(place / "a.zip", *((name, data, 0) for name, data in packed.items()))
        make_tar(place / "a.tar", *((name, data, tarfile.REGTYPE) for name, data in packed.items()))
        for number, archive in enumerate(("a.zip", "a.tar")):
            (place / str(number)).mkdir()
            if files or archive == "a.zip":
                unpack(place / archive, place / str(number))
                assert content(place / str(number)) == packed


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz", "w:bz2"])
def test_all_kinds_of_tar(tmp_path: Path, mode: str) -> None:
    archive = make_tar(tmp_path / "a", ("x/y.txt", b"hello", tarfile.REGTYPE), mode=mode)
    (tmp_path / "out").mkdir()
    unpack(archive, tmp_path / "out")
    assert content(tmp_path / "out") == {"x/y.txt": b"hello"}


EVIL = ["../evil", "a/../../evil", "/evil", "a/..", "C:\\evil", "C:/evil", "..\\evil", "a\\b", "//evil", ".."]


@pytest.mark.parametrize("name", EVIL)
def test_names_that_lead_outside(tmp_path: Path, name: str) -> None:
    # The writer of zipfile normalises some names; the raw name is put in afterwards.
    stand_in = "x" * len(name)
    archive = make_zip(tmp_path / "a.zip", (stand_in, b"evil", 0))
    archive.write_bytes(archive.read_bytes().replace(stand_in.encode(), name.encode()))
    assert "leads outside" in refused(archive, tmp_path)


@pytest.mark.parametrize("name", [name for name in EVIL if not name.endswith("..")])
def test_names_that_lead_outside_of_a_tar(tmp_path: Path, name: str) -> None:
    archive = make_tar(tmp_path / "a.tar", (name, b"evil", tarfile.REGTYPE))
    assert "leads outside" in refused(archive, tmp_path)


@pytest.mark.parametrize("to", ["../evil", "/etc/passwd", "a/../../../evil", "\\\\server\\x", ""])
@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_tar_links_that_lead_outside(tmp_path: Path, to: str, kind: bytes) -> None:
    archive = make_tar(tmp_path / "a.tar", ("link", to, kind))
    assert "outside" in refused(archive, tmp_path)


def test_zip_links_that_lead_outside(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", ("in/link", b"../../etc", stat.S_IFLNK))
    assert "outside" in refused(archive, tmp_path)


def test_writing_through_a_link_is_not_possible(tmp_path: Path) -> None:
    archive = make_tar(
        tmp_path / "a.tar", ("d", ".", tarfile.SYMTYPE), ("d/file", b"x", tarfile.REGTYPE), ("e", "d", tarfile.SYMTYPE)
    )
    (tmp_path / "out").mkdir()
    unpack(archive, tmp_path / "out")
    assert content(tmp_path / "out") == {"d/file": b"x"}
    assert not any(path.is_symlink() for path in (tmp_path / "out").rglob("*"))


def test_links_inside_become_copies(tmp_path: Path) -> None:
    archive = make_tar(
        tmp_path / "a.tar",
        ("top/chain", "link", tarfile.SYMTYPE),
        ("top/link", "../top/real/file", tarfile.SYMTYPE),
        ("top/real/file", b"text", tarfile.REGTYPE),
        ("top/hard", "top/real/file", tarfile.LNKTYPE),
        ("top/nothing", "absent", tarfile.SYMTYPE),
        ("top/loop", "loop", tarfile.SYMTYPE),
    )
    (tmp_path / "out").mkdir()
    unpack(archive, tmp_path / "out")
    text = dict.fromkeys(["top/chain", "top/link", "top/real/file", "top/hard"], b"text")
    assert content(tmp_path / "out") == text
    assert not any(path.is_symlink() for path in (tmp_path / "out").rglob("*"))


@pytest.mark.parametrize("kind", [tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE])
def test_devices_and_pipes(tmp_path: Path, kind: bytes) -> None:
    assert "device" in refused(make_tar(tmp_path / "a.tar", ("dev", b"", kind)), tmp_path)


def test_a_zip_with_a_device(tmp_path: Path) -> None:
    assert "neither a file" in refused(make_zip(tmp_path / "a.zip", ("dev", b"", stat.S_IFCHR)), tmp_path)


def test_a_bomb_that_says_its_size(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", *((f"{n}", bytes(1_000_000), 0) for n in range(5)))
    assert archive.stat().st_size < 10_000
    assert "more than 3000000 bytes" in refused(archive, tmp_path, Bounds(size=3_000_000))


def test_a_bomb_that_lies_about_its_size(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "a.zip", ("bomb", bytes(1_000_000), 0))
    size = (1_000_000).to_bytes(4, "little")
    archive.write_bytes(archive.read_bytes().replace(size, (10).to_bytes(4, "little")))
    refused(archive, tmp_path, Bounds(size=1000))
    written = sum(path.stat().st_size for path in (tmp_path / "deep").rglob("*") if path.is_file())
    assert written <= 1000


def test_a_bomb_of_links(tmp_path: Path) -> None:
    links = [(f"l{n}", "big", tarfile.SYMTYPE) for n in range(10)]
    archive = make_tar(tmp_path / "a.tar", ("big", bytes(1000), tarfile.REGTYPE), *links)
    assert "more than 5000 bytes" in refused(archive, tmp_path, Bounds(size=5000))


def test_too_many_members(tmp_path: Path) -> None:
    archive = make_tar(tmp_path / "a.tar", *((f"{n}/", b"", tarfile.DIRTYPE) for n in range(11)))
    assert "more than 10 members" in refused(archive, tmp_path, Bounds(files=10))


def test_nothing_is_written_twice(tmp_path: Path) -> None:
    archive = make_tar(tmp_path / "a.tar", ("x", b"1", tarfile.REGTYPE), ("./x", b"2", tarfile.REGTYPE))
    assert "twice" in refused(archive, tmp_path)


@pytest.mark.parametrize("names", [("x", "x/y"), ("x/y", "x")])
def test_a_file_that_is_also_a_folder(tmp_path: Path, names: tuple[str, str]) -> None:
    archive = make_tar(tmp_path / "a.tar", *((name, b"1", tarfile.REGTYPE) for name in names))
    assert refused(archive, tmp_path)


def test_a_damaged_archive(tmp_path: Path) -> None:
    archive = make_tar(tmp_path / "a.tar", ("x", bytes(range(256)) * 99, tarfile.REGTYPE))
    archive.write_bytes(archive.read_bytes()[:-40])
    assert "damaged" in refused(archive, tmp_path)


def test_wrong_checksum_in_a_zip(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("x", b"the right content")
    (tmp_path / "a.zip").write_bytes((tmp_path / "a.zip").read_bytes().replace(b"the right", b"the wrong"))
    assert "CRC" in refused(tmp_path / "a.zip", tmp_path)


def test_no_archive_at_all(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"<html>sign in first</html>")
    assert "neither a zip nor a tar" in refused(tmp_path / "a.zip", tmp_path)


def test_a_name_no_file_system_takes(tmp_path: Path) -> None:
    archive = make_tar(tmp_path / "a.tar", ("x" * 3000, b"1", tarfile.REGTYPE))
    assert "cannot be unpacked" in refused(archive, tmp_path)
