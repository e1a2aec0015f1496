"""`gardenpath suites convert`: a suite in another form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import typer

from ..output import message, write_data
from .arguments import LayoutOption, PositionsOption, ReleaseOption, is_regions, refuse_for_regions


def convert(
    source: Annotated[str, typer.Argument(help="A suite of roles or of regions (also .gz, .xz), or -.", metavar="IN")],
    target: Annotated[str, typer.Argument(help="The file to write, or - for standard output.", metavar="OUT")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="Roles: conll (FEATS with :), conllu-feats (with =), conllu (comments) or tsv. Regions: syntaxgym, "
            "blimp, climp, mandarin, mandarin-csv, pairs, pair-rows or labelled-lines. By OUT's name if not given.",
        ),
    ] = "",
    names: Annotated[
        str, typer.Option("--names", help="Names of orders and properties: original (as in IN) or today.")
    ] = "original",
    partial: Annotated[bool, typer.Option("--partial", help="Keep only the gold arcs and the verb.")] = False,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
    layout: LayoutOption = None,
) -> None:
    """Write a suite in another form, completely or not at all; what the form cannot hold is listed.

    Example: gardenpath suites convert suite.conll suite.tsv

    Example: gardenpath suites convert paradigm.jsonl suite.json --to syntaxgym
    """
    from ...errors import UsageError
    from ...formats import REGIONS, ROLES
    from ...runs.atomic import writable_target
    from ...suites.conversion import convert as convert_roles
    from ...suites.reader import read_suite
    from ...suites.regions.conversion import convert_regions
    from ...suites.regions.pair_columns import parse_layout
    from ...suites.regions.reader import read_region_suite

    columns = parse_layout(layout or ())
    regions = is_regions(source, columns)
    if regions:
        today = names != "original" and names
        refuse_for_regions(source, names=today, partial=partial, positions=positions, release=release)
    formats = REGIONS if regions else ROLES
    to = to or formats.by_suffix(target) or ""
    if not to:
        *first, last = formats.writable
        raise UsageError(f"which form is {target}?", todo=f"say --to {', '.join(first)} or {last}")
    if target != "-":
        writable_target(target)
    repairs: Mapping[str, int] = {}
    if regions:
        written = convert_regions(read_region_suite(source, columns), to)
    else:
        suite = read_suite(source, positions=positions, release=release)
        written, repairs = convert_roles(suite, to, names=names, partial=partial), suite.treebank.repairs
    write_data(written.data, None if target == "-" else target)
    for what, count in repairs.items():
        message(f"repaired: {what} ({count:,})")
    for loss in written.losses:
        message(f"not in {to}: {loss}")
