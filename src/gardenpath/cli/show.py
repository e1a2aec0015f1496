"""The command show: trees of either kind, alone or with another analysis; suites; runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import UsageError
from .options import Format, OutputOption
from .output import check_target, emit, message, write
from .settings import Rare
from .suites import LayoutSetting, PositionsSetting, ReleaseSetting, is_regions, show_suite

if TYPE_CHECKING:
    from ..phrase.tree import PhraseTree
    from ..runs.result.result import Result
    from ..treebank.drawing import Tree
    from ..treebank.format.treebank import Treebank


SHOWN = 5
"""Sentences that are shown where none is named."""


TREES = ("text", "svg", "latex", "conllu", "export", "notation")
"""How trees are shown."""
CLASSES = "tree classes"
"""The table that draws the trees of a batch, of a run of consistency."""
RESULTS = ("table", "tsv", "json", "markdown", "latex")
"""How runs and suites are shown."""


def show(
    file: Annotated[
        str,
        typer.Argument(
            metavar="TREES|SUITE|RUN",
            help="A treebank or phrase trees (a file, folder, glob, or bundled:de-test), a suite, the folder of a run, "
            "or a log of another harness.",
        ),
    ],
    others: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[OTHER...]",
            help="Trees: another analysis, a parsed file or a parser such as udpipe:MODEL. Runs of consistency: "
            "others, laid out side by side as in Tables 1, 6 and 7 of the paper.",
        ),
    ] = None,
    sentence: Annotated[
        list[str] | None,
        typer.Option("--sentence", "-s", help="A sent_id, an item, or a number from 1. Repeatable."),
    ] = None,
    table: Annotated[str, typer.Option(help="Runs: only this table, by its name or words of its title.")] = "",
    limit: Annotated[int | None, typer.Option(help="Trees: number of sentences shown. Default: 5.", min=1)] = None,
    format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            help="Trees: text, svg, latex, conllu, export or notation. Runs and suites: table, tsv, json, markdown or "
            "latex.",
        ),
    ] = "",
    system: Annotated[str, typer.Option(help="Tree classes of a run: the system. Default: the first.")] = "",
    output: OutputOption = None,
    displacement: Annotated[bool, Rare("Trees: label edges with their displacement (word minus head).")] = False,
    positions: PositionsSetting = None,
    release: ReleaseSetting = "",
    layout: LayoutSetting = None,
) -> None:
    """Show trees, a suite, or the findings of a run.

    Trees: a word (or node) per line, or as SVG or LaTeX. With OTHER, where two analyses differ; without --sentence, the
    first sentences that differ. Suites: orders, properties, pairs; conditions and regions; or one item. Runs: verdicts
    and tables; of a run of consistency, with --sentence or --table "tree classes", the tree classes of a batch.

    Example: gardenpath show bundled:de-test --sentence 3

    Example: gardenpath show gold.conllu parsed.conllu --format svg -s dev-s12 -o difference.svg

    Example: gardenpath show bundled:de-roles

    Example: gardenpath show run --table "by order"
    """
    from ..errors import unknown_name
    from ..library.opened_runs import is_run

    check_target(output)
    kind = "run" if is_run(file) else "suite" if is_suite(file, layout) else "trees"
    if table == CLASSES:
        sentence = sentence or [""]  # the batch with most classes
    wanted = TREES if kind == "trees" or (kind == "run" and sentence) else RESULTS
    if format and format not in wanted:
        raise unknown_name("format", format, wanted, where=f"--format {format}")
    chosen = format or wanted[0]
    other = (others or [""])[0]
    if kind == "run" and other:
        if sentence or table or limit or system:
            todo = "leave out --sentence, --table, --limit and --system"
            raise UsageError("several runs are laid out as a whole", where=file, todo=todo)
        emit(consistency_tables([file, *(others or [])]), Format(chosen), output)
        return
    if len(others or ()) > 1:
        raise UsageError("trees are shown with one other analysis", where=file, todo="name one")
    given = {"OTHER": other, "--limit": limit, "--set displacement": displacement}
    if kind != "trees" and (unfit := next((name for name, value in given.items() if value), "")):
        raise UsageError(f"{unfit} is for trees", where=file, todo=f"leave out {unfit}")
    if system and not (kind == "run" and sentence):
        raise UsageError(
            "--system is for tree classes of a run", where=f"--system {system}", todo="add --sentence BATCH"
        )
    if kind != "suite" and (positions is not None or release or layout):
        raise UsageError("positions, release and layout are for suites", where=file, todo="leave them out")
    if table and kind != "run":
        raise UsageError("--table is for runs", where=file, todo="leave it out")
    if kind == "suite":
        result = show_suite(file, (sentence or [""])[0], positions, release, layout)
        emit(result, Format(chosen), output)
    elif kind == "run" and sentence:
        show_classes(file, sentence, system, chosen, output)
    elif kind == "run":
        from ..library.run_tools import load

        result = load(file)
        if table:
            result = replace(result, tables=[replace(result.table(table), folded=False)], verdicts=())
        emit(result, Format(chosen), output)
    else:
        show_trees(file, other or None, sentence or [], limit, chosen, displacement, output)


def consistency_tables(folders: Sequence[str]) -> Result:
    """Return languages and parts side by side."""
    from ..runs.record.run import Run
    from ..runs.record.signatures import signature
    from ..runs.result.result import Result
    from ..studies.consistency.tables import tables_of_runs

    loaded = [Run.load(folder) for folder in folders]
    if any(run.record.get("command") != "consistency" for run in loaded):
        todo = "compare runs of other studies: gardenpath compare RUN RUN"
        raise UsageError("only runs of consistency are laid out side by side", where=folders[0], todo=todo)
    results = [run.result() for run in loaded]
    signed = signature(("command", "show"), ("runs", [result.signature for result in results]))
    findings = [finding for result in results for finding in result.findings]
    return Result(signed, findings, tables_of_runs(findings))


def is_suite(file: str, layout: list[str] | None) -> bool:
    """Return whether a file holds a suite of regions or roles."""
    from ..suites.regions.pairs import parse_layout
    from ..suites.roles.reader import holds_roles

    return is_regions(file, parse_layout(layout or ())) or holds_roles(file)


def show_trees(
    file: str, other: str | None, sentence: list[str], limit: int | None, format: str, displacement: bool,
    output: Path | None,
) -> None:  # fmt: skip
    """Draw the trees of a file, alone or with another analysis."""
    from ..phrase.formats.sniffing import phrase_place
    from ..treebank.drawing import Tree
    from ..treebank.format.reading import read

    if sentence and limit is not None:
        raise UsageError("--limit is for calls without --sentence", where=f"--limit {limit}", todo="leave it out")
    if sentence and other is not None and format in ("conllu", "export", "notation"):
        todo = "take text, svg or latex, or leave out OTHER"
        raise UsageError("this format cannot show two analyses", where=f"--format {format}", todo=todo)
    limit = limit or SHOWN
    place = phrase_place(file)
    if displacement and (place is not None or other is not None or format == "conllu"):
        what = "displacements are labels of one drawn dependency tree"
        raise UsageError(what, where="--set displacement", todo="take text, svg or latex, without OTHER")
    if place is not None:
        show_phrases(place, sentence, other, limit, format, output)
        return
    if format in ("export", "notation"):
        raise UsageError("these are not phrase trees", where=f"--format {format}", todo="take conllu")
    treebank = read(file)
    chosen = sentence_numbers(treebank.sent_ids, sentence)
    if chosen is None and other is None:
        chosen = list(range(min(limit, len(treebank))))
    others = _system(treebank, other, chosen) if other is not None else {}
    if chosen is None:
        different = [number for number, theirs in others.items() if _differs(Tree.of(treebank[number]), theirs)]
        missing = len(treebank) - len(others)
        lost = f", {missing:,} are not there" if missing else ""
        message(f"{len(different):,} of {len(others):,} sentences differ{lost}")
        chosen = different[:limit]
    if format == "conllu":
        write("".join(treebank[number].to_conllu() for number in chosen), output)
        return
    draw = _drawing(format, len(chosen), colour=output is None)
    trees = [Tree.of(treebank[number]) for number in chosen]
    shown = [tree.displaced() if displacement else tree for tree in trees]
    parts = [draw(tree, others.get(number)) for number, tree in zip(chosen, shown, strict=True)]
    write(("\n" if format != "svg" else "").join(parts), output)


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


def _drawing(format: str, count: int, colour: bool) -> Callable[[Tree, Tree | None], str]:
    from ..treebank.drawing import drawn, drawn_difference, svg, tikz

    if format == "text":
        bright = colour and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        return lambda tree, other: (drawn_difference(tree, other, colour=bright) if other else drawn(tree)) + "\n"
    if format == "svg" and count != 1:
        raise UsageError(f"an SVG file holds one sentence, not {count}", todo="name it with --sentence")
    function = svg if format == "svg" else tikz

    def draw(tree: Tree, other: Tree | None) -> str:
        if other is not None and other.forms != tree.forms:
            raise UsageError(
                "the two analyses have other words and cannot share one drawing", where=tree.sent_id,
                todo="draw each on its own",
            )  # fmt: skip
        return function(tree, other)

    return draw


def show_classes(folder: str, names: Sequence[str], system: str, format: str, output: Path | None) -> None:
    """Draw the tree classes of batches in a run: one tree for each, cut down to what differs."""
    from ..runs.record.run import Run
    from ..studies.consistency.tree_classes import classes_in_run
    from ..treebank.drawing import drawn, svg_of_all, tikz

    if format == "svg" and len(names) != 1:
        raise UsageError(f"an SVG file holds one batch, not {len(names)}", todo="name it with --sentence")
    run = Run.load(folder)
    parts = []
    for classes in [classes_in_run(run, name, system) for name in names]:
        if format == "svg":
            parts.append(svg_of_all(classes.drawings, classes.heading))
            continue
        comment = "% " if format == "latex" else ""
        parts.append("".join(f"{comment}{line}\n" for line in classes.heading.splitlines()))
        for tree, marks in classes.drawings:
            parts.append(tikz(tree, None, marks) if format == "latex" else drawn(tree, marks) + "\n")
    write("\n".join(parts), output)


def show_phrases(
    place: str, names: Sequence[str], other: str | None, limit: int, format: str, output: Path | None
) -> None:
    """Draws the trees of a file, alone or with another analysis of the same words."""
    from ..phrase.formats.source import read

    trees = read(place, notice=message)
    chosen = sentence_numbers([tree.sent_id for tree in trees], names)
    others: dict[int, PhraseTree] = {}
    if other is not None:
        others = _others(trees, other, chosen)
    if chosen is None and other is not None:
        different = [number for number, theirs in others.items() if trees[number] != theirs]
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
    from ..phrase.drawing import drawn, drawn_difference, svg, tikz

    if format == "text":
        bright = colour and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        return lambda tree, other: (drawn_difference(tree, other, colour=bright) if other else drawn(tree)) + "\n"
    if format == "conllu":
        raise UsageError("these are phrase trees", where="--format conllu", todo="take export or notation")
    if format == "svg" and count != 1:
        raise UsageError(f"an SVG file holds one sentence, not {count}", todo="name it with --sentence")
    return svg if format == "svg" else tikz
