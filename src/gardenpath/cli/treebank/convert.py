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
        str,
        typer.Option(
            "--to",
            help="conllu, text (a sentence a line), tsv, horizontal or vertical (words); of phrase trees: "
            "export, tigerxml, penn or discbracket.",
        ),
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
    from_format: Annotated[
        str | None,
        typer.Option("--from", help="Format of phrase trees, where it is not to be found out; also exportxml, sinica."),
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Of phrase trees in text; by default UTF-8, else latin-1.")
    ] = None,
    raise_: Annotated[
        bool, typer.Option("--raise", help="Phrase trees without gaps: what crosses moves up. Lowers punctuation.")
    ] = False,
    split: Annotated[
        bool, typer.Option("--split", help="Phrase trees without gaps: nodes in pieces NP*. Lowers punctuation.")
    ] = False,
    functions: Annotated[str, typer.Option("--functions", help="Of phrase trees: keep or drop.")] = "keep",
    plain: Annotated[bool, typer.Option("--plain", help="Make deepened TIGER trees (SQUOIA, SMULTRON) plain.")] = False,
    separator: Annotated[
        str, typer.Option("--separator", help="Between category and function in brackets: - # or :.")
    ] = "-",
) -> None:
    """Write a treebank in another form; the output is written whole or not at all.

    Example: gardenpath treebank convert suite.conll -o suite.conllu --feats equals --add-text

    Example: gardenpath treebank convert treebank.conllu --to text

    Example: gardenpath treebank convert tiger.xml --to penn --raise --functions drop -o tiger.mrg
    """
    from ...errors import UsageError, unknown_name
    from ...phrase.source import WRITABLE
    from ...runs.atomic import writable_target, write_bytes
    from ...treebank.convert import FORMATS

    of_words = {"--feats": feats, "--drop-enhanced": drop_enhanced, "--add-text": add_text}
    of_words["--tolerant/--strict"] = tolerant is not None
    of_phrases = {"--from": from_format, "--encoding": encoding, "--raise": raise_, "--split": split, "--plain": plain}
    of_phrases |= {"--functions": functions != "keep", "--separator": separator != "-"}
    if to not in FORMATS and to not in WRITABLE:
        raise unknown_name("format", to, [*FORMATS, *WRITABLE])
    others = [name for name, given in (of_words if to in WRITABLE else of_phrases).items() if given]
    if others:
        todo = f"it is for --to {', '.join(FORMATS if to in WRITABLE else WRITABLE)}"
        raise UsageError(f"{others[0]} does not go with --to {to}", todo=todo)
    if output is not None:
        writable_target(output)
    if to in WRITABLE:
        from ...phrase.brackets import Labels
        from ...phrase.convert import converted, losses
        from ...phrase.source import stream, written

        labels = Labels(separator)
        found = stream(source, from_format, encoding, labels=labels, notice=message)
        trees = list(converted(found, raise_=raise_, split=split, functions=functions, plain=plain, sent_ids=renumber))
        data = "".join(written(trees, to, labels)).encode("utf-8")
        notes = [f"no place in {to}: {what} ({count:,})" for what, count in losses(trees, to).items()]
    else:
        data, notes = _words(source, to, tolerant, feats, drop_enhanced, add_text, renumber)
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_bytes(output, data)
    for note in notes:
        message(note)


def _words(
    source: str, to: str, tolerant: bool | None, feats: str, drop_enhanced: bool, add_text: bool, renumber: str | None
) -> tuple[bytes, list[str]]:
    from ...treebank.convert import convert, export
    from ...treebank.source import read

    treebank = read(source, tolerant=tolerant)
    changed = convert(treebank, feats=feats, drop_enhanced=drop_enhanced, add_text=add_text, sent_ids=renumber)
    return export(changed, to), [f"repaired: {what} ({count:,})" for what, count in treebank.repairs.items()]
