"""Punctuation lowered or raised, and traces removed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..formats.brackets import NONE, index_of, without_index
from ..schemes.model import PUNCTUATION
from ..tree import ROOT, Node, PhraseTree, regrown, without_tokens


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
