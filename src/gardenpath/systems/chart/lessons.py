"""Trees as a span parser learns them: chains of categories over spans, and who is whose mother.

A tree is raised first, so that every node is a span, and what was raised keeps in mind where it hung: its mother is
one of the nodes below the one it hangs at now. Rows are the tokens, the inner nodes, mothers first, and the virtual
root, which is the last.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...phrase.raising import HeadChild, raised_mothers
from ...phrase.tree import ROOT, PhraseTree, grown
from ..pcfg.preparation import RAISE, SPLIT

Numbers = NDArray[np.int64]
Chain = tuple[str, ...]
"""Categories of the nodes over one span, from the top down."""
LOWER = "lower"
GAPS = (LOWER, RAISE, SPLIT)
"""What becomes of nodes with gaps: raised and lowered again in parses, raised, or cut into pieces."""


@dataclass(frozen=True)
class Skeleton:
    """A tree without gaps, in rows: tokens, inner nodes with mothers before daughters, and the virtual root."""

    begins: Numbers
    ends: Numbers
    mothers: Numbers
    """Rows; that of the root is itself."""
    names: tuple[str, ...]
    """Tags of tokens, categories of inner nodes, and the empty name of the root."""
    tokens: int

    @property
    def root(self) -> int:
        return len(self.names) - 1


@dataclass(frozen=True)
class Candidates:
    """Where nodes may belong that are not where they hang: pairs of rows, those of one child beside each other.

    The first of each child is the node it hangs at.
    """

    children: Numbers
    targets: Numbers

    @property
    def firsts(self) -> Numbers:
        """Where the pairs of each child begin."""
        if not len(self.children):
            return np.zeros(0, np.int64)
        return np.flatnonzero(np.r_[True, self.children[1:] != self.children[:-1]])

    @property
    def groups(self) -> Numbers:
        """The number of the child that each pair is of, among those that have candidates."""
        return np.cumsum(np.r_[False, self.children[1:] != self.children[:-1]][: len(self.children)])


def skeleton_of(chains: Iterable[tuple[int, int, Chain]], tags: Sequence[str]) -> Skeleton:
    """The tree of chains over nested spans, mothers first."""
    size = len(tags)
    begins, ends, names, mothers = list(range(size)), list(range(1, size + 1)), list(tags), [-1] * size
    open_nodes: list[int] = []
    for begin, end, chain in chains:
        while open_nodes and ends[open_nodes[-1]] <= begin:
            open_nodes.pop()
        for name in chain:
            mothers.append(open_nodes[-1] if open_nodes else -1)
            open_nodes.append(len(names))
            begins.append(begin)
            ends.append(end)
            names.append(name)
    lowest = [-1] * size
    for row in range(size, len(names)):  # mothers first: the last that covers a token is the lowest
        lowest[begins[row] : ends[row]] = [row] * (ends[row] - begins[row])
    mothers[:size] = lowest
    root = len(names)
    return Skeleton(
        np.array([*begins, 0]),
        np.array([*ends, size]),
        np.array([root if mother < 0 else mother for mother in [*mothers, -1]]),
        (*names, ""),
        size,
    )


def candidates(tree: Skeleton, fixed: Collection[str]) -> Candidates:
    """For each node the inner nodes below its mother that neither hold it nor stand beside it, if there are any.

    Tokens with one of the `fixed` tags stay where they are.
    """
    rows, inner = np.arange(tree.root), np.arange(tree.tokens, tree.root)
    mothers = tree.mothers[rows]
    begin, end = tree.begins[inner], tree.ends[inner]
    below = (tree.begins[mothers][:, None] <= begin) & (end <= tree.ends[mothers][:, None])
    below &= (inner > mothers[:, None]) | (mothers == tree.root)[:, None]
    apart = (end < tree.begins[rows][:, None]) | (tree.ends[rows][:, None] < begin)
    possible = below & apart
    possible[[row for row in range(tree.tokens) if tree.names[row] in fixed]] = False
    child, target = np.nonzero(np.c_[possible.any(1), possible])
    return Candidates(child, np.where(target, inner[target - 1] if len(inner) else 0, mothers[child]))


@dataclass(frozen=True)
class Lesson:
    """What a tree teaches."""

    words: tuple[str, ...]
    tree: Skeleton
    chains: tuple[tuple[int, int, Chain], ...]
    functions: tuple[str, ...]
    """Of all rows but the root."""
    candidates: Candidates
    right: Numbers
    """The pair that is true, of each child that has candidates."""
    lost: int = 0
    """Nodes whose mother is no candidate: they stay where they were raised to."""

    @property
    def mothers(self) -> Numbers:
        """Of all rows but the root: where they belong, as far as that is a candidate."""
        mothers = self.tree.mothers[:-1].copy()
        mothers[self.candidates.children[self.right]] = self.candidates.targets[self.right]
        return mothers


def lesson_of(tree: PhraseTree, head: HeadChild | None, fixed: Collection[str]) -> Lesson:
    """Spans and mothers of a tree; punctuation was lowered into it before."""
    size, total = len(tree), len(tree.mothers)
    hanging = raised_mothers(tree, head)
    masks = [1 << node for node in range(size)] + [0] * (total - size)
    for node, mother in enumerate(hanging):  # raising leaves a node below its old ancestors: daughters come first
        if mother != ROOT:
            masks[mother] |= masks[node]
    starts = [(mask & -mask).bit_length() - 1 for mask in masks]
    ends = [mask.bit_length() for mask in masks]
    depth = _depths(hanging)
    order = sorted(range(size, total), key=lambda node: (starts[node], -ends[node], depth[node]))
    spans: dict[tuple[int, int], list[str]] = {}
    for node in order:
        spans.setdefault((starts[node], ends[node]), []).append(tree.labels[node - size])
    chains = tuple((begin, end, tuple(names)) for (begin, end), names in spans.items())
    skeleton = skeleton_of(chains, tree.tags)
    row = {node: node for node in range(size)} | {node: size + at for at, node in enumerate(order)}
    row[ROOT] = skeleton.root
    pairs = candidates(skeleton, fixed)
    true = {row[node]: row[mother] for node, mother in enumerate(tree.mothers)}
    firsts = pairs.firsts
    right = firsts.copy()
    lost = 0
    for number, (at, stop) in enumerate(zip(firsts, np.r_[firsts, len(pairs.children)][1:], strict=True)):
        wanted = true[int(pairs.children[at])]
        places = np.flatnonzero(pairs.targets[at:stop] == wanted)
        if len(places):
            right[number] = at + places[0]
        else:
            lost += 1
    functions = [""] * skeleton.root
    for node, function in enumerate(tree.functions):
        functions[row[node]] = function
    return Lesson(tree.words, skeleton, chains, tuple(functions), pairs, right, lost)


def _depths(mothers: Sequence[int]) -> list[int]:
    depths = [0] * len(mothers)
    for node in range(len(mothers) - 1, -1, -1):
        depths[node] = 0 if mothers[node] == ROOT else depths[mothers[node]] + 1
    return depths


def tree_of(
    words: Sequence[str],
    tree: Skeleton,
    functions: Sequence[str],
    mothers: Sequence[int],
    single: Collection[str] | None = None,
) -> PhraseTree:
    """The phrase tree of rows that hang at these mothers, where no circle comes of it.

    A phrase with one child is left out where its category is not one of the `single` ones (without these every one
    may be): the child has its place and its function.
    """
    hanging = tree.mothers[: tree.root].tolist()
    for row, mother in enumerate(mothers):
        above = mother
        while above not in (row, tree.root):
            above = hanging[above]
        if above != row:
            hanging[row] = mother
    alone = np.flatnonzero(np.bincount(hanging, minlength=tree.root)[: tree.root] == 1).tolist()
    left_out = set() if single is None else {row for row in alone if tree.names[row] not in single}
    kept = [row for row in range(tree.root) if row not in left_out]
    new = {row: number for number, row in enumerate(kept)} | {tree.root: ROOT}
    places: list[tuple[str, int]] = []
    for row in kept:
        function, mother = functions[row], hanging[row]
        while mother in left_out:
            function, mother = functions[mother], hanging[mother]
        places.append((function, new[mother]))
    return grown(
        words,
        tree.names[: tree.tokens],
        [tree.names[row] for row in kept[tree.tokens :]],
        [function for function, _ in places],
        [mother for _, mother in places],
    )
