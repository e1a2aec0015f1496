"""`gardenpath compare`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..studies.settings import INDEPENDENT, parts_of
from .checks import MarginOption
from .options import Format, FormatOption, OutputOption
from .output import check_target, emit, fail_if

app = typer.Typer()


class FailIf(StrEnum):
    """What makes a comparison fail."""

    worse = "worse"


@app.command(no_args_is_help=True)
def compare(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Folders of finished runs (--run). The first system is the baseline."),
    ],
    by: Annotated[
        str | None,
        typer.Option(help="Properties to compare by, comma-separated, all, or none. Default: those of the findings."),
    ] = None,
    power: Annotated[
        float, typer.Option(help="Power for which the number of items is computed.", min=0.01, max=0.999)
    ] = 0.8,
    independent: Annotated[bool, typer.Option("--independent", help=INDEPENDENT)] = False,
    fail_if_worse: Annotated[
        FailIf | None,
        typer.Option("--fail-if", help="Exit 1 if a system is worse than the first, overall or in a group."),
    ] = None,
    margin: MarginOption = 0.0,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Compare runs on the same items, paired: difference, corrected p, effect size, and how many more items are needed.

    Runs whose suites differ in release or content are refused; the message says where they differ.

    Example: gardenpath evaluate bundled:de-test baseline:nearest-head --gold tags --run run-a -o scores.txt

    Example: gardenpath evaluate bundled:de-test baseline:right-branching --run run-b -o scores.txt

    Example: gardenpath compare run-a run-b --by direction --format tsv

    Example: gardenpath compare run-a run-b --by none --fail-if worse --margin 1.0
    """
    from ..errors import UsageError
    from ..runs.record import Run
    from ..studies.comparison.study import compare as compared

    if margin and fail_if_worse is None:
        raise UsageError("--margin goes with --fail-if", todo="add --fail-if worse")
    check_target(output, runs=runs)
    names = None if by is None else [name for name in parts_of(by) if name != "none"]
    loaded = [Run.load(folder) for folder in runs]
    emit(compared(loaded, by=names, power=power, independent=independent), format, output)
    if fail_if_worse is not None:
        from ..studies.comparison.gating import gate_first

        worse = gate_first(loaded, margin=margin, by=names, independent=independent).worse
        fail_if(bool(worse), "\n".join(line for change in worse for line in change.lines))
