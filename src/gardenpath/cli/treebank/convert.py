"""`gardenpath treebank convert`: other formats, and changes that lose nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...phrase.schemes.registry import LISTED
from ..output import message, write_data
from ..settings import Rare

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
    repair: Annotated[
        bool | None,
        typer.Option("--repair/--no-repair", help="Repair what needs no guess. Default: only for .conll."),
    ] = None,
    feats: Annotated[str, Rare("Write FEATS as Name=Value (equals) or Name:Value (colon).")] = "",
    drop_enhanced: Annotated[bool, Rare("Leave out DEPS and empty nodes.")] = False,
    add_text: Annotated[bool, Rare("Add # text where there is none.")] = False,
    no_spaces: Annotated[bool, Rare("Words without blanks between them, as in Chinese: SpaceAfter=No.")] = False,
    renumber_sent_ids: Annotated[str | None, Rare("Name sentences PREFIX1, PREFIX2, ….")] = None,
    from_format: Annotated[
        str | None,
        typer.Option("--from", help="Format of phrase trees, if it cannot be recognised; also exportxml, sinica."),
    ] = None,
    encoding: Annotated[str | None, Rare("Of phrase trees in text; by default UTF-8, else GB18030 or latin-1.")] = None,
    gaps: Annotated[
        str,
        typer.Option(
            help="Phrase trees without gaps: raise what crosses, or split nodes into pieces NP*. Lowers punctuation.",
            metavar="raise|split",
        ),
    ] = "",
    scheme: Annotated[
        str | None,
        typer.Option(
            "--scheme",
            help=f"With --gaps raise: whose heads stay, {LISTED}; else what the trees look like. Needed to write "
            "phrase trees as conllu: their dependencies.",
        ),
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
    from ...errors import UsageError, unknown_name
    from ...formats import PHRASE_TREES, TREEBANKS, bare
    from ...phrase.formats.sniffing import phrase_place
    from ...runs.record.writing import writable_target
    from ...treebank.format.convert import convert as changed_treebank
    from ...treebank.format.convert import export
    from ...treebank.format.reading import read as read_treebank

    to = to or (PHRASE_TREES.by_suffix(bare(output.name)) if output else None) or "conllu"
    if gaps not in ("", "raise", "split"):
        raise unknown_name("treatment of gaps", gaps, ("raise", "split"), where="--gaps")
    of_words = {"--set feats": feats, "--set drop_enhanced": drop_enhanced, "--set add_text": add_text}
    of_words |= {"--repair": repair is not None, "--set no_spaces": no_spaces}
    of_phrases = {"--from": from_format, "--set encoding": encoding, "--gaps": gaps, "--set plain": plain}
    of_phrases |= {"--set functions": functions != "keep", "--set separator": separator != "-"}
    words, phrases = TREEBANKS.writable, PHRASE_TREES.writable
    trees_in = phrase_place(source) if to not in phrases else None
    if to not in (*words, *phrases):
        raise unknown_name("format", to, (*words, *phrases))
    others = [name for name, given in (of_words if to in phrases else of_phrases).items() if given]
    if others:
        todo = f"it is for --to {', '.join(words if to in phrases else phrases)}"
        raise UsageError(f"{others[0]} does not go with --to {to}", todo=todo)
    lost = {
        "feats": feats, "drop_enhanced": drop_enhanced, "add_text": add_text, "renumber_sent_ids": renumber_sent_ids,
    }  # fmt: skip
    for name in (name for name in _NO_PLACE.get(to, ()) if lost[name]):
        what = f"--set {name} does not go with --to {to}, which has no place for it"
        raise UsageError(what, todo=f"leave out --set {name}")
    if scheme is not None and gaps != "raise" and not (trees_in and to == "conllu"):
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
        treebank = _dependencies(trees_in, scheme) if trees_in and scheme else read_treebank(source, tolerant=repair)
        changed = changed_treebank(
            treebank, feats=feats, drop_enhanced=drop_enhanced, add_text=add_text, sent_ids=renumber_sent_ids,
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


def _dependencies(source: str, scheme: str) -> Treebank:
    from ...phrase.dependencies import to_dependencies
    from ...phrase.formats.source import read_spoken

    return to_dependencies(read_spoken(source, traces=False)[0], scheme)
