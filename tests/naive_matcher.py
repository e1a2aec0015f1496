"""A second, slow way to find matches: all assignments of words to nodes, each clause asked by its definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, permutations, product
from typing import Any

from gardenpath.phrase import PhraseTree
from gardenpath.phrase.heads import NODE_FEATURES, NODE_FUNCTIONS
from gardenpath.phrase.schemes.model import TIGER
from gardenpath.phrase.tree import Node as PhraseNode
from gardenpath.treebank import Node, Sentence
from gardenpath.treebank.query.request import (
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
    loose_nodes,
    nodes_of,
)

Match = dict[str, Any]
Edges = dict[str, EdgeClause]
Holds = Callable[[Clause, Match, Edges], bool]


def naive_matches(request: Request, sentence: Sentence) -> list[Match]:
    """All matches in one sentence."""
    for structure, wanted in request.structures:
        if structure_of(sentence, structure) != wanted:
            return []
    if not all(test.holds(sentence.metadata.get(test.name)) for test in request.comments):
        return []
    return all_matches(request, sentence.words, lambda *question: holds(*question, sentence))


def naive_phrase_matches(request: Request, tree: PhraseTree) -> list[Match]:
    """All matches in one phrase tree."""
    for structure, wanted in request.structures:
        if phrase_structure(tree, structure) != wanted:
            return []
    if not all(test.holds(tree.sent_id if test.name == "sent_id" else None) for test in request.comments):
        return []
    return all_matches(request, [tree[number] for number in range(len(tree.mothers))], holds_of_phrases)


def all_matches(request: Request, units: Sequence[Any], holds: Holds) -> list[Match]:
    matches = list(extensions({}, request.pattern, units, request.pattern, holds))
    for blocks, wanted in ((request.required, True), (request.forbidden, False)):
        for block in blocks:
            known = (*request.pattern, *block)
            matches = [match for match in matches if any(extensions(match, block, units, known, holds)) == wanted]
    return matches


def extensions(
    match: Match, clauses: Sequence[Clause], units: Sequence[Any], all_clauses: Sequence[Clause], holds: Holds
) -> Iterator[Match]:
    """Ways to bind the nodes of clauses that are not bound yet, each to a word of its own, loose ones to any word."""
    loose = loose_nodes(all_clauses)
    new = sorted((name for name in nodes_of(tuple(clauses)) if name not in match), key=loose.__contains__)
    taken = [unit for name, unit in match.items() if name not in loose]
    free = [unit for unit in units if unit not in taken]
    strict = sum(name not in loose for name in new)
    edges = {clause.name: clause for clause in all_clauses if isinstance(clause, EdgeClause) and clause.name}
    for words, others in product(permutations(free, strict), product(units, repeat=len(new) - strict)):
        whole = {**match, **dict(zip(new, (*words, *others), strict=True))}
        if all(holds(clause, whole, edges) for clause in clauses):
            yield whole


def holds(clause: Clause, match: Match, edges: Edges, sentence: Sentence) -> bool:
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
            return compared(match[second].ord - match[first].ord, signed, operator, number)
        case DominanceClause(source, target):
            place, seen = match[target].head or 0, set[int]()
            while place > 0 and place not in seen:
                seen.add(place)
                place = sentence.words[place - 1].head or 0
            return match[source].ord in seen
        case SisterClause(first, second):
            return match[first].head is not None and match[first].head == match[second].head
        case EqualClause(left, right, negated):
            first_value, second_value = (referred(reference, match, edges) for reference in (left, right))
            there = first_value is not None and second_value is not None
            return there and (first_value != second_value if negated else first_value == second_value)
        case CompareClause(left, operator, right):
            numbers = [referred(side, match, edges) if isinstance(side, Reference) else side for side in (left, right)]
            return compared_numbers(numbers, operator)
        case FeatureClause(reference, test):
            return test.holds(referred(reference, match, edges))
        case SpanClause(first, second, relation):
            return spanned(ends(first, match, edges), ends(second, match, edges), relation, first in edges)
    raise AssertionError(clause)


def compared(gap: int, signed: bool, operator: str, number: int) -> bool:
    size = gap if signed else abs(gap)
    answers: Any = {
        "=": size == number, "<>": size != number, "<": size < number,
        ">": size > number, "<=": size <= number, ">=": size >= number,
    }  # fmt: skip
    return bool(answers[operator])


def compared_numbers(values: Sequence[Any], operator: str) -> bool:
    try:
        first, second = (float(value) for value in values)
    except (TypeError, ValueError):
        return False
    return {"<": first < second, ">": first > second, "<=": first <= second, ">=": first >= second}[operator]


def holds_of_phrases(clause: Clause, match: Match, edges: Edges) -> bool:
    match clause:
        case NodeClause(name, alternatives):
            return any(
                all(test.holds(phrase_value(match[name], test.name)) for test in tests) for tests in alternatives
            )
        case EdgeClause(source, target, label):
            if target == "*":
                return any(label.holds(function_of(child)) for child in match[source].children)
            fits = label.holds(function_of(match[target]))
            return fits and (source == "*" or match[target].mother == match[source])
        case SecondEdgeClause(source, target, label):
            tree = next(iter(match.values())).tree
            return any(
                to >= 0
                and label.holds(name)
                and (source == "*" or match[source] == tree[to])
                and (target == "*" or match[target] == tree[node])
                for node, name, to in tree.secondary
            )
        case FunctionClause(target, function, argument):
            return NODE_FUNCTIONS[function](match[argument], TIGER) == (match[target] if target else None)
        case DominanceClause(source, target):
            return match[target] in match[source].descendants
        case SisterClause(first, second):
            return match[second] in match[first].sisters
        case OrderClause(first, second, near):
            last, next_first = max(match[first].positions), min(match[second].positions)
            return next_first == last + 1 if near else last < next_first
        case DistanceClause(first, second, signed, operator, number):
            gap = min(match[second].positions) - min(match[first].positions)
            return compared(gap, signed, operator, number)
        case EqualClause(left, right, negated):
            first_value, second_value = (phrase_referred(reference, match, edges) for reference in (left, right))
            there = first_value is not None and second_value is not None
            return there and (first_value != second_value if negated else first_value == second_value)
        case CompareClause(left, operator, right):
            numbers = [
                phrase_referred(side, match, edges) if isinstance(side, Reference) else side for side in (left, right)
            ]
            return compared_numbers(numbers, operator)
        case FeatureClause(reference, test):
            return test.holds(phrase_referred(reference, match, edges))
    raise AssertionError(clause)


def function_of(node: PhraseNode) -> str:
    return "" if node.function in ("", "-", "--") else node.function


def phrase_referred(reference: Reference, match: Match, edges: Edges) -> str | None:
    if reference.name not in edges:
        return phrase_value(match[reference.name], reference.feature)
    edge = edges[reference.name]
    target = match[edge.target]
    if reference.feature in ("length", "delta"):
        delta = 0 if target.mother is None else min(target.positions) - min(target.mother.positions)
        return str(delta if reference.feature == "delta" else abs(delta))
    first, _, second = function_of(target).partition(":")
    return {"label": function_of(target), "1": first, "2": second}[reference.feature] or None


def phrase_value(node: PhraseNode, feature: str) -> str | None:
    if feature in NODE_FEATURES:
        return NODE_FEATURES[feature](node, TIGER)
    if feature == "__id__":
        return str(node.number + 1)
    places = sorted(node.positions)
    gaps = sum(right - left > 1 for left, right in pairwise(places))
    if feature in ("form", "pos", "lemma", "morph") and not node.is_token:
        return None
    lemmas, morphs = (values or ("",) * len(node.tree) for values in (node.tree.lemmas, node.tree.morphs))
    answers: dict[str, Callable[[], str]] = {
        "form": lambda: node.word, "pos": lambda: node.label, "label": lambda: node.label,
        "lemma": lambda: lemmas[node.number], "morph": lambda: morphs[node.number],
        "cat": lambda: "" if node.is_token else node.label, "function": lambda: function_of(node),
        "arity": lambda: str(len(node.children)), "tokens": lambda: str(len(places)),
        "gap": lambda: str(gaps) if gaps else "",
        "start": lambda: str(places[0] + 1), "end": lambda: str(places[-1] + 1),
    }  # fmt: skip
    return answers[feature]() or None


def phrase_structure(tree: PhraseTree, structure: str) -> bool:
    if structure == "projective":
        return all(phrase_value(node, "gap") is None for node in tree.inner)
    return len(tree.top) == 1 if structure == "tree" else structure == "forest"


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


def ends(name: str, match: Match, edges: Edges) -> list[int]:
    names = [edges[name].source, edges[name].target] if name in edges else [name]
    return [match[end].ord for end in names]


def referred(reference: Reference, match: Match, edges: Edges) -> str | None:
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
    if feature == "__id__":
        return str(node.ord)
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
