"""Nodes with gaps raised, or split into pieces and merged again (Boyd 2007)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace

from ...errors import InputError
from ..encoding import stretches
from ..schemes.model import TIGER
from ..tree import ROOT, Node, PhraseTree, regrown

HeadChild = Callable[[Node], Node | None]
_HEADS = frozenset({"HD", "HEAD"})
"""How schemes call heads, in capitals."""


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


_MARKED = re.compile(r"(.+)\*([0-9]*)$")
ONCE = TIGER.functions.once
"""Functions that a clause or phrase has once."""
CHAIN = TIGER.categories.verb_phrases
"""Through these a piece may have risen: an object belongs to the VP, its second piece hangs at the S."""


def is_piece(label: str) -> bool:
    """Does `split` write such a category for a piece?"""
    return _MARKED.match(label) is not None


def split(tree: PhraseTree) -> PhraseTree:
    """Every node with a gap in pieces; their function is the node's. Secondary edges go to the first piece."""
    if not any(node.has_gap for node in tree.inner):
        return tree
    size = len(tree)
    for label in tree.labels:
        if _MARKED.match(label):
            where = f"sentence {tree.sent_id}"
            raise InputError(f"the category {label} looks split already", where=where, todo="merge pieces first")
    labels, functions, mothers = list[str](), list(tree.functions[:size]), list[int]()
    first: dict[int, int] = {ROOT: ROOT} | {token: token for token in range(size)}
    holder: list[dict[int, int]] = [{} for _ in tree.mothers]
    """For each inner node, token to the piece that holds it."""
    seen: dict[tuple[int, str, str], int] = {}
    for node in range(len(tree.mothers) - 1, size - 1, -1):  # mothers first
        label, function, mother = tree.labels[node - size], tree.functions[node], tree.mothers[node]
        runs = stretches(tree.masks[node])
        if len(runs) > 1:
            count = seen[mother, label, function] = seen.get((mother, label, function), 0) + 1
            label += "*" if count == 1 else f"*{count}"
        for begin, end in runs:
            piece = size + len(labels)
            labels.append(label)
            functions.append(function)
            mothers.append(ROOT if mother == ROOT else holder[mother][begin])
            first.setdefault(node, piece)
            holder[node].update(dict.fromkeys(range(begin, end + 1), piece))
    tokens = [ROOT if tree.mothers[token] == ROOT else holder[tree.mothers[token]][token] for token in range(size)]
    secondary = [(first[node], label, first[to]) for node, label, to in tree.secondary]
    return regrown(tree, labels, functions, tokens + mothers, secondary)


def merged(tree: PhraseTree) -> PhraseTree:
    """Pieces with the same mark and function below one mother (itself merged) are one node, without the mark."""
    size = len(tree)
    into: dict[int, int] = {}
    first_of: dict[tuple[int, str, str], int] = {}
    labels = list(tree.labels)
    for node in sorted(range(size, len(tree.mothers)), reverse=True):  # mothers first
        marked = _MARKED.match(tree.labels[node - size])
        if marked:
            mother = tree.mothers[node]
            key = (into.get(mother, mother), tree.labels[node - size], tree.functions[node])
            into[node] = first_of.setdefault(key, node)
            labels[node - size] = marked[1]
    return _combined(tree, into, labels)


def unmarked(tree: PhraseTree) -> PhraseTree:
    """The pieces of `split` without their marks."""
    return replace(tree, labels=tuple(_MARKED.sub(r"\1", label) for label in tree.labels))


def joined(tree: PhraseTree, once: Collection[str] = ONCE, chain: Collection[str] = CHAIN) -> PhraseTree:
    """Unmarked pieces as one node: of the same category and function (one of `once`) and not side by side.

    First those below one mother; then those of which one hangs higher up, with only nodes of `chain` in between:
    the lowest mother keeps the node.
    """
    return _joined_upwards(_joined_sisters(tree, once), once, chain)


def _joined_sisters(tree: PhraseTree, once: Collection[str]) -> PhraseTree:
    size = len(tree)
    into: dict[int, int] = {}
    first_of: dict[tuple[int, str, str], tuple[int, int]] = {}
    for node in range(len(tree.mothers) - 1, size - 1, -1):  # mothers first
        function, mother, mask = tree.functions[node], tree.mothers[node], tree.masks[node]
        if function in once:
            key = (into.get(mother, mother), tree.labels[node - size], function)
            first, covered = first_of.get(key, (node, 0))
            if not _touch(covered, mask):
                into[node], first_of[key] = first, (first, covered | mask)
    return _combined(tree, into, tree.labels)


def _joined_upwards(tree: PhraseTree, once: Collection[str], chain: Collection[str]) -> PhraseTree:
    size = len(tree)
    into: dict[int, int] = {}
    for node in range(size, len(tree.mothers)):  # the lowest first
        label, function, place = tree.labels[node - size], tree.functions[node], tree.mothers[node]
        if function not in once or label in chain:  # a VP in a VP is no piece of it
            continue
        mask = tree.masks[node]
        while place != ROOT and tree.labels[place - size] in chain:
            place = tree.mothers[place]
            for sister in tree.children[place]:
                if sister < size or sister in into or tree.labels[sister - size] != label:
                    continue
                if tree.functions[sister] == function and not _touch(tree.masks[sister], mask):
                    into[sister] = node
                    mask |= tree.masks[sister]
    return _combined(tree, into, tree.labels)


def _touch(one: int, other: int) -> bool:
    return bool(one & (other << 1) or one & (other >> 1))


def _combined(tree: PhraseTree, into: dict[int, int], labels: Collection[str]) -> PhraseTree:
    """Nodes that are merged into another give it their children and go."""
    size = len(tree)
    names = list(labels)

    def target(node: int) -> int:
        while into.get(node, node) != node:
            node = into[node]
        return node

    kept = [node for node in range(len(tree.mothers)) if target(node) == node]
    new = {ROOT: ROOT} | {old: at for at, old in enumerate(kept)}
    return regrown(
        tree,
        [names[old - size] for old in kept[size:]],
        [tree.functions[old] for old in kept],
        [new[target(tree.mothers[old])] for old in kept],
        sorted({(new[target(node)], label, new[target(to)]) for node, label, to in tree.secondary}),
    )
