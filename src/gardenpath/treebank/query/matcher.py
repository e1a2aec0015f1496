"""Matches of a request, found by joins over arrays: a row is a match, a column holds the words of one node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import eq, ge, gt, le, lt, ne
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from ..format.columns import ranges
from .nodes import Ints, Mask, QueryNodes, as_number, edge_fault
from .request import (
    ANY,
    Clause,
    CompareClause,
    DistanceClause,
    DominanceClause,
    EdgeClause,
    EqualClause,
    FeatureClause,
    FunctionClause,
    NodeClause,
    OrderClause,
    Reference,
    Request,
    SecondEdgeClause,
    SisterClause,
    SpanClause,
    each_holds,
    edges_of,
    loose_nodes,
    nodes_of,
    pointed_error,
    special_parts,
)

MOST = 20_000_000
"""Rows of a join: beyond, the request is refused before memory is."""


@dataclass(frozen=True)
class Bindings:
    """Rows of a join: for each bound node its words, and which match of the pattern a row extends."""

    columns: Mapping[str, Ints]
    rows: Ints
    loose: frozenset[str] = frozenset()
    """Nodes that may be the same as others."""

    def __len__(self) -> int:
        return len(self.rows)

    def kept(self, which: Any) -> Bindings:
        return Bindings({name: words[which] for name, words in self.columns.items()}, self.rows[which], self.loose)

    def extended(self, which: Ints, name: str, words: Ints) -> Bindings:
        """Rows `which`, each with a word for one more node; two nodes are never the same word, but for loose ones."""
        different = np.ones(len(words), dtype=bool)
        for node, bound in self.columns.items():
            if name not in self.loose and node not in self.loose:
                different &= bound[which] != words
        which, words = which[different], words[different]
        columns = {node: bound[which] for node, bound in self.columns.items()}
        return Bindings({**columns, name: words}, self.rows[which], self.loose)


def _joined(items: Ints, begins: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """For each row the items from begin to end: the row's number and the item, row by row."""
    counts = ends - begins
    if int(counts.sum()) > MOST:
        what = f"the pattern has more than {MOST:,} partial matches"
        raise UsageError(what, todo="join its nodes by edges, say more about them, or ask fewer sentences at a time")
    return np.repeat(np.arange(len(counts)), counts), items[ranges(begins, counts)]


_COMPARED = {"=": eq, "<>": ne, "<": lt, ">": gt, "<=": le, ">=": ge}


