"""What a treebank PCFG is estimated from: children of nodes in their contexts, counted in continuous trees."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ...phrase.splitting import is_piece
from ...phrase.tree import ROOT, PhraseTree

VIRTUAL_ROOT = "VROOT"
ANY = "*"
"""Instead of a function: whatever the function is."""


class Child(NamedTuple):
    """What a node has below it: a token with its tag, or an inner node; with its function where functions are used."""

    token: bool
    label: str
    function: str


START = Child(True, "", "<")
"""Stands before the first child."""


class Annotation(NamedTuple):
    """What is known of a node when its children are drawn: category, function, categories of mother, her mother …"""

    label: str
    function: str
    above: tuple[str, ...]


class Context(NamedTuple):
    """A node, its last children so far, and the pieces (`NP*`) among all of them whose second piece is still to come.

    No coarser context forgets those: without them a grammar of few sisters draws one piece, and never the other.
    """

    node: Annotation
    history: tuple[Child, ...]
    awaited: tuple[Child, ...] = ()


@dataclass
class Counts:
    """Counts of all contexts, from the finest to the coarsest."""

    vertical: int
    """Generations in a symbol: 1 is the category alone, 2 adds that of the mother."""
    horizontal: int
    """Sisters to the left that a child depends on."""
    functions: bool
    pieces: bool = False
    """Are nodes with gaps in pieces?"""
    children: defaultdict[Context, Counter[Child]] = field(default_factory=lambda: defaultdict(Counter))
    stops: defaultdict[Context, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    """How often the children end after a context, and how often they go on; asked from the second child on."""
    only: defaultdict[Annotation, Counter[Child | None]] = field(default_factory=lambda: defaultdict(Counter))
    """The only child of a node, or None where it has more."""
    words: Counter[tuple[str, str, bool]] = field(default_factory=Counter)
    """Word, tag, and whether it begins a sentence."""
    trees: int = 0

    def coarser(self, context: Context) -> Context | None:
        """The next context to back off to: less of the node first, then less history."""
        node = self.coarser_node(context.node)
        if node is not None:
            return context._replace(node=node)
        return context._replace(history=context.history[1:]) if context.history else None

    def coarser_node(self, node: Annotation) -> Annotation | None:
        if node.above:
            return node._replace(above=node.above[:-1])
        if self.functions and node.function != ANY:
            return node._replace(function=ANY)
        return None

    def add(self, tree: PhraseTree) -> None:
        """Counts a tree; its nodes have no gaps."""
        self.trees += 1
        begins = True
        for word, tag in zip(tree.words, tree.tags, strict=True):
            self.words[word, tag, begins] += 1
            begins = begins and not any(sign.isalnum() for sign in word)
        for node, children in self.nodes(tree):
            self._count_only(node, children[0] if len(children) == 1 else None)
            if len(children) > 1:
                self._count_children(node, children)

    def nodes(self, tree: PhraseTree) -> Iterator[tuple[Annotation, list[Child]]]:
        size = len(tree)
        above: dict[int, tuple[str, ...]] = {ROOT: ()}
        yield Annotation(VIRTUAL_ROOT, "", ()), [self.child(tree, one) for one in tree.children[ROOT]]
        for number in range(len(tree.mothers) - 1, size - 1, -1):  # mothers have higher numbers
            mother = tree.mothers[number]
            name = VIRTUAL_ROOT if mother == ROOT else tree.labels[mother - size]
            above[number] = (name, *above[mother])[: self.vertical - 1]
            function = tree.functions[number] if self.functions else ""
            node = Annotation(tree.labels[number - size], function, above[number])
            yield node, [self.child(tree, one) for one in tree.children[number]]

    def child(self, tree: PhraseTree, number: int) -> Child:
        function = tree.functions[number] if self.functions else ""
        return Child(number < len(tree), tree.node_label(number), function)

    def _count_only(self, node: Annotation, child: Child | None) -> None:
        level: Annotation | None = node
        while level is not None:
            self.only[level][child] += 1
            level = self.coarser_node(level)

    def _count_children(self, node: Annotation, children: list[Child]) -> None:
        context = self.begin(node)
        for number, child in enumerate(children, 1):
            for coarse in self.ladder(context):
                self.children[coarse][child] += 1
            context = self.after(context, child)
            if number > 1:
                for coarse in self.ladder(context):
                    self.stops[coarse][number < len(children)] += 1

    def begin(self, node: Annotation) -> Context:
        """Before the first child."""
        return Context(node, (START,)[: self.horizontal])

    def after(self, context: Context, child: Child) -> Context:
        """The context when this child has been drawn. A piece of a node with a gap has pieces whose second stands in
        another one: nothing is awaited there."""
        history = (*context.history, child)[-self.horizontal :] if self.horizontal else ()
        awaited = context.awaited
        if self.pieces and is_piece(child.label) and not is_piece(context.node.label):
            drawn = set(awaited) ^ {child}
            awaited = tuple(sorted(drawn))
        return Context(context.node, history, awaited)

    def ladder(self, context: Context | None) -> Iterator[Context]:
        """The context and all coarser ones."""
        while context is not None:
            yield context
            context = self.coarser(context)


def counted(
    trees: Iterable[PhraseTree], *, vertical: int, horizontal: int, functions: bool, pieces: bool = False
) -> Counts:
    """The counts of these trees, whose nodes have no gaps."""
    counts = Counts(vertical, horizontal, functions, pieces)
    for tree in trees:
        counts.add(tree)
    return counts
