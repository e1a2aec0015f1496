"""`gardenpath check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Format, FormatOption, OutputOption
from .output import check_target, emit, fail_if

app = typer.Typer()


@app.command(no_args_is_help=True)
def check(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a finished run, as made by --run.")],
    minimum: Annotated[
        list[str],
        typer.Option(
            "--min", help="A condition such as roles.las[order=OVS]>=40 (also <=, >, <); may be given several times."
        ),
    ],
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Exit 1 if a run does not meet conditions: for the continuous integration of a model.

    Example: gardenpath check run --min "evaluation.las>=80"

    Example: gardenpath check run --min "roles.las[order=VF[O]LK[V]MF[S]]>=40" --min "roles.las[system=mine]>=75"
    """
    from ..runs.record import Run
    from ..studies.comparison.conditions import check as checked

    check_target(output, runs=[run])
    result, found = checked(Run.load(run).result(), minimum)
    emit(result, format, output)
    failed = [one for one in found if not one.holds]
    lines = [f"{one.finding.system}: {one.condition.text} fails with {one.value:.2f}" for one in failed]
    fail_if(bool(failed), "\n".join(lines))
