"""`gardenpath treebank convert`: other formats, and changes that lose nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...phrase.schemes.registry import LISTED
from ..output import message, write_data

if TYPE_CHECKING:
    from ...treebank.format.treebank import Treebank


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
    no_spaces: Annotated[
        bool, typer.Option("--no-spaces", help="Words without blanks between them, as in Chinese: SpaceAfter=No.")
    ] = False,
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
        typer.Option(
            "--scheme",
            help=f"With --raise: whose heads stay, {LISTED}; else what the trees look like. Needed to write phrase "
            "trees as conllu: their dependencies.",
        ),
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
    from ...errors import UsageError, unknown_name
    from ...formats import PHRASE_TREES, TREEBANKS, bare
    from ...phrase.formats.sniffing import phrase_place
    from ...runs.record.writing import writable_target
    from ...treebank.format.convert import convert as changed_treebank
    from ...treebank.format.convert import export
    from ...treebank.format.reading import read as read_treebank

    to = to or (PHRASE_TREES.by_suffix(bare(output.name)) if output else None) or "conllu"
    words, phrases = TREEBANKS.writable, PHRASE_TREES.writable
    trees_in = phrase_place(source) if to not in phrases else None
    of_words = {"--feats": feats, "--no-spaces": no_spaces, "--drop-enhanced": drop_enhanced, "--add-text": add_text}
    of_words["--tolerant/--strict"] = tolerant is not None
    of_phrases = {"--from": from_format, "--encoding": encoding, "--raise": raise_, "--split": split, "--plain": plain}
    of_phrases |= {"--functions": functions != "keep", "--separator": separator != "-"}
    if to not in (*words, *phrases):
        raise unknown_name("format", to, (*words, *phrases))
    others = [name for name, given in (of_words if to in phrases else of_phrases).items() if given]
    if others:
        todo = f"it is for --to {', '.join(words if to in phrases else phrases)}"
        raise UsageError(f"{others[0]} does not go with --to {to}", todo=todo)
    if scheme is not None and not raise_ and not (trees_in and to == "conllu"):
        raise UsageError("--scheme says whose heads stay in place with --raise", todo="leave it out, or raise")
    lost = {"--feats": feats, "--drop-enhanced": drop_enhanced, "--add-text": add_text, "--renumber-sent-ids": renumber}
    for name in (name for name in _NO_PLACE.get(to, ()) if lost[name]):
        raise UsageError(f"{name} does not go with --to {to}, which has no place for it", todo=f"leave out {name}")
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
        if trees_in and to in _PLAIN:
            from ...systems.files.text_input import tokenised_text

            text = tokenised_text(trees_in)
            write_data(text.replace(b" ", b"") if no_spaces else text, output)
            return
        if trees_in and not (scheme and to == "conllu"):
            todo = f"say --to {either(phrases)}, or name the output so, such as -o trees.export"
            todo += "; for their dependencies, add --scheme" if to == "conllu" else ""
            what = f"these are phrase trees, which cannot be written as {to}"
            raise UsageError(what, where=source, todo=todo)
        treebank = _dependencies(trees_in, scheme) if trees_in and scheme else read_treebank(source, tolerant=tolerant)
        changed = changed_treebank(
            treebank, feats=feats, drop_enhanced=drop_enhanced, add_text=add_text, sent_ids=renumber,
            no_spaces=no_spaces,
        )  # fmt: skip
        data = export(changed, to)
        notes = [f"repaired: {what} ({count:,})" for what, count in treebank.repairs.items()]
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


def _dependencies(source: str, scheme: str) -> Treebank:
    from ...phrase.dependencies import to_dependencies
    from ...phrase.formats.source import read_spoken

    return to_dependencies(read_spoken(source, traces=False)[0], scheme)
