"""Checks of two forms of one suite, such as its CoNLL and its TSV: where do they disagree?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .model import RoleSuite
from .registry import Hit, check_of_two


def _matched(suite: RoleSuite, other: RoleSuite) -> Iterator[tuple[int, int]]:
    """Items at the same place; where the numbers of items differ, those with the same sentence and labels."""
    if len(suite) == len(other):
        yield from ((number, number) for number in range(len(suite)))
        return
    places: dict[object, list[int]] = {}
    for number in reversed(range(len(other))):
        places.setdefault(_key(other, number), []).append(number)
    for number in range(len(suite)):
        if numbers := places.get(_key(suite, number)):
            yield number, numbers.pop()


def _key(suite: RoleSuite, number: int) -> object:
    return suite.tokens[number], suite.orders[number], suite.properties[number]


@check_of_two("other-items", "One form has items that the other has not.", "add them or take them away")
def other_items(suite: RoleSuite, other: RoleSuite) -> Iterator[Hit]:
    if len(suite) == len(other):
        return
    yield Hit(0, f"{len(suite):,} items here, {len(other):,} in {other.name}")
    there = Counter(_key(other, number) for number in range(len(other)))
    for number in range(len(suite)):
        key = _key(suite, number)
        there[key] -= 1
        if there[key] < 0:
            yield Hit(number, f"not in {other.name}: {' '.join(suite.tokens[number])}")


@check_of_two("other-sentence", "The sentences differ.", "one of the files has an older text")
def other_sentence(suite: RoleSuite, other: RoleSuite) -> Iterator[Hit]:
    for here, there in _matched(suite, other):
        if suite.tokens[here] != other.tokens[there]:
            yield Hit(here, f"{' '.join(suite.tokens[here])!r} here, {' '.join(other.tokens[there])!r} there")


@check_of_two("other-labels", "Order or properties differ, names of releases aside.", "correct one of them")
def other_labels(suite: RoleSuite, other: RoleSuite) -> Iterator[Hit]:
    for here, there in _matched(suite, other):
        a = (suite.orders[here], suite.properties[here])
        b = (other.orders[there], other.properties[there])
        if a != b:
            mine, theirs = (f"{order} {'-'.join(names)}".strip() for order, names in (a, b))
            yield Hit(here, f"{mine} here, {theirs} there")


@check_of_two("other-gold", "Positions, heads or labels of the roles differ.", "correct one of them")
def other_gold(suite: RoleSuite, other: RoleSuite) -> Iterator[Hit]:
    """Heads are compared where both forms have them."""
    for here, there in _matched(suite, other):
        if suite.tokens[here] != other.tokens[there]:
            continue
        a, b = suite.arcs_of(here), other.arcs_of(there)
        same = len(a) == len(b) and all(
            x.dependent == y.dependent and x.label == y.label and (x.head == y.head or -1 in (x.head, y.head))
            for x, y in zip(a, b, strict=True)
        )
        if not same:
            mine, theirs = (_shown(arcs) for arcs in (a, b))
            yield Hit(here, f"{mine} here, {theirs} there: {' '.join(suite.tokens[here])}")


def _shown(arcs: tuple[tuple[int, int, str], ...]) -> str:
    return ", ".join(f"{label} {at}" + (f"<{head}" if head >= 0 else "") for at, head, label in arcs) or "nothing"
