"""`gardenpath suites show`: what is in a suite, or in one of its items."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import Format, FormatOption, OutputOption
from ..output import emit
from .arguments import LayoutOption, PositionsOption, ReleaseOption, is_regions, refuse_for_regions


def show(
    file: Annotated[
        str,
        typer.Argument(
            help="A suite of roles or of regions (also .gz, .xz), or -; a folder or an archive of pairs.",
            metavar="FILE",
        ),
    ],
    item: Annotated[
        str | None, typer.Option("--item", help="Show this item: its sent_id, or its number from 1.", metavar="ID")
    ] = None,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    layout: LayoutOption = None,
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Show what a suite holds: orders, properties, pairs; conditions, regions, predictions; or one item of it.

    Example: gardenpath suites show suite.conll

    Example: gardenpath suites show suite.tsv --item 17 --format json

    Example: gardenpath suites show BLiMP.zip
    """
    from ...errors import UsageError
    from ...suites.overview import one_item, overview
    from ...suites.reader import read_suite
    from ...suites.regions.pair_columns import parse_layout

    columns = parse_layout(layout or ())
    if is_regions(file, columns):
        from ...suites.regions.hierarchy import by_paradigm
        from ...suites.regions.overview import one_region_item, overview_of_pairs, region_overview
        from ...suites.regions.reader import read_region_suites, unread_files

        refuse_for_regions(file, positions=positions, release=release)
        suites = read_region_suites(file, columns)
        paradigms = by_paradigm(suites)
        if item is None and len(paradigms) > 1:
            emit(overview_of_pairs(paradigms, file, len(suites), unread_files(file, columns)), format, output)
            return
        if len(suites) > 1:
            raise UsageError(f"{len(suites)} suites where one is expected", where=file, todo="name one file")
        emit(region_overview(suites[0]) if item is None else one_region_item(suites[0], item), format, output)
        return
    suite = read_suite(file, positions=positions, release=release)
    emit(overview(suite) if item is None else one_item(suite, item), format, output)
