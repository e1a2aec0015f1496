"""`gardenpath demo`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .options import Format, FormatOption, JobsOption, SeedOption
from .output import emit, message, write


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for models, trees and tables.")] = Path(
        "gardenpath-demo"
    ),
    seed: SeedOption = 0,
    jobs: JobsOption = 2,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="SYSTEM",
            help="A language model to see beside the grammar and the trigram, such as hf:MODEL; may be repeated.",
        ),
    ] = None,
    format: FormatOption = Format.table,
) -> None:
    """Run every study on bundled data with systems trained on the spot, and make one page of it. Takes a minute.

    Example: gardenpath demo

    Example: gardenpath demo --model GPT-2=hf:models/gpt2 -o with-gpt2
    """
    from ..demo import PAGE, run_demo, screen, summary
    from ..report.plain_text import has_colour
    from ..runs.record.signatures import signature

    models = tuple(model or ())
    results = run_demo(output, seed=seed, jobs=jobs, models=models, tell=message)
    facts = [("command", "demo"), ("studies", list(results)), ("models", models or None), ("seed", seed)]
    made = signature(*facts)
    if format is Format.table:
        write(screen(output, results, made, has_colour(sys.stdout)), None)
    else:
        emit(summary(output, results, made), format)
    message(f"The report, with all findings and the sentences behind them: {output / PAGE}")
