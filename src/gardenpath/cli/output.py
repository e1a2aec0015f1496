"""From a result to standard output or a file, in the format asked for."""

from __future__ import annotations

import sys
from pathlib import Path

from ..runs.result import Result
from .options import Format


def emit(result: Result, format: Format = Format.table, output: Path | None = None) -> None:
    """Data goes to standard output or `output`, whole or not at all."""
    if format is Format.table and output is None and sys.stdout.isatty():
        from ..report.terminal import print_tables

        print_tables(result)
        return
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


def command_line() -> str:
    """The call as it was typed, for the run record."""
    import shlex

    return shlex.join(["gardenpath", *sys.argv[1:]])


def fail_if(condition: bool, why: str) -> None:
    """Exit 1: the work was done and a check did not hold."""
    if condition:
        message(why)
        raise SystemExit(1)


__all__ = ["command_line", "emit", "fail_if", "message", "write"]
