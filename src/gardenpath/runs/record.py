"""A run: a folder that says what was done with what, keeps finished pieces, goes on where it was stopped."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .._version import __version__
from ..boundary.faults import reading
from ..boundary.structured import read_json, read_object
from ..errors import InputError, UsageError
from .atomic import write_bytes
from .folder import check_own, check_same, is_finished, run_id
from .inputs import Input, describe_input, environment
from .lock import FolderLock
from .observations import Observations, parse_observations
from .result import Result, Table
from .seal import AGAIN, PAGE, PARTS, RECORD, broken, fingerprint, read_record, sealed
from .signature import digest
from .strict_json import portable, to_document, to_text
from .tsv import cells, lines

if TYPE_CHECKING:
    import polars

RESULT, OBSERVATIONS, TABLES, TREES = "result.json", "observations.tsv", "tables", "trees"
_INNER = re.compile(r"[\w-]+")
_ATTACHED = re.compile(r"[a-z]+\.jsonl")


class Run:
    """One run in one folder. `Run.open` starts it or goes on with it, `Run.load` only reads.

    A finished run is sealed, and its seal is checked whenever it is opened or loaded.
    """

    def __init__(
        self, folder: Path, record: dict[str, Any], lock: FolderLock | None, contents: Mapping[str, bytes] | None = None
    ) -> None:
        self.folder, self.record, self._lock = folder, record, lock
        self._contents = contents or {}  # of files that were read to check the seal

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
    ) -> Run:
        """The run of this command on these inputs: new, or the one that was interrupted or finished here.

        `call` is the command line that does it again; who called what how does not tell runs apart.
        """
        place = Path(folder)
        wanted: dict[str, Any] = {
            "command": command,
            "call": call,
            "settings": json.loads(to_text(dict(settings or {}), sort_keys=True)),
            "seed": seed,
            "inputs": [describe_input(given) for given in inputs],
            "version": __version__,
        }
        wanted["id"] = run_id(wanted)
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
        check_own(place)
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
                    (place / PAGE).unlink(missing_ok=True)  # not sealed: whoever wrote it was killed
                lock.release()
                return cls._intact(place, kept)
            (place / PAGE).unlink(missing_ok=True)  # of what this folder held before a file of it went
            record["started"] = kept.get("started", now)
            record["continued"] = int(kept.get("continued", 0)) + 1
        _write_json(place / RECORD, record)
        return cls(place, record, lock)

    @classmethod
    def load(cls, folder: str | Path) -> Run:
        """A run as it lies there, to read; a finished one only if all of it is as it was sealed."""
        place = Path(folder)
        record = read_record(place)
        return cls._intact(place, record) if record["state"] == "finished" else cls(place, record, None)

    @classmethod
    def _intact(cls, place: Path, record: dict[str, Any]) -> Run:
        problems, contents = broken(place, record, keep=(RESULT, OBSERVATIONS))
        if problems:
            raise problems[0].error(place, others=len(problems) - 1)
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
        """Writes what was found out and seals it; the record comes last, so a run is finished only when all is there.

        `trees` are the analyses that were judged, as CoNLL-U, by system; `gold` is what they were judged by.
        `attached` are further files by their names, such as phrase trees or surprisals, which the report shows.
        `runs` are finished runs in folders of these names inside this one: they have seals of their own.
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
            "files": {name: fingerprint(content) for name, content in contents.items()}, "trees": analyses,
        }  # fmt: skip
        if inner := {name: read_record(self.folder / name)["seal"] for name in runs}:
            end["runs"] = inner
        self._seal({**self.record, **end, "failures": dict(result.failures)})
        shutil.rmtree(self.folder / PARTS, ignore_errors=True)
        self.close()

    def add_page(self, page: str) -> None:
        """Puts the page of a finished run into its folder and under its seal."""
        content = page.encode("utf-8")
        lock = FolderLock(self.folder)
        try:
            write_bytes(self.folder / PAGE, content)
            self._seal({**self.record, "files": {**self.record["files"], PAGE: fingerprint(content)}})
        finally:
            lock.release()

    def _seal(self, record: Mapping[str, Any]) -> None:
        self.record = sealed(json.loads(_json_bytes(record)))  # as it will be read
        _write_json(self.folder / RECORD, self.record)

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
            raise InputError(
                "this run has no result yet: it was not finished",
                where=str(self.folder),
                todo="call its command again; it goes on where it stopped",
            )
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


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    write_bytes(path, _json_bytes(value))


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
