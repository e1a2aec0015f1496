"""Grammar of a treebank: its trees prepared, children of nodes counted in their contexts, and their distributions.

A grammar needs trees without gaps and with punctuation inside. Every distribution is interpolated with coarser ones
(Witten and Bell) and sums to 1.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gardenpath.phrase import (
    PUNCTUATION,
    ROOT,
    PhraseTree,
    at_root,
    head_child,
    is_piece,
    lowered,
    merged,
    raised,
    split,
)
from gardenpath.phrase import scheme as known_scheme

from .chart import Floats, Integers, PCFGGrammar

RAISE, SPLIT = "raise", "split"
GAPS = (RAISE, SPLIT)


@dataclass(frozen=True)
class Preparation:
    """What becomes of gaps, and which tags hang at the virtual root."""

    gaps: str = RAISE
    """`raise`: what stands apart moves up, and parses have no crossing branches; `split`: a node with a gap becomes
    several marked ones, which are merged again in parses."""
    scheme: str = ""
    """Of the heads, beside which raising keeps a node; without one it keeps the longest stretch."""
    at_root: frozenset[str] = frozenset()

    def prepared(self, tree: PhraseTree) -> PhraseTree:
        inside = lowered(tree, self.at_root)
        if self.gaps == SPLIT:
            return split(inside)
        return raised(inside, (lambda node: head_child(node, self.scheme)) if self.scheme else None)

    def restored(self, tree: PhraseTree) -> PhraseTree:
        return at_root(merged(tree) if self.gaps == SPLIT else tree, self.at_root)


def tags_at_root(trees: Sequence[PhraseTree], scheme: str = "") -> frozenset[str]:
    """Return the tags of punctuation (in this scheme) that hang at the virtual root more often than not.

    Trees without gaps have none: to put punctuation there in parses would make gaps that no training tree had.
    """
    if not any(node.has_gap for tree in trees for node in tree.inner):
        return frozenset()
    marks = known_scheme(scheme).tags.punctuation if scheme else PUNCTUATION
    top: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for tree in trees:
        for tag, mother in zip(tree.tags, tree.mothers[: len(tree)], strict=True):
            if tag in marks:
                total[tag] += 1
                top[tag] += mother == ROOT
    return frozenset(tag for tag in total if 2 * top[tag] > total[tag])


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
            child = children[0] if len(children) == 1 else None
            level: Annotation | None = node
            while level is not None:
                self.only[level][child] += 1
                level = self.coarser_node(level)
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


BACKOFF = 3.0
"""How much the coarser distribution weighs, per kind of event that a context was seen with."""
LEAST = 1e-3
"""Children less likely than this in their context are left out: they make a grammar slow and parses no better."""
LEAST_CHAIN, LONGEST_CHAIN = 1e-6, 6


@dataclass
class _Tables:
    """Symbols, states and rules as they are found, from the root on."""

    symbols: dict[tuple[bool, Annotation], int] = field(default_factory=dict)
    states: dict[Context, int] = field(default_factory=dict)
    pairs: dict[tuple[int, int], int] = field(default_factory=dict)
    chains: list[tuple[int, int, float, tuple[int, ...]]] = field(default_factory=list)
    rules: list[tuple[bool, int, int, float]] = field(default_factory=list)
    """Is the left-hand side a state, which, the pair, the probability."""
    lasts: list[tuple[int, int, float]] = field(default_factory=list)


class Estimator:
    """The smoothed distributions, and the grammar that can be reached from the virtual root."""

    def __init__(
        self, counts: Counts, *, backoff: float = BACKOFF, least: float = LEAST, keep_seen: bool = False
    ) -> None:
        self.counts = counts
        self.backoff = backoff
        self.least = least
        self.keep_seen = keep_seen
        """Is a child kept that was seen in its context, however unlikely it is?"""
        support: defaultdict[str, dict[Child, int]] = defaultdict(dict)
        for context, children in counts.children.items():
            if not context.history:
                places = support[context.node.label]
                for child in children:
                    places.setdefault(child, len(places))
        self._support = dict(support)
        """All children that a category was seen with, and their places in its vectors."""
        self._vectors: dict[Context, Floats] = {}
        self._stop: dict[Context, float] = {}
        self._only: dict[Annotation, dict[Child | None, float]] = {}
        self.tables = _Tables()
        self.numbers: dict[tuple[bool, Annotation], int] = {}
        """The symbols as the finished grammar numbers them."""

    def children(self, context: Context) -> Floats:
        """The probabilities of the next child in a context that was seen, by its place."""
        probabilities = self._vectors.get(context)
        if probabilities is None:
            seen = self.counts.children[context]
            vector = np.zeros(len(self._support[context.node.label]))
            places = self._support[context.node.label]
            for child, count in seen.items():
                vector[places[child]] = count
            below = self._seen_below(context)
            if below is None:
                probabilities = vector / vector.sum()
            else:
                weight = self.backoff * len(seen)
                probabilities = (vector + weight * self.children(below)) / (vector.sum() + weight)
            self._vectors[context] = probabilities
        return probabilities

    def _seen_below(self, context: Context) -> Context | None:
        below = self.counts.coarser(context)
        while below is not None and below not in self.counts.children:
            below = self.counts.coarser(below)
        return below

    def stop(self, context: Context) -> float:
        """The probability that the children end here, where they are at least two."""
        probability = self._stop.get(context)
        if probability is None:
            below = self.counts.coarser(context)
            ends, goes = self.counts.stops.get(context, (0, 0))
            if below is None:
                never = 0.0 if context.awaited else 0.5
                probability = ends / (ends + goes) if ends else 1.0 if not goes else never
            else:
                weight = self.backoff * ((ends > 0) + (goes > 0))
                probability = (
                    (ends + weight * self.stop(below)) / (ends + goes + weight) if ends + goes else self.stop(below)
                )
            self._stop[context] = probability
        return probability

    def only(self, node: Annotation) -> dict[Child | None, float]:
        """The probabilities of the only child of a node, or None for several children."""
        probabilities = self._only.get(node)
        if probabilities is None:
            seen = self.counts.only[node]
            total = seen.total()
            below = self.counts.coarser_node(node)
            if below is None:
                probabilities = {child: count / total for child, count in seen.items()}
            else:
                weight = self.backoff * len(seen)
                probabilities = {
                    child: (seen.get(child, 0) + weight * value) / (total + weight)
                    for child, value in self.only(below).items()
                }
            self._only[node] = probabilities
        return probabilities

    def grammar(self) -> PCFGGrammar:
        """All that can be reached from the virtual root."""
        root = Annotation(VIRTUAL_ROOT, "", ())
        nodes: list[Annotation] = []
        contexts: list[Context] = []
        self._symbol(root, nodes)
        while nodes or contexts:
            if nodes:
                node = nodes.pop()
                self._chains(node, nodes)
                self._first(node, nodes, contexts)
            else:
                self._rest(contexts.pop(), nodes, contexts)
        return self._sorted(root)

    def _sorted(self, root: Annotation) -> PCFGGrammar:
        """The tables as arrays: preterminals before nodes, and each table in the order in which a chart asks it."""
        tables = self.tables
        keys = list(tables.symbols)
        ranked = sorted(range(len(keys)), key=lambda old: not keys[old][0])
        new = np.empty(len(keys), np.int32)
        new[ranked] = np.arange(len(keys), dtype=np.int32)
        self.numbers = {key: int(new[old]) for old, key in enumerate(keys)}
        chains = sorted(tables.chains, key=lambda chain: new[chain[1]])
        pairs = sorted(tables.pairs, key=lambda pair: (new[pair[0]], pair[1]))
        place = {pair: number for number, pair in enumerate(pairs)}
        moved = np.array([place[pair] for pair in tables.pairs], np.int32)
        rules = sorted(tables.rules, key=lambda rule: moved[rule[2]])
        lasts = sorted(tables.lasts, key=lambda last: new[last[1]])
        return PCFGGrammar(
            [keys[old][1].label for old in ranked],
            [keys[old][1].function for old in ranked],
            sum(token for token, _ in keys),
            int(new[tables.symbols[False, root]]),
            len(tables.states),
            new[_numbers(chain[0] for chain in chains)],
            new[_numbers(chain[1] for chain in chains)],
            _logs(chain[2] for chain in chains),
            [tuple(int(new[symbol]) for symbol in chain[3]) for chain in chains],
            new[_numbers(left for left, _ in pairs)],
            _numbers(right for _, right in pairs),
            _numbers(len(keys) + left if state else new[left] for state, left, _, _ in rules),
            moved[_numbers(rule[2] for rule in rules)],
            _logs(rule[3] for rule in rules),
            _numbers(last[0] for last in lasts),
            new[_numbers(last[1] for last in lasts)],
            _logs(last[2] for last in lasts),
        )

    def _symbol(self, node: Annotation, nodes: list[Annotation]) -> int:
        symbol = self.tables.symbols.get((False, node))
        if symbol is None:
            symbol = self.tables.symbols[False, node] = len(self.tables.symbols)
            nodes.append(node)
        return symbol

    def below(self, node: Annotation, child: Child) -> Annotation:
        """The finest annotation of a child that was seen."""
        above = (node.label, *node.above)[: self.counts.vertical - 1]
        annotation = Annotation(child.label, child.function, above)
        while annotation not in self.counts.only:
            annotation = annotation._replace(above=annotation.above[:-1])
        return annotation

    def _child(self, node: Annotation, child: Child, nodes: list[Annotation]) -> int:
        if child.token:
            key = (True, Annotation(child.label, child.function, ()))
            return self.tables.symbols.setdefault(key, len(self.tables.symbols))
        return self._symbol(self.below(node, child), nodes)

    def _chains(self, node: Annotation, nodes: list[Annotation]) -> None:
        top = self.tables.symbols[False, node]
        reachable: list[tuple[int, float, tuple[int, ...]]] = []

        def walk(at: Annotation, symbol: int, path: tuple[int, ...], probability: float) -> None:
            for child, value in self.only(at).items():
                reached = probability * value
                if child is None:
                    if reached > 0:
                        reachable.append((symbol, reached, path))
                elif reached >= LEAST_CHAIN and len(path) < LONGEST_CHAIN:
                    if child.token:
                        token = self._child(at, child, nodes)
                        reachable.append((token, reached, (*path, token)))
                    else:
                        below = self.below(at, child)
                        number = self._symbol(below, nodes)
                        if number != top and number not in path:  # no circles
                            walk(below, number, (*path, number), reached)

        walk(node, top, (), 1.0)
        total = sum(value for _, value, _ in reachable)
        self.tables.chains += [(top, bottom, value / total, path) for bottom, value, path in reachable]

    def _first(self, node: Annotation, nodes: list[Annotation], contexts: list[Context]) -> None:
        """Rules of a node: its first child and the state of the rest."""
        context = self.known(self.counts.begin(node))
        if context is None:
            return
        left = self.tables.symbols[False, node]
        for child, value in self._drawn(context):
            after = self.known(self.counts.after(self.counts.begin(node), child))
            assert after is not None
            pair = self._pair(self._child(node, child, nodes), self._state(after, contexts))
            self.tables.rules.append((False, left, pair, value))

    def _rest(self, context: Context, nodes: list[Annotation], contexts: list[Context]) -> None:
        """Rules of a state: a child and the state of the rest, or a last child."""
        left = self.tables.states[context]
        for child, value in self._drawn(context):
            after = self.counts.after(context, child)
            stop = self.stop(after)
            symbol = self._child(context.node, child, nodes)
            if stop > 0:
                self.tables.lasts.append((left, symbol, value * stop))
            if stop < 1:
                known = self.known(after)
                assert known is not None
                self.tables.rules.append(
                    (True, left, self._pair(symbol, self._state(known, contexts)), value * (1 - stop))
                )

    def _drawn(self, context: Context) -> list[tuple[Child, float]]:
        vector = self.children(context)
        keep = vector >= min(self.least, float(vector.max()))
        if self.keep_seen:
            places = self._support[context.node.label]
            keep[[places[child] for child in self.counts.children[context]]] = True
        kept: NDArray[np.float64] = np.where(keep, vector, 0.0)
        kept /= kept.sum()
        return [
            (child, float(kept[place])) for child, place in self._support[context.node.label].items() if keep[place]
        ]

    def known(self, context: Context | None) -> Context | None:
        """The finest context from this one on that was seen with children."""
        while context is not None and context not in self.counts.children:
            context = self.counts.coarser(context)
        return context

    def _state(self, context: Context, contexts: list[Context]) -> int:
        state = self.tables.states.get(context)
        if state is None:
            state = self.tables.states[context] = len(self.tables.states)
            contexts.append(context)
        return state

    def _pair(self, left: int, right: int) -> int:
        return self.tables.pairs.setdefault((left, right), len(self.tables.pairs))


def _numbers(values: Iterable[int]) -> Integers:
    return np.fromiter(values, np.int32)


def _logs(values: Iterable[float]) -> Floats:
    return np.log(np.fromiter(values, np.float64))
