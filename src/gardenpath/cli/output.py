"""From a result to standard output or a file, in the format asked for."""

from __future__ import annotations

import sys
from pathlib import Path

from ..runs.result import Result
from .options import Format


def emit(result: Result, format: Format = Format.table, output: Path | None = None) -> None:
    """Data goes to standard output or `output`, whole or not at all."""
    from ..report.formats import render

    write(render(result, format.value), output)


def write(text: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(text)
    else:
        from ..runs.atomic import write_text

        write_text(output, text)


def message(text: str) -> None:
    """Something for the person at the terminal; never mixed with the data."""
    sys.stderr.write(text + "\n")


def check_target(output: Path | None) -> None:
    """Fails before the work, not after it, when the result could not be written."""
    if output is not None:
        from ..runs.atomic import writable_target

        writable_target(output)


def fail_if(condition: bool, why: str) -> None:
    """Exit 1: the work was done and a check did not hold."""
    if condition:
        message(why)
        raise SystemExit(1)


__all__ = ["check_target", "emit", "fail_if", "message", "write"]
