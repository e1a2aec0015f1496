"""One process at a time: a lock on a file, released by the system when its holder ends, however it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Wait until no other process (or thread) is inside the same block, then go on."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _hold(number)
        yield
    finally:
        os.close(number)  # closing releases the lock; the file stays, or a waiting process would hold a dead one


def _hold(number: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        while True:
            try:
                msvcrt.locking(number, msvcrt.LK_LOCK, 1)  # gives up after ten seconds
                return
            except OSError:
                continue
    else:
        import fcntl

        fcntl.flock(number, fcntl.LOCK_EX)
