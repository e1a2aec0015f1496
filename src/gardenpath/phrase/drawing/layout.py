"""Where a phrase tree is drawn: tokens in their order at the bottom, nodes above them, bars that may be crossed.

A node is a bar over its daughters, who hang from it by upright lines. Where a node has a gap, lines of others go
through its bar: these are the crossing branches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..encoding import ROOT, positions

if TYPE_CHECKING:
    from ..tree import PhraseTree

Stretch = tuple[int, int]


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


def stretches(mask: int) -> list[Stretch]:
    """Tokens as (first, last) of those that stand side by side."""
    spans: list[list[int]] = []
    for token in positions(mask):
        if spans and spans[-1][1] == token - 1:
            spans[-1][1] = token
        else:
            spans.append([token, token])
    return [(first, last) for first, last in spans]


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
