"""`gardenpath suites export`: a suite as a task of another harness."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..output import message


def export(
    source: Annotated[str, typer.Argument(help="A suite of pairs (a file, or data by name).", metavar="SUITE")],
    folder: Annotated[Path, typer.Argument(help="Where the task goes.", metavar="DIR")],
    harness: Annotated[str, typer.Option("--harness", help="lm-eval (YAML and data) or inspect (Python and data).")],
) -> None:
    """Write a suite of pairs as a task of lm-evaluation-harness or of Inspect; `gardenpath logs` reads what they log.

    Example: gardenpath suites export pairs.tsv tasks --harness lm-eval
    """
    from ...runs.atomic import write_text
    from ...suites.regions.harness_tasks import harness_task
    from ...suites.regions.reader import read_region_suites

    for suite in read_region_suites(source):
        for name, text in harness_task(suite, folder, harness).items():
            write_text(folder / name, text)
            message(f"{folder / name}")
