"""The leaf-ancestor measure (Sampson and Babarczy 2003): how alike are the paths from each word up to the root?

A lineage is the categories above a word, from the lowest. `[` stands before the highest of those that begin at the
word, `]` behind the highest of those that end there. Two lineages are as alike as 1 - distance / (both lengths), where
a label less or more costs 1 and another label 2.
"""

from __future__ import annotations

from collections.abc import Sequence

from .evalb import ALL, Parameters
from .tree import ROOT, PhraseTree


def lineages(tree: PhraseTree, parameters: Parameters = ALL, kept: int | None = None) -> list[tuple[str, ...]]:
    """Of every token; `kept` are the tokens that count, as bits: others begin and end nothing."""
    kept = (1 << len(tree)) - 1 if kept is None else kept
    found = []
    for token in range(len(tree)):
        above = []
        node = tree.mothers[token]
        while node != ROOT:
            if tree.node_label(node) not in parameters.delete_labels:
                above.append(node)
            node = tree.mothers[node]
        begins = [node for node in above if _first(tree.masks[node] & kept) == token]
        ends = [node for node in above if (tree.masks[node] & kept).bit_length() - 1 == token]
        line: list[str] = []
        for node in above:
            if begins and node == begins[-1]:
                line.append("[")
            line.append(parameters.label(tree.node_label(node)))
            if ends and node == ends[-1]:
                line.append("]")
        found.append(tuple(line))
    return found


def similarity(one: Sequence[str], other: Sequence[str]) -> float:
    """1 for equal lineages, 0 for such as share no label; twice the longest common part over both lengths."""
    if one == other:
        return 1.0
    row = [0] * (len(other) + 1)
    for label in one:
        diagonal = 0
        for place, second in enumerate(other, 1):
            above = row[place]
            row[place] = diagonal + 1 if label == second else max(above, row[place - 1])
            diagonal = above
    return 2 * row[-1] / (len(one) + len(other))


def _first(mask: int) -> int:
    return (mask & -mask).bit_length() - 1
