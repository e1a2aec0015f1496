"""`gardenpath constructions sheet`: parses of a run for people to judge."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import QuietOption, SeedOption
from .output import message


def sheet(
    run: Annotated[Path, typer.Argument(help="The folder of a run of gardenpath constructions.", metavar="RUN")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Write the sheet (TSV) to this file.")],
    filled: Annotated[
        list[str] | None,
        typer.Argument(help="Filled sheets: write the sheet to adjudicate.", metavar="[SHEET...]", show_default=False),
    ] = None,
    seed: SeedOption = 0,
    quiet: QuietOption = False,
) -> None:
    """Write the parses of a run as a sheet that people fill in, blind to the systems and to the verdicts of the rules.

    Filled sheets become one to adjudicate: disagreements first, without a class; the classes that all gave after them.

    Example: gardenpath constructions sheet run -o anna.tsv --seed 1

    Example: gardenpath constructions sheet run anna.tsv ben.tsv -o adjudicated.tsv
    """
    from ..errors import UsageError
    from ..runs.record.run import Run
    from ..runs.record.writing import writable_target, write_text
    from ..studies.constructions.annotation import read_sheets, sheet_text
    from ..studies.engine.phrase_trees import PHRASES, read_judged

    writable_target(output)
    if output.exists():  # somebody may have filled it in
        raise UsageError("this file already exists", where=str(output), todo="choose another --output")
    sheets = read_sheets(filled or [])
    observations = Run.load(run).observations()
    if not (run / PHRASES).is_file() or "phenomenon" not in observations.columns:
        todo = "make one: gardenpath constructions SUITE SYSTEM --run FOLDER"
        raise UsageError("this is not a run of constructions", where=str(run), todo=todo)
    rows = observations.select("suite", "item", "phenomenon").iter_rows()
    phenomena = {(suite, item): phenomenon for suite, item, phenomenon in rows}
    text = sheet_text(list(read_judged(run / PHRASES)), phenomena, sheets, seed)
    write_text(output, text)
    if not quiet:
        message(f"the sheet is in {output}")
