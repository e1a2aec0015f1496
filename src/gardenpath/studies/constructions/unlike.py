"""Coordination of unlike constituents (CUC): right if all conjuncts are found with their spans and heads."""

from __future__ import annotations

from typing import NamedTuple

from ...phrase.tree import Node
from .error_classes import Comparisons
from .reading import Case, Reading
from .verdict import UNDECIDED, Verdict


class Conjunct(NamedTuple):
    """What must be the same: the words, and the head (of a field without a verb: functions and heads inside)."""

    extent: int
    head: int | frozenset[tuple[str, int]]


def judge_unlike(case: Case) -> Verdict:
    """Right or wrong; labels, categories and functions are flags only."""
    wanted = _in_gold(case) if case.is_reduced else case.node
    if wanted is None:
        return Verdict((), UNDECIDED, (), "gold has no such coordination in this form of trees")
    gold, parse, by_phrase = case.gold, case.parse, case.decisions.field_heads
    goal = [conjunct(gold, one, by_phrase) for one in gold.conjuncts(wanted)]
    best: tuple[int, Node | None] = (-1, None)
    compared = Comparisons()
    for node in parse.tree.inner:
        conjuncts = parse.conjuncts(node)
        if len(conjuncts) < 2 and not (conjuncts and len(goal) < 2):
            continue
        have = [conjunct(parse, one, by_phrase) for one in conjuncts]
        if sorted(one.extent for one in have) == sorted(one.extent for one in goal) and set(have) == set(goal):
            compared.same("conjuncts", True)
            return case.decisions.judged("cuc", compared, _flags(case, wanted, node))
        shared = sum(one in goal for one in have)
        covers = (parse.extent(node) & gold.extent(wanted)).bit_count()
        if (score := 1000 * shared + covers) > best[0] and covers:
            best = (score, node)
    compared.same("conjuncts", False, _reason(case, wanted, best[1]))
    return case.decisions.judged("cuc", compared)


def conjunct(reading: Reading, node: Node, by_phrase: bool = True) -> Conjunct:
    """A conjunct as it is compared."""
    fields = reading.scheme.fields
    if by_phrase and fields is not None and (node.label in fields.verbless or node.label == fields.conjunct):
        inside = node.children if node.label == fields.conjunct else (node,)
        if not any(field.label in fields.verb_fields for field in inside):
            phrases = [phrase for field in inside for phrase in (field.children or (field,))]
            heads = frozenset((reading.function(one), reading.head(one)) for one in phrases if reading.extent(one))
            return Conjunct(reading.extent(node), heads)
    return Conjunct(reading.extent(node), reading.head(node))


def _in_gold(case: Case) -> Node | None:
    """The coordination in gold as the form of trees shows it, by the heads of its conjuncts."""
    heads = [token for name, token in case.construction.anchors if name.startswith("conjunct") and token >= 0]
    node = next(case.gold.over(*heads), None) if heads else None
    return node if node is not None and len(case.gold.conjuncts(node)) > 1 else None


def _flags(case: Case, wanted: Node, node: Node) -> tuple[str, ...]:
    gold, parse = case.gold, case.parse
    pairs = list(zip(parse.conjuncts(node), gold.conjuncts(wanted), strict=True))
    inner = [(one, two) for ours, theirs in pairs for one, two in zip(ours.children, theirs.children, strict=False)]
    same = {
        "label": node.label == wanted.label,
        "cat": all(one.label == two.label for one, two in pairs),
        "gf": all(parse.function(one) == gold.function(two) for one, two in [(node, wanted), *pairs, *inner]),
    }
    return tuple(name for name, holds in same.items() if not holds)


def _reason(case: Case, wanted: Node, node: Node | None) -> str:
    gold, parse = case.gold, case.parse
    theirs = gold.conjuncts(wanted)
    spans = " and ".join(gold.span(gold.extent(one)) for one in theirs)
    if node is None:
        return f"no coordination of {spans}"
    ours = parse.conjuncts(node)
    if sorted(map(parse.extent, ours)) == sorted(map(gold.extent, theirs)):
        return f"{spans}: other heads"
    return f"conjuncts {' and '.join(parse.span(parse.extent(one)) for one in ours)}, gold {spans}"
