"""Does a clause hold in the rows of a join? Asked when all nodes are bound that it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import eq, ge, gt, le, lt, ne

import numpy as np

from ...errors import UsageError
from .bindings import Bindings
from .nodes import Ints, Mask, QueryNodes, edge_fault
from .request import (
    ANY,
    Clause,
    DistanceClause,
    DominanceClause,
    EdgeClause,
    EqualClause,
    FeatureClause,
    FunctionClause,
    NodeClause,
    OrderClause,
    Reference,
    SecondEdgeClause,
    SisterClause,
    SpanClause,
    each_holds,
)

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
            case EqualClause(left, right):
                names = [left.name, right.name]
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
