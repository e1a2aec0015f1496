"""`gardenpath compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Format, FormatOption, OutputOption, SeedOption
from .output import check_target, emit, nothing_random

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
    draws: Annotated[int, typer.Option(help="Bootstrap draws for intervals; 0 for none.", min=0)] = 1000,
    power: Annotated[
        float, typer.Option(help="Power for which the number of items is reckoned.", min=0.01, max=0.999)
    ] = 0.8,
    seed: SeedOption = 0,
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
    if seed and not draws:
        raise nothing_random("leave out --seed, or --draws 0")
    names = None if by is None else [name.strip() for name in by.split(",") if name.strip() and name.strip() != "none"]
    loaded = [Run.load(folder) for folder in runs]
    emit(compared(loaded, by=names, draws=draws, seed=seed, power=power), format, output)
