"""What the commands that check files share: which checks to make, and how problems are shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..studies.engine.declaration import parts_of
from .options import Format
from .output import write

if TYPE_CHECKING:
    from ..runs.result.result import CheckCase, Result


class CheckFormat(StrEnum):
    """How a check is printed: as any result, or for a continuous integration."""

    table = "table"
    tsv = "tsv"
    json = "json"
    markdown = "markdown"
    latex = "latex"
    junit = "junit"
    sarif = "sarif"
    github = "github"


CheckFormatOption = Annotated[
    CheckFormat,
    typer.Option(
        "--format",
        "-f",
        help="table, markdown and latex for people; tsv and json for programs; junit, sarif and github (annotations) "
        "for continuous integration.",
    ),
]
MarginOption = Annotated[float, typer.Option("--margin", help="Tolerated loss, in points.", min=0.0)]
WARNINGS = "warnings"
"""What --ignore calls all checks that give warnings."""
IgnoreOption = Annotated[
    list[str] | None, typer.Option("--ignore", help=f"Skip these checks; {WARNINGS}: all that warn.", metavar="ID")
]
OnlyOption = Annotated[list[str] | None, typer.Option("--only", help="Run only these checks.", metavar="ID")]
ListOption = Annotated[bool, typer.Option("--list", help="List all checks and exit.")]
LimitOption = Annotated[int, typer.Option("--limit", help="Problems shown for each check; 0 for all.", min=0)]


def ids(given: list[str] | None) -> list[str]:
    """`--ignore A,B --ignore C` as A, B, C."""
    return [id for text in given or () for id in parts_of(text)]


def show_problems(result: Result, problems: Iterable[str], format: Format, output: Path | None) -> None:
    """The problems line by line and the table below them; programs get the result alone."""
    from ..report.formats import render

    lines = "".join(f"{problem}\n" for problem in problems) if format is Format.table else ""
    write((lines + "\n" if lines else "") + render(result, format.value), output)


def show_cases(results: Sequence[Result], cases: Sequence[CheckCase], format: CheckFormat, output: Path | None) -> None:
    """What was checked: the cases for a continuous integration, else the results, one below the other."""
    from ..report.ci import CI_FORMATS, render_cases
    from ..report.formats import render
    from ..runs.result.result import joined_results

    if format.value in CI_FORMATS:
        write(render_cases(cases, format.value), output)
    else:
        write(render(joined_results(results), format.value), output)
