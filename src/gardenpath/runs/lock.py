"""One process at a time: locks that the operating system gives back when their holder dies."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..boundary.structured import read_object
from ..errors import InputError, UsageError


class FolderLock:
    """Holds `run.lock` in a folder from creation to `release`, or says who holds it."""

    NAME = "run.lock"

    def __init__(self, folder: Path) -> None:
        self.path = folder / self.NAME
        self._number: int | None = self._acquire()

    def _acquire(self) -> int:
        while True:
            try:
                number = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666)
            except OSError as error:
                raise UsageError(
                    f"cannot write in this folder: {error.strerror}",
                    where=str(self.path.parent),
                    todo="choose another place",
                ) from error
            try:
                _lock(number)
            except BlockingIOError:
                holder = _holder(number)
                os.close(number)
                raise UsageError(
                    f"this run is being worked on by {holder}",
                    where=str(self.path.parent),
                    todo="wait for it to end, or name another folder",
                ) from None
            except OSError as error:
                os.close(number)
                raise UsageError(
                    f"this file system cannot lock files ({error.strerror})",
                    where=str(self.path.parent),
                    todo="name a folder on another disk",
                ) from error
            # The former holder removes the file when it is done: then what is locked here is no longer there.
            if _same_file(number, self.path):
                os.ftruncate(number, 0)
                os.write(number, json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode())
                return number
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


def _lock(number: int, *, wait: bool = False) -> None:
    """Locks an open file: at once, or BlockingIOError; or when the one who holds it lets go."""
    if sys.platform == "win32":
        import msvcrt

        while True:
            os.lseek(number, 1 << 20, os.SEEK_SET)  # far behind the text, which others must be able to read
            try:
                msvcrt.locking(number, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)  # waits for ten seconds
                return
            except OSError as error:
                if not wait:
                    raise BlockingIOError(error.errno, error.strerror) from error
            finally:
                os.lseek(number, 0, os.SEEK_SET)
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Waits until no other process (or thread) is inside the same block, then goes on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _lock(number, wait=True)
        yield
    finally:
        os.close(number)  # closing releases the lock; the file stays, or a waiting process would hold a dead one


def _same_file(number: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(number), path.stat())
    except FileNotFoundError:
        return False


def _holder(number: int) -> str:
    """Who wrote the lock; it may not have come to that yet."""
    try:
        holder = read_object(os.read(number, 1000), "")
        return f"process {holder['pid']} on {holder['host']}"
    except (KeyError, OSError, InputError):
        return "another process"
