"""Files and folders that are written whole or not at all, scratch folders, and locks.

A reader never sees half a file, a failure leaves what was there, and locks are given back by the operating system when
their holder dies.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ...errors import UsageError
from .signatures import digest

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
    try:
        while lock is None:
            path = target.with_name(f"{name}.{number}.part")
            lock = _claimed(path, folder)
            number += 1
        made = path.lstat()
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


def part_name(target: Path) -> str:
    """What the names of workplaces for this target begin with, on this host."""
    return "." + digest(target.name, os.uname().nodename if LOCKS else "")[:16]


def _claimed(path: Path, folder: bool) -> int | None:
    """Make it and lock it: the lock, -1 where there are no locks, None where another process has it."""
    if LOCKS:
        remove_leftover(path)
    try:
        if folder:
            path.mkdir()
        else:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except FileExistsError:
        return None
    try:
        return _lock(path) if LOCKS else -1
    except (BlockingIOError, FileNotFoundError):  # taken for a leftover in the moment before
        return None
    except OSError:  # this file system has no locks
        return -1


def remove_leftover(path: Path) -> None:
    """Remove what nobody holds; what belongs to other users or lies in unlockable places stays."""
    with suppress(OSError):
        if path.lstat().st_uid == os.geteuid():
            lock = _lock(path)
            try:
                _remove(path)
            finally:
                os.close(lock)


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


_HERE, _EXCHANGE = -100, 2
"""AT_FDCWD and RENAME_EXCHANGE of Linux."""


def replace_folder(made: Path, target: Path) -> None:
    """Puts the folder `made` at `target`, on the same disk; what was there is removed afterwards.

    Where the system cannot exchange two folders at once, the old one steps aside under a name from which
    `recover_folder` brings it back, should we be killed before the new one is there.
    """
    recover_folder(target)
    if not target.exists():
        made.rename(target)
    elif _exchanged(made, target):
        shutil.rmtree(made, ignore_errors=True)
    else:
        aside = _aside(target)
        target.rename(aside)
        try:
            made.rename(target)
        except OSError:
            aside.rename(target)
            raise
        shutil.rmtree(aside, ignore_errors=True)


def recover_folder(target: Path) -> None:
    """Brings back a folder that stepped aside for one that never came."""
    aside = _aside(target)
    if not aside.is_dir():
        return
    if target.exists():
        shutil.rmtree(aside, ignore_errors=True)
    else:
        aside.rename(target)


def _aside(target: Path) -> Path:
    return target.with_name(f".{target.name}.aside")


def _exchanged(first: Path, second: Path) -> bool:
    """Whether both have changed places in one step; false where kernel or file system cannot."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    if rename(_HERE, os.fsencode(first), _HERE, os.fsencode(second), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.ENOSYS, errno.EINVAL, errno.EXDEV, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number), str(second))


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder that only this user can read and that is gone when the block ends.

    It is locked while it is in use, and the system unlocks what a killed process held, so that whoever makes the
    next one clears away what was left.
    """
    if not LOCKS:
        with tempfile.TemporaryDirectory(prefix="gardenpath-") as folder:
            yield Path(folder)
        return
    place = Path(tempfile.gettempdir()) / "gardenpath-scratch"
    name = re.compile(re.escape(part_name(place)) + r"\.\d+\.part")
    for leftover in place.parent.iterdir():
        if name.fullmatch(leftover.name):
            remove_leftover(leftover)
    with workplace(place, folder=True) as made:
        made.chmod(0o700)
        yield made


def lock_open_file(number: int, *, wait: bool = False) -> None:
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
        lock_open_file(number, wait=True)
        yield
    finally:
        os.close(number)  # closing releases the lock; the file stays, or a waiting process would hold a dead one
