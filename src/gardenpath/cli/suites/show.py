"""`gardenpath suites show`: what is in a suite, or in one of its items."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import Format, FormatOption, OutputOption
from ..output import emit
from .arguments import PositionsOption, ReleaseOption


def show(
    file: Annotated[str, typer.Argument(help="A suite in CoNLL or TSV (also .gz, .xz), or -.", metavar="FILE")],
    item: Annotated[
        str | None, typer.Option("--item", help="Show this item: its sent_id, or its number from 1.", metavar="ID")
    ] = None,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Show what a suite holds: orders, properties, minimal pairs; or one item with its gold and its pairs.

    Example: gardenpath suites show suite.conll

    Example: gardenpath suites show suite.tsv --item 17 --format json
    """
    from ...suites.overview import one_item, overview
    from ...suites.reader import read_suite

    suite = read_suite(file, positions=positions, release=release)
    emit(overview(suite) if item is None else one_item(suite, item), format, output)