class Conditions:
    """The clauses of one block as conditions on rows; `own` says which nodes have an edge that fits a clause."""

    def __init__(self, nodes: QueryNodes, clauses: Sequence[Clause]) -> None:
        """`clauses` are those of the block and of the blocks around it, whose edges it may name."""
        self.nodes = nodes
        edges = [clause for clause in clauses if isinstance(clause, EdgeClause)]
        self.edges = {clause.name: clause for clause in edges if clause.name}
        self.own: dict[EdgeClause, Mask] = {}

    def needed(self, clause: Clause) -> list[str]:
        """The nodes that must be bound before a clause can be asked."""
        match clause:
            case EdgeClause(first, second) | DominanceClause(first, second) | SisterClause(first, second):
                names = [first, second]
            case OrderClause(first, second) | DistanceClause(first, second) | SpanClause(first, second):
                names = [first, second]
            case SecondEdgeClause(first, second):
                names = [first, second]
            case FunctionClause(target, _, argument):
                names = [argument, target] if target else [argument]
            case EqualClause(left, right) | CompareClause(left, _, right):
                names = [part.name for part in (left, right) if isinstance(part, Reference)]
            case FeatureClause(reference):
                names = [reference.name]
            case NodeClause(node):
                names = [node]
        ends = [end for name in names for end in self._ends(name)]
        return [name for name in ends if name != ANY]

    def _ends(self, name: str) -> tuple[str, ...]:
        """A node is itself; an edge its two nodes."""
        edge = self.edges.get(name)
        return (edge.source, edge.target) if edge is not None else (name,)

    def holds(self, clause: Clause, bound: Bindings) -> Mask:
        match clause:
            case NodeClause(node, alternatives):
                asked = np.zeros(self.nodes.count, dtype=bool)
                asked[bound.columns[node]] = True
                return self.nodes.any_of(alternatives, asked)[bound.columns[node]]
            case EdgeClause():
                return self._connected(clause, bound)
            case OrderClause(first, second, next=near):
                gaps = self.nodes.gap(bound.columns[first], bound.columns[second])
                return gaps == 1 if near else gaps > 0
            case DominanceClause(source, target):
                rows, above = self.nodes.ancestors(bound.columns[target])
                dominated = np.zeros(len(bound), dtype=bool)
                dominated[rows[above == bound.columns[source][rows]]] = True
                return dominated
            case SecondEdgeClause():
                return self._second(clause, bound)
            case FunctionClause(target, function, argument):
                given = self.nodes.applied(function, bound.columns[argument])
                same: Mask = given == (bound.columns[target] if target else -1)
                return same
            case SisterClause(first, second):
                family, family2 = (self.nodes.families[bound.columns[name]] for name in (first, second))
                sisters: Mask = (family == family2) & (family >= 0)
                return sisters
            case DistanceClause(first, second, signed, operator, number):
                gaps = self.nodes.delta(bound.columns[first], bound.columns[second])
                holds: Mask = _COMPARED[operator](gaps if signed else np.abs(gaps), number)
                return holds
            case SpanClause():
                return self._spanned(clause, bound)
            case EqualClause(left, right, negated):
                return self._equal(left, right, negated, bound)
            case CompareClause(left, operator, right):
                other = self._numbers(right, bound) if isinstance(right, Reference) else right
                compared: Mask = _COMPARED[operator](self._numbers(left, bound), other)
                return compared
            case FeatureClause(reference, test):
                codes, values = self._coded(reference, bound)
                return np.array(each_holds(test, [*values, None]))[codes]
        raise AssertionError(clause)

    def _connected(self, clause: EdgeClause, bound: Bindings) -> Mask:
        if clause.source == ANY:
            return self.own[clause][bound.columns[clause.target]]
        if clause.target == ANY:
            governing = np.zeros(self.nodes.count, dtype=bool)
            governing[self.nodes.governors[self.own[clause]]] = True
            return governing[bound.columns[clause.source]]
        targets = bound.columns[clause.target]
        holds: Mask = self.own[clause][targets] & (self.nodes.governors[targets] == bound.columns[clause.source])
        return holds

    def _second(self, clause: SecondEdgeClause, bound: Bindings) -> Mask:
        """Which rows have a secondary edge of this kind: pairs of mother and node are compared as one number each."""
        mothers, nodes = self.nodes.second_edges(clause.label)
        if clause.source == ANY:
            return np.isin(bound.columns[clause.target], nodes)
        if clause.target == ANY:
            return np.isin(bound.columns[clause.source], mothers)
        pairs = bound.columns[clause.source] * self.nodes.count + bound.columns[clause.target]
        return np.isin(pairs, mothers * self.nodes.count + nodes)

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

    def _numbers(self, reference: Reference, bound: Bindings) -> NDArray[np.float64]:
        """The value in each row as a number; NaN, which no comparison holds for, where there is none."""
        codes, values = self._coded(reference, bound)
        return np.array([*map(as_number, values), np.nan])[codes]

    def _coded(self, reference: Reference, bound: Bindings) -> tuple[Ints, list[str]]:
        return reference_codes(reference, bound, self.nodes, self.edges)


def reference_codes(
    reference: Reference, bound: Bindings, nodes: QueryNodes, edges: Mapping[str, EdgeClause]
) -> tuple[Ints, list[str]]:
    """What `X.lemma` or `e.label` is in each row, as code and values; -1 where it is not there."""
    edge = edges.get(reference.name)
    if edge is None:
        return nodes.feature_at(reference.feature, bound.columns[reference.name])
    if fault := edge_fault(reference.feature):
        raise UsageError(fault, where=str(reference))
    codes, values = nodes.edge_feature(reference.feature)
    return codes[bound.columns[edge.target]], values


