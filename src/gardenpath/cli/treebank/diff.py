"""`gardenpath treebank diff`: what changed from one release of a treebank to the next."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import Format, FormatOption, NearOption, OutputOption
from ..output import check_target, emit


def diff(
    old: Annotated[str, typer.Argument(help="The first release: a CoNLL-U file, a folder or a glob.")],
    new: Annotated[str, typer.Argument(help="The second release.")],
    parsed: Annotated[
        str,
        typer.Option(
            "--parsed",
            help="A parse to score against both: how much of a difference in LAS is due to changed gold.",
            metavar="FILE",
        ),
    ] = "",
    near: NearOption = 0.5,
    limit: Annotated[int, typer.Option("--limit", help="How many examples to show (10).", min=0)] = 10,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Compare two releases of a treebank: sentences added, removed and changed, and which heads and labels differ.

    Example: gardenpath treebank diff UD_Turkish-IMST@r2.6 UD_Turkish-IMST

    Example: gardenpath treebank diff old.conllu new.conllu --parsed parsed.conllu
    """
    from ...treebank.diff import diff as compared
    from ...treebank.diff_report import diff_result
    from ...treebank.source import read

    check_target(output)
    both = compared(read(old), read(new), near or None)
    emit(diff_result(both, read(parsed) if parsed else None, near or None, limit), format, output)
