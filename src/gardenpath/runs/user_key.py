"""A secret of one user in one folder: what is signed with it was written by that user."""

from __future__ import annotations

import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from ..errors import UsageError
from .atomic import workplace

_OWNED = hasattr(os, "geteuid")  # elsewhere folders of users are kept apart by the system


def read_key(folder: Path) -> bytes | None:
    """The key, or None where there is none; one that another user may have made or read is refused."""
    path = _path(folder)
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"its key cannot be read: {error.strerror}", where=str(path), todo="remove it") from error
    with os.fdopen(number, "rb") as stream:
        state = os.fstat(number)
        key = stream.read(65)
    if not stat.S_ISREG(state.st_mode) or not re.fullmatch(rb"[0-9a-f]{64}", key):
        raise UsageError("its key is damaged", where=str(path), todo="remove it")
    if _OWNED and (state.st_uid != os.geteuid() or state.st_mode & 0o077):
        what = "its key is not yours alone: another user made it or can read it"
        raise UsageError(what, where=str(path), todo="remove it")
    return key


def make_key(folder: Path) -> bytes:
    """The key, made where there is none; of several processes that make one at once, the first wins."""
    path = _path(folder)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with workplace(path) as temporary:
        temporary.chmod(0o600)
        temporary.write_bytes(secrets.token_hex(32).encode("ascii"))
        try:
            with suppress(FileExistsError):
                os.link(temporary, path)
        except OSError:  # this file system has no links
            if not path.exists():
                temporary.replace(path)
    key = read_key(folder)
    if key is None:
        raise UsageError("its key cannot be written", where=str(path))
    return key


def _path(folder: Path) -> Path:
    return folder / (f"key-{os.geteuid()}" if _OWNED else "key")
