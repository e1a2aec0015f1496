"""Store of fetched data: archives unpacked within bounds, arranged, hashed, and found by name."""

from __future__ import annotations

import contextlib
import glob
import hashlib
import json
import os
import shutil
import tempfile
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO

from .._version import __version__
from ..boundary.structured import read_object
from ..boundary.texts import file_bytes, reason
from ..boundary.unpacking import MEMBERS, archive_members
from ..errors import GardenpathError, InputError, UsageError, unknown_name
from ..runs.record.signatures import file_hash
from ..runs.record.writing import locked, recover_folder, replace_folder, write_text
from .catalogue import Record, bundled, divided, find, is_data_name, records
from .download import DownloadError, Patience, Progress, download

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
                while block := stream.read(_BLOCK):
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


@dataclass(frozen=True, slots=True)
class Fetched:
    """Where some data lies and how it came there."""

    path: Path
    origin: str
    """`mirror`, `store`, `download` or `bundled`."""
    tree: str | None = None
    trusted: bool = False
    """No hash was known: this download was trusted, its hash is checked from now on."""


def store() -> Path:
    """The folder of downloads: `$GARDENPATH_CACHE/data`, else in the user's cache."""
    if own := os.environ.get("GARDENPATH_CACHE"):
        return Path(own).expanduser() / "data"
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("gardenpath")) / "data"


def mirror() -> Path | None:
    """The folder of GARDENPATH_MIRROR, from which data is served without a network."""
    named = os.environ.get("GARDENPATH_MIRROR")
    if not named:
        return None
    folder = Path(named).expanduser()
    if not folder.is_dir():
        todo = "set GARDENPATH_MIRROR to a folder, or unset it"
        raise UsageError("the mirror is not a folder", where=str(folder), todo=todo)
    return folder


def whereabouts(name: str) -> Fetched | None:
    """Where the data is now, or the part that is named; None if it has to be fetched first."""
    data, part = divided(name)
    here = _whole(data)
    return here if here is None or not part else replace(here, path=part_of(here.path, part, data))


def _whole(name: str) -> Fetched | None:
    if name.startswith("bundled:"):
        return Fetched(bundled(name.removeprefix("bundled:")), "bundled")
    root = mirror()
    if root is not None and (place := root / find(name, unlisted=True).place).exists():
        return Fetched(place, "mirror")
    record = find(name)
    folder = store() / record.folder
    if (folder / RECORD_FILE).is_file():
        return Fetched(folder, "store", _note(folder / RECORD_FILE).get("tree"))
    return None


def locate(name: str) -> Path:
    """The folder of this data, or a part of it, in the mirror, else in the store; `bundled:de-train` is ours."""
    here = whereabouts(name)
    if here is not None:
        return here.path
    raise _missing(divided(name)[0])


def get(name: str, progress: Progress | None = None) -> Path:
    """The folder of this data, fetched first if it is not here; with a mirror nothing is fetched."""
    return fetch(name, progress).path


def fetch(
    name: str,
    progress: Progress | None = None,
    *,
    again: bool = False,
    patience: Patience = Patience(),  # noqa: B008 (frozen)
) -> Fetched:
    """As `get`, and says how the data came here; data in the store is checked against its hash.

    `again` fetches it anew even if it is in the store: the new content must have the known hash.
    """
    data, part = divided(name)
    whole = _fetch(data, progress, again=again, patience=patience)
    return replace(whole, path=part_of(whole.path, part, data)) if part else whole


def _fetch(name: str, progress: Progress | None, *, again: bool, patience: Patience) -> Fetched:
    here = _whole(name)
    if here is not None and here.origin in ("bundled", "mirror"):
        return here
    if mirror() is not None:
        if here is None:
            raise _missing(name)
        return _checked(here, name)
    record = find(name)
    if record.by_hand:
        raise _missing(name)
    try:
        with locked(store() / ".locks" / f"{record.folder}.lock"):
            recover_folder(store() / record.folder)
            here = _whole(name)  # another process may have brought it while this one waited
            if here is not None and not again:
                return _checked(here, name)
            return _bring(record, progress, patience)
    except OSError as error:
        todo = "name another folder with GARDENPATH_CACHE"
        raise UsageError(f"cannot keep data: {error.strerror or error}", where=str(store()), todo=todo) from error


