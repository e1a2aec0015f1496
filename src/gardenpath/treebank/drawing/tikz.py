"""Trees for papers: LaTeX with the package tikz-dependency."""

from __future__ import annotations

from ..._text import one_line, tex
from .tree import Tree


def tikz(tree: Tree, system: Tree | None = None) -> str:
    """The tree above the words; a second analysis of the same words below them, what differs in it dashed."""
    lines = [f"% {one_line(tree.sent_id)}: {one_line(tree.text)}", "\\begin{dependency}", "\\begin{deptext}"]
    lines += [" \\& ".join(tex(one_line(word.form)) for word in tree.words) + " \\\\"]
    lines += [" \\& ".join(tex(one_line(word.upos)) for word in tree.words) + " \\\\", "\\end{deptext}"]
    lines += _edges(tree, [""] * len(tree.words), "")
    if system is not None:
        lines += _edges(system, tree.different(system), "edge below")
    return "\n".join([*lines, "\\end{dependency}"]) + "\n"


def _edges(tree: Tree, different: list[str], style: str) -> list[str]:
    lines = []
    for place, (word, change) in enumerate(zip(tree.words, different, strict=True), 1):
        options = ", ".join(filter(None, [style, "edge style={dashed}" if change else ""]))
        given = f"[{options}]" if options else ""
        if word.head == 0:
            lines.append(f"\\deproot{given}{{{place}}}{{{tex(one_line(word.label))}}}")
        elif word.head is not None:
            lines.append(f"\\depedge{given}{{{word.head}}}{{{place}}}{{{tex(one_line(word.label))}}}")
    return lines
