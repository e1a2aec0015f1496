"""`gardenpath compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..studies.settings import INDEPENDENT
from .options import Format, FormatOption, OutputOption
from .output import check_target, emit

app = typer.Typer()


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
        float, typer.Option(help="Power for which the number of items is reckoned.", min=0.01, max=0.999)
    ] = 0.8,
    independent: Annotated[bool, typer.Option("--independent", help=INDEPENDENT)] = False,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Compare runs on the same items, paired: difference, corrected p, effect size, and how many items are missing.

    Runs whose suites differ in release or content are refused; the message says where they differ.

    Example: gardenpath compare run-a run-b

    Example: gardenpath compare run-a run-b run-c --by order --format tsv
    """
    from ..runs.record import Run
    from ..studies.comparison.study import compare as compared

    check_target(output, runs=runs)
    names = None if by is None else [name.strip() for name in by.split(",") if name.strip() and name.strip() != "none"]
    loaded = [Run.load(folder) for folder in runs]
    emit(compared(loaded, by=names, power=power, independent=independent), format, output)