def matches(request: Request, nodes: QueryNodes) -> Bindings:
    """Every way in which the pattern fits, in the order of its nodes, without those that filters drop."""
    _check(request, nodes)
    start = Bindings({}, np.zeros(1, dtype=np.int64), loose_nodes(request.pattern))
    matched = _Join(nodes, request.pattern, _allowed(request, nodes)).joined(start)
    order = np.lexsort([matched.columns[name] for name in reversed(request.nodes)])
    matched = matched.kept(order)
    for clauses, wanted in _blocks(request) if len(matched) else ():
        matched = matched.kept(_extensible(matched, clauses, request.pattern, nodes) == wanted)
    return Bindings(matched.columns, np.arange(len(matched)))


def further_holds(request: Request, nodes: QueryNodes, matched: Bindings) -> Mask:
    """For each match of the pattern: do all further blocks of this request hold? Its pattern is not asked again."""
    _check(request, nodes)
    holds = np.ones(len(matched), dtype=bool)
    for clauses, wanted in _blocks(request):
        which = np.flatnonzero(holds)
        holds[which] = _extensible(matched.kept(which), clauses, request.pattern, nodes) == wanted
    return holds


def _blocks(request: Request) -> list[tuple[tuple[Clause, ...], bool]]:
    """The blocks beside the pattern, each to hold or not."""
    return [*((block, True) for block in request.required), *((block, False) for block in request.forbidden)]


def _extensible(matched: Bindings, clauses: tuple[Clause, ...], outer: Sequence[Clause], nodes: QueryNodes) -> Mask:
    """For each row: can the nodes of a block be added?"""
    if not len(matched):
        return np.zeros(0, dtype=bool)
    numbered = Bindings(matched.columns, np.arange(len(matched)), loose_nodes((*outer, *clauses)))
    extended = _Join(nodes, clauses, None, outer).joined(numbered)
    holds = np.zeros(len(matched), dtype=bool)
    holds[extended.rows] = True
    return holds


def _check(request: Request, nodes: QueryNodes) -> None:
    """Can these trees be asked all of it?"""
    for clauses in (request.pattern, *request.required, *request.forbidden):
        edges = [*request.edges, *edges_of(clauses)]
        for part in special_parts(clauses):
            why = nodes.refused(part, edges)
            if isinstance(part, Reference) and part.name in edges:
                why = edge_fault(part.feature)
            if why:
                raise pointed_error(request.text, why, part.place)


def _allowed(request: Request, nodes: QueryNodes) -> Mask | None:
    """The nodes of the sentences that may have matches; None if all may."""
    if not request.structures and not request.comments:
        return None
    allowed = np.ones(nodes.sentence_count, dtype=bool)
    for structure, wanted in request.structures:
        allowed &= nodes.structured(structure) == wanted
    for test in request.comments:
        allowed &= nodes.commented(test)
    mask: Mask = allowed[nodes.sentence_of]
    return mask


