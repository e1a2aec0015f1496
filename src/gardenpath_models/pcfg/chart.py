"""A binarised PCFG in arrays, the chart of a sentence, and its best derivations.

The arrays hold symbols, states between the children of a node, and chains of single children. The search is lazy k-best
(Huang and Chiang 2005, no. 3).
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import SystemFailure

Integers = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Table:
    """Rows grouped by a key: those of key k stand at `rows[starts[k]:starts[k + 1]]`."""

    starts: Integers
    rows: Integers


@dataclass(frozen=True)
class PCFGGrammar:
    """Symbols are preterminals (tag and function) and then nodes; states are what remains of a node's children.

    A node is drawn in two steps, so that no chain of single children can turn in a circle: first the chain below
    it (none, or one of finitely many), then two or more children of the symbol at the bottom, from left to right:
    `left child + state`. A state goes on with `child + state`, or ends with a last child. Logarithms are natural.
    """

    labels: list[str]
    """The tag of each preterminal, then the category of each node."""
    functions: list[str]
    preterminals: int
    root: int
    states: int

    chain_top: Integers
    chain_bottom: Integers
    chain_score: Floats
    chain_paths: list[tuple[int, ...]]
    """The symbols from below the top down to the bottom; empty where the node itself has two or more children."""

    pair_left: Integers
    """The symbol of the left child and the state of the rest."""
    pair_right: Integers
    rule_left: Integers
    """The left-hand side: a symbol (a node), or a state, which counts from `symbols` on."""
    rule_pair: Integers
    rule_score: Floats

    last_state: Integers
    """Ends of states: the state, its last child, the score."""
    last_symbol: Integers
    last_score: Floats

    @property
    def symbols(self) -> int:
        return len(self.labels)

    @property
    def size(self) -> dict[str, int]:
        return {
            "symbols": self.symbols,
            "states": self.states,
            "rules": len(self.rule_left) + len(self.last_state),
            "chains": len(self.chain_top),
        }

    @cached_property
    def chain_starts(self) -> Integers:
        """Chains stand in the order of their bottoms; those of symbol b begin here."""
        return starts(self.chain_bottom, self.symbols)

    @cached_property
    def pair_starts(self) -> Integers:
        """Pairs stand in the order of their left children."""
        return starts(self.pair_left, self.symbols)

    @cached_property
    def rule_starts(self) -> Integers:
        """Rules stand in the order of their pairs."""
        return starts(self.rule_pair, len(self.pair_left))

    @cached_property
    def last_starts(self) -> Integers:
        """Last children stand in the order of their symbols."""
        return starts(self.last_symbol, self.symbols)

    @cached_property
    def chains_by_top(self) -> Table:
        return grouped(self.chain_top, self.symbols)

    @cached_property
    def rules_by_left(self) -> Table:
        return grouped(self.rule_left, self.symbols + self.states)

    @cached_property
    def lasts_by_state(self) -> Table:
        return grouped(self.last_state, self.states)


def starts(keys: Integers, size: int) -> Integers:
    """Where the stretch of each key begins in a sorted column, and the end of the last one."""
    begins = np.zeros(size + 1, np.int32)
    np.cumsum(np.bincount(keys, minlength=size), out=begins[1:])
    return begins


def grouped(keys: Integers, size: int) -> Table:
    """Rows by key, in their order within each."""
    return Table(starts(keys, size), np.argsort(keys, kind="stable").astype(np.int32))


Layer = Literal["whole", "bare", "state"]


class Item(NamedTuple):
    """A symbol with its chain ("whole"), without it ("bare"), or a state, over a span."""

    layer: Layer
    begin: int
    end: int
    symbol: int


class Edge(NamedTuple):
    """One way to make an item: the rule's own score, what it is made of, and the chain where it is one."""

    score: float
    tails: tuple[Item, ...]
    chain: int = -1


class Derivation(NamedTuple):
    """An edge and which derivation of each tail is meant."""

    score: float
    edge: Edge
    ranks: tuple[int, ...]


@dataclass(slots=True)
class _Search:
    """What is known of an item: derivations in order, and candidates for the next one."""

    edges: list[Edge]
    found: list[Derivation] = field(default_factory=list)
    heap: list[tuple[float, int, tuple[int, ...]]] = field(default_factory=list)
    """Score (negative), number of the edge, ranks of the tails: ties go to the earlier edge."""
    queued: set[tuple[int, tuple[int, ...]]] = field(default_factory=set)


class Hypergraph(Protocol):
    """A filled chart: the best score of each item, and the ways to make it."""

    @property
    def grammar(self) -> PCFGGrammar: ...

    @property
    def root(self) -> Item: ...

    def score(self, item: Item) -> float: ...

    def edges(self, item: Item, most: int) -> list[Edge]: ...


Request = Generator[tuple[Item, int], Derivation | None, Derivation | None]


