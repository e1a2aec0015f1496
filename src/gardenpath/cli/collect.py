"""`gardenpath collect`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Format, FormatOption, OutputOption
from .output import add_page, check_target, emit, fail_if

app = typer.Typer()


@app.command(no_args_is_help=True)
def collect(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="Folder of a plan, as made by gardenpath plan.")],
    resume: Annotated[bool, typer.Option("--resume", help="Do what is missing first, here.")] = False,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Make the runs of a plan, in PLAN/runs, as one process would have made them; say what is missing.

    Exit 1: pieces are missing; complete runs were made.

    Example: gardenpath plan agreement -- surprisal bundled:en-surprisal pcfg:bundled:en-grammar --by class

    Example: gardenpath collect agreement --resume
    """
    from ..studies.planning import read_plan
    from ..studies.shards import Shard, run_shard
    from ..studies.shards import collect as collected

    check_target(output)
    planned = read_plan(plan)
    if resume:
        run_shard(planned, Shard())
    result, folders = collected(planned)
    for folder in folders:
        add_page(folder)
    emit(result, format, output)
    missing = result.failures.get("pieces missing", 0)
    fail_if(missing > 0, f"pieces missing: {missing}; gardenpath run {plan} does them, or collect --resume")
