"""Trees as SVG: arcs above the words; a second analysis below them, with what differs in colour and dashed."""

from __future__ import annotations

from collections.abc import Sequence

from ..._text import PALETTE, columns_of, one_line
from .canvas import LABEL, SIZE, framed, text_of, word_places
from .tree import Tree, levels

_STEP, _GAP = 26, 22
"""Height of a level, space between words."""
_STYLE = (
    ".a{fill:none;stroke:#444;stroke-width:1.3}.h{fill:#444}.b{fill:white}"
    f".d .a{{stroke:{PALETTE[1]};stroke-dasharray:5 3;stroke-width:1.8}}.d .h,.d .l{{fill:{PALETTE[1]}}}"
)


def svg(tree: Tree, system: Tree | None = None) -> str:
    """The drawing as a file; `system` must have the same words. Text of right-to-left scripts runs from the right."""
    places, width = _places(tree, system)
    above = _Side(tree, places, -1, tree.different(system) if system else [])
    below = _Side(system, places, 1, tree.different(system)) if system else None
    top = above.height + SIZE + 8
    middle = 2 * SIZE + 10
    height = top + middle + (below.height if below else 0) + 10
    parts = above.parts(top - SIZE - 4)
    for word, x in zip(tree.words, places, strict=True):
        parts.append(f'<text class="w" x="{x}" y="{top}">{text_of(word.form)}</text>')
        parts.append(f'<text class="t" x="{x}" y="{top + SIZE}">{text_of(word.upos)}</text>')
    parts += below.parts(top + middle - 10) if below else []
    return framed(parts, width, height, tree.text, _STYLE)


class _Side:
    """The arcs of one analysis, above (-1) or below (1) the words."""

    def __init__(self, tree: Tree, places: Sequence[float], direction: int, different: Sequence[str]) -> None:
        self.tree, self.places, self.direction = tree, places, direction
        self.different = different or [""] * len(tree.words)
        self.levels = levels(tree.arcs)
        self.height = _STEP * (max(self.levels, default=0) + 1) + LABEL

    def parts(self, y: float) -> list[str]:
        drawn = []
        for (head, dependent), level in zip(self.tree.arcs, self.levels, strict=True):
            sign = 1 if self.places[dependent - 1] > self.places[head - 1] else -1
            a, b = self.places[head - 1] + 4 * sign, self.places[dependent - 1] - 2 * sign
            drawn.append(self._arc(dependent, a, b, y, y + self.direction * _STEP * level))
        for place, word in enumerate(self.tree.words, 1):
            if word.head == 0:
                x, end = self.places[place - 1], y + self.direction * (self.height - LABEL - 6)
                shape = f'<path class="a" d="M{x} {end}L{x} {y}"/>'
                drawn.append(self._group(place, shape, x, y, x, end + self.direction * 4))
        return drawn

    def _arc(self, dependent: int, a: float, b: float, y: float, peak: float) -> str:
        bend = min(abs(b - a) / 2, 14) * (1 if b > a else -1)
        shape = f'<path class="a" d="M{a} {y}C{a} {peak} {a} {peak} {a + bend} {peak}L{b - bend} {peak}'
        shape += f'C{b} {peak} {b} {peak} {b} {y}"/>'
        return self._group(dependent, shape, b, y, (a + b) / 2, peak)

    def _group(self, dependent: int, shape: str, x: float, y: float, middle: float, label_y: float) -> str:
        word, tip = self.tree.words[dependent - 1], y - self.direction * -6
        label = text_of(word.label)
        half = columns_of(one_line(word.label)) * LABEL * 0.29 + 2
        kind = ' class="d"' if self.different[dependent - 1] else ""
        return (
            f'<g{kind}>{shape}<path class="h" d="M{x - 3.5} {tip}L{x + 3.5} {tip}L{x} {y}Z"/>'
            f'<rect class="b" x="{middle - half:.1f}" y="{label_y - 7}" width="{2 * half:.1f}" height="14"/>'
            f'<text class="l" x="{middle}" y="{label_y + 4}">{label}</text></g>'
        )


def _places(tree: Tree, system: Tree | None) -> tuple[list[float], int]:
    """The middle of each word and the width of the drawing; labels between neighbours have room."""
    widths = []
    for place, word in enumerate(tree.words):
        labels = [word.label, *([system.words[place].label] if system else [])]
        text = max(columns_of(one_line(word.form)) * SIZE * 0.58, columns_of(one_line(word.upos)) * LABEL * 0.62)
        widths.append(max(text, *(columns_of(one_line(label)) * LABEL * 0.5 for label in labels)) + _GAP)
    return word_places(tree.forms, widths)
