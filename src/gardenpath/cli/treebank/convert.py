"""`gardenpath treebank convert`: other formats, and changes that lose nothing else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..output import message


def convert(
    source: Annotated[
        str, typer.Argument(help="A file (also .gz, .xz, .zip), a folder, a glob, or -.", metavar="INPUT")
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file instead of standard output.")
    ] = None,
    to: Annotated[
        str, typer.Option("--to", help="conllu, text (a sentence a line), tsv, horizontal or vertical (words).")
    ] = "conllu",
    tolerant: Annotated[
        bool | None,
        typer.Option(
            "--tolerant/--strict", help="Repair what can be repaired without a guess; the default for .conll."
        ),
    ] = None,
    feats: Annotated[
        str, typer.Option("--feats", help="Write FEATS as Name=Value (equals) or Name:Value (colon).")
    ] = "",
    drop_enhanced: Annotated[bool, typer.Option("--drop-enhanced", help="Leave out DEPS and empty nodes.")] = False,
    add_text: Annotated[bool, typer.Option("--add-text", help="Add # text where there is none.")] = False,
    renumber: Annotated[
        str | None, typer.Option("--renumber-sent-ids", help="Name sentences PREFIX1, PREFIX2, ….", metavar="PREFIX")
    ] = None,
) -> None:
    """Write a treebank in another form; the output is written whole or not at all.

    Example: gardenpath treebank convert suite.conll -o suite.conllu --feats equals --add-text

    Example: gardenpath treebank convert treebank.conllu --to text
    """
    from ...errors import unknown_name
    from ...runs.atomic import writable_target, write_bytes
    from ...treebank.convert import FORMATS, export
    from ...treebank.convert import convert as converted
    from ...treebank.source import read

    if to not in FORMATS:
        raise unknown_name("format", to, FORMATS)
    if output is not None:
        writable_target(output)
    treebank = read(source, tolerant=tolerant)
    changed = converted(treebank, feats=feats, drop_enhanced=drop_enhanced, add_text=add_text, sent_ids=renumber)
    data = export(changed, to)
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_bytes(output, data)
    for what, count in treebank.repairs.items():
        message(f"repaired: {what} ({count:,})")
