"""A run: a folder that says what was done with what, keeps finished pieces, goes on where it was stopped.

The record of a finished run (`run.json`) has the SHA-256 sum of each of its files; `verify` computes them again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import sys
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..._version import __version__
from ...boundary.structured import read_json, read_object
from ...boundary.texts import file_bytes, reading
from ...errors import InputError, UsageError
from ..result.encoding import cells, lines, portable, to_document, to_text
from ..result.observations import Observations, parse_observations
from ..result.result import Result, Table
from .signatures import Input, describe_input, digest, environment, file_hash
from .writing import lock_open_file, write_bytes

if TYPE_CHECKING:
    import polars

RECORD, PAGE, PARTS = "run.json", "report.html", "parts"
RESULT, OBSERVATIONS, TABLES, TREES = "result.json", "observations.tsv", "tables", "trees"
AGAIN = "put back the files as the run left them, or remove the folder and make the run again"
_INNER = re.compile(r"[\w-]+")
_ATTACHED = re.compile(r"[a-z]+\.jsonl")


class FolderLock:
    """Holds `run.lock` in a folder from creation to `release`, or says who holds it."""

    NAME = "run.lock"

    def __init__(self, folder: Path) -> None:
        self.path = folder / self.NAME
        self._number: int | None = None
        while self._number is None:
            try:
                number = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                what = f"cannot write in this folder: {error.strerror}"
                raise UsageError(what, where=str(self.path.parent), todo="choose another place") from error
            try:
                lock_open_file(number)
            except BlockingIOError:
                holder = "another process"  # unless it has come to write the lock
                with suppress(KeyError, OSError, InputError):
                    written = read_object(os.read(number, 1000), "")
                    holder = f"process {written['pid']} on {written['host']}"
                os.close(number)
                what = f"this run is being worked on by {holder}"
                todo = "wait for it to end, or name another folder"
                raise UsageError(what, where=str(self.path.parent), todo=todo) from None
            except OSError as error:
                os.close(number)
                what = f"this file system cannot lock files ({error.strerror})"
                raise UsageError(what, where=str(self.path.parent), todo="name a folder on another disk") from error
            # The former holder removes the file when it is done: then what is locked here is no longer there.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(number), self.path.stat()):
                    os.ftruncate(number, 0)
                    os.write(number, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())
                    self._number = number
            if self._number is None:
                os.close(number)

    def release(self) -> None:
        if self._number is None:
            return
        number, self._number = self._number, None
        if sys.platform == "win32":  # an open file cannot be removed there
            os.close(number)
            with suppress(OSError):
                self.path.unlink()
        else:
            self.path.unlink(missing_ok=True)
            os.close(number)


def verify(folder: str | Path) -> list[InputError]:
    """Return what is wrong with the files of a run: one problem for each that is not as the run left it."""
    return _problems(Path(folder), read_record(Path(folder)))[0]


def read_record(place: Path) -> dict[str, Any]:
    """Return the record of the run in this folder."""
    path = place / RECORD
    if not path.exists():
        raise InputError("this folder holds no run", where=str(place), todo="name the folder of a run")
    what = "the record of this run is damaged, it"
    record = read_object(file_bytes(path, what, AGAIN), str(path), what, AGAIN)
    if not {"id", "command", "state"} <= record.keys():
        raise InputError("this is not the record of a run", where=str(path), todo="name another folder")
    return record


def _problems(
    folder: Path, record: Mapping[str, Any], keep: Collection[str] = ()
) -> tuple[list[InputError], dict[str, bytes]]:
    """Compare files with their sums; also return the contents of the files named by `keep`. Each file is read once."""
    if record["state"] != "finished":
        todo = "call its command again; it goes on where it stopped"
        return [InputError("this run is not finished", where=str(folder / RECORD), todo=todo)], {}
    files: Any = record.get("files")
    listed = isinstance(files, dict) and all(isinstance(one, dict) and "sha256" in one for one in files.values())
    if not listed:
        return [InputError("the record does not list the files of the run", where=str(folder / RECORD), todo=AGAIN)], {}
    problems, contents = list[InputError](), dict[str, bytes]()
    inner = record.get("runs") or {}
    for name, checksum in inner.items():
        problems += _inner_problems(folder / name, str(checksum))
    # Nobody reads hidden files and pieces of a finished run.
    paths = (Path(place, name) for place, _, names in os.walk(folder) for name in names)
    present = {path.relative_to(folder).as_posix() for path in paths if path.is_file()}
    present = {name for name in present if name.split("/")[0] not in (PARTS, *inner) and "/." not in f"/{name}"}
    for name, entry in files.items():
        where = str(folder / name)
        if name not in present:
            problems.append(InputError("this file of the run is gone", where=where, todo=AGAIN))
            continue
        try:
            if name in keep:
                contents[name] = (folder / name).read_bytes()
            actual = _sum(contents[name]) if name in keep else file_hash(folder / name)
        except OSError as error:
            what = f"this file of the run cannot be read: {error.strerror or error}"
            problems.append(InputError(what, where=where, todo="check its permissions"))
            continue
        if actual != entry["sha256"]:
            sums = f"SHA-256 {actual[:8]}…, noted as {str(entry['sha256'])[:8]}…"
            what = f"this file was changed after the run was finished ({sums})"
            problems.append(InputError(what, where=where, todo=AGAIN))
    # The lock is there while the page is written, and stays where that was killed: the page is not listed yet.
    own = {RECORD, FolderLock.NAME, PAGE} if FolderLock.NAME in present else {RECORD}
    for name in sorted(present - files.keys() - own):
        what = "this file was added after the run was finished"
        problems.append(InputError(what, where=str(folder / name), todo="move it out of the folder"))
    return problems, contents


def _inner_problems(folder: Path, checksum: str) -> list[InputError]:
    """Compare a run that a run is made of with its files, and these with the checksum that was noted of them."""
    try:
        record = read_record(folder)
    except InputError as error:
        return [InputError(error.what, where=str(folder / RECORD), todo=AGAIN)]
    if checksum_of(record) != checksum:
        return [InputError("this is another run than was finished here", where=str(folder / RECORD), todo=AGAIN)]
    return _problems(folder, record)[0]


def checksum_of(record: Mapping[str, Any]) -> str:
    """Return one SHA-256 over the sums of all files of a finished run."""
    files = record.get("files") or {}
    return digest(*(f"{name}\t{entry['sha256']}" for name, entry in sorted(files.items())))


def _sum(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


def check_same(place: Path, stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    if stored["id"] == wanted["id"]:
        return
    keys = ("command", "settings", "seed", "version")
    differs = [key for key in keys if stored.get(key) != wanted[key]]
    if [i.get("sha256") for i in stored.get("inputs", [])] != [i["sha256"] for i in wanted["inputs"]]:
        differs.append("inputs")
    what = f"this folder holds another run ({stored['id']}, not {wanted['id']}): other {' and '.join(differs)}"
    raise UsageError(what, where=str(place), todo="name another folder, or remove this one")


def is_finished(place: Path, record: Mapping[str, Any]) -> bool:
    """Also false where a file of a finished run has gone: then it is done again."""
    files = record.get("files")
    gone = isinstance(files, dict) and not all((place / name).is_file() for name in files)
    return record["state"] == "finished" and not gone


class Run:
    """One run in one folder. `Run.open` starts it or goes on with it, `Run.load` only reads.

    The files of a finished run are compared with their sums whenever it is opened or loaded.
    """

    def __init__(
        self, folder: Path, record: dict[str, Any], lock: FolderLock | None, contents: Mapping[str, bytes] | None = None
    ) -> None:
        self.folder, self.record, self._lock = folder, record, lock
        self._contents = contents or {}  # of files that were read to check their sums

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        command: str,
        settings: Mapping[str, Any] | None = None,
        inputs: Iterable[Input] = (),
        seed: int | None = None,
        call: str = "",
        source: Any = None,
    ) -> Run:
        """The run of this command on these inputs: new, or the one that was interrupted or finished here.

        `call` is the command line that does it again, and `source` what it names as the source of the study; who called
        what how does not tell runs apart.
        """
        place = Path(folder)
        wanted: dict[str, Any] = {
            "command": command,
            "call": call,
            "source": source,
            "settings": json.loads(to_text(dict(settings or {}), sort_keys=True)),
            "seed": seed,
            "inputs": [describe_input(given) for given in inputs],
            "version": __version__,
        }
        # Same command, settings, seed, input contents and version: same id. Paths do not count.
        hashes = [entry["sha256"] for entry in wanted["inputs"]]
        chosen = to_text(wanted["settings"], sort_keys=True)
        wanted["id"] = digest(command, chosen, str(seed), __version__, *hashes)[:20]
        if (place / RECORD).is_file():
            record = read_record(place)
            check_same(place, record, wanted)
            if is_finished(place, record):
                # Nothing to do but to clean up after a kill, if that can be: the disk may be one to read only.
                with suppress(UsageError):
                    if (place / PARTS).exists() or (place / FolderLock.NAME).exists():
                        return cls._locked(place, wanted, FolderLock(place))
                return cls._intact(place, record)
        try:
            place.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = "this is a file" if place.is_file() else f"cannot make the folder: {error.strerror}"
            raise UsageError(reason, where=str(place), todo="name another folder") from error
        if not (place / RECORD).is_file():  # it may hold only what a run killed at its start can leave
            names = sorted(entry.name for entry in place.iterdir())
            foreign = [name for name in names if name != FolderLock.NAME and not re.fullmatch(r"\..*\.part", name)]
            if foreign:
                shown = ", ".join(foreign[:3]) + (", …" if len(foreign) > 3 else "")
                what = f"this folder holds files that are of no run ({shown})"
                raise UsageError(what, where=str(place), todo="name a new or an empty folder")
        lock = FolderLock(place)
        try:
            return cls._locked(place, wanted, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _locked(cls, place: Path, wanted: dict[str, Any], lock: FolderLock) -> Run:
        for corner in (place, place / TABLES, place / TREES, place / PARTS):
            for leftover in corner.glob(".*.part"):  # of a process that was killed while it wrote
                leftover.unlink(missing_ok=True)
        now = _now()
        start = {"state": "running", "started": now, "finished": None, "continued": 0, "signature": None}
        record = {**wanted, **environment(), "failures": {}, **start}
        if (place / RECORD).is_file():
            kept = read_record(place)  # again, now that nobody else can change it
            check_same(place, kept, wanted)
            if is_finished(place, kept):
                shutil.rmtree(place / PARTS, ignore_errors=True)
                if PAGE not in kept.get("files", ()):
                    (place / PAGE).unlink(missing_ok=True)  # not listed: whoever wrote it was killed
                lock.release()
                return cls._intact(place, kept)
            (place / PAGE).unlink(missing_ok=True)  # of what this folder held before a file of it went
            record["started"] = kept.get("started", now)
            record["continued"] = int(kept.get("continued", 0)) + 1
        write_bytes(place / RECORD, _json_bytes(record))
        return cls(place, record, lock)

    @classmethod
    def load(cls, folder: str | Path) -> Run:
        """Return the run in a folder, to read; a finished one only if its files are as it left them."""
        place = Path(folder)
        record = read_record(place)
        return cls._intact(place, record) if record["state"] == "finished" else cls(place, record, None)

    @classmethod
    def _intact(cls, place: Path, record: dict[str, Any]) -> Run:
        problems, contents = _problems(place, record, keep=(RESULT, OBSERVATIONS))
        if problems:
            first, others = problems[0], len(problems) - 1
            more = f" ({others} more: gardenpath check {place})" if others else ""
            raise InputError(first.what + more, where=first.where, todo=first.todo)
        return cls(place, record, None, contents)

    @property
    def id(self) -> str:
        return str(self.record["id"])

    @property
    def finished(self) -> bool:
        return bool(self.record["state"] == "finished")

    def stored_part(self, key: str) -> dict[str, Any] | None:
        """A finished piece, or None where there is none or its file is damaged."""
        try:
            head, _, body = self._part_file(key).read_bytes().partition(b"\n")
            if head.decode("ascii") != digest(self.id, key, body):
                return None
            value = read_json(body, key, finite=False)
        except (OSError, ValueError, InputError):
            return None
        return value if isinstance(value, dict) else None

    def store_part(self, key: str, value: Mapping[str, Any]) -> dict[str, Any]:
        """Keeps a finished piece; gives back what will be read, so a resumed run sees the same."""
        self._check_open()
        body = to_text(dict(value)).encode("utf-8")
        write_bytes(self._part_file(key), digest(self.id, key, body).encode("ascii") + b"\n" + body)
        kept: dict[str, Any] = json.loads(body)
        return kept

    def finish(
        self,
        result: Result,
        observations: Observations | None = None,
        trees: Mapping[str, bytes] | None = None,
        attached: Mapping[str, bytes] | None = None,
        runs: Iterable[str] = (),
    ) -> None:
        """Write what was found out; the record comes last, so a run is finished only when all is there.

        `trees` are the analyses that were judged, as CoNLL-U, by system; `gold` is what they were judged by.
        `attached` are further files by their names, such as phrase trees or surprisals, which the report shows.
        `runs` are finished runs in folders of these names inside this one: they have records of their own.
        """
        self._check_open()
        for name in attached or {}:
            if not _ATTACHED.fullmatch(name):
                raise UsageError("a file that is attached to a run has a plain name", where=name)
        analyses = {name: f"{TREES}/{n:02}{_slug(name)}.conllu" for n, name in enumerate(trees or {}, start=1)}
        stored = {**result.as_json(), "tables": [asdict(table) for table in result.tables]}
        contents = {RESULT: to_document(stored).encode("utf-8"), **(attached or {})}
        contents |= {path: (trees or {})[name] for name, path in analyses.items()}
        for number, table in enumerate(result.tables, start=1):
            contents[f"{TABLES}/{number:02}{_slug(table.title)}.tsv"] = _table_text(table).encode("utf-8")
        if observations is not None:
            contents[OBSERVATIONS] = observations.to_tsv()
        for name, content in contents.items():
            write_bytes(self.folder / name, content)
        end = {
            "state": "finished", "finished": _now(), "signature": result.signature,
            "files": {name: _entry(content) for name, content in contents.items()}, "trees": analyses,
        }  # fmt: skip
        if inner := {name: checksum_of(read_record(self.folder / name)) for name in runs}:
            end["runs"] = inner
        self._write_record({**self.record, **end, "failures": dict(result.failures)})
        shutil.rmtree(self.folder / PARTS, ignore_errors=True)
        self.close()

    def add_page(self, page: str) -> None:
        """Put the page of a finished run into its folder, and its sum into the record."""
        content = page.encode("utf-8")
        lock = FolderLock(self.folder)
        try:
            write_bytes(self.folder / PAGE, content)
            self._write_record({**self.record, "files": {**self.record["files"], PAGE: _entry(content)}})
        finally:
            lock.release()

    def _write_record(self, record: Mapping[str, Any]) -> None:
        content = _json_bytes(record)
        self.record = json.loads(content)  # as it will be read
        write_bytes(self.folder / RECORD, content)

    def result(self) -> Result:
        """What the run found out."""
        what, where = "this is not a result of a run", str(self.folder / RESULT)
        stored = read_object(self._content(RESULT), where, "the result of this run", AGAIN)
        with reading(what, where, AGAIN):
            return Result.from_json(stored)

    def observations(self) -> polars.DataFrame:
        return parse_observations(self._content(OBSERVATIONS), self.folder / OBSERVATIONS)

    @property
    def has_observations(self) -> bool:
        return self.finished and OBSERVATIONS in self.record["files"]

    def _content(self, name: str) -> bytes:
        if not self.finished:
            todo = "call its command again; it goes on where it stopped"
            raise InputError("this run has no result yet: it was not finished", where=str(self.folder), todo=todo)
        if name not in self.record["files"]:
            raise InputError(f"this run has no {name}", where=str(self.folder), todo="name another run")
        if name not in self._contents:  # it was finished here, just now
            self._contents = self._intact(self.folder, self.record)._contents
        return self._contents[name]

    def trees(self) -> dict[str, Path]:
        """The analyses that were judged: CoNLL-U files by system, gold first."""
        kept = self.record.get("trees")
        named = kept.items() if isinstance(kept, dict) else ()
        # The record is a file that anyone may have written: only a plain name in our own folder is followed.
        plain = re.compile(rf"{TREES}/[^/\\]+\.conllu")
        return {str(name): self.folder / path for name, path in named if plain.fullmatch(str(path))}

    def runs(self) -> list[Run]:
        """The runs that this one is made of; none of a study."""
        kept = self.record.get("runs")
        return (
            [Run.load(self.folder / name) for name in kept if _INNER.fullmatch(name)] if isinstance(kept, dict) else []
        )

    def attached(self, name: str) -> Path | None:
        """The file of this name that was attached; None where this run has none."""
        known = _ATTACHED.fullmatch(name) and self.finished and name in self.record["files"]
        return self.folder / name if known else None

    def close(self) -> None:
        """Lets others work in the folder; what is finished stays."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def __enter__(self) -> Run:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _part_file(self, key: str) -> Path:
        return self.folder / PARTS / digest(self.id, key)

    def _check_open(self) -> None:
        if self._lock is None:
            what = "this run is finished" if self.finished else "this run is not open for work"
            raise UsageError(what, where=str(self.folder), todo="open it with Run.open in a folder of its own")


def _entry(content: bytes) -> dict[str, Any]:
    """Return sum and size of a file, as the record has them."""
    return {"sha256": _sum(content), "size": len(content)}


def _json_bytes(value: Mapping[str, Any]) -> bytes:
    return (to_text(portable(dict(value)), indent=1) + "\n").encode("utf-8")


def _table_text(table: Table) -> str:
    """As TSV: an interval is two columns, its low and its high end."""
    names, columns = list[str](), list[list[str]]()
    for place, name in enumerate(table.columns):
        values = [row[place] for row in table.rows]
        if table.kind(place) == "interval":
            ends = [value if isinstance(value, list | tuple) else (None, None) for value in values]
            names += [f"{table.columns[place - 1]} low", f"{table.columns[place - 1]} high"]
            columns += [cells([end[side] for end in ends]) for side in (0, 1)]
        else:
            names.append(name)
            columns.append(cells(values))
    return lines(names, columns)


def _slug(title: str) -> str:
    words = re.sub(r"\W+", "-", title.lower()).strip("-_")[:60].rstrip("-_")
    return f"-{words}" if words else ""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
