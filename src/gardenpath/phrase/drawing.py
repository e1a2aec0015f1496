"""Drawings of phrase trees: on a terminal, as SVG, in LaTeX; alone or beside another analysis."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from .._text import PALETTE, columns_of, one_line, tex
from ..treebank.drawing import LABEL, SIZE, framed, text_of, word_places
from .encoding import NO_FUNCTION, ROOT, positions, stretches

if TYPE_CHECKING:
    from .tree import Node, PhraseTree


@dataclass(frozen=True)
class Layout:
    """The place of each node: `xs` as given for tokens, `levels` from 0 (tokens) upwards."""

    tree: PhraseTree
    xs: tuple[float, ...]
    levels: tuple[int, ...]

    @property
    def height(self) -> int:
        return max(self.levels, default=0)

    @cached_property
    def bars(self) -> dict[int, tuple[float, float]]:
        """From where to where the bar of each inner node goes."""
        return {node: _bar(self.tree, node, self.xs) for node in range(len(self.tree), len(self.xs))}


def laid_out(tree: PhraseTree, places: Sequence[float], room: float = 0.0) -> Layout:
    """The layout over tokens at these places; bars on one level are at least `room` apart.

    A node stands over one stretch of its own tokens. No line of a node with other tokens can go through that
    stretch, so that no label is crossed out.
    """
    xs, levels = list(places), [0] * len(tree)
    taken: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for node in range(len(tree), len(tree.mothers)):  # daughters have lower numbers than their mothers
        xs.append(_over(tree, node, xs))
        left, right = _bar(tree, node, xs)
        level = 1 + max(levels[child] for child in tree.children[node])
        while any(left - room < end and begin < right + room for begin, end in taken[level]):
            level += 1
        taken[level].append((left, right))
        levels.append(level)
    return Layout(tree, tuple(xs), tuple(levels))


def different(tree: PhraseTree, other: PhraseTree) -> list[str]:
    """For each node: nothing, or what of it the other tree does not have.

    Of an inner node `node` (no node of this category over these tokens) or `function`; of a token `tag`,
    `function` or `root` (it hangs at the root in one tree only).
    """
    there: dict[tuple[int, str], list[str]] = defaultdict(list)
    for node in other.inner:
        there[node.mask, node.label].append(node.function)
    differences = []
    for token in range(len(tree)):
        changes = ["tag"] if tree.tags[token] != other.tags[token] else []
        changes += ["function"] if tree.functions[token] != other.functions[token] else []
        changes += ["root"] if (tree.mothers[token] == ROOT) != (other.mothers[token] == ROOT) else []
        differences.append(" and ".join(changes))
    kinds = dict.fromkeys(range(len(tree), len(tree.mothers)), "node")
    # Nodes that agree in all are matched first: of two equal brackets one may still have another function.
    for exact in (True, False):
        for node in tree.inner:
            left = there[node.mask, node.label]
            if kinds[node.number] == "node" and (node.function in left if exact else left):
                left.remove(node.function if exact else left[0])
                kinds[node.number] = "" if exact else "function"
    return [*differences, *kinds.values()]


def _over(tree: PhraseTree, node: int, xs: Sequence[float]) -> float:
    """The middle of the daughters that stand over one stretch of the node: the one with most of them."""
    own = [xs[child] for child in tree.children[node]]
    groups = []
    for first, last in stretches(tree.masks[node]):
        low, high = sorted((xs[first], xs[last]))
        groups.append([x for x in own if low <= x <= high])
    best = max(groups, key=len)
    return (min(best) + max(best)) / 2


def _bar(tree: PhraseTree, node: int, xs: Sequence[float]) -> tuple[float, float]:
    ends = [xs[node], *(xs[child] for child in tree.children[node])]
    return min(ends), max(ends)


_STEP, _GAP, _BOX = 44, 18, 18  # Height of a level, space between words, height of a box
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
        drawn, height = _svg_half(layout, changes, top)
        parts += drawn
        top += height + 14
    return framed(parts, width, round(top), " ".join(tree.words), _STYLE)


def _svg_half(layout: Layout, changes: Sequence[str], top: float) -> tuple[list[str], float]:
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


_WORD, _LEVEL = 0.2, 1.1  # Centimetres: of a letter, of a level


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
        height, drawn = _tikz_half(shown, changes, letter, top)
        lines += drawn
        top -= height
    return "\n".join([*lines, "\\end{tikzpicture}"]) + "\n"


def _tikz_half(tree: PhraseTree, changes: list[str], letter: str, top: float) -> tuple[float, list[str]]:
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
