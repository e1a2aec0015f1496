"""The best derivations of a filled chart, one after the other: lazy k-best search (Huang and Chiang 2005, no. 3)."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from .grammar import PCFGGrammar

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
            search = self._searches[item] = self._started(item)
        while len(search.found) <= rank and search.heap:
            negative, number, ranks = heappop(search.heap)
            edge = search.edges[number]
            search.found.append(Derivation(-negative, edge, ranks))
            if self.most > 1:
                yield from self._successors(search, number, ranks)
        return search.found[rank] if rank < len(search.found) else None

    def _started(self, item: Item) -> _Search:
        """Each edge with the best derivations of its tails, whose scores the chart has."""
        search = _Search(self.chart.edges(item, self.most))
        for number, edge in enumerate(search.edges):
            ranks = (0,) * len(edge.tails)
            score = edge.score + sum(self.chart.score(tail) for tail in edge.tails)
            heappush(search.heap, (-score, number, ranks))
            search.queued.add((number, ranks))
        return search

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