def _missing(name: str) -> GardenpathError:
    root = mirror()
    record = find(name, unlisted=True)
    if record.by_hand:
        where = str((root or Path("DIR")) / record.place)
        todo = record.by_hand if root is not None else f"{record.by_hand}; then set GARDENPATH_MIRROR=DIR"
        return UsageError(f"{name} cannot be fetched, and is not here", where=where, todo=todo)
    if root is not None:
        todo = "put it there, or unset GARDENPATH_MIRROR and call: gardenpath data get " + name
        return UsageError(f"the mirror does not have {name}", where=str(root / find(name).place), todo=todo)
    return UsageError(f"{name} is not on this machine", todo=f"call: gardenpath data get {name}")


def _checked(here: Fetched, name: str) -> Fetched:
    digest = tree_hash(here.path)
    if digest != here.tree:
        todo = f"to have it as it was, call: gardenpath data get --again {name}"
        raise InputError("the data was changed since it was fetched", where=str(here.path), todo=todo)
    return here


def _bring(record: Record, progress: Progress | None, patience: Patience) -> Fetched:
    """Download, unpack, arrange, check; only then does the folder appear in the store."""
    work = store() / ".downloads"
    work.mkdir(parents=True, exist_ok=True)
    for left in work.glob(f"{glob.escape(record.folder)}.*/"):  # of a process that was killed: we hold the lock
        shutil.rmtree(left, ignore_errors=True)
    archive, url = _downloaded(record, work / record.folder, progress, patience)
    try:
        with tempfile.TemporaryDirectory(prefix=f"{record.folder}.", dir=work) as temporary:
            unpacked = Path(temporary) / "unpacked"
            unpacked.mkdir()
            unpack(archive, unpacked)
            root = content_root(unpacked)
            (root / RECORD_FILE).unlink(missing_ok=True)  # ours is the only note of this name
            arrange(root, record.moves, record.keeps)
            tree, trusted = _hash(record, root, url)
            note = {
                "name": record.name, "url": url, "tree": tree, "licence": record.licence,
                "retrieved": datetime.now(UTC).isoformat(timespec="seconds"), "files": len(files(root)),
                "version": __version__,
            }  # fmt: skip
            write_text(root / RECORD_FILE, json.dumps(note, indent=1) + "\n")
            replace_folder(root, store() / record.folder)
    finally:
        archive.unlink(missing_ok=True)
    write_text(_hash_file(record), json.dumps({"name": record.name, "tree": tree}) + "\n")
    return Fetched(store() / record.folder, "download", tree, trusted)


def _downloaded(record: Record, target: Path, progress: Progress | None, patience: Patience) -> tuple[Path, str]:
    """The archive and the address it came from: the first of the record's that works."""
    failure: DownloadError | None = None
    for url in record.urls:
        try:
            return download(url, target, progress=progress, patience=patience), url
        except DownloadError as error:
            failure = failure or error
    assert failure is not None  # every record has an address
    if record.name.startswith("ud:") and " 404 " in failure.what:
        from .catalogue import did_you_mean, treebanks

        treebank, _, release = record.name.removeprefix("ud:").partition("@")
        todo = f"release {release} may not have it; see https://universaldependencies.org"
        near = "" if treebank in treebanks() else did_you_mean(treebank)
        raise DownloadError(failure.what, where=failure.where, todo=near or todo) from failure
    raise failure


def _hash(record: Record, root: Path, url: str) -> tuple[str, bool]:
    """The hash of the content, and whether it had to be trusted; an error if it is not the known one."""
    for path in record.expects:
        if not (root / path).is_file():
            what = f"the download has no {path}, so it is not {record.name}"
            raise InputError(what, where=url, todo="nothing was kept; the source has changed")
    digest = tree_hash(root)
    known = record.sha256 or _note(_hash_file(record)).get("tree")
    if known is not None and digest != known:
        raise DownloadError(
            f"the content is not what it was: {digest}, expected {known}",
            where=url,
            todo="nothing was kept; "
            + (
                "see the home page of the data"
                if record.sha256
                else f"to accept the change, delete {_hash_file(record)}"
            ),
        )
    return digest, known is None


def _hash_file(record: Record) -> Path:
    return store() / ".hashes" / f"{record.folder}.json"


def _note(path: Path) -> dict[str, str]:
    with contextlib.suppress(InputError):
        return read_object(file_bytes(path), str(path))
    return {}


def local(name: str) -> str:
    """The path of data by name, brought here first if it has to be; any other name as it is."""
    return str(fetch(name).path) if is_data_name(name) else name


def data_called(name: str = "") -> list[Record] | Path:
    """All records of public data; or the place of one, fetched if it is not here."""
    return Path(local(name)) if name else records()
