"""Traces and other empty elements of Penn-style trees: tokens that nobody wrote, with the tag -NONE-."""

from __future__ import annotations

from collections.abc import Sequence

from .brackets import without_index
from .penn import NONE
from .tree import PhraseTree
from .tree_edits import regrown, without_tokens


def traces(tree: PhraseTree) -> list[int]:
    """The empty tokens."""
    return [at for at, tag in enumerate(tree.tags) if tag == NONE]


def without_traces(trees: Sequence[PhraseTree]) -> tuple[list[PhraseTree], int]:
    """The trees without empty tokens and the nodes that hold nothing else, and how many there were.

    Where there are any, the numbers that say what a trace belongs to (`SBJ-1`, `=2`) go too: they are no functions.
    """
    places = [traces(tree) for tree in trees]
    count = sum(map(len, places))
    if not count:
        return list(trees), 0
    spoken = (without_tokens(tree, gone) if gone else tree for tree, gone in zip(trees, places, strict=True))
    return [
        regrown(tree, tree.labels, [without_index(name) for name in tree.functions], tree.mothers) for tree in spoken
    ], count
