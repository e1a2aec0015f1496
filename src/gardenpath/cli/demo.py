"""`gardenpath demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Format, FormatOption, JobsOption, SeedOption
from .output import emit, message

app = typer.Typer()


@app.command()
def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for models, trees and tables.")] = Path(
        "gardenpath-demo"
    ),
    seed: SeedOption = 0,
    jobs: JobsOption = 2,
    format: FormatOption = Format.table,
) -> None:
    """Measure a bundled treebank, train two parsers on it, and score them beside a baseline. Takes a minute.

    Example: gardenpath demo
    """
    from dataclasses import replace

    from ..demo import run_demo, shown_first
    from ..report.formats import render
    from ..runs.atomic import write_text

    result = run_demo(output, seed=seed, jobs=jobs, tell=message)
    write_text(output / "report.md", render(result, "markdown"))
    emit(replace(result, tables=shown_first(result)), format)
    message(f"All tables: {output / 'report.md'}; findings, observations and trees: {output}")
