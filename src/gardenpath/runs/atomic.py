"""Writing that either happens or does not: a reader never sees half a file, a failure leaves what was there."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ..errors import UsageError


@contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary file that takes its place at `path` when the block ends without an error.

    A path that is no ordinary file (a pipe, `/dev/stdout`) cannot be replaced and is written directly.
    """
    given = Path(path)
    # A link stays a link, its target is replaced. Path.resolve would raise where links go round in a circle.
    target = Path(os.path.realpath(given))
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        if given.is_dir():
            raise UsageError("cannot write: this is a folder", where=str(path), todo="name a file in it")
        if given.exists() and not given.is_file():
            with given.open("wb") as stream:
                yield stream
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except BrokenPipeError:
        raise  # who reads our pipe went away: not a place that cannot be written
    except OSError as error:
        if error.filename not in (None, *map(str, (path, target, temporary, *target.parents))):
            raise  # of another file, which the block worked on
        reason = error.strerror or str(error)
        raise UsageError(f"cannot write: {reason}", where=str(path), todo="choose another place") from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    with atomic_writer(path) as stream:
        stream.write(data)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def writable_target(output: str | os.PathLike[str]) -> None:
    """Fails early when a result could not be written: before the work, not after it."""
    path = Path(output)
    folder = path if path.is_dir() else path.parent
    while not folder.exists():
        folder = folder.parent
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise UsageError("this folder cannot be written", where=str(folder), todo="choose another place for the output")
