"""From a result to standard output or a file, in the format asked for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from ..errors import UsageError
from ..runs.result import Result
from .options import Format


def emit(
    result: Result,
    format: Format = Format.table,
    output: Path | None = None,
    figures: Path | None = None,
    run: Path | None = None,
    *,
    quiet: bool = False,
) -> None:
    """Data goes to standard output or `output`, whole or not at all; figures into a folder of their own.

    A study that keeps a record in `run` leaves its page there too.
    """
    from ..report.colour import has_colour
    from ..report.formats import render

    write(render(result, format.value, colour=output is None and has_colour(sys.stdout)), output)
    if figures is not None:
        from ..report.figures import save_figures

        written = save_figures(result, figures)
        count = sum(path.suffix == ".svg" for path in written)
        if not quiet:
            message(f"{count} figure{'s' if count != 1 else ''} in {figures}")
    if run is not None:
        add_page(run)


def add_page(run: Path) -> None:
    """Puts the page of a run into its folder, if it is not there."""
    from ..runs.record import Run
    from ..runs.seal import PAGE

    if not (run / PAGE).exists():
        from ..report.page.page import page

        kept = Run.load(run)
        kept.add_page(page([kept]))


def write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        from ..runs.atomic import write_text

        write_text(output, text)


def write_data(data: bytes, output: str | Path | None) -> None:
    """Bytes as they are, to standard output where there is no file."""
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        from ..runs.atomic import write_bytes

        write_bytes(output, data)


@contextmanager
def output_stream(output: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that is there only when all is written."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    else:
        from ..runs.atomic import atomic_writer

        with atomic_writer(output) as stream:
            yield stream


def message(text: str) -> None:
    """Something for the person at the terminal; never mixed with the data."""
    sys.stderr.write(text + "\n")


def check_target(output: Path | None, figures: Path | None = None, runs: Iterable[Path | None] = ()) -> None:
    """Fails before the work, not after it, when the result or its figures could not be written.

    Nothing goes into the folder of a run but what comes under its seal.
    """
    from ..runs.atomic import writable_target

    for run in runs:
        for target in (output, figures):
            if run is not None and target is not None and target.resolve().is_relative_to(run.resolve()):
                todo = "name a place outside of the run's folder, which holds only what is under its seal"
                raise UsageError("this would break the seal of the run", where=str(target), todo=todo)

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
