"""`gardenpath report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import FiguresOption
from .output import check_target, message, write

app = typer.Typer()
SENTENCES = 25_000


@app.command(no_args_is_help=True)
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of finished runs, as made by --run.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The page.")] = Path("report.html"),
    title: Annotated[str, typer.Option(help="Its title; by default the names of the runs.")] = "",
    sentences: Annotated[int, typer.Option(help="How many sentences of each run the page holds.", min=0)] = SENTENCES,
    figures: FiguresOption = None,
    grid: Annotated[
        bool, typer.Option("--grid", help="Systems × suites instead of run by run: for dozens of runs.")
    ] = False,
) -> None:
    """Make one HTML page from runs: findings, figures, and the sentences and trees behind every number.

    The page opens offline, loads nothing, and can be mailed. Several runs stand side by side.

    Example: gardenpath report my-run -o report.html

    Example: gardenpath report baseline-run new-run -o comparison.html --figures figures

    Example: gardenpath report --grid plan/runs/* -o grid.html
    """
    from ..errors import UsageError
    from ..report.figures import save_figures
    from ..report.page.page import page
    from ..runs.record import Run

    check_target(output, figures, runs)
    loaded = [Run.load(folder) for folder in runs]
    if grid:
        from ..report.page.grid import grid_page

        if figures is not None or sentences != SENTENCES:
            raise UsageError("--figures and --sentences are not for --grid", where=str(output), todo="leave them out")
        write(grid_page(loaded, title=title), output)
    else:
        write(page(loaded, title=title, most=sentences), output)
    size = output.stat().st_size / 1_000_000
    message(f"{output} ({size:.1f} MB)")
    if figures is not None:
        count = 0
        for run in loaded:
            folder = figures if len(loaded) == 1 else figures / run.folder.resolve().name
            count += sum(path.suffix == ".svg" for path in save_figures(run.result(), folder))
        message(f"{count} figure{'s' if count != 1 else ''} in {figures}")
