"""`gardenpath run`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import JobsOption, QuietOption
from .output import fail_if, message

app = typer.Typer()


@app.command(no_args_is_help=True)
def run(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="Folder of a plan, as made by gardenpath plan.")],
    shard: Annotated[
        str, typer.Option(help="The part to do: I/N, from 1/N to N/N. Neighbours share models.", metavar="I/N")
    ] = "1/1",
    jobs: JobsOption = 1,
    quiet: QuietOption = False,
) -> None:
    """Do a part of a plan. What any process has finished is not done again; what a dead process left is.

    Called again, it does what is missing. Exit 1: pieces failed; they are tried again by the next call.

    Example: gardenpath plan agreement -- surprisal bundled:en-surprisal pcfg:bundled:en-grammar --by class

    Example: gardenpath run agreement --shard 1/2
    """
    from ..studies.planning import read_plan
    from ..studies.shards import Shard, run_shard

    report = run_shard(read_plan(plan), Shard.of(shard), jobs=jobs, tell=None if quiet else message)
    if not quiet:
        message(f"{plan}, shard {shard}: {report.done} done, {report.before} done before")
        for number, holder in report.elsewhere.items():
            message(f"piece {number} is left to {holder}")
    lines = [f"piece {number} failed: {why}" for number, why in report.failed.items()]
    fail_if(bool(lines), "\n".join(lines))
