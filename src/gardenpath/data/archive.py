"""Unpack archives of strangers: member by member, nothing outside, nothing overwritten, nothing endless."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from ..boundary.faults import reason
from ..boundary.unpacking import MEMBERS, archive_members
from ..errors import InputError

_BLOCK = 1 << 20
_LONGEST_CHAIN = 40


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an archive may become; a few kilobytes can claim to hold terabytes."""

    files: int = MEMBERS
    size: int = 8 << 30


class _RefusedError(Exception):
    """A member that must not be unpacked."""


def unpack(archive: Path, folder: Path, bounds: Bounds = Bounds()) -> None:
    """Unpack into `folder`, which exists and is empty.

    Links to a file of the archive become copies of it; links that lead outside are refused. Modes, owners and
    times are not taken over. After an error `folder` holds a part: unpack into a temporary one.
    """
    target = _Target(folder, bounds)
    try:
        for member in archive_members(archive):
            if member.kind == "folder":
                target.folder(member.name)
            elif member.stream is not None:
                target.write(member.name, member.stream)
            elif member.kind in ("link", "hard link"):
                target.promise(member.name, member.link, from_top=member.kind == "hard link")
            else:
                raise _RefusedError(f"{member.name!r} is a device or a pipe, neither a file nor a folder")
        target.link()
    except _RefusedError as refusal:
        raise InputError(str(refusal), where=archive.name, todo="nothing of it was kept") from refusal
    except (OSError, ValueError) as error:  # the file system does not take such a name, or is full
        what = f"the archive cannot be unpacked: {reason(error)}"
        raise InputError(what, where=archive.name, todo=f"nothing of it was kept in {folder}") from error


class _Target:
    """The folder that is filled, with everything counted that goes into it."""

    def __init__(self, folder: Path, bounds: Bounds) -> None:
        self.root, self.bounds = folder, bounds
        self.count = self.size = 0
        self.links: dict[PurePosixPath, PurePosixPath] = {}

    def folder(self, name: str) -> None:
        self._one_more()
        self._make(_safe(name), name)

    def write(self, name: str, stream: IO[bytes]) -> None:
        self._one_more()
        self._put(_safe(name), stream)

    def _put(self, path: PurePosixPath, stream: IO[bytes]) -> None:
        name = path.as_posix()
        self._make(path.parent, name)
        try:
            with (self.root / path).open("xb") as out:
                for block in _blocks(stream):
                    self.size += len(block)
                    self.announce(0)
                    out.write(block)
        except FileExistsError as error:
            raise _RefusedError(f"{name!r} is in the archive twice") from error
        except IsADirectoryError as error:
            raise _RefusedError(f"{name!r} is not a name of a file") from error

    def announce(self, size: int) -> None:
        """Stop before the disk is full: what is declared counts, and so does what really comes."""
        if self.size + size > self.bounds.size:
            raise _RefusedError(f"the archive would unpack to more than {self.bounds.size} bytes")

    def promise(self, name: str, to: str, *, from_top: bool = False) -> None:
        """A link, to be resolved when all files are there."""
        self._one_more()
        path = _safe(name)
        self.links[path] = _safe(to if from_top else _joined(path.parent, to, name))

    def link(self) -> None:
        """Put copies in the place of links to files; links to folders and to nothing are left out."""
        for path, to in self.links.items():
            for _ in range(_LONGEST_CHAIN):
                to = self.links.get(to, to)
            source = self.root / to
            if source.is_file():
                with source.open("rb") as stream:
                    self._put(path, stream)

    def _one_more(self) -> None:
        self.count += 1
        if self.count > self.bounds.files:
            raise _RefusedError(f"the archive has more than {self.bounds.files} members")

    def _make(self, path: PurePosixPath, name: str) -> None:
        try:
            (self.root / path).mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise _RefusedError(f"{name!r} is both a file and a folder") from error


def _safe(name: str) -> PurePosixPath:
    """The name as a path inside; every other way to write a path is refused."""
    path = PurePosixPath(name)
    bad = any(char in name for char in "\\\0") or (len(name) > 1 and name[1] == ":")
    if not name or bad or path.is_absolute() or ".." in path.parts:
        raise _RefusedError(f"{name!r} leads outside of the archive")
    return path


def _joined(parent: PurePosixPath, to: str, name: str) -> str:
    """A link's target seen from the top, `..` resolved by words alone."""
    if not to or to.startswith(("/", "\\")) or "\\" in to:
        raise _RefusedError(f"the link {name!r} leads outside of the archive")
    parts = list(parent.parts)
    for part in PurePosixPath(to).parts:
        if part != "..":
            parts.append(part)
        elif parts:
            parts.pop()
        else:
            raise _RefusedError(f"the link {name!r} leads outside of the archive")
    return "/".join(parts) or "."


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while block := stream.read(_BLOCK):
        yield block
