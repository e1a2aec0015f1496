"""Phrase-structure trees with functions, gaps and secondary edges: columns of node numbers, light views, and edits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..errors import InputError
from .encoding import NO_FUNCTION as NO_FUNCTION
from .encoding import ROOT as ROOT
from .encoding import positions as positions

Edge = tuple[int, str, int]
"""A secondary edge: the node, the label, and its second mother."""


@dataclass(frozen=True)
class PhraseTree:
    """A sentence and its tree. Nodes are numbers: tokens 0 to n-1 from left to right, then the inner nodes.

    Inner nodes are numbered from the lowest level up and from left to right, as export files do (there from 500),
    so that equal trees are equal values. Make one with `grown`, which numbers and checks.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    labels: tuple[str, ...]
    """Categories of the inner nodes."""
    functions: tuple[str, ...]
    """Of all nodes, tokens first; empty where there is none."""
    mothers: tuple[int, ...]
    """Of all nodes; ROOT at the top."""
    secondary: tuple[Edge, ...] = ()
    lemmas: tuple[str, ...] = ()
    """Of the tokens; empty if the file has none. So are `morphs`."""
    morphs: tuple[str, ...] = ()
    sent_id: str = field(default="", compare=False)
    comments: tuple[str, ...] = field(default=(), compare=False)

    def __len__(self) -> int:
        """Tokens."""
        return len(self.words)

    def __getitem__(self, number: int) -> Node:
        return Node(self, number)

    def _repr_svg_(self) -> str:
        """The tree drawn, in a notebook."""
        from .drawing import svg

        return svg(self)

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Of each node, from left to right by their first tokens; the last entry (`children[ROOT]`) is the top."""
        children: list[list[int]] = [[] for _ in range(len(self.mothers) + 1)]
        for node in sorted(range(len(self.mothers)), key=self.starts.__getitem__):
            children[self.mothers[node]].append(node)
        return tuple(tuple(one) for one in children)

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The tokens below each node, as bits: token i is `1 << i`."""
        size = len(self.words)
        masks = [1 << node for node in range(size)] + [0] * len(self.labels)
        for node, mother in enumerate(self.mothers):  # daughters have lower numbers than their mothers
            if mother != ROOT:
                masks[mother] |= masks[node]
        return tuple(masks)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The first token of each node."""
        return tuple((mask & -mask).bit_length() - 1 for mask in self.masks)

    @property
    def top(self) -> tuple[Node, ...]:
        """The nodes below the virtual root, from left to right."""
        return tuple(Node(self, one) for one in self.children[ROOT])

    @property
    def tokens(self) -> Iterator[Node]:
        return (Node(self, number) for number in range(len(self.words)))

    @property
    def inner(self) -> Iterator[Node]:
        """The inner nodes, daughters before mothers."""
        return (Node(self, number) for number in range(len(self.words), len(self.mothers)))

    def node_label(self, number: int) -> str:
        """The tag of a token, the category of an inner node."""
        size = len(self.words)
        return self.tags[number] if number < size else self.labels[number - size]

    def named(self, sent_id: str) -> PhraseTree:
        from dataclasses import replace

        return replace(self, sent_id=sent_id)


@dataclass(frozen=True, slots=True)
class Node:
    """A view of one node; equal to another if it is the same number in an equal tree."""

    tree: PhraseTree
    number: int

    @property
    def is_token(self) -> bool:
        return self.number < len(self.tree.words)

    @property
    def label(self) -> str:
        """The tag of a token, the category of an inner node."""
        return self.tree.node_label(self.number)

    @property
    def function(self) -> str:
        return self.tree.functions[self.number]

    @property
    def word(self) -> str:
        """Of a token; empty of an inner node."""
        return self.tree.words[self.number] if self.is_token else ""

    @property
    def mother(self) -> Node | None:
        number = self.tree.mothers[self.number]
        return None if number == ROOT else Node(self.tree, number)

    @property
    def children(self) -> tuple[Node, ...]:
        """From left to right by their first tokens; none of a token."""
        return tuple(Node(self.tree, one) for one in self.tree.children[self.number])

    @property
    def sisters(self) -> tuple[Node, ...]:
        """The other children of the mother (or of the virtual root)."""
        mother = self.tree.mothers[self.number]
        return tuple(Node(self.tree, one) for one in self.tree.children[mother] if one != self.number)

    @property
    def ancestors(self) -> Iterator[Node]:
        """Mother, her mother, and so on."""
        node = self.mother
        while node is not None:
            yield node
            node = node.mother

    @property
    def descendants(self) -> Iterator[Node]:
        """All nodes below, from the top down and from left to right."""
        for child in self.children:
            yield child
            yield from child.descendants

    @property
    def mask(self) -> int:
        """The tokens below, as bits."""
        return self.tree.masks[self.number]

    @property
    def positions(self) -> tuple[int, ...]:
        """The numbers of the tokens below, from left to right."""
        return positions(self.mask)

    @property
    def start(self) -> int:
        return self.tree.starts[self.number]

    @property
    def end(self) -> int:
        """One past the last token."""
        return self.mask.bit_length()

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(self.tree.words[token] for token in self.positions)

    @property
    def has_gap(self) -> bool:
        """Are there tokens of others between its own?"""
        shifted = self.mask >> self.start
        return bool(shifted & (shifted + 1))

    @property
    def second_mothers(self) -> tuple[tuple[str, Node], ...]:
        """Label and mother of each secondary edge that this node has."""
        edges = self.tree.secondary
        return tuple((label, Node(self.tree, to)) for node, label, to in edges if node == self.number)


def grown(
    words: Sequence[str],
    tags: Sequence[str],
    labels: Sequence[str],
    functions: Sequence[str],
    mothers: Sequence[int],
    secondary: Iterable[Edge] = (),
    *,
    lemmas: Sequence[str] = (),
    morphs: Sequence[str] = (),
    sent_id: str = "",
    comments: Sequence[str] = (),
    where: str = "",
) -> PhraseTree:
    """A tree from columns whose inner nodes are in any order: checked, and numbered as they should be.

    `functions` and `mothers` are of the tokens and then of the inner nodes. `where` is for messages.
    """
    size, total = len(words), len(words) + len(labels)
    where = where or (f"sentence {sent_id}" if sent_id else "")
    if not (len(tags) == size and len(functions) == len(mothers) == total):
        raise InputError("words, tags, categories, functions and mothers do not fit together", where=where)
    for node, mother in enumerate(mothers):
        if mother != ROOT and not size <= mother < total:
            raise InputError(f"node {node} hangs at {mother}, which is not an inner node", where=where)
    heights = _heights(size, mothers, labels, where)
    starts = list(range(size)) + [total] * len(labels)
    for node in sorted(range(total), key=heights.__getitem__):
        mother = mothers[node]
        if mother != ROOT:
            starts[mother] = min(starts[mother], starts[node])
    order = sorted(range(size, total), key=lambda node: (heights[node], starts[node]))
    new = {ROOT: ROOT} | {node: node for node in range(size)} | {old: size + at for at, old in enumerate(order)}
    both = [*range(size), *order]
    for node, _, mother in secondary:
        if node not in new or node == ROOT or mother not in new or (mother != ROOT and mother < size):
            raise InputError(f"a secondary edge from {node} to {mother}: no such node", where=where)
    return PhraseTree(
        tuple(words),
        tuple(tags),
        tuple(labels[old - size] for old in order),
        tuple(functions[old] for old in both),
        tuple(new[mothers[old]] for old in both),
        tuple(sorted((new[node], label, new[mother]) for node, label, mother in secondary)),
        tuple(lemmas),
        tuple(morphs),
        sent_id,
        tuple(comments),
    )


def _heights(size: int, mothers: Sequence[int], labels: Sequence[str], where: str) -> list[int]:
    """The longest way down from each node to a token; an error for a cycle or a node without tokens."""
    waiting = [0] * len(mothers)
    for mother in mothers:
        if mother != ROOT:
            waiting[mother] += 1
    heights = [0] * len(mothers)
    ready = list(range(size))
    for node in range(size, len(mothers)):
        if not waiting[node]:
            raise InputError(f"the node {labels[node - size]} has no token below it", where=where)
    done = 0
    while ready:
        node = ready.pop()
        done += 1
        mother = mothers[node]
        if mother != ROOT:
            heights[mother] = max(heights[mother], heights[node] + 1)
            waiting[mother] -= 1
            if not waiting[mother]:
                ready.append(mother)
    if done < len(mothers):
        stuck = [labels[node - size] for node in range(size, len(mothers)) if waiting[node]]
        raise InputError("nodes hang at each other in a circle: " + ", ".join(stuck[:5]), where=where)
    return heights


def regrown(
    tree: PhraseTree,
    labels: Sequence[str],
    functions: Sequence[str],
    mothers: Sequence[int],
    secondary: Iterable[Edge] | None = None,
) -> PhraseTree:
    """The same tokens under other nodes; secondary edges as they were unless given."""
    return grown(
        tree.words,
        tree.tags,
        labels,
        functions,
        mothers,
        tree.secondary if secondary is None else secondary,
        lemmas=tree.lemmas,
        morphs=tree.morphs,
        sent_id=tree.sent_id,
        comments=tree.comments,
    )


def without_tokens(tree: PhraseTree, gone: Collection[int]) -> PhraseTree:
    """Without these tokens, the nodes that hold nothing else, and the secondary edges of both."""
    size = len(tree)
    mask = sum(1 << token for token in gone)
    kept = [node for node in range(len(tree.mothers)) if tree.masks[node] & ~mask]
    tokens = [node for node in kept if node < size]
    new = {ROOT: ROOT} | {old: at for at, old in enumerate(kept)}
    return grown(
        [tree.words[old] for old in tokens],
        [tree.tags[old] for old in tokens],
        [tree.labels[old - size] for old in kept if old >= size],
        [tree.functions[old] for old in kept],
        [new[tree.mothers[old]] for old in kept],
        [(new[node], label, new[to]) for node, label, to in tree.secondary if node in new and to in new],
        lemmas=[tree.lemmas[old] for old in tokens] if tree.lemmas else (),
        morphs=[tree.morphs[old] for old in tokens] if tree.morphs else (),
        sent_id=tree.sent_id,
        comments=tree.comments,
    )
