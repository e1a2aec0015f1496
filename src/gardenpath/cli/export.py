"""`gardenpath export`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .output import check_target, message, write

app = typer.Typer()


class Target(StrEnum):
    """What findings are written as."""

    every_eval_ever = "every-eval-ever"
    model_card = "model-card"


@app.command(no_args_is_help=True)
def export(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of finished runs, as made by --run.")],
    to: Annotated[
        Target,
        typer.Option("--to", help="every-eval-ever: records of scores and samples, in a folder; model-card: YAML."),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder, or the file (standard output without it).")
    ] = None,
    system: Annotated[str, typer.Option(help="model-card: the system, where runs have several.")] = "",
) -> None:
    """Write findings for others: as every-eval-ever records, or as the results block of a model card.

    Example: gardenpath export my-run --to every-eval-ever -o records

    Example: gardenpath export my-run --to model-card
    """
    from ..errors import UsageError
    from ..library.export import records_of
    from ..report.model_index import model_index
    from ..runs.atomic import write_bytes
    from ..runs.record import Run

    loaded = [part for folder in runs for run in [Run.load(folder)] for part in run.runs() or [run]]
    if to is Target.model_card:
        check_target(output, runs=runs)
        write(model_index(loaded, system), output)
        return
    if output is None or system:
        todo = "leave out --system" if system else "name a folder: -o records"
        raise UsageError("every-eval-ever records go into a folder, for each system", where=str(runs[0]), todo=todo)
    check_target(output / "data", runs=runs)
    files = records_of(loaded)
    for name, content in files.items():
        write_bytes(output / name, content)
    message(f"{len(files)} files in {output}")
