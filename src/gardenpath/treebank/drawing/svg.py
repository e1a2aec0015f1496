"""Trees as SVG: arcs above the words; a second analysis below them, with what differs in colour and dashed."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import accumulate
from unicodedata import bidirectional

from ..._text import PALETTE, columns_of, one_line
from .tree import Tree, levels

_STEP, _GAP, _SIZE, _LABEL = 26, 22, 15, 11
"""Height of a level, space between words, size of words and of labels."""
_STYLE = (
    "text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;text-anchor:middle;fill:#1a1a1a}"
    f".w{{font-size:{_SIZE}px}}.t,.l{{font-size:{_LABEL}px}}.t{{fill:#666}}"
    ".a{fill:none;stroke:#444;stroke-width:1.3}.h{fill:#444}.b{fill:white}"
    f".d .a{{stroke:{PALETTE[1]};stroke-dasharray:5 3;stroke-width:1.8}}.d .h,.d .l{{fill:{PALETTE[1]}}}"
)


def svg(tree: Tree, system: Tree | None = None) -> str:
    """The drawing as a file; `system` must have the same words. Text of right-to-left scripts runs from the right."""
    places, width = _places(tree, system)
    above = _Side(tree, places, -1, tree.different(system) if system else [])
    below = _Side(system, places, 1, tree.different(system)) if system else None
    top = above.height + _SIZE + 8
    middle = 2 * _SIZE + 10
    height = top + middle + (below.height if below else 0) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img">',
        f"<title>{_text(tree.text)}</title><style>{_STYLE}</style>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *above.parts(top - _SIZE - 4),
    ]
    for word, x in zip(tree.words, places, strict=True):
        parts.append(f'<text class="w" x="{x}" y="{top}">{_text(word.form)}</text>')
        parts.append(f'<text class="t" x="{x}" y="{top + _SIZE}">{_text(word.upos)}</text>')
    parts += below.parts(top + middle - 10) if below else []
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Side:
    """The arcs of one analysis, above (-1) or below (1) the words."""

    def __init__(self, tree: Tree, places: Sequence[float], direction: int, different: Sequence[str]) -> None:
        self.tree, self.places, self.direction = tree, places, direction
        self.different = different or [""] * len(tree.words)
        self.levels = levels(tree.arcs)
        self.height = _STEP * (max(self.levels, default=0) + 1) + _LABEL

    def parts(self, y: float) -> list[str]:
        drawn = []
        for (head, dependent), level in zip(self.tree.arcs, self.levels, strict=True):
            sign = 1 if self.places[dependent - 1] > self.places[head - 1] else -1
            a, b = self.places[head - 1] + 4 * sign, self.places[dependent - 1] - 2 * sign
            drawn.append(self._arc(dependent, a, b, y, y + self.direction * _STEP * level))
        for place, word in enumerate(self.tree.words, 1):
            if word.head == 0:
                x, end = self.places[place - 1], y + self.direction * (self.height - _LABEL - 6)
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
        label = _text(word.label)
        half = columns_of(one_line(word.label)) * _LABEL * 0.29 + 2
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
        text = max(columns_of(one_line(word.form)) * _SIZE * 0.58, columns_of(one_line(word.upos)) * _LABEL * 0.62)
        widths.append(max(text, *(columns_of(one_line(label)) * _LABEL * 0.5 for label in labels)) + _GAP)
    ends = list(accumulate(widths))
    middles = [round(end - width / 2 + 10, 1) for end, width in zip(ends, widths, strict=True)]
    total = round(ends[-1] if ends else 0) + 20
    strong = [kind for char in "".join(tree.forms) if (kind := bidirectional(char)) in ("L", "R", "AL")]
    if strong and strong.count("L") * 2 < len(strong):
        middles = [round(total - middle, 1) for middle in middles]
    return middles, total


def _text(text: str) -> str:
    return escape(one_line(text))
