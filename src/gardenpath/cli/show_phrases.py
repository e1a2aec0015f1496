"""`gardenpath show` with phrase trees."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from .output import message, write

if TYPE_CHECKING:
    from ..phrase.tree import PhraseTree


def show_phrases(
    place: str, names: Sequence[str], diff: str | None, limit: int, format: str, output: Path | None
) -> None:
    """Draws the trees of a file, alone or with another analysis of the same words."""
    from ..phrase.source import read

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
    draw = _drawing(format, len(chosen), colour=output is None)
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
    from ..studies.phrase_trees import phrase_trees_of
    from ..systems.entrants import entrants_of
    from ..systems.protocol import PHRASE_PARSER

    numbers = list(range(len(trees))) if chosen is None else chosen
    (entrant,) = entrants_of(name, PHRASE_PARSER)
    made = phrase_trees_of(entrant, [trees[number] for number in numbers]).trees
    trees_by_number = {number: tree for number, tree in zip(numbers, made, strict=True) if tree is not None}
    for number in numbers if chosen is not None else ():
        if number not in trees_by_number:
            message(f"{name} has no tree of sentence {trees[number].sent_id or number + 1}")
    return trees_by_number


def _written(trees: Sequence[PhraseTree], format: str) -> str:
    from ..phrase.notation import to_notation
    from ..phrase.source import written

    return "".join(written(trees, "export")) if format == "export" else "".join(to_notation(t) + "\n" for t in trees)


def _drawing(format: str, count: int, *, colour: bool) -> Callable[[PhraseTree, PhraseTree | None], str]:
    from ..errors import UsageError
    from ..phrase.drawing.svg import svg
    from ..phrase.drawing.terminal import drawn, drawn_difference
    from ..phrase.drawing.tikz import tikz

    if format == "text":
        bright = colour and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        return lambda tree, other: (drawn_difference(tree, other, colour=bright) if other else drawn(tree)) + "\n"
    if format == "conllu":
        raise UsageError("these are phrase trees", where="--format conllu", todo="take export or notation")
    if format == "svg" and count != 1:
        raise UsageError(f"an SVG file holds one sentence, not {count}", todo="name it with --sentence")
    return svg if format == "svg" else tikz
