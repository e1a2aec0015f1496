"""`gardenpath suites show`: what is in a suite, or in one of its items."""

from __future__ import annotations

from typing import Annotated

import typer

from ..options import Format, FormatOption, OutputOption
from ..output import emit
from .arguments import PositionsOption, ReleaseOption, is_regions, refuse_for_regions


def show(
    file: Annotated[str, typer.Argument(help="A suite of roles or of regions (also .gz, .xz), or -.", metavar="FILE")],
    item: Annotated[
        str | None, typer.Option("--item", help="Show this item: its sent_id, or its number from 1.", metavar="ID")
    ] = None,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    format: FormatOption = Format.table,
    output: OutputOption = None,
) -> None:
    """Show what a suite holds: orders, properties, pairs; conditions, regions, predictions; or one item of it.

    Example: gardenpath suites show suite.conll

    Example: gardenpath suites show suite.tsv --item 17 --format json
    """
    from ...suites.overview import one_item, overview
    from ...suites.reader import read_suite

    if is_regions(file):
        from ...suites.regions.overview import one_region_item, region_overview
        from ...suites.regions.reader import read_region_suite

        refuse_for_regions(file, positions=positions, release=release)
        regions = read_region_suite(file)
        emit(region_overview(regions) if item is None else one_region_item(regions, item), format, output)
        return
    suite = read_suite(file, positions=positions, release=release)
    emit(overview(suite) if item is None else one_item(suite, item), format, output)
