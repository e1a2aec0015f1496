"""The seal of a finished run: the SHA-256 of each of its files, and one over the record that lists them."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..boundary.structured import read_object
from ..boundary.texts import file_bytes
from ..errors import InputError
from .lock import FolderLock
from .strict_json import to_text

RECORD, PAGE, PARTS = "run.json", "report.html", "parts"
AGAIN = "put back the files as the run left them, or remove the folder and make the run again"


@dataclass(frozen=True, slots=True)
class SealProblem:
    """A file that is not as it was sealed: what kind of change it is, and both hashes where there are two."""

    file: str
    kind: str
    """changed, cut, swapped, missing, added or unreadable; of the record forged, unsealed or unfinished."""
    what: str
    expected: str = ""
    actual: str = ""
    todo: str = AGAIN

    def error(self, folder: Path, others: int = 0) -> InputError:
        """The problem as an error, with how many there are beside it."""
        more = f" ({others} more: gardenpath verify {folder})" if others else ""
        return InputError(self.what + more, where=str(folder / self.file), todo=self.todo)


def fingerprint(content: bytes) -> dict[str, Any]:
    """SHA-256 and size of a file's content, as the record has them."""
    import hashlib

    return {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}


def sealed(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with the hash of all else that is in it."""
    return {**record, "seal": _seal_of(record)}


def _seal_of(record: Mapping[str, Any]) -> str:
    """Over the content in one canonical form: how the file is indented or ordered does not count."""
    content = {key: value for key, value in record.items() if key != "seal"}
    return str(fingerprint(to_text(content, sort_keys=True).encode("utf-8"))["sha256"])


def broken(
    folder: Path, record: Mapping[str, Any], keep: Collection[str] = ()
) -> tuple[list[SealProblem], dict[str, bytes]]:
    """What is not as it was sealed, and the contents of the files named by `keep`; each file is read once."""
    if problem := _record_problem(record):
        return [problem], {}
    expected: dict[str, dict[str, Any]] = record["files"]
    owner = {entry["sha256"]: name for name, entry in expected.items()}
    present = _files(folder)
    problems, contents = list[SealProblem](), dict[str, bytes]()
    inner = record.get("runs") or {}
    for name, seal in inner.items():
        problems += _inner_problems(folder, name, str(seal))
    present = {name for name in present if name.split("/")[0] not in inner}
    for name, entry in expected.items():
        if name not in present:
            problems.append(SealProblem(name, "missing", "this file of the run is gone", entry["sha256"]))
            continue
        try:
            actual, content = _read(folder / name, keep=name in keep)
        except OSError as error:
            what = f"this file of the run cannot be read: {error.strerror or error}"
            problems.append(SealProblem(name, "unreadable", what, entry["sha256"], todo="check its permissions"))
            continue
        if actual != entry:
            problems.append(_difference(name, entry, actual, owner.get(actual["sha256"])))
        elif content is not None:
            contents[name] = content
    # The lock is there while the page is written, and stays where that was killed: the page is not listed yet.
    own = {RECORD, FolderLock.NAME, PAGE} if FolderLock.NAME in present else {RECORD}
    for name in sorted(present - expected.keys() - own):
        what = "this file was added after the run was sealed"
        problems.append(SealProblem(name, "added", what, todo="move it out of the folder"))
    return problems, contents


def read_record(place: Path) -> dict[str, Any]:
    """The record of the run in this folder."""
    path = place / RECORD
    if not path.exists():
        raise InputError("this folder holds no run", where=str(place), todo="name the folder of a run")
    what = "the record of this run is damaged, it"
    record = read_object(file_bytes(path, what, AGAIN), str(path), what, AGAIN)
    if not {"id", "command", "state"} <= record.keys():
        raise InputError("this is not the record of a run", where=str(path), todo="name another folder")
    return record


def _inner_problems(folder: Path, name: str, seal: str) -> list[SealProblem]:
    """What is not as it was sealed in a run that a run is made of; its own record must have the seal noted here."""
    try:
        record = read_record(folder / name)
    except InputError as error:
        return [SealProblem(f"{name}/{RECORD}", "missing", error.what, seal)]
    if record.get("seal") != seal:
        what = "this is not the run that was sealed here"
        return [SealProblem(f"{name}/{RECORD}", "forged", what, seal, str(record.get("seal", "")))]
    return [replace(problem, file=f"{name}/{problem.file}") for problem in broken(folder / name, record)[0]]


def _record_problem(record: Mapping[str, Any]) -> SealProblem | None:
    if record.get("state") != "finished":
        todo = "call its command again; it goes on where it stopped"
        return SealProblem(RECORD, "unfinished", "this run is not finished", todo=todo)
    if "seal" not in record:
        what = "this run has no seal, so nothing tells whether its files were changed"
        return SealProblem(RECORD, "unsealed", what, todo="remove the folder and make the run again")
    seal, actual = str(record["seal"]), _seal_of(record)
    if seal != actual:
        what = f"the record was changed after the run was sealed (seal {seal[:8]}…, content {actual[:8]}…)"
        return SealProblem(RECORD, "forged", what, seal, actual)
    files = record.get("files")
    if not isinstance(files, dict) or not all(map(_is_fingerprint, files.values())):
        return SealProblem(RECORD, "forged", "the record does not list the files of the run")
    return None


def _is_fingerprint(entry: Any) -> bool:
    kinds = {"sha256": str, "size": int}
    return isinstance(entry, dict) and {key: type(value) for key, value in entry.items()} == kinds


def _difference(name: str, expected: Mapping[str, Any], actual: Mapping[str, Any], owner: str | None) -> SealProblem:
    hashes = f"SHA-256 {actual['sha256'][:8]}…, sealed as {str(expected['sha256'])[:8]}…"
    if owner is not None:
        kind, what = "swapped", f"this file holds what was sealed as {owner}"
    elif actual["size"] < expected["size"]:
        kind, what = "cut", f"this file was cut: {actual['size']} of {expected['size']} bytes are left"
    else:
        kind, what = "changed", "this file was changed after the run was sealed"
    return SealProblem(name, kind, f"{what} ({hashes})", str(expected["sha256"]), actual["sha256"])


def _read(path: Path, *, keep: bool) -> tuple[dict[str, Any], bytes | None]:
    import hashlib

    if keep:
        content = path.read_bytes()
        return fingerprint(content), content
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
        return {"sha256": digest, "size": stream.tell()}, None


def _files(folder: Path) -> set[str]:
    """The files in the folder of a run, but for those that nobody reads of a finished one: hidden ones, and pieces."""
    files = {
        Path(place, name).relative_to(folder).as_posix()
        for place, _, names in os.walk(folder)
        for name in names
        if Path(place, name).is_file()
    }
    return {name for name in files if "/." not in f"/{name}" and not name.startswith(f"{PARTS}/")}
