"""What commands print and write: results, messages, progress of downloads, and errors that nobody foresaw."""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from .._text import terminal
from .._version import __version__
from ..errors import UsageError
from ..runs.result.result import Result
from .options import Format

if TYPE_CHECKING:
    from ..data import Progress


def emit(
    result: Result,
    format: Format = Format.table,
    output: Path | None = None,
    run: Path | None = None,
) -> None:
    """Write a result to standard output or `output`, whole or not at all; its page goes into the folder of its run."""
    from ..report.formats import render
    from ..report.plain_text import has_colour

    write(render(result, format.value, colour=output is None and has_colour(sys.stdout)), output)
    if run is not None:
        add_page(run)


def add_page(run: Path) -> None:
    """Puts the page of a run into its folder, if it is not there."""
    from ..runs.record.run import PAGE, Run

    if not (run / PAGE).exists():
        from ..report.page.page import page

        kept = Run.load(run)
        kept.add_page(page([kept]))


def write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        from ..runs.record.writing import write_text

        write_text(output, text)


def write_data(data: bytes, output: str | Path | None) -> None:
    """Bytes as they are, to standard output where there is no file."""
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        from ..runs.record.writing import write_bytes

        write_bytes(output, data)


@contextmanager
def output_stream(output: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that is there only when all is written."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        from ..runs.record.writing import atomic_writer

        with atomic_writer(output) as stream:
            yield stream


def message(text: str) -> None:
    """Write something for the person at the terminal; never mixed with the data."""
    sys.stderr.write(terminal(text) + "\n")


def check_target(output: Path | None, figures: Path | None = None, runs: Iterable[Path | None] = ()) -> None:
    """Fails before the work, not after it, when the result or its figures could not be written.

    Nothing goes into the folder of a run but its own files.
    """
    from ..runs.record.writing import writable_target

    for run in runs:
        for target in (output, figures):
            if run is not None and target is not None and target.resolve().is_relative_to(run.resolve()):
                todo = "name a place outside of the run's folder, which holds only its own files"
                raise UsageError("this would add a file to the run", where=str(target), todo=todo)

    if output is not None:
        writable_target(output)
    if figures is not None:
        if figures.exists() and not figures.is_dir():
            raise UsageError("figures need a folder, this is a file", where=str(figures), todo="name another folder")
        writable_target(figures / "figure.svg")


def nothing_random(todo: str) -> UsageError:
    """The error for a seed that would decide nothing."""
    return UsageError("nothing is drawn here that a seed could decide", where="--seed", todo=todo)


def fail_if(condition: bool, why: str) -> None:
    """Exit 1: the work was done and a check did not hold."""
    if condition:
        message(why)
        raise SystemExit(1)


def fetched(name: str) -> Path:
    """Where the data is; brought here first, with a bar, if it has to be."""
    from ..data import fetch

    with download_bar(name) as progress:
        stored = fetch(name, progress)
    if stored.origin == "download":
        message(f"{name}: fetched")
    return stored.path


def bring(source: Any) -> None:
    """Brings the data that a source names to this machine; files and objects are here already."""
    from ..data import is_data_name

    for name in source if isinstance(source, list | tuple) else [source]:
        if isinstance(name, str) and is_data_name(name):
            fetched(name)


@contextmanager
def download_bar(name: str) -> Iterator[Progress | None]:
    """A bar on standard error, where a person looks at it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TransferSpeedColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(name, total=None, start=True)
        yield lambda done, total: bars.update(task, completed=done, total=total)


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
        sys.stderr.write(terminal(text))
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
