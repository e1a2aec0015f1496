"""`gardenpath suites convert`: a suite in another form."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..output import message
from .arguments import PositionsOption, ReleaseOption, is_regions


def convert(
    source: Annotated[str, typer.Argument(help="A suite of roles or of regions (also .gz, .xz), or -.", metavar="IN")],
    target: Annotated[str, typer.Argument(help="The file to write, or - for standard output.", metavar="OUT")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="Roles: conll (FEATS with :), conllu-feats (with =), conllu (comments) or tsv. Regions: syntaxgym, "
            "blimp, climp, mandarin, mandarin-csv or pairs. By OUT's name if not given.",
        ),
    ] = "",
    names: Annotated[
        str, typer.Option("--names", help="Names of orders and properties: original (as in IN) or today.")
    ] = "original",
    partial: Annotated[bool, typer.Option("--partial", help="Keep only the gold arcs and the verb.")] = False,
    positions: PositionsOption = None,
    release: ReleaseOption = "",
) -> None:
    """Write a suite in another form, whole or not at all; what the form cannot hold is listed.

    Example: gardenpath suites convert suite.conll suite.tsv

    Example: gardenpath suites convert paradigm.jsonl suite.json --to syntaxgym
    """
    from ...errors import UsageError
    from ...runs.atomic import writable_target, write_bytes
    from ...suites.conversion import convert as converted
    from ...suites.reader import read_suite

    if is_regions(source):
        _regions(source, target, to)
        return
    if not to:
        endings = {"tsv": "tsv", "conll": "conll", "conllu": "conllu-feats"}
        to = endings.get(target.rpartition(".")[2].casefold(), "")
        if not to:
            raise UsageError(f"which form is {target}?", todo="say --to conll, conllu-feats, conllu or tsv")
    if target != "-":
        writable_target(target)
    suite = read_suite(source, positions=positions, release=release)
    written = converted(suite, to, names=names, partial=partial)
    if target == "-":
        sys.stdout.buffer.write(written.data)
        sys.stdout.buffer.flush()
    else:
        write_bytes(target, written.data)
    for what, count in suite.treebank.repairs.items():
        message(f"repaired: {what} ({count:,})")
    for loss in written.losses:
        message(f"not in {to}: {loss}")


_ENDINGS = {
    "_txt.txt": "mandarin", "_tkd.csv": "mandarin-csv", ".jsonl": "blimp", ".json": "syntaxgym", ".tsv": "pairs",
}  # fmt: skip


def _regions(source: str, target: str, to: str) -> None:
    """The same for a suite of regions."""
    from ...errors import UsageError
    from ...runs.atomic import writable_target, write_bytes
    from ...suites.regions.conversion import FORMATS, convert_regions
    from ...suites.regions.reader import read_region_suite

    to = to or next((form for ending, form in _ENDINGS.items() if target.lower().endswith(ending)), "")
    if not to:
        raise UsageError(f"which form is {target}?", todo=f"say --to {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if target != "-":
        writable_target(target)
    written = convert_regions(read_region_suite(source), to)
    if target == "-":
        sys.stdout.buffer.write(written.data)
        sys.stdout.buffer.flush()
    else:
        write_bytes(target, written.data)
    for loss in written.losses:
        message(f"not in {to}: {loss}")
