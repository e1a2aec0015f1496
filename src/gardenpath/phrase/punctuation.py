"""Punctuation, which the German schemes leave at the virtual root: lowered into the tree, raised back, or removed."""

from __future__ import annotations

from collections.abc import Collection

from .schemes.stts import PUNCTUATION
from .tree import ROOT, PhraseTree
from .tree_edits import regrown, without_tokens


def lowered(tree: PhraseTree, tags: Collection[str] = PUNCTUATION) -> PhraseTree:
    """Marks at the virtual root go into the lowest node that covers the nearest words on both sides.

    What stands before the first or behind the last word stays. No node has a gap afterwards that only punctuation
    at the root made, but for nodes of nothing but marks: these get no others.
    """
    marks = {at for at in range(len(tree)) if tree.mothers[at] == ROOT and tree.tags[at] in tags}
    words = [at for at in range(len(tree)) if at not in marks]
    if not marks or not words:
        return tree
    mothers, left = list(tree.mothers), -1
    solid = sum(1 << at for at in range(len(tree)) if tree.tags[at] not in tags)
    following = iter(words)
    right = next(following, len(tree))
    for at in range(len(tree)):
        if at == right:
            left, right = right, next(following, len(tree))
        elif left >= 0 and right < len(tree):
            mothers[at] = _covering(tree, left, right, solid)
    return regrown(tree, tree.labels, tree.functions, mothers)


def _covering(tree: PhraseTree, left: int, right: int, solid: int) -> int:
    """The lowest node over both tokens that has one of the solid ones, too (all as bits)."""
    wanted = 1 << left | 1 << right
    node = tree.mothers[left]
    while node != ROOT and (tree.masks[node] & wanted != wanted or not tree.masks[node] & solid):
        node = tree.mothers[node]
    return node


def at_root(tree: PhraseTree, tags: Collection[str] = PUNCTUATION) -> PhraseTree:
    """All marks hang at the virtual root, functions kept; in a node of nothing but marks they stay."""
    marks = [at for at in range(len(tree)) if tree.tags[at] in tags and tree.mothers[at] != ROOT]
    mask = sum(1 << at for at in range(len(tree)) if tree.tags[at] in tags)
    mothers = list(tree.mothers)
    for at in marks:
        if tree.masks[tree.mothers[at]] & ~mask:
            mothers[at] = ROOT
    return regrown(tree, tree.labels, tree.functions, mothers)


def without_punctuation(tree: PhraseTree, tags: Collection[str] = PUNCTUATION) -> PhraseTree:
    """The tree of the words only."""
    return without_tokens(tree, [at for at in range(len(tree)) if tree.tags[at] in tags])
