"""Drawings of dependency trees: on a terminal, as SVG, in LaTeX; alone or beside another analysis."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from itertools import accumulate, count
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import bidirectional

from .._text import PALETTE, columns_of, one_line, tex
from ..errors import UsageError

if TYPE_CHECKING:
    from .format.sentence import Sentence


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


@dataclass(frozen=True, slots=True)
class Word:
    """`head` counts from 1; 0 is the root, None where there is none (partial gold)."""

    form: str
    upos: str
    head: int | None
    label: str


@dataclass(frozen=True)
class Tree:
    """One sentence with one analysis."""

    sent_id: str
    text: str
    words: tuple[Word, ...]

    @classmethod
    def of(cls, sentence: Sentence) -> Tree:
        words = tuple(Word(node.form, node.upos, node.head, node.deprel) for node in sentence.words)
        return cls(sentence.sent_id or str(sentence.number + 1), sentence.text, words)

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(word.form for word in self.words)

    @cached_property
    def arcs(self) -> list[tuple[int, int]]:
        """Return (head, dependent) of every edge between two words, by dependent; no word has an arc to itself."""
        return [(word.head, place) for place, word in enumerate(self.words, 1) if word.head and word.head != place]

    def displaced(self) -> Tree:
        """Return the tree with each edge labelled by its displacement, word minus head; the root keeps its label."""
        labelled = [
            replace(word, label=f"{place - word.head:+d}") if word.head else word
            for place, word in enumerate(self.words, 1)
        ]
        return replace(self, words=tuple(labelled))

    def different(self, other: Tree) -> list[str]:
        """For each word: nothing, `head`, `label` or `head and label`, by what the other analysis has instead."""
        return [
            " and ".join([*(["head"] if a.head != b.head else []), *(["label"] if a.label != b.label else [])])
            for a, b in zip(self.words, other.words, strict=True)
        ]


_COMPARED = ("head", "deprel", "upos", "feats")
GAP = "…"
"""In place of words that are left out of a drawing."""


class Marked(NamedTuple):
    """A tree, and for each word what of it is different in another analysis: `head, deprel`, or nothing."""

    tree: Tree
    marks: tuple[str, ...]


def differing_parts(sentences: Sequence[Sentence]) -> list[Marked]:
    """Return what differs between analyses of one sentence: those words with their heads, marked against the first.

    Features are drawn where they differ. Where nothing differs, all words are kept; an analysis of more or fewer words
    than the first stays whole, unmarked.
    """
    first = sentences[0].words
    alike = [sentence.words for sentence in sentences if len(sentence) == len(first)]
    changed = {
        part: {place for place in range(len(first)) if len({words[place][part] for words in alike}) > 1}
        for part in ("form", *_COMPARED)
    }
    kept = set().union(*changed.values())
    kept |= {head - 1 for words in alike for place in sorted(kept) if (head := words[place].head)}
    kept = kept or set(range(len(first)))
    parts = []
    for sentence in sentences:
        if len(sentence) != len(first):
            parts.append(Marked(Tree.of(sentence), ("",) * len(sentence)))
            continue
        tree, place_of = _pruned(Tree.of(sentence), kept)
        words, marks = list(tree.words), [""] * len(tree.words)
        for place, new in place_of.items():
            own = sentence.words[place]
            if place in changed["feats"]:
                words[new] = replace(words[new], upos=f"{own.upos} {own['feats']}")
            marks[new] = ", ".join(part for part in _COMPARED if own[part] != first[place][part])
        parts.append(Marked(replace(tree, words=tuple(words)), tuple(marks)))
    return parts


def _pruned(tree: Tree, kept: Collection[int]) -> tuple[Tree, dict[int, int]]:
    """Return the tree with these words only (from 0), gaps in place of others, and where each of them is now."""
    place_of, size, last = dict[int, int](), 0, -1
    for place in sorted(kept):
        size += place > last + 1  # a gap
        place_of[place], size, last = size, size + 1, place
    size += last + 1 < len(tree.words)
    words = [Word(GAP, "", None, "")] * size
    for place, new in place_of.items():
        head = tree.words[place].head
        if head:
            head = place_of[head - 1] + 1 if head - 1 in place_of else None
        words[new] = replace(tree.words[place], head=head)
    return replace(tree, words=tuple(words)), place_of


def levels(arcs: Sequence[tuple[int, int]]) -> list[int]:
    """How high each arc is drawn, from 1: above every arc that it spans or crosses and that is shorter."""
    order = sorted(range(len(arcs)), key=lambda number: (abs(arcs[number][0] - arcs[number][1]), min(arcs[number])))
    heights = [0] * len(arcs)
    highest: list[int] = [0] * (max(map(max, arcs), default=0) + 1)
    for number in order:
        low, high = sorted(arcs[number])
        # Gaps between neighbouring words carry the arcs over them: the new one goes on top of the highest.
        heights[number] = 1 + max(highest[low:high])
        highest[low:high] = [heights[number]] * (high - low)
    return heights


_STEP, _GAP = 26, 22  # Height of a level, space between words
_LINE = 100
"""Characters of a line of text above a drawing."""
_STYLE = (
    ".a{fill:none;stroke:#444;stroke-width:1.3}.h{fill:#444}.b{fill:white}"
    f".d .a{{stroke:{PALETTE[1]};stroke-dasharray:5 3;stroke-width:1.8}}.d .h,.d .l,.m{{fill:{PALETTE[1]}}}"
)


def svg(tree: Tree, system: Tree | None = None) -> str:
    """The drawing as a file; `system` must have the same words. Text of right-to-left scripts runs from the right."""
    return framed(*_svg(tree, system), tree.text, _STYLE)


def svg_of_all(drawings: Iterable[Marked], title: str) -> str:
    """Draw trees below each other in one file, each under its own text; what is marked is red."""
    parts, width, y = list[str](), 0.0, 0.0
    for tree, marks in drawings:
        own, own_width, own_height = _svg(tree, None, marks)
        for line in wrap(one_line(_heading(tree)), _LINE):
            y += SIZE + 5
            parts.append(f'<text class="w" style="text-anchor:start" x="10" y="{y}">{text_of(line)}</text>')
            width = max(width, own_width, round(columns_of(line) * SIZE * 0.58 + 20))
        parts += [f'<g transform="translate(0 {y + 8})">', *own, "</g>"]
        y += own_height + 20
    return framed(parts, width, y, title, _STYLE)


def _svg(tree: Tree, system: Tree | None, marks: Sequence[str] = ()) -> tuple[list[str], float, float]:
    """Return the elements of a drawing, its width and its height."""
    places, width = _column_places(tree, system)
    marks = marks or [""] * len(tree.words)
    above = _Side(tree, places, -1, tree.different(system) if system else _of_edges(marks))
    below = _Side(system, places, 1, tree.different(system)) if system else None
    top = above.height + SIZE + 8
    middle = 2 * SIZE + 10
    height = top + middle + (below.height if below else 0) + 10
    parts = above.parts(top - SIZE - 4)
    for word, x, mark in zip(tree.words, places, marks, strict=True):
        kind = "t m" if "upos" in mark or "feats" in mark else "t"
        parts.append(f'<text class="w" x="{x}" y="{top}">{text_of(word.form)}</text>')
        parts.append(f'<text class="{kind}" x="{x}" y="{top + SIZE}">{text_of(word.upos)}</text>')
    parts += below.parts(top + middle - 10) if below else []
    return parts, width, height


def _of_edges(marks: Sequence[str]) -> list[str]:
    return [mark if "head" in mark or "deprel" in mark else "" for mark in marks]


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


def _column_places(tree: Tree, system: Tree | None) -> tuple[list[float], int]:
    """The middle of each word and the width of the drawing; labels between neighbours have room."""
    widths = []
    for place, word in enumerate(tree.words):
        labels = [word.label, *([system.words[place].label] if system else [])]
        text = max(columns_of(one_line(word.form)) * SIZE * 0.58, columns_of(one_line(word.upos)) * LABEL * 0.62)
        widths.append(max(text, *(columns_of(one_line(label)) * LABEL * 0.5 for label in labels)) + _GAP)
    return word_places(tree.forms, widths)


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


def drawn(tree: Tree, marks: Sequence[str] = ()) -> str:
    """The tree, its edges to the left of the words; an arrow points at a dependent. Behind ≠ stands what is marked."""
    cells = [list(map(one_line, (word.form, word.upos, word.label))) for word in tree.words]
    for row, mark in zip(cells, marks, strict=False):
        row.append(f"≠ {mark}" if mark else "")
    texts = _aligned(cells)
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
    return "\n".join([f"# {one_line(_heading(tree))}", *(line.rstrip() for line in lines)])


def _heading(tree: Tree) -> str:
    return f"{tree.sent_id}: {tree.text}"


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
        lines.append(line[::-1].translate(_MIRRORED) if mirrored else line)
    return lines


_MIRRORED = str.maketrans("╭╮╰╯├┤►", "╮╭╯╰┤├◄")


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


def tikz(tree: Tree, system: Tree | None = None, marks: Sequence[str] = ()) -> str:
    """The tree above the words, a second analysis of the same words below; what is marked or differs is dashed."""
    lines = [f"% {one_line(_heading(tree))}", "\\begin{dependency}", "\\begin{deptext}"]
    lines += [" \\& ".join(tex(one_line(word.form)) for word in tree.words) + " \\\\"]
    lines += [" \\& ".join(tex(one_line(word.upos)) for word in tree.words) + " \\\\", "\\end{deptext}"]
    lines += _tikz_edges(tree, _of_edges(marks or [""] * len(tree.words)), "")
    if system is not None:
        lines += _tikz_edges(system, tree.different(system), "edge below")
    return "\n".join([*lines, "\\end{dependency}"]) + "\n"


def _tikz_edges(tree: Tree, different: list[str], style: str) -> list[str]:
    lines = []
    for place, (word, change) in enumerate(zip(tree.words, different, strict=True), 1):
        options = ", ".join(filter(None, [style, "edge style={dashed}" if change else ""]))
        given = f"[{options}]" if options else ""
        if word.head == 0:
            lines.append(f"\\deproot{given}{{{place}}}{{{tex(one_line(word.label))}}}")
        elif word.head is not None:
            lines.append(f"\\depedge{given}{{{word.head}}}{{{place}}}{{{tex(one_line(word.label))}}}")
    return lines
