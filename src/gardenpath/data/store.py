"""Places of data: in the mirror (GARDENPATH_MIRROR), else in the store, into which `fetch` brings data."""

from __future__ import annotations

import contextlib
import glob
import json
import os
import shutil
import tempfile
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from .._version import __version__
from ..boundary.structured import read_object
from ..boundary.texts import file_bytes
from ..errors import GardenpathError, InputError, UsageError
from ..runs.record.writing import locked, recover_folder, replace_folder, write_text
from .catalogue import Record, bundled, divided, find, is_data_name, records
from .download import DownloadError, Patience, Progress, download
from .folder import RECORD_FILE, arrange, content_root, files, part_of, tree_hash, unpack


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
