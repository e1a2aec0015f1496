"""Traces and other empty elements of Penn-style trees: tokens that nobody wrote, with the tag -NONE-."""

from __future__ import annotations

from collections.abc import Sequence

from .brackets import index_of, without_index
from .penn import NONE
from .tree import Node, PhraseTree
from .tree_edits import regrown, without_tokens

_HERE = "*ICH*-"


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


def with_extraposed(tree: PhraseTree) -> PhraseTree:
    """Phrases with a trace `*ICH*-1` ("interpret constituent here") hang where the trace is: their mother has a gap."""
    homes = {
        word.removeprefix(_HERE): tree[at].mother
        for at, word in enumerate(tree.words)
        if tree.tags[at] == NONE and word.startswith(_HERE)
    }
    mothers = list(tree.mothers)
    for node in tree.inner:
        home = homes.get(index_of(node.function)) if node.function else None
        if home is None:
            continue
        holder = home.mother if home.label == node.label and len(home.children) == 1 else home
        if holder is not None and holder.number != node.number and node.number not in map(_number, holder.ancestors):
            mothers[node.number] = holder.number
    if mothers == list(tree.mothers):
        return tree
    return regrown(tree, tree.labels, tree.functions, mothers)


def _number(node: Node) -> int:
    return node.number
