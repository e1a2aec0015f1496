"""A second, slow way to find matches: all assignments of words to nodes, each clause asked by its definition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any

from gardenpath.treebank import Node, Sentence
from gardenpath.treebank.query.request import (
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
    nodes_of,
)

Match = dict[str, Node]


def naive_matches(request: Request, sentence: Sentence) -> list[Match]:
    """All matches in one sentence."""
    for structure, wanted in request.structures:
        if structure_of(sentence, structure) != wanted:
            return []
    if not all(test.holds(sentence.metadata.get(test.name)) for test in request.comments):
        return []
    matches = list(extensions({}, request.pattern, sentence, request.pattern))
    for block in request.required:
        matches = [match for match in matches if any(extensions(match, block, sentence, (*request.pattern, *block)))]
    for block in request.forbidden:
        matches = [
            match for match in matches if not any(extensions(match, block, sentence, (*request.pattern, *block)))
        ]
    return matches


def extensions(
    match: Match, clauses: Sequence[Clause], sentence: Sentence, all_clauses: Sequence[Clause]
) -> Iterator[Match]:
    """Ways to bind the nodes of clauses that are not bound yet, each to a word of its own."""
    new = [name for name in nodes_of(tuple(clauses)) if name not in match]
    taken = {node.ord for node in match.values()}
    free = [node for node in sentence.words if node.ord not in taken]
    edges = {clause.name: clause for clause in all_clauses if isinstance(clause, EdgeClause) and clause.name}
    for words in permutations(free, len(new)):
        whole = {**match, **dict(zip(new, words, strict=True))}
        if all(holds(clause, whole, edges, sentence) for clause in clauses):
            yield whole


def holds(clause: Clause, match: Match, edges: dict[str, EdgeClause], sentence: Sentence) -> bool:
    match clause:
        case NodeClause(name, alternatives):
            return any(all(test.holds(value(match[name], test.name)) for test in tests) for tests in alternatives)
        case EdgeClause(source, target, label):
            for word in sentence.words:
                if word.head is None or not label.holds(word.deprel):
                    continue
                if target != "*" and word.ord != match[target].ord:
                    continue
                if source == "*" or (word.head > 0 and word.head == match[source].ord):
                    return True
            return False
        case OrderClause(first, second, near):
            gap = match[second].ord - match[first].ord
            return gap == 1 if near else gap > 0
        case DistanceClause(first, second, signed, operator, number):
            gap = match[second].ord - match[first].ord
            compared: Any = {
                "=": gap == number if signed else abs(gap) == number,
                "<>": gap != number if signed else abs(gap) != number,
                "<": gap < number if signed else abs(gap) < number,
                ">": gap > number if signed else abs(gap) > number,
                "<=": gap <= number if signed else abs(gap) <= number,
                ">=": gap >= number if signed else abs(gap) >= number,
            }
            return bool(compared[operator])
        case EqualClause(left, right, negated):
            first_value, second_value = (referred(reference, match, edges) for reference in (left, right))
            there = first_value is not None and second_value is not None
            return there and (first_value != second_value if negated else first_value == second_value)
        case FeatureClause(reference, test):
            return test.holds(referred(reference, match, edges))
        case SpanClause(first, second, relation):
            return spanned(ends(first, match, edges), ends(second, match, edges), relation, first in edges)
    raise AssertionError(clause)


def spanned(first: list[int], second: list[int], relation: str, first_is_edge: bool) -> bool:
    inside_second = [place for place in first if min(second) < place < max(second)]
    inside_first = [place for place in second if min(first) < place < max(first)]
    if relation == "><":
        return len(inside_first) == len(inside_second) == 1 and not set(first) & set(second)
    if relation == "<>":
        return max(first) <= min(second) or max(second) <= min(first)
    if first_is_edge:
        return all(min(second) <= place <= max(second) for place in first) and set(first) != set(second)
    return len(inside_second) == len(first)


def ends(name: str, match: Match, edges: dict[str, EdgeClause]) -> list[int]:
    names = [edges[name].source, edges[name].target] if name in edges else [name]
    return [match[end].ord for end in names]


def referred(reference: Reference, match: Match, edges: dict[str, EdgeClause]) -> str | None:
    if reference.name not in edges:
        return value(match[reference.name], reference.feature)
    target = match[edges[reference.name].target]
    label, _, deep = target.deprel.partition("@")
    first, _, second = label.partition(":")
    delta = target.ord - (target.head or 0)
    parts = {"label": target.deprel, "1": first, "2": second, "deep": deep}
    return {**parts, "length": str(abs(delta)), "delta": str(delta)}[reference.feature] or None


def value(node: Node, feature: str) -> str | None:
    if feature == "form":
        return node.form
    if feature in ("lemma", "upos", "xpos"):
        return {"lemma": node.lemma, "upos": node.upos, "xpos": node.xpos}[feature].replace("_", "") or None
    return node.feats.get(feature) or node.misc.get(feature)


def structure_of(sentence: Sentence, structure: str) -> bool:
    heads = [0, *(-1 if word.head is None else word.head for word in sentence.words)]
    cyclic = False
    for start in range(1, len(heads)):
        place, steps = start, 0
        while place > 0 and steps <= len(heads):
            place, steps = max(heads[place], 0), steps + 1
        cyclic |= steps > len(heads)
    if structure in ("cyclic", "forest"):
        return cyclic == (structure == "cyclic")
    if structure == "tree":
        return not cyclic and heads[1:].count(0) == 1 and -1 not in heads
    edges = [sorted((dependant, head)) for dependant, head in enumerate(heads) if dependant and head >= 0]
    return not any(a < c < b < d for a, b in edges for c, d in edges)
