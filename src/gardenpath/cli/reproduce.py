"""`gardenpath reproduce`."""

from __future__ import annotations

from typing import Annotated

import typer

from ..studies.reproduction.paper import PAPERS
from .fetching import fetched
from .options import Format, FormatOption, OutputOption
from .output import check_target, emit, fail_if

app = typer.Typer()


@app.command(no_args_is_help=True)
def reproduce(
    papers: Annotated[list[str], typer.Argument(metavar="PAPER...", help=f"{', '.join(PAPERS)}; or all.")],
    fail_on_difference: Annotated[
        bool, typer.Option("--fail-on-difference", help="Exit 1 if a number that should be equal is not.")
    ] = False,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Compute a paper's numbers again from its data: published, ours, difference, and why where they differ.

    The data is fetched if it is not here (GARDENPATH_MIRROR=DIR serves it from a folder). Treebanks and scores
    for edv have to be put into such a folder; tepacoc needs no data, and trains grammars (extra pcfg).

    Example: gardenpath reproduce sorts

    Example: gardenpath reproduce all --format json --fail-on-difference
    """
    from ..studies.reproduction import papers_called
    from ..studies.reproduction import reproduce as run

    wanted = papers_called(papers)
    check_target(output)
    result = run(wanted, fetched)
    emit(result, format, output)
    different = [one for one in result.findings if one.by["verdict"] == "differs"]
    if fail_on_difference:
        fail_if(bool(different), f"{len(different)} numbers differ from the published ones")
