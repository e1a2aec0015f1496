"""`gardenpath demo`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .options import JobsOption, QuietOption
from .output import message, write


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for models, trees and tables.")] = Path(
        "gardenpath-demo"
    ),
    jobs: JobsOption = "2",
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="SYSTEM",
            help="A language model to see beside the grammar and the trigram, such as hf:MODEL; may be repeated.",
        ),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Run every study on bundled data with systems trained on the spot, and make one page of it. Takes a minute.

    Example: gardenpath demo

    Example: gardenpath demo --model GPT-2=hf:models/gpt2 -o with-gpt2
    """
    from ..demo import PAGE, run_demo, screen
    from ..report.plain_text import has_colour
    from ..runs.record.signatures import signature
    from ..runs.work.processes import worker_count

    models = tuple(model or ())
    tell = (lambda _: None) if quiet else message
    results = run_demo(output, jobs=worker_count(jobs), models=models, tell=tell)
    made = signature(("command", "demo"), ("studies", list(results)), ("models", models or None), ("seed", 0))
    write(screen(output, results, made, has_colour(sys.stdout)), None)
    tell(f"The report, with all findings and the sentences behind them: {output / PAGE}")
