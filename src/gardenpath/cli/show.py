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
    from ..report.trees import Tree
    from ..treebank.treebank import Treebank

app = typer.Typer()


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
    limit: Annotated[int, typer.Option(help="How many sentences to show where none is named.", min=1)] = 5,
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
    """Draw trees: one word (of phrase trees one node) a line, or as SVG or LaTeX; with --diff what another has.

    With --diff and no --sentence, the first sentences that differ are shown; gold is left (phrase trees: above).

    Example: gardenpath show bundled:de-test --sentence 3

    Example: gardenpath show gold.conllu --diff parsed.conllu --format svg -s dev-s12 -o difference.svg
    """
    from ..errors import UsageError
    from ..report.trees import Tree
    from ..treebank.source import read
    from .show_phrases import phrase_place, show_phrases

    check_target(output)
    place = phrase_place(file)
    if place is not None:
        show_phrases(place, sentence or [], diff, limit, format.value, output)
        return
    if format in (Drawing.export, Drawing.notation):
        raise UsageError("these are no phrase trees", where=f"--format {format.value}", todo="take conllu")
    treebank = read(file)
    chosen = _chosen(treebank, sentence or [])
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


def _chosen(treebank: Treebank, names: list[str]) -> list[int] | None:
    from ..errors import unknown_name

    ids = {name: number for number, name in reversed(list(enumerate(treebank.sent_ids))) if name}
    found = []
    for name in names:
        number = ids.get(name, int(name) - 1 if name.isdecimal() else -1)
        if not 0 <= number < len(treebank):
            raise unknown_name("sentence", name, [*ids, f"a number from 1 to {len(treebank)}"])
        found.append(number)
    return found or None


def _system(treebank: Treebank, name: str, chosen: list[int] | None) -> dict[int, Tree]:
    """The other analysis of each sentence, by its number; a parser gets only the sentences that are shown."""
    from ..errors import InputError
    from ..report.trees import Tree
    from ..studies.trees import Entrant
    from ..systems.answer import Key
    from ..systems.conllu_file import aligned

    numbers = list(range(len(treebank))) if chosen is None else chosen
    gold = treebank[numbers]
    other = Entrant(name).trees(gold).treebank

    def keys(of: Treebank) -> list[Key]:
        return [Key(tuple(node.form for node in one.words), one.sent_id) for one in of]

    by, places = aligned(keys(gold), keys(other))
    found = {n: Tree.of(other[place]) for n, place in zip(numbers, places, strict=True) if place is not None}
    if by == "order":
        for number, tree in found.items():
            if "".join(tree.forms) != "".join(node.form for node in treebank[number].words):
                where = f"sentence {number + 1}: {tree.text}"
                raise InputError("this is another text", where=where, todo="name the analysis of the same sentences")
    return found


def _differs(gold: Tree, other: Tree) -> bool:
    return gold.forms != other.forms or any(gold.different(other))


def _drawing(format: Drawing, count: int, colour: bool) -> Callable[[Tree, Tree | None], str]:
    from ..errors import UsageError
    from ..report.trees.svg import svg
    from ..report.trees.terminal import drawn, drawn_difference
    from ..report.trees.tikz import tikz

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
