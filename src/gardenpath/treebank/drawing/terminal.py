"""Trees for a terminal: one word a line, edges as brackets; two analyses meet at the words, one on each side."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from ..._text import columns_of, one_line
from ...errors import UsageError
from .tree import Tree

MOST_WORDS = 2000
"""Of a sentence for a terminal: every edge has to find its place beside all others."""
_LEFT, _RIGHT, _UP, _DOWN = 1, 2, 4, 8
_LINES = {
    0: " ", _LEFT | _RIGHT: "─", _UP | _DOWN: "│", _RIGHT | _DOWN: "╭", _RIGHT | _UP: "╰", _LEFT | _DOWN: "╮",
    _LEFT | _UP: "╯", _UP | _DOWN | _RIGHT: "├", _UP | _DOWN | _LEFT: "┤", _LEFT | _RIGHT | _DOWN: "┬",
    _LEFT | _RIGHT | _UP: "┴", _LEFT | _RIGHT | _UP | _DOWN: "┼",
}  # fmt: skip
_RED, _END = "\x1b[31m", "\x1b[0m"


class _Bracket(NamedTuple):
    """A head with all its dependents of one side: one upright line with a branch to each."""

    head: int
    rows: tuple[int, ...]

    @property
    def low(self) -> int:
        return self.rows[0]

    @property
    def high(self) -> int:
        return self.rows[-1]


def drawn(tree: Tree) -> str:
    """The tree, its edges to the left of the words; an arrow points at a dependent."""
    texts = _aligned([list(map(one_line, (word.form, word.upos, word.label))) for word in tree.words])
    return _titled(tree, [f"{edges}{text}" for edges, text in zip(_edges(tree), texts, strict=True)])


def drawn_difference(gold: Tree, system: Tree, *, colour: bool = False) -> str:
    """Gold to the left, the system to the right; where they differ the line is marked and says how.

    Analyses of other words cannot face each other and are drawn one below the other.
    """
    if gold.forms != system.forms:
        return f"{drawn(gold)}\n\nother words:\n{drawn(system)}"
    different = gold.different(system)
    cells = [
        [one_line(a.label), "≠" if change else " ", one_line(a.form), one_line(b.label)]
        for a, b, change in zip(gold.words, system.words, different, strict=True)
    ]
    left, right = _edges(gold), _edges(system, mirrored=True)
    lines = []
    for one, two, text, change in zip(left, right, _aligned(cells), different, strict=True):
        line = f"{one}{text}{two}".rstrip()
        lines.append(f"{_RED}{line}{_END}" if change and colour else line)
    changed = sum(map(bool, different))
    return _titled(gold, lines) + f"\n{changed} of {len(different)} words differ"


def _titled(tree: Tree, lines: Sequence[str]) -> str:
    head = [f"# {one_line(tree.sent_id)}: {one_line(tree.text)}"]
    return "\n".join([*head, *(line.rstrip() for line in lines)])


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(columns_of, column)) for column in zip(*rows, strict=True)]
    return [" ".join(c + " " * (w - columns_of(c)) for c, w in zip(row, widths, strict=True)) for row in rows]


def _edges(tree: Tree, mirrored: bool = False) -> list[str]:
    """For each word the piece of the drawing beside it, with a blank between it and the word."""
    size = len(tree.words)
    if size > MOST_WORDS:
        raise UsageError(
            f"a sentence of {size:,} words is too long for a terminal: {MOST_WORDS:,} at most",
            where=tree.sent_id, todo="draw it with --format svg",
        )  # fmt: skip
    brackets = _brackets(tree)
    places = _places(brackets)
    width = max(places, default=0)
    grid = [[0] * width for _ in range(size)]
    for bracket, level in zip(brackets, places, strict=True):
        column = width - level
        for row in range(bracket.low, bracket.high + 1):
            grid[row][column] |= (_UP if row > bracket.low else 0) | (_DOWN if row < bracket.high else 0)
        for row in bracket.rows:
            grid[row][column] |= _RIGHT
            for beside in range(column + 1, width):
                grid[row][beside] |= _LEFT | _RIGHT
    lines = []
    for row, word in enumerate(tree.words):
        tip = ("►" if word.head else "─") if any(bits & _RIGHT for bits in grid[row][-1:]) else " "
        tip = "*" if word.head == 0 else tip
        line = "".join(_LINES[bits] for bits in grid[row]) + tip + " "
        lines.append(_mirror(line) if mirrored else line)
    return lines


_MIRRORED = str.maketrans("╭╮╰╯├┤►", "╮╭╯╰┤├◄")


def _mirror(line: str) -> str:
    return line[::-1].translate(_MIRRORED)


def _brackets(tree: Tree) -> list[_Bracket]:
    sides: dict[tuple[int, bool], list[int]] = {}
    for head, dependent in tree.arcs:
        sides.setdefault((head - 1, dependent < head), [head - 1]).append(dependent - 1)
    return [_Bracket(head, tuple(sorted(rows))) for (head, _), rows in sides.items()]


def _places(brackets: Sequence[_Bracket]) -> list[int]:
    """The column of each bracket from the words outwards: outside all that it spans or crosses."""
    columns = [0] * len(brackets)
    done: list[int] = []
    for number in sorted(
        range(len(brackets)), key=lambda number: (brackets[number].high - brackets[number].low, brackets[number])
    ):
        mine = brackets[number]
        # Two sides of one head go on in one line; where another's end meets ours, it must show which is whose.
        others = [other for other in done if brackets[other].head != mine.head]
        over = [columns[o] for o in others if mine.low < brackets[o].high and brackets[o].low < mine.high]
        beside = {columns[o] for o in others if mine.low <= brackets[o].high and brackets[o].low <= mine.high}
        columns[number] = next(column for column in count(max(over, default=0) + 1) if column not in beside)
        done.append(number)
    return columns
