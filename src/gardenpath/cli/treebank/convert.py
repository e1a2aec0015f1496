"""`gardenpath treebank convert`: other formats, and changes that lose nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...phrase.schemes.registry import LISTED
from ..output import message, write_data


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
            "export, tigerxml, penn or discbracket. By default as the output's name ends, else conllu.",
        ),
    ] = "",
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
        typer.Option("--from", help="Format of phrase trees, if it cannot be recognised; also exportxml, sinica."),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option("--encoding", help="Of phrase trees in text; by default UTF-8, else GB18030 or latin-1."),
    ] = None,
    raise_: Annotated[
        bool, typer.Option("--raise", help="Phrase trees without gaps: what crosses moves up. Lowers punctuation.")
    ] = False,
    scheme: Annotated[
        str | None,
        typer.Option("--scheme", help=f"With --raise: whose heads stay, {LISTED}; else what the trees look like."),
    ] = None,
    split: Annotated[
        bool, typer.Option("--split", help="Phrase trees without gaps: nodes in pieces NP*. Lowers punctuation.")
    ] = False,
    functions: Annotated[str, typer.Option("--functions", help="Of phrase trees: keep or drop.")] = "keep",
    plain: Annotated[bool, typer.Option("--plain", help="Make deepened TIGER trees (SQUOIA, SMULTRON) plain.")] = False,
    separator: Annotated[
        str, typer.Option("--separator", help="Between category and function in brackets: - # or :.")
    ] = "-",
) -> None:
    """Write a treebank in another form; the output is written completely or not at all.

    Example: gardenpath treebank convert suite.conll -o suite.conllu --feats equals --add-text

    Example: gardenpath treebank convert treebank.conllu --to text

    Example: gardenpath treebank convert tiger.xml --to penn --raise --functions drop -o tiger.mrg
    """
    from ..._text import either
    from ...errors import InputError, UsageError, unknown_name
    from ...formats import PHRASE_TREES, TREEBANKS, bare
    from ...runs.record.writing import writable_target

    to = to or (PHRASE_TREES.by_suffix(bare(output.name)) if output else None) or "conllu"
    of_words = {"--feats": feats, "--drop-enhanced": drop_enhanced, "--add-text": add_text}
    of_words["--tolerant/--strict"] = tolerant is not None
    of_phrases = {"--from": from_format, "--encoding": encoding, "--raise": raise_, "--split": split, "--plain": plain}
    of_phrases |= {"--functions": functions != "keep", "--separator": separator != "-"}
    words, phrases = TREEBANKS.writable, PHRASE_TREES.writable
    if to not in (*words, *phrases):
        raise unknown_name("format", to, (*words, *phrases))
    others = [name for name, given in (of_words if to in phrases else of_phrases).items() if given]
    if others:
        todo = f"it is for --to {', '.join(words if to in phrases else phrases)}"
        raise UsageError(f"{others[0]} does not go with --to {to}", todo=todo)
    lost = {"--feats": feats, "--drop-enhanced": drop_enhanced, "--add-text": add_text, "--renumber-sent-ids": renumber}
    for name in (name for name in _NO_PLACE.get(to, ()) if lost[name]):
        raise UsageError(f"{name} does not go with --to {to}, which has no place for it", todo=f"leave out {name}")
    if scheme is not None and not raise_:
        raise UsageError("--scheme says whose heads stay in place with --raise", todo="leave it out, or raise")
    if output is not None:
        writable_target(output)
    if to in phrases:
        _check_reading(source, from_format, to, encoding, separator)
        from ...phrase.edits.convert import converted, losses
        from ...phrase.formats.brackets import Labels
        from ...phrase.formats.source import stream, written
        from ...phrase.schemes.registry import scheme as known_scheme
        from ...phrase.schemes.registry import scheme_of

        labels = Labels(separator)
        stretches = stream(source, from_format, encoding, labels=labels, notice=message)
        read = list(stretches)
        raised_by = known_scheme(scheme) if scheme else scheme_of(read) if raise_ else None
        trees = list(
            converted(
                read, raise_=raise_, split=split, functions=functions, plain=plain, sent_ids=renumber, scheme=raised_by
            )
        )
        data = "".join(written(trees, to, labels)).encode("utf-8")
        notes = [f"no place in {to}: {what} ({count:,})" for what, count in losses(trees, to).items()]
        if raise_:
            notes.append(_HEADS_OF.format(raised_by.title) if raised_by else _NO_HEADS)
    else:
        from ...phrase.formats.sniffing import phrase_place

        trees_in = phrase_place(source)
        if trees_in and to in _PLAIN:
            from ...systems.files.text_input import tokenised_text

            write_data(tokenised_text(trees_in), output)
            return
        try:
            data, notes = _words(source, to, tolerant, feats, drop_enhanced, add_text, renumber)
        except InputError:
            if not trees_in:
                raise
            todo = f"say --to {either(phrases)}, or name the output so, such as -o trees.export"
            what = f"these are phrase trees, which cannot be written as {to}"
            raise UsageError(what, where=source, todo=todo) from None
    write_data(data, output)
    for note in notes:
        message(note)


_HEADS_OF = "raised: each node stays with its head, by the rules of {}"
_NO_HEADS = "raised: no known scheme, so each node stays with its child HD, else with its longest stretch"
_PLAIN = ("text", "horizontal")
"""Of phrase trees the words, a sentence per line, with blanks between them."""
_NO_PLACE = {
    **dict.fromkeys(
        ("text", "horizontal", "vertical"), ("--feats", "--drop-enhanced", "--add-text", "--renumber-sent-ids")
    ),
    "tsv": ("--add-text",),
    **dict.fromkeys(("penn", "discbracket"), ("--renumber-sent-ids",)),
}
"""Changes that a format cannot show."""
_BRACKETS, _XML = {"penn", "discbracket"}, {"tigerxml", "exportxml"}


def _check_reading(source: str, given: str | None, to: str, encoding: str | None, separator: str) -> None:
    """A separator is for brackets, an encoding for text: XML says its own."""
    from ...errors import UsageError
    from ...phrase.formats.source import formats_of

    if (encoding is None and separator == "-") or source == "-":
        return
    formats = formats_of(source, given)
    if encoding is not None and formats <= _XML:
        raise UsageError("XML says its encoding itself", where=source, todo="leave out --encoding")
    if separator != "-" and not {*formats, to} & _BRACKETS:
        what = f"--separator is for brackets ({', '.join(sorted(_BRACKETS))})"
        raise UsageError(what, where=source, todo="leave it out")


def _words(
    source: str, to: str, tolerant: bool | None, feats: str, drop_enhanced: bool, add_text: bool, renumber: str | None
) -> tuple[bytes, list[str]]:
    from ...treebank.format.convert import convert, export
    from ...treebank.format.reading import read

    treebank = read(source, tolerant=tolerant)
    changed = convert(treebank, feats=feats, drop_enhanced=drop_enhanced, add_text=add_text, sent_ids=renumber)
    return export(changed, to), [f"repaired: {what} ({count:,})" for what, count in treebank.repairs.items()]
