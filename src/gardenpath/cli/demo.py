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
    """Run every study on bundled data with parsers trained on the spot, and make one page of it. Takes a minute.

    Example: gardenpath demo
    """
    from ..demo import PAGE, run_demo, shown_first
    from ..runs.result import Result
    from ..runs.signature import signature

    results = run_demo(output, seed=seed, jobs=jobs, tell=message)
    findings = [finding for result in results.values() for finding in result.findings]
    failures = {f"{name}: {kind}": n for name, result in results.items() for kind, n in result.failures.items()}
    made = signature(("command", "demo"), ("studies", list(results)), ("seed", seed))
    verdicts = [verdict for result in results.values() for verdict in result.verdicts]
    emit(Result(made, findings, shown_first(results), failures, verdicts=verdicts), format)
    message(f"The report, with all findings and the sentences behind them: {output / PAGE}")
