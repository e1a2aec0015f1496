"""The one place that unpacks: .gz and .xz as streams, zip and tar member by member, never more than a file may hold."""

from __future__ import annotations

import io
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from ..errors import InputError
from ..formats import PACKED
from .texts import LARGEST, check_kind, check_name, reading, reason

ARCHIVES = (".zip", ".tar", ".tgz", *(f".tar{packed}" for packed in PACKED))
RATIO, HARMLESS = 200, 256 << 20
"""A file that unpacks to more than this many times its size is taken for a bomb; treebanks pack 10 to 20 times."""
MEMBERS = 200_000
"""Files in an archive; a release of all Universal Dependencies has some 2,000."""
_STEP = 1 << 20
_LONGEST_LINK = 4096
_MAGIC = {b"\x1f\x8b": ".gz", b"\xfd7zXZ": ".xz", b"BZh": ".bz2"}
_AGAIN = "get the file again"


class Allowance:
    """How many bytes a packed file may still become."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.limit = self.left = max(HARMLESS, RATIO * path.stat().st_size)

    def spend(self, size: int) -> None:
        """Raises when more comes out than may be in the file."""
        self.left -= size
        self.check(self.limit - self.left)

    def check(self, size: int) -> None:
        """Raises where so many bytes in all, or what a header says of them, are more than may be in the file."""
        if size > self.limit:
            what = f"unpacks to more than {self.limit >> 20} MB, {RATIO} times its size"
            raise InputError(what, where=str(self.path), todo="if it is right, unpack it by hand")


class _Measured(io.RawIOBase):
    """A stream that is unpacked as it is read: what comes out is counted, and what is broken names the file."""

    def __init__(self, packed: Any, allowance: Allowance) -> None:
        self._packed, self._allowance = packed, allowance

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with reading("damaged", str(self._allowance.path), _AGAIN):
            size = int(self._packed.readinto(buffer))
        self._allowance.spend(size)
        return size

    def readall(self) -> bytes:
        return b"".join(iter(lambda: self.read(_STEP) or b"", b""))


def _measured(packed: Any, allowance: Allowance) -> IO[bytes]:
    return cast(IO[bytes], io.BufferedReader(_Measured(packed, allowance), _STEP))


def _unpacker(stream: Any, suffix: str) -> Any:
    if suffix == ".gz":
        from gzip import GzipFile

        return GzipFile(fileobj=stream)
    if suffix == ".xz":
        from lzma import LZMAFile

        return LZMAFile(stream)
    if suffix == ".bz2":
        from bz2 import BZ2File

        return BZ2File(stream)
    return stream


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked, or of standard input; what the system says of it becomes our error."""
    if path == "-":
        check_kind(sys.stdin.buffer, "standard input")
        yield sys.stdin.buffer
        return
    file = Path(path)
    try:
        with file.open("rb") as stream:
            check_kind(stream, path)
            suffix = file.suffix.lower()
            yield _measured(_unpacker(stream, suffix), Allowance(file)) if suffix in PACKED else stream
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read: {reason(error)}", where=path) from error


def file_content(path: str) -> bytes:
    """All bytes of a file, unpacked; of a pipe, which does not say how much it holds, no more than of a text."""
    with opened(path) as stream:
        if path != "-" and Path(path).is_file():
            return stream.read()
        data = stream.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise InputError(f"more than {LARGEST >> 20} MB came", where=path, todo="put it into a file")
    return data


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of an archive; its stream is read before the next entry is asked for."""

    name: str
    kind: str
    """`file`, `folder`, `link`, `hard link` or `other`."""
    stream: IO[bytes] | None = None
    link: str = ""


def archive_members(path: Path) -> Iterator[Member]:
    """The entries of a zip or tar archive, told by its content, in their order; nothing is written."""
    import zipfile

    with reading("damaged", str(path), _AGAIN):
        is_tar = _is_tar(path)  # first: a tar that ends with a zip also passes for a zip
        if not is_tar and not zipfile.is_zipfile(path):
            raise InputError("damaged, or neither a zip nor a tar archive", where=str(path), todo=_AGAIN)
        members = _tar_members(path) if is_tar else _zip_members(path)
    for number in range(MEMBERS + 1):
        with reading("damaged", str(path), _AGAIN):
            member = next(members, None)
        if member is None:
            return
        if number == MEMBERS:
            raise InputError(f"the archive has more than {MEMBERS} members", where=str(path))
        check_name(member.name, f"the name of a member of {path}")
        check_name(member.link, f"a link in {path}")
        yield member


def _is_tar(path: Path) -> bool:
    """Does it, unpacked, begin with a header of tar, or with the end of one?"""
    import tarfile

    try:
        with path.open("rb") as file:
            block = _unpacker(file, _packing(file)).read(tarfile.BLOCKSIZE)
        if block.count(b"\0") < tarfile.BLOCKSIZE:  # else an archive with nothing in it
            tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except Exception:  # whatever damaged content makes an unpacker raise
        return False
    return True


def _packing(file: IO[bytes]) -> str:
    """By which suffix the content of a file is packed, by its first bytes."""
    start = file.read(8)
    file.seek(0)
    return next((suffix for magic, suffix in _MAGIC.items() if start.startswith(magic)), "")


def _zip_members(path: Path) -> Iterator[Member]:
    from zipfile import ZipFile

    allowance = Allowance(path)
    with ZipFile(path) as archive:
        for entry in archive.infolist():
            if not entry.filename:  # over which some versions of Python stumble
                raise InputError("a member of this archive has no name", where=str(path), todo=_AGAIN)
            kind = stat.S_IFMT(entry.external_attr >> 16)
            if entry.is_dir():
                yield Member(entry.filename, "folder")
            elif kind not in (0, stat.S_IFREG, stat.S_IFLNK):
                yield Member(entry.filename, "other")
            else:
                with archive.open(entry) as packed:
                    stream = _measured(packed, allowance)
                    if kind == stat.S_IFLNK:
                        yield Member(entry.filename, "link", link=stream.read(_LONGEST_LINK).decode("utf-8"))
                    else:
                        yield Member(entry.filename, "file", stream)


def _tar_members(path: Path) -> Iterator[Member]:
    """From beginning to end without a step back, so that headers and what is passed over are counted too."""
    import tarfile

    with path.open("rb") as file:
        allowance = Allowance(path)
        stream = _measured(_unpacker(file, _packing(file)), allowance)
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for entry in archive:
                # Else tarfile would look for the end of a member that is not there, step by step.
                allowance.check(entry.offset_data + entry.size)
                if entry.isreg():
                    yield Member(entry.name, "file", _measured(archive.extractfile(entry), Allowance(path)))
                elif entry.issym() or entry.islnk():
                    yield Member(entry.name, "link" if entry.issym() else "hard link", link=entry.linkname)
                else:
                    yield Member(entry.name, "folder" if entry.isdir() else "other")
