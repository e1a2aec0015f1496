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
    NodeClause,
    Reference,
    Request,
    SisterClause,
    edges_of,
    nodes_of,
    pointed_error,
    special_parts,
)


def matches(request: Request, nodes: QueryNodes) -> Bindings:
    """Every way in which the pattern fits, in the order of its nodes, without those that filters drop."""
    _check(request, nodes)
    start = Bindings({}, np.zeros(1, dtype=np.int64))
    matched = _Join(nodes, request.pattern, _allowed(request, nodes)).joined(start)
    order = np.lexsort([matched.columns[name] for name in reversed(request.nodes)])
    matched = matched.kept(order)
    matched = Bindings(matched.columns, np.arange(len(matched)))
    for clauses, wanted in [*((block, True) for block in request.required), *((b, False) for b in request.forbidden)]:
        extended = _Join(nodes, clauses, None, request.pattern).joined(matched)
        holds = np.zeros(len(matched), dtype=bool)
        holds[extended.rows] = True
        matched = matched.kept(holds == wanted)
        matched = Bindings(matched.columns, np.arange(len(matched)))
    return matched


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
        for clause in self.clauses:
            if isinstance(clause, NodeClause):
                self._narrow(clause.node, nodes.any_of(clause.alternatives))
            elif isinstance(clause, FeatureClause) and clause.reference.name in self.candidates:
                self._narrow(clause.reference.name, nodes.tested(clause.test))
            elif isinstance(clause, EdgeClause):
                self._narrow_ends(clause)

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
        """One more node bound, by the clause that leads to the fewest; else any node of the sentence."""
        for here, there, join in self._ways():
            if here in bound.columns and there in missing:
                return join(bound), there
        name = min(missing, key=lambda name: int(self.candidates[name].sum()))
        return self._anywhere(bound, name), name

    def _ways(self) -> Iterator[tuple[str, str, Callable[[Bindings], Bindings]]]:
        """From which node a clause leads to which, and how: to the one governor before dependants, and so on."""
        kin = [clause for clause in self.clauses if isinstance(clause, DominanceClause)]
        for edge in self.own:
            yield edge.target, edge.source, partial(self._governors, clause=edge)
        for edge in self.own:
            yield edge.source, edge.target, partial(self._dependants, clause=edge)
        for clause in self.clauses:
            if isinstance(clause, SisterClause):
                for here, there in ((clause.first, clause.second), (clause.second, clause.first)):
                    yield here, there, partial(self._sisters, here=here, there=there)
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
        nodes = np.flatnonzero(self.own[clause] & self.candidates[clause.target])
        return _grouped(bound, self.nodes.governors[nodes], nodes, bound.columns[clause.source], clause.target)

    def _sisters(self, bound: Bindings, here: str, there: str) -> Bindings:
        nodes = np.flatnonzero(self.candidates[there] & (self.nodes.families >= 0))
        return _grouped(bound, self.nodes.families[nodes], nodes, self.nodes.families[bound.columns[here]], there)

    def _ancestors(self, bound: Bindings, clause: DominanceClause) -> Bindings:
        which, above = self.nodes.ancestors(bound.columns[clause.target])
        fits = self.candidates[clause.source][above]
        return bound.extended(which[fits], clause.source, above[fits])

    def _descendants(self, bound: Bindings, clause: DominanceClause) -> Bindings:
        nodes = np.flatnonzero(self.candidates[clause.target])
        which, above = self.nodes.ancestors(nodes)
        return _grouped(bound, above, nodes[which], bound.columns[clause.source], clause.target)

    def _anywhere(self, bound: Bindings, name: str) -> Bindings:
        """All candidates of the sentence; of all sentences where nothing is bound yet."""
        candidates = np.flatnonzero(self.candidates[name])
        if not bound.columns:
            return Bindings({name: candidates}, np.zeros(len(candidates), dtype=np.int64))
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
