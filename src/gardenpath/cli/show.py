"""The command show: trees of either kind, alone or beside another analysis."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import OutputOption
from .output import check_target, message, write

if TYPE_CHECKING:
    from ..phrase.tree import PhraseTree
    from ..treebank.drawing import Tree
    from ..treebank.format.treebank import Treebank


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


def show(
    file: Annotated[
        str,
        typer.Argument(
            help="A treebank, or phrase trees: a file, folder, glob, or a name such as bundled:de-test; or the run of "
            "consistency test, of which the tree classes of a batch are shown."
        ),
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
    displacement: Annotated[
        bool, typer.Option("--displacement", help="Label edges with their displacement (word minus head).")
    ] = False,
    format: Annotated[
        Drawing,
        typer.Option(
            "--format",
            "-f",
            help="text, svg (one sentence), latex (tikz); or conllu, of phrase trees export or notation (brackets).",
        ),
    ] = Drawing.text,
    system: Annotated[
        str, typer.Option(help="Of a run: the system whose trees are shown; without it, the first.")
    ] = "",
    output: OutputOption = None,
) -> None:
    """Draw trees, a word (or node of a phrase tree) per line, or as SVG or LaTeX; with --diff beside another analysis.

    With --diff and no --sentence, the first sentences that differ are shown; gold is left (phrase trees: above). Of a
    run, each class of equal trees has its values and one tree, cut down to what differs; without --sentence, of the
    batch with most classes.

    Example: gardenpath show bundled:de-test --sentence 3

    Example: gardenpath show gold.conllu --diff parsed.conllu --format svg -s dev-s12 -o difference.svg
    """
    from ..errors import UsageError
    from ..phrase.formats.sniffing import phrase_place
    from ..treebank.drawing import Tree
    from ..treebank.format.reading import read

    if sentence and limit is not None:
        raise UsageError("--limit is for calls without --sentence", where=f"--limit {limit}", todo="leave it out")
    if sentence and diff is not None and format in (Drawing.conllu, Drawing.export, Drawing.notation):
        todo = "take text, svg or latex, or leave out --diff"
        raise UsageError("this format cannot show two analyses", where=f"--format {format.value}", todo=todo)
    check_target(output)
    if (Path(file) / "run.json").is_file():
        if diff is not None or limit is not None or format not in (Drawing.text, Drawing.svg, Drawing.latex):
            todo = "leave out --diff and --limit, and take text, svg or latex"
            raise UsageError("of a run, tree classes are shown", where=file, todo=todo)
        show_classes(file, sentence or [""], system, format, output)
        return
    if system:
        raise UsageError("--system is for the folder of a run", where=f"--system {system}", todo="leave it out")
    limit = limit or SHOWN
    place = phrase_place(file)
    if displacement and (place is not None or diff is not None or format is Drawing.conllu):
        what = "displacements are labels of one drawn dependency tree"
        raise UsageError(what, where="--displacement", todo="take text, svg or latex, without --diff")
    if place is not None:
        show_phrases(place, sentence or [], diff, limit, format.value, output)
        return
    if format in (Drawing.export, Drawing.notation):
        raise UsageError("these are not phrase trees", where=f"--format {format.value}", todo="take conllu")
    treebank = read(file)
    chosen = sentence_numbers(treebank.sent_ids, sentence or [])
    if chosen is None and diff is None:
        chosen = list(range(min(limit, len(treebank))))
    others = _system(treebank, diff, chosen) if diff is not None else {}
    if chosen is None:
        different = [number for number, other in others.items() if _differs(Tree.of(treebank[number]), other)]
        missing = len(treebank) - len(others)
        lost = f", {missing:,} are not there" if missing else ""
        message(f"{len(different):,} of {len(others):,} sentences differ{lost}")
        chosen = different[:limit]
    if format is Drawing.conllu:
        write("".join(treebank[number].to_conllu() for number in chosen), output)
        return
    draw = _drawing(format, len(chosen), colour=output is None)
    trees = [Tree.of(treebank[number]) for number in chosen]
    shown = [tree.displaced() if displacement else tree for tree in trees]
    parts = [draw(tree, others.get(number)) for number, tree in zip(chosen, shown, strict=True)]
    write(("\n" if format is not Drawing.svg else "").join(parts), output)


def _system(treebank: Treebank, name: str, chosen: list[int] | None) -> dict[int, Tree]:
    """The other analysis of each sentence, by its number; a parser gets only the sentences that are shown."""
    from ..errors import InputError
    from ..studies.engine.parsers import trees_of
    from ..systems.asking.entrants import entrants_of
    from ..treebank.drawing import Tree
    from ..treebank.trees.alignment import SentenceKey, match

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
    from ..treebank.drawing import drawn, drawn_difference, svg, tikz

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


def show_classes(folder: str, names: Sequence[str], system: str, format: Drawing, output: Path | None) -> None:
    """Draw the tree classes of batches in a run: one tree for each, cut down to what differs."""
    from ..errors import UsageError
    from ..runs.record.run import Run
    from ..studies.consistency.tree_classes import classes_in_run
    from ..treebank.drawing import drawn, svg_of_all, tikz

    if format is Drawing.svg and len(names) != 1:
        raise UsageError(f"an SVG file holds one batch, not {len(names)}", todo="name it with --sentence")
    run = Run.load(folder)
    parts = []
    for classes in [classes_in_run(run, name, system) for name in names]:
        if format is Drawing.svg:
            parts.append(svg_of_all(classes.drawings, classes.heading))
            continue
        comment = "% " if format is Drawing.latex else ""
        parts.append("".join(f"{comment}{line}\n" for line in classes.heading.splitlines()))
        for tree, marks in classes.drawings:
            parts.append(tikz(tree, None, marks) if format is Drawing.latex else drawn(tree, marks) + "\n")
    write("\n".join(parts), output)


def show_phrases(
    place: str, names: Sequence[str], diff: str | None, limit: int, format: str, output: Path | None
) -> None:
    """Draws the trees of a file, alone or with another analysis of the same words."""
    from ..phrase.formats.source import read

    trees = read(place, notice=message)
    chosen = sentence_numbers([tree.sent_id for tree in trees], names)
    others: dict[int, PhraseTree] = {}
    if diff is not None:
        others = _others(trees, diff, chosen)
    if chosen is None and diff is not None:
        different = [number for number, other in others.items() if trees[number] != other]
        lost = f", {len(trees) - len(others):,} are not there" if len(others) < len(trees) else ""
        message(f"{len(different):,} of {len(others):,} sentences differ{lost}")
        chosen = different[:limit]
    if chosen is None:
        chosen = list(range(min(limit, len(trees))))
    if format in ("export", "notation"):
        write(_written([trees[number] for number in chosen], format), output)
        return
    draw = _phrase_drawing(format, len(chosen), colour=output is None)
    parts = [draw(_named(trees[number], number), others.get(number)) for number in chosen]
    write(("\n" if format != "svg" else "").join(parts), output)


def sentence_numbers(sent_ids: Sequence[str | None], names: Sequence[str]) -> list[int] | None:
    """The places of the sentences that are named by their ids, or by their numbers from 1; None where none is."""
    from ..errors import unknown_name

    ids = {name: number for number, name in reversed(list(enumerate(sent_ids))) if name}
    numbers = []
    for name in names:
        number = ids.get(name, int(name) - 1 if name.isdecimal() else -1)
        if not 0 <= number < len(sent_ids):
            raise unknown_name("sentence", name, [*ids, f"a number from 1 to {len(sent_ids)}"])
        numbers.append(number)
    return numbers or None


def _named(tree: PhraseTree, number: int) -> PhraseTree:
    return tree if tree.sent_id else tree.named(str(number + 1))


def _others(trees: Sequence[PhraseTree], name: str, chosen: list[int] | None) -> dict[int, PhraseTree]:
    """The other analysis of each sentence, by its number; a parser gets only the sentences that are shown."""
    from ..studies.engine.phrase_trees import phrase_trees_of
    from ..systems.asking.entrants import entrants_of
    from ..systems.asking.protocol import PHRASE_PARSER

    numbers = list(range(len(trees))) if chosen is None else chosen
    (entrant,) = entrants_of(name, PHRASE_PARSER)
    made = phrase_trees_of(entrant.system, [trees[number] for number in numbers]).trees
    trees_by_number = {number: tree for number, tree in zip(numbers, made, strict=True) if tree is not None}
    for number in numbers if chosen is not None else ():
        if number not in trees_by_number:
            message(f"{name} has no tree of sentence {trees[number].sent_id or number + 1}")
    return trees_by_number


def _written(trees: Sequence[PhraseTree], format: str) -> str:
    from ..phrase.formats.notation import to_notation
    from ..phrase.formats.source import written

    return "".join(written(trees, "export")) if format == "export" else "".join(to_notation(t) + "\n" for t in trees)


def _phrase_drawing(format: str, count: int, *, colour: bool) -> Callable[[PhraseTree, PhraseTree | None], str]:
    from ..errors import UsageError
    from ..phrase.drawing import drawn, drawn_difference, svg, tikz

    if format == "text":
        bright = colour and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        return lambda tree, other: (drawn_difference(tree, other, colour=bright) if other else drawn(tree)) + "\n"
    if format == "conllu":
        raise UsageError("these are phrase trees", where="--format conllu", todo="take export or notation")
    if format == "svg" and count != 1:
        raise UsageError(f"an SVG file holds one sentence, not {count}", todo="name it with --sentence")
    return svg if format == "svg" else tikz