class Forest:
    """All derivations of a sentence, found as far as they are asked for. At most `most` of them are exact."""

    def __init__(self, chart: Hypergraph, most: int = 1) -> None:
        self.chart = chart
        self.most = most
        self._searches: dict[Item, _Search] = {}

    def derivation(self, item: Item, rank: int) -> Derivation | None:
        """The derivation of this rank (0 is the best); None where there are no more. Nothing is recursive here:
        long sentences go deeper than Python's stack."""
        stack = [self._next(item, rank)]
        answer: Derivation | None = None
        while stack:
            try:
                wanted = stack[-1].send(answer)
                stack.append(self._next(*wanted))
                answer = None
            except StopIteration as done:
                stack.pop()
                answer = done.value
        return answer

    def _next(self, item: Item, rank: int) -> Request:
        search = self._searches.get(item)
        if search is None:
            # Each edge with the best derivations of its tails, whose scores the chart has.
            search = self._searches[item] = _Search(self.chart.edges(item, self.most))
            for number, edge in enumerate(search.edges):
                ranks = (0,) * len(edge.tails)
                score = edge.score + sum(self.chart.score(tail) for tail in edge.tails)
                heappush(search.heap, (-score, number, ranks))
                search.queued.add((number, ranks))
        while len(search.found) <= rank and search.heap:
            negative, number, ranks = heappop(search.heap)
            edge = search.edges[number]
            search.found.append(Derivation(-negative, edge, ranks))
            if self.most > 1:
                yield from self._successors(search, number, ranks)
        return search.found[rank] if rank < len(search.found) else None

    def _successors(self, search: _Search, number: int, ranks: tuple[int, ...]) -> Generator[Any, Any, None]:
        """The candidates after this one: the next derivation of one of its tails."""
        edge = search.edges[number]
        for place in range(len(ranks)):
            following = (*ranks[:place], ranks[place] + 1, *ranks[place + 1 :])
            if (number, following) in search.queued:
                continue
            score = edge.score
            for tail, rank in zip(edge.tails, following, strict=True):
                derivation = yield tail, rank
                if derivation is None:
                    break
                score += derivation.score
            else:
                heappush(search.heap, (-score, number, following))
                search.queued.add((number, following))


def kept(scores: np.ndarray[Any, Any], most: int) -> np.ndarray[Any, Any]:
    """The places of the highest scores, the best first, ties in order; no edge below them is in `most` derivations."""
    if most == 1:
        return np.array([int(np.argmax(scores))]) if len(scores) else np.empty(0, np.int64)
    return np.argsort(-scores, kind="stable")[:most]


ENTRIES = 60_000_000
"""So many entries a chart may have: 0.7 GB."""


@dataclass(frozen=True)
class Chart:
    """Lists of what stands over each span, with the best score of each (see `chart.fill`)."""

    grammar: PCFGGrammar
    emissions: Floats
    cells: Any
    whole: tuple[Any, Any]
    bare: tuple[Any, Any]
    state: tuple[Any, Any]

    @property
    def size(self) -> int:
        return len(self.emissions)

    @property
    def root(self) -> Item:
        return Item("whole", 0, self.size, self.grammar.root)

    @property
    def entries(self) -> int:
        return int(self.cells[:, [1, 3, 5]].max(axis=0).sum())

    def score(self, item: Item) -> float:
        from .kernels import score_at

        cell = self.cells[item.begin * (self.size + 1) + item.end]
        symbols, scores = getattr(self, item.layer)
        at = {"whole": 0, "bare": 2, "state": 4}[item.layer]
        return float(score_at(symbols, scores, cell[at], cell[at + 1], item.symbol))

    def edges(self, item: Item, most: int) -> list[Edge]:
        """The best ways to make an item."""
        if item.symbol < self.grammar.preterminals and item.layer != "state":
            return [Edge(float(self.emissions[item.begin, item.symbol]), ())]
        grammar = self.grammar
        if item.layer == "bare":
            return self._splits(item, most)
        edges, table = list[Edge](), grammar.chains_by_top
        if item.layer == "state":
            edges, table = self._splits(item, most), grammar.lasts_by_state
        for row in table.rows[table.starts[item.symbol] : table.starts[item.symbol + 1]].tolist():
            if item.layer == "whole":
                tail = Item("bare", item.begin, item.end, int(grammar.chain_bottom[row]))
                edge = Edge(float(grammar.chain_score[row]), (tail,), row)
            else:
                tail = Item("whole", item.begin, item.end, int(grammar.last_symbol[row]))
                edge = Edge(float(grammar.last_score[row]), (tail,))
            if self.score(tail) > -np.inf:
                edges.append(edge)
        return edges

    def _splits(self, item: Item, most: int) -> list[Edge]:
        from .kernels import splits

        grammar, table = self.grammar, self.grammar.rules_by_left
        target = item.symbol + (grammar.symbols if item.layer == "state" else 0)
        rules, middles, scores = splits(
            item.begin, item.end, self.size, target, self.cells, *self.whole, *self.state,
            table.starts, table.rows, grammar.rule_pair, grammar.rule_score, grammar.pair_left, grammar.pair_right,
        )  # fmt: skip
        edges = []
        for at in kept(scores, most).tolist():
            rule, middle = int(rules[at]), int(middles[at])
            pair = int(grammar.rule_pair[rule])
            left = Item("whole", item.begin, middle, int(grammar.pair_left[pair]))
            right = Item("state", middle, item.end, int(grammar.pair_right[pair]))
            edges.append(Edge(float(grammar.rule_score[rule]), (left, right)))
        return edges


class ChartTooLarge(SystemFailure):
    """The chart of a sentence would need more memory than it may have."""


def chart_of(grammar: PCFGGrammar, emissions: Floats, entries: int = ENTRIES) -> Chart:
    """Fills the chart of a sentence: `emissions` has a row per token, with the score of each preterminal."""
    from .kernels import fill

    whole, cells, *lists = fill(
        emissions, grammar.symbols, grammar.states, entries,
        grammar.chain_starts, grammar.chain_top, grammar.chain_score, grammar.pair_starts, grammar.pair_right,
        grammar.rule_starts, grammar.rule_left, grammar.rule_score,
        grammar.last_starts, grammar.last_state, grammar.last_score,
    )  # fmt: skip
    if not whole:
        raise ChartTooLarge(
            f"the chart of a sentence of {len(emissions)} tokens has more than {entries} entries",
            todo="leave out so long sentences",
        )
    return Chart(grammar, emissions, cells, (lists[0], lists[1]), (lists[2], lists[3]), (lists[4], lists[5]))
