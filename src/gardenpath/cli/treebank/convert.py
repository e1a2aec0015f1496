"""`gardenpath treebank convert`: other formats, and changes that lose nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...phrase.schemes.registry import LISTED
from ..output import message, write_data
from ..settings import Rare


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
    repair: Annotated[
        bool | None,
        typer.Option("--repair/--no-repair", help="Repair what needs no guess. Default: only for .conll."),
    ] = None,
    feats: Annotated[str, Rare("Write FEATS as Name=Value (equals) or Name:Value (colon).")] = "",
    drop_enhanced: Annotated[bool, Rare("Leave out DEPS and empty nodes.")] = False,
    add_text: Annotated[bool, Rare("Add # text where there is none.")] = False,
    renumber_sent_ids: Annotated[str | None, Rare("Name sentences PREFIX1, PREFIX2, ….")] = None,
    from_format: Annotated[
        str | None,
        typer.Option("--from", help="Format of phrase trees, if it cannot be recognised; also exportxml, sinica."),
    ] = None,
    encoding: Annotated[str | None, Rare("Of phrase trees in text; by default UTF-8, else latin-1.")] = None,
    gaps: Annotated[
        str,
        typer.Option(
            help="Phrase trees without gaps: raise what crosses, or split nodes into pieces NP*. Lowers punctuation.",
            metavar="raise|split",
        ),
    ] = "",
    scheme: Annotated[
        str | None,
        typer.Option("--scheme", help=f"With --gaps raise: whose heads stay, {LISTED}; else what the trees look like."),
    ] = None,
    functions: Annotated[str, Rare("Of phrase trees: keep or drop.")] = "keep",
    plain: Annotated[bool, Rare("Make deepened TIGER trees (SQUOIA, SMULTRON) plain.")] = False,
    separator: Annotated[str, Rare("Between category and function in brackets: - # or :.")] = "-",
) -> None:
    """Write a treebank in another form; the output is written completely or not at all.

    Example: gardenpath treebank convert suite.conll -o suite.conllu --set feats=equals --set add_text=yes

    Example: gardenpath treebank convert treebank.conllu --to text

    Example: gardenpath treebank convert tiger.xml --to penn --gaps raise --set functions=drop -o tiger.mrg
    """
    from ..._text import either
    from ...errors import InputError, UsageError, unknown_name
    from ...formats import PHRASE_TREES, TREEBANKS, bare
    from ...runs.record.writing import writable_target

    to = to or (PHRASE_TREES.by_suffix(bare(output.name)) if output else None) or "conllu"
    if gaps not in ("", "raise", "split"):
        raise unknown_name("treatment of gaps", gaps, ("raise", "split"), where="--gaps")
    of_words = {"--set feats": feats, "--set drop_enhanced": drop_enhanced, "--set add_text": add_text}
    of_words["--repair"] = repair is not None
    of_phrases = {"--from": from_format, "--set encoding": encoding, "--gaps": gaps, "--set plain": plain}
    of_phrases |= {"--set functions": functions != "keep", "--set separator": separator != "-"}
    words, phrases = TREEBANKS.writable, PHRASE_TREES.writable
    if to not in (*words, *phrases):
        raise unknown_name("format", to, (*words, *phrases))
    others = [name for name, given in (of_words if to in phrases else of_phrases).items() if given]
    if others:
        todo = f"it is for --to {', '.join(words if to in phrases else phrases)}"
        raise UsageError(f"{others[0]} does not go with --to {to}", todo=todo)
    lost = {
        "feats": feats,
        "drop_enhanced": drop_enhanced,
        "add_text": add_text,
        "renumber_sent_ids": renumber_sent_ids,
    }
    for name in (name for name in _NO_PLACE.get(to, ()) if lost[name]):
        what = f"--set {name} does not go with --to {to}, which has no place for it"
        raise UsageError(what, todo=f"leave out --set {name}")
    if scheme is not None and gaps != "raise":
        raise UsageError("--scheme says whose heads stay in place when gaps are raised", todo="add --gaps raise")
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
        raised_by = known_scheme(scheme) if scheme else scheme_of(read) if gaps == "raise" else None
        trees = list(
            converted(
                read,
                raise_=gaps == "raise",
                split=gaps == "split",
                functions=functions,
                plain=plain,
                sent_ids=renumber_sent_ids,
                scheme=raised_by,
            )
        )
        data = "".join(written(trees, to, labels)).encode("utf-8")
        notes = [f"no place in {to}: {what} ({count:,})" for what, count in losses(trees, to).items()]
        if gaps == "raise":
            notes.append(_HEADS_OF.format(raised_by.title) if raised_by else _NO_HEADS)
    else:
        try:
            data, notes = _words(source, to, repair, feats, drop_enhanced, add_text, renumber_sent_ids)
        except InputError:
            from ...phrase.formats.sniffing import phrase_place

            if not phrase_place(source):
                raise
            todo = f"say --to {either(phrases)}, or name the output so, such as -o trees.export"
            what = f"these are phrase trees, which cannot be written as {to}"
            raise UsageError(what, where=source, todo=todo) from None
    write_data(data, output)
    for note in notes:
        message(note)


_HEADS_OF = "raised: each node stays with its head, by the rules of {}"
_NO_HEADS = "raised: no known scheme, so each node stays with its child HD, else with its longest stretch"
_NO_PLACE = {
    **dict.fromkeys(("text", "horizontal", "vertical"), ("feats", "drop_enhanced", "add_text", "renumber_sent_ids")),
    "tsv": ("add_text",),
    **dict.fromkeys(("penn", "discbracket"), ("renumber_sent_ids",)),
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
        raise UsageError("XML says its encoding itself", where=source, todo="leave out --set encoding")
    if separator != "-" and not {*formats, to} & _BRACKETS:
        what = f"--set separator is for brackets ({', '.join(sorted(_BRACKETS))})"
        raise UsageError(what, where=source, todo="leave it out")


def _words(
    source: str, to: str, repair: bool | None, feats: str, drop_enhanced: bool, add_text: bool, renumber: str | None
) -> tuple[bytes, list[str]]:
    from ...treebank.format.convert import convert, export
    from ...treebank.format.reading import read

    treebank = read(source, tolerant=repair)
    changed = convert(treebank, feats=feats, drop_enhanced=drop_enhanced, add_text=add_text, sent_ids=renumber)
    return export(changed, to), [f"repaired: {what} ({count:,})" for what, count in treebank.repairs.items()]
