"""All matches of a request, found by joins over arrays: a row is a match, a column holds the words of one node.

An edge of the pattern is a table of at most as many rows as there are words (each word has one governor). Starting
from the node with the fewest candidates, edges are joined to what is bound: up to the governor, or down to the
dependants; nodes that no edge reaches come last, with all candidates of their sentence. Filters are joined in the same
way, and keep or drop the rows they can be joined to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import UsageError
from .request import (
    ANY,
    Clause,
    DistanceClause,
    EdgeClause,
    EqualClause,
    FeatureClause,
    NodeClause,
    OrderClause,
    Reference,
    Request,
    SpanClause,
    each_holds,
    nodes_of,
)
from .words import EDGE_FEATURES, Ints, Mask, QueryWords

if TYPE_CHECKING:
    from ..treebank import Treebank

MOST = 20_000_000
"""Rows of a join: beyond, the request is refused before memory is."""
_COMPARED = {"=": eq, "<>": ne, "<": lt, ">": gt, "<=": le, ">=": ge}


@dataclass(frozen=True)
class Bindings:
    """Rows of a join: for each bound node its words, and which match of the pattern a row extends."""

    columns: Mapping[str, Ints]
    rows: Ints

    def __len__(self) -> int:
        return len(self.rows)

    def kept(self, which: Any) -> Bindings:
        return Bindings({name: words[which] for name, words in self.columns.items()}, self.rows[which])

    def extended(self, which: Ints, name: str, words: Ints) -> Bindings:
        """Rows `which`, each with a word for one more node; two nodes are never the same word."""
        different = np.ones(len(words), dtype=bool)
        for bound in self.columns.values():
            different &= bound[which] != words
        which, words = which[different], words[different]
        columns = {other: bound[which] for other, bound in self.columns.items()}
        return Bindings({**columns, name: words}, self.rows[which])


def matches(request: Request, treebank: Treebank) -> tuple[Bindings, QueryWords]:
    """Every way in which the pattern fits, in the order of the words of its nodes, without those that filters drop."""
    words = treebank.query_words
    start = Bindings({}, np.zeros(1, dtype=np.int64))
    matched = _Join(words, request.pattern, _allowed(request, words)).joined(start)
    order = np.lexsort([matched.columns[name] for name in reversed(request.nodes)])
    matched = matched.kept(order)
    matched = Bindings(matched.columns, np.arange(len(matched)))
    for clauses, wanted in [*((block, True) for block in request.required), *((b, False) for b in request.forbidden)]:
        extended = _Join(words, clauses, None, request.pattern).joined(matched)
        holds = np.zeros(len(matched), dtype=bool)
        holds[extended.rows] = True
        matched = matched.kept(holds == wanted)
        matched = Bindings(matched.columns, np.arange(len(matched)))
    return matched, words


def _allowed(request: Request, words: QueryWords) -> Mask | None:
    """The words of the sentences that may have matches; None if all may."""
    if not request.structures and not request.comments:
        return None
    allowed = np.ones(len(words.treebank), dtype=bool)
    for structure, wanted in request.structures:
        allowed &= words.structured(structure) == wanted
    for test in request.comments:
        allowed &= words.commented(test)
    mask: Mask = allowed[words.sentence_of]
    return mask


class _Join:
    """The clauses of one block, joined to what is bound already."""

    def __init__(
        self, words: QueryWords, clauses: Sequence[Clause], allowed: Mask | None, outer: Sequence[Clause] = ()
    ) -> None:
        self.words, self.clauses = words, tuple(clauses)
        edges = [clause for clause in (*outer, *clauses) if isinstance(clause, EdgeClause)]
        self.edges = {clause.name: clause for clause in edges if clause.name}
        everywhere = np.ones(words.count, dtype=bool) if allowed is None else allowed
        self.candidates = dict.fromkeys(nodes_of(self.clauses), everywhere)
        self.own = {clause: self._edge_mask(clause) for clause in self.clauses if isinstance(clause, EdgeClause)}
        for clause in self.clauses:
            if isinstance(clause, NodeClause):
                self._narrow(clause.node, words.any_of(clause.alternatives))
            elif isinstance(clause, FeatureClause) and clause.reference.name in self.candidates:
                self._narrow(clause.reference.name, words.tested(clause.test))
            elif isinstance(clause, EdgeClause):
                self._narrow_ends(clause)

    def _edge_mask(self, clause: EdgeClause) -> Mask:
        """Words whose edge to their governor fits the clause by its label."""
        mask = self.words.labelled(clause.label)
        return mask if clause.source == ANY else mask & (self.words.governors >= 0)

    def _narrow(self, name: str, mask: Mask) -> None:
        self.candidates[name] = self.candidates[name] & mask

    def _narrow_ends(self, clause: EdgeClause) -> None:
        """What an edge alone says about the nodes at its ends."""
        mask, governors = self.own[clause], self.words.governors
        if clause.target in self.candidates:
            self._narrow(clause.target, mask)
        if clause.source in self.candidates:
            governing = np.zeros(self.words.count, dtype=bool)
            governing[governors[mask & (governors >= 0)]] = True
            self._narrow(clause.source, governing)

    def joined(self, start: Bindings) -> Bindings:
        """All rows in which every clause holds."""
        bound = start
        for name in [name for name in self.candidates if name in bound.columns]:
            bound = bound.kept(self.candidates[name][bound.columns[name]])
        waiting: list[Clause] = [clause for clause in self.clauses if not isinstance(clause, NodeClause)]
        missing = [name for name in self.candidates if name not in bound.columns]
        bound, waiting = self._filtered(bound, waiting)
        while missing:
            bound, name = self._next(bound, missing)
            missing.remove(name)
            bound, waiting = self._filtered(bound, waiting)
        return bound

    def _next(self, bound: Bindings, missing: Sequence[str]) -> tuple[Bindings, str]:
        """One more node bound: a governor if one is missing, else dependants, else any word of the sentence."""
        for down in (False, True):
            for clause in self.own:
                here, there = (clause.source, clause.target) if down else (clause.target, clause.source)
                if here in bound.columns and there in missing:
                    return (self._dependants if down else self._governors)(bound, clause), there
        name = min(missing, key=lambda name: int(self.candidates[name].sum()))
        return self._anywhere(bound, name), name

    def _governors(self, bound: Bindings, clause: EdgeClause) -> Bindings:
        governors = self.words.governors[bound.columns[clause.target]]
        fits = self.own[clause][bound.columns[clause.target]] & self.candidates[clause.source][governors]
        which = np.flatnonzero(fits & (governors >= 0))
        return bound.extended(which, clause.source, governors[which])

    def _dependants(self, bound: Bindings, clause: EdgeClause) -> Bindings:
        words = np.flatnonzero(self.own[clause] & self.candidates[clause.target])
        words = words[np.argsort(self.words.governors[words], kind="stable")]
        governors, sources = self.words.governors[words], bound.columns[clause.source]
        begins, ends = (np.searchsorted(governors, sources, side=side) for side in ("left", "right"))
        which, targets = _ranges(words, begins, ends)
        return bound.extended(which, clause.target, targets)

    def _anywhere(self, bound: Bindings, name: str) -> Bindings:
        """All candidates of the sentence; of all sentences where nothing is bound yet."""
        candidates = np.flatnonzero(self.candidates[name])
        if not bound.columns:
            return Bindings({name: candidates}, np.zeros(len(candidates), dtype=np.int64))
        sentences = self.words.sentence_of[next(iter(bound.columns.values()))]
        starts = np.searchsorted(self.words.sentence_of[candidates], np.arange(len(self.words.treebank) + 1))
        which, words = _ranges(candidates, starts[sentences], starts[sentences + 1])
        return bound.extended(which, name, words)

    def _filtered(self, bound: Bindings, waiting: list[Clause]) -> tuple[Bindings, list[Clause]]:
        """The rows in which all clauses hold whose nodes are bound, and the clauses that still wait for theirs."""
        later: list[Clause] = []
        for clause in waiting:
            if all(name in bound.columns for name in self._needed(clause)):
                bound = bound.kept(self._holds(clause, bound))
            else:
                later.append(clause)
        return bound, later

    def _needed(self, clause: Clause) -> list[str]:
        """The nodes that must be bound before a clause can be asked."""
        match clause:
            case EdgeClause(source, target):
                names = [source, target]
            case OrderClause(first, second) | DistanceClause(first, second) | SpanClause(first, second):
                names = [first, second]
            case EqualClause(left, right):
                names = [left.name, right.name]
            case FeatureClause(reference):
                names = [reference.name]
            case _:
                names = []
        ends = [end for name in names for end in self._ends(name)]
        return [name for name in ends if name != ANY]

    def _ends(self, name: str) -> tuple[str, ...]:
        """A node is itself; an edge its two nodes."""
        edge = self.edges.get(name)
        return (edge.source, edge.target) if edge is not None else (name,)

    def _holds(self, clause: Clause, bound: Bindings) -> Mask:
        match clause:
            case EdgeClause():
                return self._connected(clause, bound)
            case OrderClause(first, second, next=near):
                gaps = bound.columns[second] - bound.columns[first]
                return gaps == 1 if near else gaps > 0
            case DistanceClause(first, second, signed, operator, number):
                gaps = bound.columns[second] - bound.columns[first]
                holds: Mask = _COMPARED[operator](gaps if signed else np.abs(gaps), number)
                return holds
            case SpanClause():
                return self._spanned(clause, bound)
            case EqualClause(left, right, negated):
                return self._equal(left, right, negated, bound)
            case FeatureClause(reference, test):
                codes, values = self._coded(reference, bound)
                return np.array(each_holds(test, [*values, None]))[codes]
        raise AssertionError(clause)

    def _connected(self, clause: EdgeClause, bound: Bindings) -> Mask:
        if clause.source == ANY:
            return self.own[clause][bound.columns[clause.target]]
        if clause.target == ANY:
            governing = np.zeros(self.words.count, dtype=bool)
            governing[self.words.governors[self.own[clause]]] = True
            return governing[bound.columns[clause.source]]
        targets = bound.columns[clause.target]
        holds: Mask = self.own[clause][targets] & (self.words.governors[targets] == bound.columns[clause.source])
        return holds

    def _span(self, name: str, bound: Bindings) -> tuple[Ints, Ints]:
        """The outermost words of a node or an edge."""
        ends = [bound.columns[end] for end in self._ends(name)]
        return np.minimum(ends[0], ends[-1]), np.maximum(ends[0], ends[-1])

    def _spanned(self, clause: SpanClause, bound: Bindings) -> Mask:
        (low, high), (low2, high2) = (self._span(name, bound) for name in (clause.first, clause.second))
        holds: Mask
        if clause.relation == "><":
            holds = ((low < low2) & (low2 < high) & (high < high2)) | ((low2 < low) & (low < high2) & (high2 < high))
        elif clause.relation == "<>":
            holds = (high <= low2) | (high2 <= low)
        elif clause.first in self.edges:
            holds = (low2 <= low) & (high <= high2) & ((low2 < low) | (high < high2))
        else:
            holds = (low2 < low) & (high < high2)
        return holds

    def _equal(self, left: Reference, right: Reference, negated: bool, bound: Bindings) -> Mask:
        (codes, values), (codes2, values2) = (self._coded(reference, bound) for reference in (left, right))
        place = {value: code for code, value in enumerate(values2)}
        same_value = np.array([*(place.get(value, -1) for value in values), -1])
        known = (codes >= 0) & (codes2 >= 0)
        holds: Mask = known & ((same_value[codes] == codes2) != negated)
        return holds

    def _coded(self, reference: Reference, bound: Bindings) -> tuple[Ints, list[str]]:
        return reference_codes(reference, bound, self.words, self.edges)


def reference_codes(
    reference: Reference, bound: Bindings, words: QueryWords, edges: Mapping[str, EdgeClause]
) -> tuple[Ints, list[str]]:
    """What `X.lemma` or `e.label` is in each row, as code and values; -1 where it is not there."""
    edge = edges.get(reference.name)
    if edge is None:
        codes, values = words.feature(reference.feature)
        return codes[bound.columns[reference.name]], values
    if reference.feature not in EDGE_FEATURES:
        what = f"an edge has no {reference.feature!r}: there are {', '.join(EDGE_FEATURES)}"
        raise UsageError(what, where=str(reference))
    codes, values = words.edge_feature(reference.feature)
    return codes[bound.columns[edge.target]], values


def _ranges(items: Ints, begins: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """For each row the items from begin to end: the row's number and the item, row by row."""
    counts = ends - begins
    total = int(counts.sum())
    if total > MOST:
        what = f"the pattern has more than {MOST:,} partial matches"
        raise UsageError(what, todo="join its nodes by edges, say more about them, or ask fewer sentences at a time")
    which = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    return which, items[begins[which] + within]
