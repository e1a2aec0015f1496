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
NearOption = Annotated[
    float,
    typer.Option(
        "--near",
        help="Sentences that share this much of their word pairs are nearly the same; 0: only word for word.",
        min=0,
        max=1,
    ),
]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", help="Processes to work with; 0 means all cores.", min=0)]
ClusterOption = Annotated[
    str | None,
    typer.Option("--cluster", help="Work on a Dask cluster: a scheduler's address, local:N or slurm[:N]."),
]
RunOption = Annotated[
    Path | None,
    typer.Option("--run", help="Keep a record and a page in this folder; an interrupted run is resumed."),
]
AnyLanguageOption = Annotated[
    bool, typer.Option("--any-language", help="Go on even if model and input have different scripts.")
]
FiguresOption = Annotated[
    Path | None,
    typer.Option("--figures", help="Write the figures into this folder: SVG, PDF and the data behind each as TSV."),
]
NoCacheOption = Annotated[bool, typer.Option("--no-cache", help="Ask systems again, even what is in the cache.")]
TimeLimitOption = Annotated[
    float | None,
    typer.Option("--time-limit", help="Seconds for one piece of work; whatever takes longer is a counted failure."),
]
MemoryLimitOption = Annotated[
    float | None,
    typer.Option(
        "--memory-limit",
        help="Gigabytes for a process in which a system works (Linux); whatever needs more is a counted failure.",
    ),
]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no messages.")]
