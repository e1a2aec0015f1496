"""Writing that either happens or does not: a reader never sees half a file, a failure leaves what was there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import UsageError


@contextmanager
def atomic_writer(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A binary file that takes its place at `path` when the block ends without an error.

    A path that is no ordinary file (a pipe, `/dev/stdout`) cannot be replaced and is written directly.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        if target.is_dir():
            raise UsageError("cannot write: this is a folder", where=str(target), todo="name a file in it")
        with target.open("wb") as stream:
            yield stream
        return
    target = target.resolve()  # a link stays a link, its target is replaced
    temporary: str | None = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        number, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
        with os.fdopen(number, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, _permissions(target))
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError(f"cannot write: {reason}", where=str(path), todo="choose another place") from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    with atomic_writer(path) as stream:
        stream.write(data)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def _permissions(target: Path) -> int:
    """Those of the file that is replaced, else what an ordinary new file would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
