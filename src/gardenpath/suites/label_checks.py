"""Checks of order and properties, of one item and of all of them: names, what the positions say, repeats, pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from ..errors import unknown_name
from .model import OBJECTS, SUBJECT, RoleSuite
from .names import ORDERS, PROPERTIES
from .registry import Hit, check_of_roles


@check_of_roles("unknown-property", "A property has a name that no suite uses.", "use a known name")
def unknown_property(suite: RoleSuite) -> Iterator[Hit]:
    if suite.own_names:
        return
    known = PROPERTIES[suite.kind]
    todos: dict[str, str] = {}
    for number, names in enumerate(suite.properties):
        for name in names:
            if name and name not in known:
                todo = todos.setdefault(name, unknown_name("property", name, known).todo)
                yield Hit(number, f"unknown property {name!r}", todo=todo)


@check_of_roles(
    "malformed-properties", "props is neither base-X nor properties joined by -.", "write base-X or X-Y, each once"
)
def malformed_properties(suite: RoleSuite) -> Iterator[Hit]:
    for number, (_, props) in enumerate(suite.marked):
        parts = props.split("-")
        if len(parts) < 2 or "" in parts or "base" in parts[1:] or len(set(parts)) < len(parts):
            yield Hit(number, f"props is {props!r}" if props else "no props")


@check_of_roles(
    "unknown-order",
    "An order has a name that SORTS does not use, and others have one of its names.",
    "use one of the eight names, or names of your own throughout",
)
def unknown_order(suite: RoleSuite) -> Iterator[Hit]:
    if suite.own_names:
        return
    todos: dict[str, str] = {}
    for number, order in enumerate(suite.orders):
        if order and order not in ORDERS:
            todo = todos.setdefault(order, unknown_name("order", order, ORDERS).todo)
            yield Hit(number, f"unknown order {order!r}", todo=todo)


@check_of_roles("missing-order", "Some items have an order and this one has none.", "write its order")
def missing_order(suite: RoleSuite) -> Iterator[Hit]:
    if any(suite.orders):
        yield from (Hit(number, "no order") for number, order in enumerate(suite.orders) if not order)


@check_of_roles("mixed-labels", "The words of one item differ in order or props.", "write the same on every word")
def mixed_labels(suite: RoleSuite) -> Iterator[Hit]:
    from .conll import marks_of

    treebank, marks = suite.treebank, marks_of(suite.treebank)
    first = marks.codes[treebank.offsets[:-1]][treebank.sentence_of]
    words = np.flatnonzero(marks.codes != first)
    numbers, at = np.unique(treebank.sentence_of[words], return_index=True)
    for number, word in zip(numbers.tolist(), words[at].tolist(), strict=True):
        place = int(treebank.ids[word])
        here = " ".join(marks[word].split("\t")).strip() or "nothing"
        yield Hit(number, f"word {place} says {here}, word 1 {' '.join(suite.marked[number]).strip()}", place)


@check_of_roles(
    "order-contradiction", "The order says one thing, the positions another.", "correct the order or the positions"
)
def order_contradiction(suite: RoleSuite) -> Iterator[Hit]:
    """S and O are compared always; V where the head is known and there is no auxiliary, which takes V's place."""
    if suite.kind != "roles":
        return
    letters = {order: _letters(order) for order in set(suite.orders) if order in ORDERS or _is_plain(order)}
    for number, order in enumerate(suite.orders):
        places = _places(suite, number) if order in letters else None
        if places is None:
            continue
        if "aux" in suite.properties[number]:
            places.pop("V", None)
        by_name = [letter for letter in letters[order] if letter in places]
        by_position = sorted(places, key=places.__getitem__)
        verb = places.get("V", 0)
        if by_position != by_name:
            yield Hit(number, f"{order} says {'-'.join(by_name)}, the positions {'-'.join(by_position)}")
        elif verb and order in ORDERS and order.startswith("LK") != (verb == 1):
            yield Hit(number, f"{order}, but the verb is word {verb}", verb)


def _is_plain(order: str) -> bool:
    """An order of one's own that is written in letters, as SVO."""
    return "S" in order and "O" in order and sorted(order) == sorted(set(order) & set("SVO"))


def _letters(order: str) -> str:
    """The letters in brackets: LK[V]MF[SO] is VSO."""
    if _is_plain(order):
        return order
    return "".join(text for text in re.findall(r"\[([A-Z]+)\]", order) if text != "ADV")


def _places(suite: RoleSuite, number: int) -> dict[str, int] | None:
    """Where S, O and V are; None where it is not one of each, which other checks say."""
    arcs = suite.arcs_of(number)
    subjects = [arc for arc in arcs if arc.label.partition(":")[0] == SUBJECT]
    objects = [arc for arc in arcs if arc.label.partition(":")[0] in OBJECTS]
    if len(subjects) != 1 or len(objects) != 1 or subjects[0].dependent == objects[0].dependent:
        return None
    places = {"S": subjects[0].dependent, "O": objects[0].dependent}
    if subjects[0].head == objects[0].head > 0:
        places["V"] = subjects[0].head
    return places


@check_of_roles("duplicate", "The same sentence with the same order and properties again.", "take one away")
def duplicate(suite: RoleSuite) -> Iterator[Hit]:
    seen: dict[object, int] = {}
    for number, tokens in enumerate(suite.tokens):
        first = seen.setdefault((tokens, suite.orders[number], suite.properties[number]), number)
        if first != number:
            yield Hit(number, f"is item {suite.sent_ids[first]} again: {' '.join(tokens)}")


@check_of_roles(
    "contradictory-gold",
    "The same sentence has other gold in another item.",
    "no system can get both right; keep one of them",
)
def contradictory_gold(suite: RoleSuite) -> Iterator[Hit]:
    seen: dict[tuple[str, ...], int] = {}
    for number, tokens in enumerate(suite.tokens):
        first = seen.setdefault(tokens, number)
        if first != number and suite.arcs_of(first) != suite.arcs_of(number):
            yield Hit(number, f"has other gold than item {suite.sent_ids[first]}: {' '.join(tokens)}")


@check_of_roles("repeated-sentence", "The same sentence is there with other properties.", "one of them is mislabelled")
def repeated_sentence(suite: RoleSuite) -> Iterator[Hit]:
    seen: dict[tuple[str, ...], int] = {}
    for number, tokens in enumerate(suite.tokens):
        first = seen.setdefault(tokens, number)
        if suite.properties[first] != suite.properties[number]:
            both = f"{'-'.join(suite.properties[first])} and {'-'.join(suite.properties[number])}"
            yield Hit(number, f"is item {suite.sent_ids[first]} again, as {both}: {' '.join(tokens)}")


@check_of_roles(
    "no-pair",
    "An item differs from every other in more than one order or property.",
    "add its variant, or check its words: a misspelt one hides it",
    level="warning",
)
def no_pair(suite: RoleSuite) -> Iterator[Hit]:
    paired = np.zeros(len(suite), dtype=bool)
    for pair in suite.pairs():
        paired[[pair.first, pair.second]] = True
    for number in np.flatnonzero(~paired).tolist():
        yield Hit(number, f"no minimal pair: {' '.join(suite.tokens[number])}")
