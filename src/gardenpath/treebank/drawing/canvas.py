"""What drawings of trees as SVG share: the frame, the places of the words, and text that cannot break out of it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import accumulate
from unicodedata import bidirectional

from ..._text import one_line

SIZE, LABEL = 15, 11
"""Size of words and of labels."""
STYLE = (
    "text{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;text-anchor:middle;fill:#1a1a1a}"
    f".w{{font-size:{SIZE}px}}.t,.l,.n{{font-size:{LABEL}px}}.t{{fill:#666}}"
)


def framed(parts: Sequence[str], width: float, height: float, title: str, style: str) -> str:
    """The elements as a file, on white."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img">',
        f"<title>{text_of(title)}</title><style>{STYLE}{style}</style>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
        *parts,
        "</svg>\n",
    ])  # fmt: skip


def word_places(words: Sequence[str], widths: Sequence[float]) -> tuple[list[float], int]:
    """The middle of each word and the width of the drawing; text of right-to-left scripts runs from the right."""
    ends = list(accumulate(widths))
    middles = [round(end - width / 2 + 10, 1) for end, width in zip(ends, widths, strict=True)]
    total = round(ends[-1] if ends else 0) + 20
    strong = [kind for char in "".join(words) if (kind := bidirectional(char)) in ("L", "R", "AL")]
    if strong and strong.count("L") * 2 < len(strong):
        middles = [round(total - middle, 1) for middle in middles]
    return middles, total


def text_of(text: str) -> str:
    """Text as an element may hold it."""
    return escape(one_line(text))
