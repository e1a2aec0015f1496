"""`gardenpath stats`: mixed models of the observations of a run, or of any table."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

import typer

from .options import Format, FormatOption, OutputOption
from .output import check_target, emit
from .settings import Rare


class Family(StrEnum):
    """What is explained: a number, or one of two outcomes."""

    auto = "auto"
    gaussian = "gaussian"
    binomial = "binomial"


def stats(
    source: Annotated[
        Path,
        typer.Argument(metavar="RUN_OR_TSV", help="Folder of a finished run, or a table with a header, tab-separated."),
    ],
    formula: Annotated[
        str,
        typer.Argument(
            help="As in lme4: outcome ~ system + (1|item); or the models of a paper's table, such as mandarin:table1."
        ),
    ],
    larger: Annotated[
        str, typer.Argument(help="A second formula with more terms: a likelihood-ratio test of what it adds.")
    ] = "",
    by: Annotated[str, typer.Option(metavar="COLUMN", help="One model for each value of this column.")] = "",
    mark: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SYSTEM,...",
            help="Add a column that is 1 for these systems and 0 for the others; may be repeated.",
        ),
    ] = None,
    family: Annotated[
        Family, typer.Option(help="gaussian: a number; binomial: one of two outcomes; auto: by the response.")
    ] = Family.auto,
    p: Annotated[
        Literal["normal", "satterthwaite"],
        Rare("normal: by the normal distribution; satterthwaite: by t (gaussian only).", ("normal", "satterthwaite")),
    ] = "normal",
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Fit a mixed model to a run or a table, or test one formula against a larger one.

    Example: gardenpath stats run "outcome ~ syntax + (1|item) + (1|seed)" --mark syntax=RNNG --by class

    Example: gardenpath stats run "value ~ 1 + (1|item)" "value ~ system + (1|item)"

    Example: gardenpath stats run mandarin:table1

    Example: gardenpath stats table.tsv "accuracy ~ modifier + (1+modifier|seed)" --set p=satterthwaite
    """
    from ..errors import UsageError
    from ..studies.engine.mixed_models import mixed_models

    check_target(output)
    if larger and p == "satterthwaite":
        todo = "leave out --set p, or the second formula"
        raise UsageError("a likelihood-ratio test takes p from chi-square", where="--set p", todo=todo)
    result = mixed_models(
        source, formula, larger, by=by, marks=mark or (), family=family.value, freedom=p
    )  # fmt: skip
    emit(result, format, output)
