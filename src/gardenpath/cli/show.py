"""`gardenpath show`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from .options import OutputOption
from .output import check_target, message, write

if TYPE_CHECKING:
    from ..treebank.drawing.tree import Tree
    from ..treebank.treebank import Treebank

app = typer.Typer()


SHOWN = 5
"""Sentences that are shown where none is named."""


class Drawing(StrEnum):
    """How a tree is drawn."""

    text = "text"
    svg = "svg"
    latex = "latex"
    conllu = "conllu"
    export = "export"
    notation = "notation"


@app.command(no_args_is_help=True)
def show(
    file: Annotated[
        str,
        typer.Argument(help="A treebank, or phrase trees: a file, folder, glob, or a name such as bundled:de-test."),
    ],
    sentence: Annotated[
        list[str] | None, typer.Option("--sentence", "-s", help="A sent_id, or a number from 1; may be repeated.")
    ] = None,
    diff: Annotated[
        str | None,
        typer.Option("--diff", help="Another analysis: a parsed file, or a parser such as udpipe:MODEL."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(help="How many sentences to show where none is named (5).", min=1)
    ] = None,
    format: Annotated[
        Drawing,
        typer.Option(
            "--format",
            "-f",
            help="text, svg (one sentence), latex (tikz); or conllu, of phrase trees export or notation (brackets).",
        ),
    ] = Drawing.text,
    output: OutputOption = None,
) -> None:
    """Draw trees, a word (or node of a phrase tree) per line, or as SVG or LaTeX; with --diff beside another analysis.

    With --diff and no --sentence, the first sentences that differ are shown; gold is left (phrase trees: above).

    Example: gardenpath show bundled:de-test --sentence 3

    Example: gardenpath show gold.conllu --diff parsed.conllu --format svg -s dev-s12 -o difference.svg
    """
    from ..errors import UsageError
    from ..phrase.sniffing import phrase_place
    from ..treebank.drawing.tree import Tree
    from ..treebank.source import read
    from .show_phrases import sentence_numbers, show_phrases

    if sentence and limit is not None:
        raise UsageError("--limit is for calls without --sentence", where=f"--limit {limit}", todo="leave it out")
    if sentence and diff is not None and format in (Drawing.conllu, Drawing.export, Drawing.notation):
        todo = "take text, svg or latex, or leave out --diff"
        raise UsageError("this format cannot show two analyses", where=f"--format {format.value}", todo=todo)
    check_target(output)
    limit = limit or SHOWN
    place = phrase_place(file)
    if place is not None:
        show_phrases(place, sentence or [], diff, limit, format.value, output)
        return
    if format in (Drawing.export, Drawing.notation):
        raise UsageError("these are not phrase trees", where=f"--format {format.value}", todo="take conllu")
    treebank = read(file)
    chosen = sentence_numbers(treebank.sent_ids, sentence or [])
    if chosen is None and diff is None:
        chosen = list(range(min(limit, len(treebank))))
    system = _system(treebank, diff, chosen) if diff is not None else {}
    if chosen is None:
        different = [number for number, other in system.items() if _differs(Tree.of(treebank[number]), other)]
        missing = len(treebank) - len(system)
        lost = f", {missing:,} are not there" if missing else ""
        message(f"{len(different):,} of {len(system):,} sentences differ{lost}")
        chosen = different[:limit]
    if format is Drawing.conllu:
        write("".join(treebank[number].to_conllu() for number in chosen), output)
        return
    draw = _drawing(format, len(chosen), colour=output is None)
    parts = [draw(Tree.of(treebank[number]), system.get(number)) for number in chosen]
    write(("\n" if format is not Drawing.svg else "").join(parts), output)


def _system(treebank: Treebank, name: str, chosen: list[int] | None) -> dict[int, Tree]:
    """The other analysis of each sentence, by its number; a parser gets only the sentences that are shown."""
    from ..errors import InputError
    from ..studies.parsed import trees_of
    from ..systems.entrants import entrants_of
    from ..treebank.drawing.tree import Tree
    from ..treebank.matching import SentenceKey, match

    numbers = list(range(len(treebank))) if chosen is None else chosen
    gold = treebank[numbers]
    (entrant,) = entrants_of(name, "parser")
    theirs = trees_of(entrant, gold).treebank

    def keys(of: Treebank) -> list[SentenceKey]:
        return [SentenceKey(tuple(node.form for node in sentence.words), sentence.sent_id) for sentence in of]

    places = match(keys(gold), keys(theirs), near=True)
    trees = {n: Tree.of(theirs[place]) for n, place in zip(numbers, places, strict=True) if place is not None}
    if not trees and chosen is None:
        what = "this is another text: none of its sentences is the same"
        raise InputError(what, where=name, todo="name the analysis of the same sentences")
    for number, tree in trees.items():
        if "".join(tree.forms) != "".join(node.form for node in treebank[number].words):
            where = f"sentence {number + 1}: {tree.text}"
            raise InputError("this is another text", where=where, todo="name the analysis of the same sentences")
    return trees


def _differs(gold: Tree, other: Tree) -> bool:
    return gold.forms != other.forms or any(gold.different(other))


def _drawing(format: Drawing, count: int, colour: bool) -> Callable[[Tree, Tree | None], str]:
    from ..errors import UsageError
    from ..treebank.drawing.svg import svg
    from ..treebank.drawing.terminal import drawn, drawn_difference
    from ..treebank.drawing.tikz import tikz

    if format is Drawing.text:
        bright = colour and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        return lambda tree, other: (drawn_difference(tree, other, colour=bright) if other else drawn(tree)) + "\n"
    if format is Drawing.svg and count != 1:
        raise UsageError(f"an SVG file holds one sentence, not {count}", todo="name it with --sentence")
    function = svg if format is Drawing.svg else tikz

    def draw(tree: Tree, other: Tree | None) -> str:
        if other is not None and other.forms != tree.forms:
            raise UsageError(
                "the two analyses have other words and cannot share one drawing", where=tree.sent_id,
                todo="draw each on its own, without --diff",
            )  # fmt: skip
        return function(tree, other)

    return draw
