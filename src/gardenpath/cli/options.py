"""The options that every command shares: one name, one meaning, one help text."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Format(StrEnum):
    """How a result is printed: for people (table, markdown, latex) or for programs (tsv, json)."""

    table = "table"
    tsv = "tsv"
    json = "json"
    markdown = "markdown"
    latex = "latex"


FormatOption = Annotated[
    Format,
    typer.Option(
        "--format",
        "-f",
        help="table, markdown and latex for people; tsv and json with all findings for programs.",
    ),
]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write to this file instead of standard output.")
]
SeedOption = Annotated[int, typer.Option("--seed", help="Seed of everything random; part of the signature.", min=0)]
JobsOption = Annotated[
    str,
    typer.Option(
        "--jobs", "-j", help="Processes: 4 or all; or a Dask cluster: local:4, slurm:16 or a scheduler's address."
    ),
]
RunOption = Annotated[
    Path | None,
    typer.Option("--run", help="Keep a record and a page in this folder; an interrupted run is resumed."),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no messages.")]
