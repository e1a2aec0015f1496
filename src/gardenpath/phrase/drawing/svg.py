"""Phrase trees as SVG: nodes as boxes over the words, functions on the lines, second mothers by dashed curves.

What another analysis does not have is in another colour, its lines dotted and its box with corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..._text import PALETTE, columns_of, one_line
from ...treebank.drawing.canvas import LABEL, SIZE, framed, text_of, word_places
from ..encoding import NO_FUNCTION, ROOT

if TYPE_CHECKING:
    from ..tree import PhraseTree
from .layout import Layout, different, laid_out

_STEP, _GAP, _BOX = 44, 18, 18
"""Height of a level, space between words, height of a box."""
_STYLE = (
    ".n{font-weight:700}.a{fill:none;stroke:#444;stroke-width:1.2}.b{fill:white;stroke:#444;stroke-width:1}.k{fill:white}"
    f".s{{fill:none;stroke:{PALETTE[0]};stroke-width:1.4;stroke-dasharray:7 4}}.p{{fill:{PALETTE[0]}}}"
    f".d .a{{stroke:{PALETTE[1]};stroke-width:2.2;stroke-dasharray:2 3}}.d .l,.d .n,.d.t{{fill:{PALETTE[1]};"
    f"font-weight:700}}.d .b{{stroke:{PALETTE[1]};stroke-width:2}}"
)


def svg(tree: PhraseTree, system: PhraseTree | None = None) -> str:
    """The drawing as a file; a second analysis of the same words stands below, what differs is marked in both."""
    places, width = _places(tree, system)
    shown = [tree] if system is None else [tree, system]
    parts, top = list[str](), 10.0
    for shown_tree, other in zip(shown, [system, tree], strict=False):
        layout = laid_out(shown_tree, places, room=_GAP)
        changes = [""] * len(shown_tree.mothers) if other is None else different(shown_tree, other)
        drawn, height = _drawn(layout, changes, top)
        parts += drawn
        top += height + 14
    return framed(parts, width, round(top), " ".join(tree.words), _STYLE)


def _drawn(layout: Layout, changes: Sequence[str], top: float) -> tuple[list[str], float]:
    """The elements of one tree from `top` down, and how high it is."""
    tree, xs = layout.tree, layout.xs
    base = top + _STEP * layout.height + _BOX / 2

    def y(node: int) -> float:
        return base - _STEP * layout.levels[node]

    lines, marked, labels, boxes = list[str](), list[str](), list[str](), list[str]()
    for node, mother in enumerate(tree.mothers):
        if mother == ROOT:
            continue
        mark = ' class="d"' if changes[node] else ""
        end = y(node) - (_BOX / 2 if node >= len(tree) else 0)
        (marked if mark else lines).append(
            f'<g{mark}><path class="a" d="M{xs[mother]:.1f} {y(mother)}H{xs[node]:.1f}V{end}"/></g>'
        )
        if tree.functions[node] not in NO_FUNCTION:
            labels.append(f"<g{mark}>{_plate(tree.functions[node], xs[node], y(mother) + _STEP / 2)}</g>")
    for node, label, mother in tree.secondary:
        if mother != ROOT:
            lines.append(_second(xs[node], y(node), xs[mother], y(mother) + _BOX / 2))
            near = xs[node] + 0.3 * (xs[mother] - xs[node]), y(node) + 0.2 * (y(mother) - y(node))
            labels.append(_plate(label, *near, kind="l p"))
    for node in range(len(tree), len(tree.mothers)):
        half = columns_of(one_line(tree.node_label(node))) * LABEL * 0.34 + 6
        mark, round_ = (' class="d"', 0) if changes[node] else ("", 8)
        boxes.append(
            f'<g{mark}><rect class="b" x="{xs[node] - half:.1f}" y="{y(node) - _BOX / 2}" width="{2 * half:.1f}" '
            f'height="{_BOX}" rx="{round_}"/><text class="n" x="{xs[node]:.1f}" y="{y(node) + 4}">'
            f"{text_of(tree.node_label(node))}</text></g>"
        )
    for token, (word, tag) in enumerate(zip(tree.words, tree.tags, strict=True)):
        mark = " d" if changes[token] else ""
        boxes.append(f'<text class="t{mark}" x="{xs[token]:.1f}" y="{base + 12}">{text_of(tag)}</text>')
        boxes.append(f'<text class="w" x="{xs[token]:.1f}" y="{base + 12 + SIZE + 3}">{text_of(word)}</text>')
    return [*lines, *marked, *labels, *boxes], base + 12 + 2 * SIZE - top


def _plate(text: str, x: float, y: float, kind: str = "l") -> str:
    half = columns_of(one_line(text)) * LABEL * 0.3 + 2
    back = f'<rect class="k" x="{x - half:.1f}" y="{y - 7}" width="{2 * half:.1f}" height="14"/>'
    return f'{back}<text class="{kind}" x="{x:.1f}" y="{y + 4}">{text_of(text)}</text>'


def _second(x: float, y: float, to_x: float, to_y: float) -> str:
    """From a node to its second mother, with an arrow there."""
    side = 26 if to_x >= x else -26
    curve = f"M{x:.1f} {y}C{x + side:.1f} {y} {to_x - side:.1f} {to_y + 30} {to_x:.1f} {to_y + 6}"
    arrow = f"M{to_x - 4:.1f} {to_y + 7}L{to_x + 4:.1f} {to_y + 7}L{to_x:.1f} {to_y}Z"
    return f'<path class="s" d="{curve}"/><path class="p" d="{arrow}"/>'


def _places(tree: PhraseTree, system: PhraseTree | None) -> tuple[list[float], int]:
    """The middle of each word and the width of the drawing; tags and functions have room."""
    widths = []
    for token, word in enumerate(tree.words):
        labels = [text for one in (tree, system) if one for text in (one.tags[token], one.functions[token])]
        small = max(columns_of(one_line(label)) for label in labels) * LABEL * 0.62
        widths.append(max(columns_of(one_line(word)) * SIZE * 0.58, small, _BOX) + _GAP)
    return word_places(tree.words, widths)
