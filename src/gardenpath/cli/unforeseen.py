"""What nobody foresaw: one sentence for the user, and the full report in a file for whoever mends it."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

from .._version import __version__

EXIT = 70
"""As `EX_SOFTWARE` of sysexits.h: a fault of the program. 1 says that a check failed, 2 that the call is wrong."""


def tell_unforeseen(error: Exception) -> int:
    """Writes the report, says in one sentence where it is, and returns the exit code."""
    what = " ".join(f"{type(error).__name__}: {error}".split())[:200].rstrip(": ")
    written = _written(error)
    where = f"the full report is in {written}" if written else "the full report could not be written"
    to_stderr(
        f"error: an unforeseen {what}; this is a fault of gardenpath: {where}, please send it to the developers\n"
    )
    return EXIT


def to_stderr(text: str) -> None:
    """A last word; where nobody can hear it (a full disk), the exit code still says what happened."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        # What is still to be written would fail once more when Python ends, with a code of its own.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def _written(error: Exception) -> Path | None:
    call = shlex.join(["gardenpath", *sys.argv[1:]])
    head = f"gardenpath {__version__}, Python {sys.version}, {sys.platform}\n{call}\n\n"
    report = head + "".join(traceback.format_exception(error))
    name = f"report-{datetime.now(UTC):%Y%m%d-%H%M%S}-{os.getpid()}.txt"
    for folder in _folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / name
            path.write_text(report, encoding="utf-8", errors="backslashreplace")
        except (OSError, ValueError):
            continue
        return path
    return None


def _folders() -> list[Path]:
    """Where the user keeps what gardenpath keeps, else the temporary folder."""
    import tempfile

    places = [Path(tempfile.gettempdir())]
    if own := os.environ.get("GARDENPATH_CACHE"):
        return [Path(own).expanduser() / "reports", *places]
    try:
        from platformdirs import user_cache_dir

        return [Path(user_cache_dir("gardenpath")) / "reports", *places]
    except (ImportError, RuntimeError):  # there is no home
        return places
