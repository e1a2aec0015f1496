"""The leaf-ancestor measure (Sampson and Babarczy 2003): how alike are the paths from each word up to the root?

A lineage is the categories above a word, from the lowest. `[` stands before the highest of those that begin at the
word, `]` behind the highest of those that end there. Two lineages are as alike as 1 - distance / (both lengths), where
a label less or more costs 1 and another label 2.

disco-dop (van Cranenburgh, Scha and Bod 2016) has it otherwise: another label costs 1, so that unlike lineages of the
same length are still half alike; where a constituent goes on after a gap or breaks off before one, `{` and `}` stand
for it in the same way; and the score is the mean of the sentences' means, not the mean over all words.
"""

from __future__ import annotations

from collections.abc import Sequence

from .evalb import ALL, Parameters
from .tree import ROOT, PhraseTree


def lineages(
    tree: PhraseTree, parameters: Parameters = ALL, kept: int | None = None, *, gaps: bool = False
) -> list[tuple[str, ...]]:
    """Of every token; `kept` are the tokens that count, as bits: others begin and end nothing. `gaps`: mark these."""
    kept = (1 << len(tree)) - 1 if kept is None else kept
    lines = []
    for token in range(len(tree)):
        before = (kept & (1 << token) - 1).bit_length() - 1  # -1: it is the first that counts
        after = _first(kept >> token + 1 << token + 1)
        above = []
        node = tree.mothers[token]
        while node != ROOT:
            if tree.node_label(node) not in parameters.delete_labels:
                above.append(node)
            node = tree.mothers[node]
        line: list[str] = []
        for node in reversed(above):  # from the root: of several constituents the highest has the mark
            mask = tree.masks[node] & kept
            end = "]" if mask.bit_length() - 1 == token else "}" if gaps and not _holds(mask, after) else ""
            begin = "[" if _first(mask) == token else "{" if gaps and not _holds(mask, before) else ""
            line += [mark for mark in (end,) if mark and mark not in line]
            line.append(parameters.label(tree.node_label(node)))
            line += [mark for mark in (begin,) if mark and mark not in line]
        lines.append(tuple(reversed(line)))
    return lines


def similarity(first: Sequence[str], second: Sequence[str], replacing: int = 2) -> float:
    """1 for equal lineages; at a cost of 2 for replacing a label, 0 for such as share none.

    distances[i][j] = min(distances[i-1][j] + 1, distances[i][j-1] + 1, distances[i-1][j-1] + (0 or `replacing`))
    """
    if first == second:
        return 1.0
    row = list(range(len(second) + 1))
    for number, label in enumerate(first, 1):
        diagonal, row[0] = row[0], number
        for place, opposite in enumerate(second, 1):
            replaced = diagonal + (0 if label == opposite else replacing)
            diagonal = row[place]
            row[place] = min(diagonal + 1, row[place - 1] + 1, replaced)
    return 1 - row[-1] / (len(first) + len(second))


def _first(mask: int) -> int:
    """The lowest bit; -1 where there is none."""
    return (mask & -mask).bit_length() - 1


def _holds(mask: int, token: int) -> bool:
    return token >= 0 and bool(mask >> token & 1)
