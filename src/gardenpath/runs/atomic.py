"""Writing that either happens or does not: a reader never sees half a file, a failure leaves what was there."""

from __future__ import annotations

import errno
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import UsageError
from .signature import digest

LOCKS = sys.platform != "win32"  # there an open file can neither be renamed nor removed


@contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary file that takes its place at `path` when the block ends without an error.

    A path that is no ordinary file (a pipe, `/dev/stdout`) cannot be replaced and is written directly.
    """
    given = Path(path)
    # A link stays a link, its target is replaced. Path.resolve would raise where links go round in a circle.
    target = Path(os.path.realpath(given))
    try:
        if given.is_dir():
            raise UsageError("cannot write: this is a folder", where=str(path), todo="name a file in it")
        if given.exists() and not given.is_file():
            with given.open("wb") as stream:
                yield stream
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with workplace(target) as temporary:
            with temporary.open("wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o777)
            temporary.replace(target)
    except BrokenPipeError:
        raise  # who reads our pipe went away: not a place that cannot be written
    except OSError as error:
        named = Path(os.fsdecode(error.filename)) if isinstance(error.filename, str | bytes) else target
        ours = named.suffix == ".part" and named.parent == target.parent
        if not ours and named not in (given, target, *target.parents):
            raise  # of another file, which the block worked on
        raise cannot_write(error, target) from error


def cannot_write(error: OSError, path: Path) -> UsageError:
    """The error for a place that cannot be written; of a full disk it says how much is left."""
    what, todo = f"cannot write: {error.strerror or error}", "choose another place"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        with suppress(OSError):
            what += f" ({shutil.disk_usage(path.parent).free >> 10:,} KB are free for this user)"
        todo = "make room on this disk and call it again, or choose another place"
    return UsageError(what, where=str(path), todo=todo)


@contextmanager
def workplace(target: Path, *, folder: bool = False) -> Iterator[Path]:
    """A new file or folder beside `target`, `.….part`, which is gone when the block ends.

    It is locked as long as it is in use, and the operating system unlocks what a killed process held: the next
    writer to the same target takes such a leftover away. Its name is made of the target's and this host's, so
    that hosts which do not see each other's locks do not touch each other's files.
    """
    name = part_name(target)
    number, path, lock, made = 0, target, None, None
    held = _hold_signals()  # between making it and being ready to take it away again, nothing may interrupt
    try:
        while lock is None:
            path = target.with_name(f"{name}.{number}.part")
            lock = _claimed(path, folder)
            number += 1
        made = path.lstat()
        _release_signals(held)
        if LOCKS:  # of two who wrote at the same time and were both killed, the second
            remove_leftover(target.with_name(f"{name}.{number}.part"))
        yield path
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT) and error.filename in (None, str(path)):
            raise cannot_write(error, target) from error  # a stream does not say where it was full
        raise
    finally:
        with suppress(OSError):
            # Else it took its place, and this one is another writer's.
            if made is not None and os.path.samestat(made, path.lstat()):
                _remove(path)
        if lock is not None and lock >= 0:
            os.close(lock)
        _release_signals(held)


def part_name(target: Path) -> str:
    """What the names of workplaces for this target begin with, on this host."""
    return "." + digest(target.name, os.uname().nodename if LOCKS else "")[:16]


def _hold_signals() -> set[Any]:
    """Ctrl-C and SIGTERM wait until `_release_signals`; what was held before is given back."""
    if not hasattr(signal, "pthread_sigmask"):
        return set()
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM}))


def _release_signals(held: set[Any]) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _claimed(path: Path, folder: bool) -> int | None:
    """Makes it and locks it: the lock, -1 where there are no locks, None where another process has it."""
    while True:
        try:
            if folder:
                path.mkdir()
            else:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
        except FileExistsError:
            if LOCKS and remove_leftover(path):
                continue
            return None
        try:
            return _lock(path) if LOCKS else -1
        except (BlockingIOError, FileNotFoundError):  # taken for a leftover in the moment before
            return None
        except OSError:  # this file system has no locks
            return -1


def remove_leftover(path: Path) -> bool:
    """Whether there was one that nobody holds; those of other users and in unlockable places stay."""
    try:
        if path.lstat().st_uid != os.geteuid():
            return False
        lock = _lock(path)
    except OSError:
        return False
    try:
        _remove(path)
    finally:
        os.close(lock)
    return True


def _lock(path: Path) -> int:
    """An open file with the lock on it, if it is still there when it is locked."""
    import fcntl

    number = os.open(path, os.O_NOFOLLOW | (os.O_RDONLY if path.is_dir() else os.O_RDWR))
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not os.path.samestat(os.fstat(number), path.lstat()):
            raise FileNotFoundError(path)
    except BaseException:
        os.close(number)
        raise
    return number


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Puts bytes into a file: all of them, or the file stays as it was."""
    with atomic_writer(path) as stream:
        stream.write(data)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Puts text into a file, in UTF-8: all of it, or the file stays as it was."""
    write_bytes(path, text.encode("utf-8"))


def writable_target(output: str | os.PathLike[str]) -> None:
    """Fails early when a result could not be written: before the work, not after it."""
    path = Path(output)
    folder = path if path.is_dir() else path.parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise UsageError("this folder cannot be written", where=str(folder), todo="choose another place for the output")