class _Join(Conditions):
    """The clauses of one block, joined to what is bound already."""

    def __init__(
        self, nodes: QueryNodes, clauses: Sequence[Clause], allowed: Mask | None, outer: Sequence[Clause] = ()
    ) -> None:
        super().__init__(nodes, (*outer, *clauses))
        self.clauses = tuple(clauses)
        everywhere = np.ones(nodes.count, dtype=bool) if allowed is None else allowed
        self.candidates = dict.fromkeys(nodes_of(self.clauses), everywhere)
        self.own = {clause: self._edge_mask(clause) for clause in self.clauses if isinstance(clause, EdgeClause)}
        for edge in self.own:
            self._narrow_ends(edge)
        self.dear = [clause for clause in self.clauses if isinstance(clause, NodeClause) and self._is_dear(clause)]
        for clause in self.clauses:
            if isinstance(clause, NodeClause):
                cheap = [[test for test in tests if not nodes.is_dear(test.name)] for tests in clause.alternatives]
                self.candidates[clause.node] = nodes.any_of(cheap, self.candidates[clause.node])
            elif isinstance(clause, FeatureClause) and not nodes.is_dear(clause.test.name):
                name = clause.reference.name
                if name in self.candidates:
                    self.candidates[name] = nodes.tested(clause.test, self.candidates[name])

    def _is_dear(self, clause: NodeClause) -> bool:
        """Is a clause asked of the rows alone, when its node is bound?"""
        return any(self.nodes.is_dear(test.name) for tests in clause.alternatives for test in tests)

    def _edge_mask(self, clause: EdgeClause) -> Mask:
        """Words whose edge to their governor fits the clause by its label."""
        mask = self.nodes.labelled(clause.label)
        return mask if clause.source == ANY else mask & self.nodes.governed

    def _narrow(self, name: str, mask: Mask) -> None:
        self.candidates[name] = self.candidates[name] & mask

    def _narrow_ends(self, clause: EdgeClause) -> None:
        """What an edge alone says about the nodes at its ends."""
        mask, governors = self.own[clause], self.nodes.governors
        if clause.target in self.candidates:
            self._narrow(clause.target, mask)
        if clause.source in self.candidates:
            governing = np.zeros(self.nodes.count, dtype=bool)
            governing[governors[np.flatnonzero(mask)]] = True
            self._narrow(clause.source, governing)

    def joined(self, start: Bindings) -> Bindings:
        """All rows in which every clause holds."""
        if not all(mask.any() for mask in self.candidates.values()):  # some node is nowhere
            names = dict.fromkeys([*start.columns, *self.candidates])
            return Bindings({name: np.zeros(0, dtype=np.int64) for name in names}, np.zeros(0, dtype=np.int64))
        bound = start
        for name in [name for name in self.candidates if name in bound.columns]:
            bound = bound.kept(self.candidates[name][bound.columns[name]])
        waiting: list[Clause] = [clause for clause in self.clauses if not isinstance(clause, NodeClause)]
        waiting += self.dear
        missing = [name for name in self.candidates if name not in bound.columns]
        bound, waiting = self._filtered(bound, waiting)
        while missing:
            bound, name = self._next(bound, missing)
            missing.remove(name)
            bound, waiting = self._filtered(bound, waiting)
        return bound

    def _next(self, bound: Bindings, missing: Sequence[str]) -> tuple[Bindings, str]:
        """One more node bound, by the clause that leads to the fewest; else any node of the sentence: first one that
        a function is asked for, since no way leads back from what it gives."""
        for here, there, join in self._ways():
            if here in bound.columns and there in missing:
                return join(bound), there
        functions = [clause for clause in self.clauses if isinstance(clause, FunctionClause)]
        order = {clause.target: 1 for clause in functions} | {clause.argument: -1 for clause in functions}
        name = min(missing, key=lambda name: (order.get(name, 0), int(self.candidates[name].sum())))
        return self._anywhere(bound, name), name

    def _ways(self) -> Iterator[tuple[str, str, Callable[[Bindings], Bindings]]]:
        """From which node a clause leads to which, and how: to the one governor before dependants, and so on."""
        kin = [clause for clause in self.clauses if isinstance(clause, DominanceClause)]
        for clause in self.clauses:
            if isinstance(clause, FunctionClause) and clause.target:
                yield clause.argument, clause.target, partial(self._given, clause=clause)
        for edge in self.own:
            yield edge.target, edge.source, partial(self._governors, clause=edge)
        for edge in self.own:
            yield edge.source, edge.target, partial(self._dependants, clause=edge)
        for clause in self.clauses:
            if isinstance(clause, SisterClause):
                for here, there in ((clause.first, clause.second), (clause.second, clause.first)):
                    yield here, there, partial(self._sisters, here=here, there=there)
            if isinstance(clause, SecondEdgeClause) and ANY not in (clause.source, clause.target):
                for here, there in ((clause.source, clause.target), (clause.target, clause.source)):
                    yield here, there, partial(self._second_kin, clause=clause, there=there)
        for line in kin:
            yield line.target, line.source, partial(self._ancestors, clause=line)
        for line in kin:
            yield line.source, line.target, partial(self._descendants, clause=line)

    def _governors(self, bound: Bindings, clause: EdgeClause) -> Bindings:
        governors = self.nodes.governors[bound.columns[clause.target]]
        fits = self.own[clause][bound.columns[clause.target]] & self.candidates[clause.source][governors]
        which = np.flatnonzero(fits)
        return bound.extended(which, clause.source, governors[which])

    def _dependants(self, bound: Bindings, clause: EdgeClause) -> Bindings:
        nodes = self._near(bound, self.own[clause] & self.candidates[clause.target])
        return _grouped(bound, self.nodes.governors[nodes], nodes, bound.columns[clause.source], clause.target)

    def _sisters(self, bound: Bindings, here: str, there: str) -> Bindings:
        nodes = self._near(bound, self.candidates[there] & (self.nodes.families >= 0))
        return _grouped(bound, self.nodes.families[nodes], nodes, self.nodes.families[bound.columns[here]], there)

    def _near(self, bound: Bindings, mask: Mask) -> Ints:
        """The nodes of a mask, where there are few rows those of their sentences alone."""
        if len(bound) < self.nodes.sentence_count:
            asked = np.zeros(self.nodes.sentence_count, dtype=bool)
            asked[self.nodes.sentence_of[next(iter(bound.columns.values()))]] = True
            mask = mask & asked[self.nodes.sentence_of]
        return np.flatnonzero(mask)

    def _given(self, bound: Bindings, clause: FunctionClause) -> Bindings:
        given = self.nodes.applied(clause.function, bound.columns[clause.argument])
        which = np.flatnonzero((given >= 0) & self.candidates[clause.target][given])
        return bound.extended(which, clause.target, given[which])

    def _second_kin(self, bound: Bindings, clause: SecondEdgeClause, there: str) -> Bindings:
        mothers, nodes = self.nodes.second_edges(clause.label)
        ends = (mothers, nodes) if there == clause.target else (nodes, mothers)
        fits = self.candidates[there][ends[1]]
        here = clause.source if there == clause.target else clause.target
        return _grouped(bound, ends[0][fits], ends[1][fits], bound.columns[here], there)

    def _ancestors(self, bound: Bindings, clause: DominanceClause) -> Bindings:
        which, above = self.nodes.ancestors(bound.columns[clause.target])
        fits = self.candidates[clause.source][above]
        return bound.extended(which[fits], clause.source, above[fits])

    def _descendants(self, bound: Bindings, clause: DominanceClause) -> Bindings:
        nodes = self._near(bound, self.candidates[clause.target])
        which, above = self.nodes.ancestors(nodes)
        return _grouped(bound, above, nodes[which], bound.columns[clause.source], clause.target)

    def _anywhere(self, bound: Bindings, name: str) -> Bindings:
        """All candidates of the sentence; of all sentences where nothing is bound yet."""
        candidates = np.flatnonzero(self.candidates[name])
        if not bound.columns:
            return Bindings({name: candidates}, np.zeros(len(candidates), dtype=np.int64), bound.loose)
        sentences = self.nodes.sentence_of[next(iter(bound.columns.values()))]
        starts = np.searchsorted(self.nodes.sentence_of[candidates], np.arange(self.nodes.sentence_count + 1))
        which, words = _joined(candidates, starts[sentences], starts[sentences + 1])
        return bound.extended(which, name, words)

    def _filtered(self, bound: Bindings, waiting: list[Clause]) -> tuple[Bindings, list[Clause]]:
        """The rows in which all clauses hold whose nodes are bound, and the clauses that still wait for theirs."""
        later: list[Clause] = []
        for clause in waiting:
            if all(name in bound.columns for name in self.needed(clause)):
                bound = bound.kept(self.holds(clause, bound))
            else:
                later.append(clause)
        return bound, later


def _grouped(bound: Bindings, groups: Ints, nodes: Ints, wanted: Ints, name: str) -> Bindings:
    """Each row with every node of the group that it wants."""
    order = np.argsort(groups, kind="stable")
    groups, nodes = groups[order], nodes[order]
    starts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]]) if len(groups) else np.zeros(0, dtype=np.int64)
    known = groups[starts]
    place = np.searchsorted(known, wanted)
    there = place < len(known)
    there[there] = known[place[there]] == wanted[there]
    bounds = np.r_[starts, len(groups)]
    begins, ends = (np.where(there, bounds[np.minimum(place + step, len(known))], 0) for step in (0, 1))
    which, extending = _joined(nodes, begins, ends)
    return bound.extended(which, name, extending)
