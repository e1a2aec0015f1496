"""`gardenpath verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Format, FormatOption, OutputOption
from .output import check_target, emit, fail_if

app = typer.Typer()


@app.command(no_args_is_help=True)
def verify(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of finished runs, as made by --run.")],
    seal: Annotated[
        str, typer.Option(help="The seal noted when the run was made: its first 16 characters or more.")
    ] = "",
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Exit 1 if a file of a run was changed, cut, swapped, added or removed after the run was sealed.

    Example: gardenpath verify run

    Example: gardenpath verify run --seal 9f86d081884c7d65
    """
    from ..runs.verification import verify as verified

    check_target(output, runs=runs)
    result, verified_runs = verified(runs, seal)
    emit(result, format, output)
    lines = [str(problem.error(run.folder)) for run in verified_runs for problem in run.problems]
    fail_if(bool(lines), "\n".join(lines))
