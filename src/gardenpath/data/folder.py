"""Folders of data: unpacked from archives of strangers, arranged, hashed, and parts of them by name."""

from __future__ import annotations

import contextlib
import hashlib
import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from ..boundary.texts import reason
from ..boundary.unpacking import MEMBERS, archive_members
from ..errors import InputError, UsageError, unknown_name
from ..runs.record.signatures import file_hash

RECORD_FILE = ".gardenpath.json"
"""Our own note in a folder of the store; no part of its content."""
_ABOUT = ("README", "LICENSE")
_JUNK_FOLDER, _JUNK_FILE = "__MACOSX", ".DS_Store"


def files(folder: Path) -> list[str]:
    """Relative paths of all files, sorted; our own note does not count."""
    paths = []
    for parent, _, names in os.walk(folder):
        base = Path(parent).relative_to(folder)
        paths += [(base / name).as_posix() for name in names]
    return sorted(path for path in paths if path != RECORD_FILE)


def tree_hash(folder: Path) -> str:
    """The hash of what is in a folder, whatever archive it came from."""
    lines = []
    for path in files(folder):
        content = file_hash(folder / path)
        lines.append(f"{unicodedata.normalize('NFC', path)}\0{content}\n".encode("utf-8", "surrogateescape"))
    return hashlib.sha256(b"".join(sorted(lines))).hexdigest()


def content_root(folder: Path) -> Path:
    """Where the content begins: archives often wrap it in one folder named after themselves."""
    entries = [entry for entry in folder.iterdir() if entry.name not in (_JUNK_FOLDER, _JUNK_FILE)]
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else folder


def arrange(root: Path, moves: Mapping[str, str], keeps: Sequence[str] = ()) -> None:
    """Move folders of the source to where a mirror has them; drop what macOS adds to archives, and what is no data.

    Nothing is overwritten: a file whose new place is taken stays where it is. `keeps` are patterns of what is data
    (all, where there are none); README and LICENSE at the top stay.
    """
    for path in files(root):
        if path.split("/")[0] == _JUNK_FOLDER or path.split("/")[-1] == _JUNK_FILE:
            (root / path).unlink()
    for source, target in moves.items():
        for path in files(root):
            if not path.startswith(source + "/"):
                continue
            new = root / target / path.removeprefix(source + "/")
            if os.path.lexists(new):
                continue
            with contextlib.suppress(FileExistsError, NotADirectoryError):  # a file where a folder would be
                new.parent.mkdir(parents=True, exist_ok=True)
                (root / path).rename(new)
    kept = {file.relative_to(root).as_posix() for pattern in keeps for file in root.glob(pattern)}
    for path in files(root) if keeps else ():
        if path not in kept and not path.startswith(_ABOUT):
            (root / path).unlink()
    for parent, _, _ in os.walk(root, topdown=False):
        if Path(parent) != root and not any(Path(parent).iterdir()):
            Path(parent).rmdir()


_SHOWN = 12  # How many files an error names


def part_of(place: Path, part: str, data: str) -> Path:
    """What is meant by a part of the data at this place: a path or pattern in it, or the end of a treebank's name.

    `test` is the file of a treebank that ends in `-test.conllu`.
    """
    steps = PurePosixPath(part)
    if steps.is_absolute() or ".." in steps.parts:
        raise UsageError(f"{part} leads out of {data}", where=f"{data}/{part}", todo="name a file or folder in it")
    whole = place / steps
    if any(char in part for char in "*?["):
        if next(place.glob(part), None) is not None:
            return whole
    elif place.is_dir():
        if whole.exists():
            return whole
        ends = list(place.glob(f"*-{part}.conllu")) if len(steps.parts) == 1 else []
        if len(ends) == 1:
            return ends[0]
    if not place.is_dir():
        raise UsageError(f"{data} is one file", where=f"{data}/{part}", todo=f"write {data}")
    raise unknown_name(f"part of {data}", part, _contents(place))


def _contents(place: Path) -> list[str]:
    """What is in it, by name: all files where they are few, else the folders and files at its top."""
    every = files(place)
    return every if len(every) <= _SHOWN else sorted({file.partition("/")[0] for file in every})


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
                    if self.size > self.bounds.size:  # stop before the disk is full
                        raise _RefusedError(f"the archive would unpack to more than {self.bounds.size} bytes")
                    out.write(block)
        except FileExistsError as error:
            raise _RefusedError(f"{name!r} is in the archive twice") from error
        except IsADirectoryError as error:
            raise _RefusedError(f"{name!r} is not a name of a file") from error

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
