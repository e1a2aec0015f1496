"""A folder that takes the place of another: at every moment the old one or the new one is there, whole."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from pathlib import Path

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
