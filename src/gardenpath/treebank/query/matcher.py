"""All matches of a request, found by joins over arrays: a row is a match, a column holds what one node is bound to.

An edge of the pattern is a table of at most as many rows as there are nodes (each has one governor). Starting from the
node of the pattern with the fewest candidates, edges are joined to what is bound: up to the governor, or down to the
dependants; then sisters and ancestors; nodes that nothing reaches come last, with all candidates of their sentence.
Filters are joined in the same way, and keep or drop the rows they can be joined to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from .bindings import Bindings, ranges
from .conditions import Conditions
from .nodes import Ints, Mask, QueryNodes, edge_fault
from .request import (
    ANY,
    Clause,
    DominanceClause,
    EdgeClause,
    FeatureClause,
    FunctionClause,
    NodeClause,
    Reference,
    Request,
    SecondEdgeClause,
    SisterClause,
    edges_of,
    loose_nodes,
    nodes_of,
    pointed_error,
    special_parts,
)


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
        which, words = ranges(candidates, starts[sentences], starts[sentences + 1])
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
    which, extending = ranges(nodes, begins, ends)
    return bound.extended(which, name, extending)
