"""Phrase trees for papers: a tikzpicture with all nodes at their places, for `forest` cannot cross branches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._text import columns_of, one_line, tex
from ..encoding import NO_FUNCTION, ROOT

if TYPE_CHECKING:
    from ..tree import PhraseTree
from .layout import different, laid_out

_WORD, _LEVEL = 0.2, 1.1
"""Centimetres: of a letter, of a level."""


def tikz(tree: PhraseTree, system: PhraseTree | None = None) -> str:
    """The tree; a second analysis of the same words below it, and in both what the other does not have dotted."""
    lines = [f"% {one_line(tree.sent_id)}: {one_line(' '.join(tree.words))}", "\\begin{tikzpicture}["]
    lines += ["  every node/.style={inner sep=1.5pt, font=\\small}, word/.style={text height=1.5ex, text depth=.3ex},"]
    lines += ["  category/.style={draw, fill=white, rounded corners}, function/.style={fill=white, font=\\tiny},"]
    lines += ["  secondary/.style={dashed, ->}, differs/.style={very thick, densely dotted, sharp corners}]"]
    top = 0.0
    for letter, shown, other in (("a", tree, system), ("b", system, tree)):
        if shown is None:
            continue
        changes = [""] * len(shown.mothers) if other is None else different(shown, other)
        height, drawn = _drawn(shown, changes, letter, top)
        lines += drawn
        top -= height
    return "\n".join([*lines, "\\end{tikzpicture}"]) + "\n"


def _drawn(tree: PhraseTree, changes: list[str], letter: str, top: float) -> tuple[float, list[str]]:
    """The height of a tree and the commands that draw it; nodes are named by a letter and their number."""
    places, at = [], 0.0
    for word, tag in zip(tree.words, tree.tags, strict=True):
        width = max(columns_of(one_line(word)), columns_of(one_line(tag)), 3) * _WORD + 0.2
        places.append(round(at + width / 2, 2))
        at += width
    layout = laid_out(tree, places, room=0.3)
    base = top - _LEVEL * layout.height
    lines = []
    for node in range(len(tree.mothers)):
        y = base + _LEVEL * layout.levels[node]
        if node < len(tree):
            text, style = f"{_tex(tree.tags[node])}\\\\{_tex(tree.words[node])}", "word, align=center, anchor=north"
        else:
            text, style = _tex(tree.node_label(node)), "category" + (", differs" if changes[node] else "")
        lines.append(f"\\node[{style}] ({letter}{node}) at ({layout.xs[node]:.2f},{y:.2f}) {{{text}}};")
    for node, mother in enumerate(tree.mothers):
        if mother == ROOT:
            continue
        style = "[differs]" if changes[node] else ""
        function = tree.functions[node]
        label = f" node[function, pos=.75] {{{_tex(function)}}}" if function not in NO_FUNCTION else ""
        lines.append(f"\\draw{style} ({letter}{mother}) -| ({letter}{node}.north){label};")
    for node, label, mother in tree.secondary:
        if mother != ROOT:
            middle = f"node[function] {{{_tex(label)}}}"
            lines.append(f"\\draw[secondary] ({letter}{node}) to[bend right] {middle} ({letter}{mother});")
    return _LEVEL * layout.height + 1.8, lines


def _tex(text: str) -> str:
    return tex(one_line(text))
