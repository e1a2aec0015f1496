"""Phrase trees for a terminal: a node a line, daughters below it; a node with a gap says which tokens it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..._text import columns_of, one_line
from ..encoding import NO_FUNCTION, ROOT, positions

if TYPE_CHECKING:
    from ..tree import Node, PhraseTree
from .layout import different, stretches

GAP = "⌇"
"""Marks a node with tokens of others between its own: branches that cross."""
_RED, _END = "\x1b[31m", "\x1b[0m"


def drawn(tree: PhraseTree) -> str:
    """The tree, its tokens numbered from 1 as they stand in the sentence."""
    return "\n".join([_title(tree), *_lines(tree, [""] * len(tree.mothers), "", colour=False)])


def drawn_difference(gold: PhraseTree, system: PhraseTree, *, colour: bool = False) -> str:
    """Gold above, the system below; `≠` stands before what the other does not have, and what it is stands behind."""
    if gold.words != system.words:
        return f"{drawn(gold)}\n\nother words:\n{drawn(system)}"
    of_gold, of_system = different(gold, system), different(system, gold)
    parts = ["gold:", *_lines(gold, of_gold, "≠", colour=colour)]
    parts += ["other:", *_lines(system, of_system, "≠", colour=colour)]
    missing, extra = (sum(map(bool, changes[len(gold) :])) for changes in (of_gold, of_system))
    counts = f"{missing} of {len(gold.labels)} nodes of gold are not so in the other, {extra} of {len(system.labels)}"
    return "\n".join([_title(gold), *parts, f"{counts} are not so in gold"])


def _title(tree: PhraseTree) -> str:
    return f"# {one_line(tree.sent_id or '?')}: {one_line(' '.join(tree.words))}"


def _lines(tree: PhraseTree, changes: Sequence[str], mark: str, *, colour: bool) -> list[str]:
    rows: list[tuple[str, str, str]] = []
    """The drawing, what stands behind it, and what differs."""
    for top in tree.top:
        _add(top, "", "", changes, rows)
    width = max((columns_of(drawing) for drawing, behind, _ in rows if behind), default=0)
    lines = []
    for drawing, behind, change in rows:
        space = " " * (width - columns_of(drawing) + 1) if behind else ""
        note = f"  ({change})" if change and change != "node" else ""
        before = f"{mark if change else ' '} " if mark else ""
        line = f"{before}{drawing}{space}{behind}{note}".rstrip()
        lines.append(f"{_RED}{line}{_END}" if change and colour else line)
    return lines


def _add(node: Node, before: str, joint: str, changes: Sequence[str], rows: list[tuple[str, str, str]]) -> None:
    # A stack and not recursion: a tree of 300 tokens may be 300 levels deep.
    waiting = [(node, before, joint)]
    while waiting:
        constituent, inset, branch = waiting.pop()
        function = "" if constituent.function in NO_FUNCTION else f"{one_line(constituent.function)} "
        drawing = f"{inset}{branch}{function}{one_line(constituent.label)}"
        behind = f"{constituent.number + 1:>3} {one_line(constituent.word)}" if constituent.is_token else ""
        if _crossed(constituent):
            drawing += f" {GAP} {_told(constituent.mask)}"
        for label, mother in constituent.second_mothers:
            drawing += f" ⇢{one_line(label)} {one_line(mother.label)} {_told(mother.mask)}"
        rows.append((drawing, behind, changes[constituent.number]))
        below = inset + {"": "", "├ ": "│ ", "╰ ": "  "}[branch]
        children = constituent.children
        for place, child in reversed(list(enumerate(children, 1))):
            waiting.append((child, below, "╰ " if place == len(children) else "├ "))


def _crossed(node: Node) -> bool:
    """Do branches cross here? Tokens that hang at the root, as commas do, have no branch."""
    inside = ((1 << node.end) - 1) & ~((1 << node.start) - 1) & ~node.mask
    return bool(inside) and any(node.tree.mothers[token] != ROOT for token in positions(inside))


def _told(mask: int) -> str:
    """Tokens from 1: `1, 4–5`."""
    return ", ".join(f"{a + 1}" if a == b else f"{a + 1}–{b + 1}" for a, b in stretches(mask))
