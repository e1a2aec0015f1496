"""`gardenpath card`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Format, FormatOption, JobsOption, OutputOption, QuietOption
from .output import check_target, emit, message

app = typer.Typer()


@app.command(no_args_is_help=True)
def card(
    system: Annotated[
        str, typer.Argument(metavar="SYSTEM", help="A parser, phrase parser, language model or chat model.")
    ],
    sources: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SOURCE...]", help="Suites and treebanks of your own, which come first."),
    ] = None,
    language: Annotated[
        str, typer.Option("--language", "-l", help="Its language, such as de; by default from its card or name.")
    ] = "",
    budget: Annotated[float, typer.Option(help="How many minutes it may take; what is left out is listed.")] = 5.0,
    run: Annotated[
        Path | None, typer.Option(help="The folder for page, JSON and runs. Default: card- and the model's name.")
    ] = None,
    jobs: JobsOption = 1,
    format: FormatOption = Format.table,
    output: OutputOption = None,
    quiet: QuietOption = False,
) -> None:
    """A grammar check-up: run everything that fits a system's kind and language, as one page and one JSON.

    Bundled suites and treebanks, changes that should change nothing, and what GARDENPATH_MIRROR and the store have.

    Example: gardenpath card baseline:right-branching --language de

    Example: gardenpath card hf:models/gpt2 --language en --budget 10
    """
    from ..library.card import card as examined
    from ..runs.seal import PAGE
    from ..runs.where import Where
    from ..studies.card.examination import card_folder
    from ..systems.entrants import split_label

    label, name = split_label(system)
    folder = run if run is not None else Path(card_folder(label or name))
    check_target(output, runs=[folder])
    where = Where(jobs, progress=False if quiet else None)
    tell = (lambda _: None) if quiet else message
    result = examined(
        system, *(sources or ()), language=language, budget=budget, where=where, run=folder, tell=tell
    )  # fmt: skip
    emit(result, format, output)
    if not quiet:
        message(f"The page, with all findings and the sentences behind them: {folder / PAGE}")
