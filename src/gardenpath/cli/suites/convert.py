"""`gardenpath suites convert`: a suite in another form."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..output import message
from .arguments import PositionsOption, ReleaseOption


def convert(
    source: Annotated[str, typer.Argument(help="A suite in CoNLL or TSV (also .gz, .xz), or -.", metavar="IN")],
    target: Annotated[str, typer.Argument(help="The file to write, or - for standard output.", metavar="OUT")],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            help="conll (FEATS with :), conllu-feats (with =), conllu (comments) or tsv; by OUT's name if not given.",
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

    Example: gardenpath suites convert old.conll new.conll --to conllu-feats --names today
    """
    from ...errors import UsageError
    from ...runs.atomic import writable_target, write_bytes
    from ...suites.conversion import convert as converted
    from ...suites.reader import read_suite

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
