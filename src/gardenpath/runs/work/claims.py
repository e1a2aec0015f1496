"""Who does which piece of work: files alone, for processes that share a folder and nothing else.

A claim is a file that a hard link put there, which also on network file systems exactly one process can do. A claim is
never taken away: whoever takes over the piece of a dead process makes the claim of the next generation
(`17.0`, `17.1`, …). A piece is done where its record lies in `done`; a process that was thought dead and is not may
write the same record again, which changes nothing.
"""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ...boundary.structured import read_object
from ...boundary.texts import file_bytes
from ...errors import InputError
from ..record.writing import write_bytes
from ..result.encoding import to_text

BEAT = 15.0
"""Seconds between two signs of life."""
PATIENCE = 150.0
"""Seconds without one, after which a process of another machine is held to be dead."""
_NAMELESS = "nobody.0.0"
"""Who died before its name was in its claim; that can be only where there are no links."""


class ClaimBoard:
    """The claims in a folder, and this process as one of those who make them.

    >>> import tempfile
    >>> with ClaimBoard(tempfile.mkdtemp()).alive() as board:
    ...     first, again = board.claim(17), board.claim(17)
    ...     board.finish(17, {"seconds": 0.1})
    >>> first, again, board.is_done(17)
    (True, False, True)
    """

    def __init__(self, folder: str | os.PathLike[str], *, patience: float = PATIENCE, beat: float = BEAT) -> None:
        place = Path(folder)
        self._claims, self._done, self._alive = place / "claims", place / "done", place / "alive"
        self._patience, self._beat = patience, beat
        self._fails = place / "failed"
        self._token = f"{socket.gethostname()}.{os.getpid()}.{secrets.token_hex(4)}"
        self._named_file = self._alive / f"{self._token}.name"  # all our claims are links to it

    @contextmanager
    def alive(self) -> Iterator[ClaimBoard]:
        """Shows the others that this process lives, until the block ends."""
        for folder in (self._claims, self._done, self._alive, self._fails):
            folder.mkdir(parents=True, exist_ok=True)
        sign = self._alive / self._token
        sign.write_text(to_text({"started": _started(os.getpid())}), encoding="utf-8")
        self._named_file.write_text(self._token, encoding="ascii")
        over = threading.Event()

        def beat() -> None:
            while not over.wait(self._beat):
                with suppress(OSError):
                    os.utime(sign)

        thread = threading.Thread(target=beat, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            over.set()
            thread.join()
            for path in (sign, self._named_file):
                path.unlink(missing_ok=True)

    def claim(self, piece: int) -> bool:
        """Is this piece ours now? Not if it is done, or a process that lives has it."""
        if self.is_done(piece):
            return False
        generation = 0
        while (holder := self._holder(piece, generation)) is not None:
            if self._lives(holder):
                return False
            generation += 1
        # Between the look and the claim another may have finished it.
        return self._link(self._claims / f"{piece}.{generation}") and not self.is_done(piece)

    def holder(self, piece: int) -> str:
        """The process that works on a piece: host.pid.token; empty where none that lives does."""
        generation, last = 0, ""
        while (holder := self._holder(piece, generation)) is not None:
            generation, last = generation + 1, holder
        return last if last and self._lives(last) else ""

    def finish(self, piece: int, record: Mapping[str, Any]) -> None:
        """The piece is done; `record` is what there is to say of it."""
        write_bytes(self._done / str(piece), to_text({**record, "by": self._token}).encode("utf-8"))

    def fail(self, piece: int, why: str) -> None:
        """It could not be done; the next process that asks for it may try again."""
        write_bytes(self._fails / str(piece), why.encode("utf-8"))

    def failures(self) -> dict[int, str]:
        """Why pieces that are not done failed last."""
        paths = list(self._fails.iterdir()) if self._fails.is_dir() else []
        numbers = {int(path.name): path for path in paths if path.name.isdecimal()}
        return {piece: path.read_text(encoding="utf-8") for piece, path in numbers.items() if not self.is_done(piece)}

    def is_done(self, piece: int) -> bool:
        return (self._done / str(piece)).exists()

    def records(self) -> dict[int, dict[str, Any]]:
        """What was said of each piece that is done; a record that cannot be read is none."""
        records = {}
        for path in self._done.iterdir() if self._done.is_dir() else ():
            with suppress(ValueError, InputError):
                records[int(path.name)] = read_object(file_bytes(path), str(path))
        return records

    def _link(self, path: Path) -> bool:
        """Makes a claim with our name in it; False where another was first."""
        try:
            os.link(self._named_file, path)
        except FileExistsError:
            return False
        except OSError:  # this file system has no links
            try:
                with path.open("x", encoding="utf-8") as stream:
                    stream.write(self._token)
            except FileExistsError:
                return False
        return True

    def _holder(self, piece: int, generation: int) -> str | None:
        """The process of a claim, or None where there is no such claim."""
        path = self._claims / f"{piece}.{generation}"
        try:
            return path.read_text(encoding="ascii") or (_NAMELESS if self._age(path) > self._patience else "")
        except FileNotFoundError:
            return None

    def _lives(self, token: str) -> bool:
        """On this machine by its process, on another by its sign of life; who has no name yet is just making it."""
        if token in ("", self._token):
            return True
        host, pid, _ = token.rsplit(".", 2)
        sign = self._alive / token
        try:
            if host == socket.gethostname():
                return bool(read_object(file_bytes(sign), str(sign)).get("started") == _started(int(pid)))
            return self._age(sign) < self._patience
        except (OSError, ValueError, InputError):
            return False

    def _age(self, path: Path) -> float:
        """Seconds since a file was touched, by the clock that also stamps our own sign of life."""
        os.utime(self._alive / self._token)
        return (self._alive / self._token).stat().st_mtime - path.stat().st_mtime


def _started(pid: int) -> str:
    """When a process began, in the words of the system; empty where there is none. A number may be used again."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return "" if fields[0] == "Z" else fields[19]
    except OSError:
        pass
    try:
        os.kill(pid, 0)
    except OSError:
        return ""
    return "alive"
