"""Crossing branches resolved by raising: what stands apart from the rest of its node moves up to the mother.

From the lowest nodes up, each node keeps one stretch of its children without a gap and gives the others to its
mother, until no node has a gap. It keeps the stretch with its head if a head function is given (and finds one), else
the longest (of equal ones the first). Lower punctuation first (`punctuation.lowered`): at the virtual root it makes
gaps of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from .schemes.registry import schemes
from .tree import ROOT, Node, PhraseTree
from .tree_edits import regrown

HeadChild = Callable[[Node], Node | None]
_HEADS = frozenset(scheme.functions.head.upper() for scheme in schemes())


def raised(tree: PhraseTree, head: HeadChild | None = None) -> PhraseTree:
    """The tree without gaps; functions and secondary edges stay at their nodes."""
    if not any(node.has_gap for node in tree.inner):
        return tree
    return regrown(tree, tree.labels, tree.functions, raised_mothers(tree, head))


def raised_mothers(tree: PhraseTree, head: HeadChild | None = None) -> list[int]:
    """Where each node of the tree hangs when it is raised, by the numbers of the tree as it is."""
    size, total = len(tree), len(tree.mothers)
    mothers = list(tree.mothers)
    children: list[list[int]] = [list(tree.children[node]) for node in range(total)]
    spans = [(at, at + 1) for at in range(size)] + [(0, 0)] * len(tree.labels)
    for node in range(size, total):  # daughters come first and have no gaps any more
        runs: list[list[int]] = []
        for child in sorted(children[node], key=spans.__getitem__):
            if runs and spans[runs[-1][-1]][1] == spans[child][0]:
                runs[-1].append(child)
            else:
                runs.append([child])
        kept = runs[0] if len(runs) == 1 else _kept(tree[node], runs, spans, head)
        spans[node] = (spans[kept[0]][0], spans[kept[-1]][1])
        for run in runs:
            if run is not kept:
                for child in run:
                    mothers[child] = mothers[node]
                    if mothers[node] != ROOT:
                        children[mothers[node]].append(child)
    return mothers


def marked_head(node: Node) -> Node | None:
    """The first child whose function says that it is the head (HD), if any."""
    return next((child for child in node.children if child.function.upper() in _HEADS), None)


def _kept(node: Node, runs: list[list[int]], spans: list[tuple[int, int]], head: HeadChild | None) -> list[int]:
    child = head(node) if head is not None else None
    if child is not None:
        for run in runs:
            if child.number in run:
                return run
    return max(runs, key=lambda run: spans[run[-1]][1] - spans[run[0]][0])
