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
MarginOption = Annotated[
    float, typer.Option("--margin", help="Points that a group may lose before it counts as worse.", min=0.0)
]
IgnoreOption = Annotated[list[str] | None, typer.Option("--ignore", help="Leave these checks out.", metavar="ID")]
OnlyOption = Annotated[list[str] | None, typer.Option("--only", help="Do these checks alone.", metavar="ID")]
ListOption = Annotated[bool, typer.Option("--list", help="Show all checks and do nothing else.")]


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
