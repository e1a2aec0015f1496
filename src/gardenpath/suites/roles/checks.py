"""Checks of role suites: gold arcs, orders and properties, repeats and pairs, and two forms of one suite."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ...errors import unknown_name
from ..registry import Hit, check_of_roles, check_of_two
from .model import OBJECTS, SUBJECT, Arcs, RoleSuite
from .names import ORDERS, PROPERTIES

_NOUNS = ("obl", "nmod")


def _with_label(suite: RoleSuite, labels: tuple[str, ...]) -> NDArray[np.int64]:
    """How many arcs with one of these labels each item has."""
    return np.bincount(suite.arcs.item[_labelled(suite.arcs, labels)], minlength=len(suite))


def _labelled(arcs: Arcs, labels: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which arcs have one of these labels, subtypes included."""
    wanted = np.array([value.partition(":")[0] in labels for value in arcs.label.values], dtype=bool)
    mask: NDArray[np.bool_] = wanted[arcs.label.codes] if len(arcs) else np.zeros(0, dtype=bool)
    return mask


def _missing(suite: RoleSuite, kind: str, labels: tuple[str, ...], what: str) -> Iterator[Hit]:
    if suite.kind == kind:
        absent = _with_label(suite, labels) == 0
        if suite.own_names:  # the author may ask for one of the two
            absent &= _with_label(suite, (SUBJECT, *OBJECTS)) == 0
        for number in np.flatnonzero(absent).tolist():
            yield Hit(number, f"no {what} ({' or '.join(labels)})")


@check_of_roles("missing-subject", "An item has no subject.", "mark the subject's noun with nsubj and its verb")
def missing_subject(suite: RoleSuite) -> Iterator[Hit]:
    yield from _missing(suite, "roles", (SUBJECT,), "subject")


@check_of_roles("missing-object", "An item has no object.", "mark the object's noun with obj or iobj and its verb")
def missing_object(suite: RoleSuite) -> Iterator[Hit]:
    yield from _missing(suite, "roles", OBJECTS, "object")


@check_of_roles("missing-preposition", "An item of a PP suite has no preposition.", "mark it with case and its noun")
def missing_preposition(suite: RoleSuite) -> Iterator[Hit]:
    yield from _missing(suite, "pp", ("case",), "preposition")


@check_of_roles("missing-noun", "The noun of the PP has no arc.", "mark it with obl or nmod and its head")
def missing_noun(suite: RoleSuite) -> Iterator[Hit]:
    yield from _missing(suite, "pp", _NOUNS, "noun of the PP")


@check_of_roles("repeated-role", "An item has two subjects or two objects.", "one of each; take the other mark away")
def repeated_role(suite: RoleSuite) -> Iterator[Hit]:
    if suite.kind != "roles":
        return
    for labels, what in (((SUBJECT,), "subjects"), (OBJECTS, "objects")):
        counts = _with_label(suite, labels)
        for number in np.flatnonzero(counts > 1).tolist():
            places = [arc.dependent for arc in suite.arcs_of(number) if arc.label.partition(":")[0] in labels]
            yield Hit(number, f"{counts[number]} {what}: {', '.join(map(str, places))}", places[1])


@check_of_roles("missing-head", "A role in CoNLL has a label and no head.", "write the position of the verb as HEAD")
def missing_head(suite: RoleSuite) -> Iterator[Hit]:
    if suite.format == "tsv":  # it has no column for it
        return
    for at in np.flatnonzero(suite.arcs.head < 0).tolist():
        place = int(suite.arcs.dependent[at])
        yield Hit(int(suite.arcs.item[at]), f"{suite.arcs.label[at]} at {place} has no head", place)


@check_of_roles("position-outside", "A position or head is not in the sentence.", "count the words again, marks too")
def position_outside(suite: RoleSuite) -> Iterator[Hit]:
    arcs = suite.arcs
    lengths = suite.treebank.lengths[arcs.item]
    wrong = (arcs.dependent < 1) | (arcs.dependent > lengths) | (arcs.head > lengths)
    for at in np.flatnonzero(wrong).tolist():
        outside = arcs.dependent[at] if arcs.head[at] <= lengths[at] else arcs.head[at]
        what = f"{arcs.label[at]}: position {outside} in a sentence of {lengths[at]} words"
        yield Hit(int(arcs.item[at]), what)


@check_of_roles("same-position", "Two roles are at one position.", "subject and object are different words")
def same_position(suite: RoleSuite) -> Iterator[Hit]:
    arcs = suite.arcs
    same = (arcs.item[1:] == arcs.item[:-1]) & (arcs.dependent[1:] == arcs.dependent[:-1])
    for at in np.flatnonzero(same).tolist():
        place = int(arcs.dependent[at])
        yield Hit(int(arcs.item[at]), f"{arcs.label[at]} and {arcs.label[at + 1]} are both at {place}", place)


@check_of_roles("not-a-word", "A role is on a punctuation mark.", "count the words again; does it count from 0?")
def not_a_word(suite: RoleSuite) -> Iterator[Hit]:
    arcs, offsets = suite.arcs, suite.treebank.offsets
    forms = suite.treebank.column("form")
    marks = np.array([all(unicodedata.category(char)[0] == "P" for char in form) for form in forms.values], dtype=bool)
    inside = np.flatnonzero((arcs.dependent >= 1) & (arcs.dependent <= suite.treebank.lengths[arcs.item]))
    words = offsets[arcs.item[inside]] + arcs.dependent[inside] - 1
    for at, word in zip(inside.tolist(), words.tolist(), strict=True):
        if marks[forms.codes[word]]:
            place = int(arcs.dependent[at])
            yield Hit(int(arcs.item[at]), f"{arcs.label[at]} at {place} is on {forms[word]!r}", place)


@check_of_roles("split-heads", "Subject and object have different heads.", "both depend on the main verb")
def split_heads(suite: RoleSuite) -> Iterator[Hit]:
    if suite.kind != "roles":
        return
    arcs = suite.arcs
    known = np.flatnonzero(arcs.head >= 0)
    items, heads = arcs.item[known], arcs.head[known]
    for at in np.flatnonzero((items[1:] == items[:-1]) & (heads[1:] != heads[:-1])).tolist():
        yield Hit(int(items[at]), f"heads {heads[at]} and {heads[at + 1]}", int(arcs.dependent[known[at + 1]]))


@check_of_roles("loose-preposition", "The preposition is not at the noun of its PP.", "its head is the noun")
def loose_preposition(suite: RoleSuite) -> Iterator[Hit]:
    if suite.kind != "pp":
        return
    nouns = {int(suite.arcs.item[at]): int(suite.arcs.dependent[at])
             for at in np.flatnonzero(_labelled(suite.arcs, _NOUNS)).tolist()}  # fmt: skip
    for at in np.flatnonzero(_labelled(suite.arcs, ("case",))).tolist():
        number, head = int(suite.arcs.item[at]), int(suite.arcs.head[at])
        if number in nouns and head != nouns[number]:
            words, noun = suite.tokens[number], nouns[number]
            there = f" ({words[head - 1]})" if 0 < head <= len(words) else ""
            what = f"case goes to {head}{there}, the noun is {noun} ({words[noun - 1] if noun <= len(words) else '?'})"
            yield Hit(number, what, int(suite.arcs.dependent[at]))


@check_of_roles("head-distance", "head_distance is not the distance of noun and head.", "write |noun - head|")
def head_distance(suite: RoleSuite) -> Iterator[Hit]:
    if not suite.distances:
        return
    for at in np.flatnonzero(_labelled(suite.arcs, _NOUNS)).tolist():
        number = int(suite.arcs.item[at])
        real = abs(int(suite.arcs.dependent[at]) - int(suite.arcs.head[at]))
        if suite.arcs.head[at] >= 0 and suite.distances[number] != real:
            yield Hit(number, f"head_distance is {suite.distances[number]}, the positions are {real} apart")


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
    "malformed-properties", "props is not base-X or properties joined by -.", "write base-X or X-Y, each once"
)
def malformed_properties(suite: RoleSuite) -> Iterator[Hit]:
    for number, (_, props) in enumerate(suite.marked):
        parts = props.split("-")
        if "" in parts or "base" in parts[1:] or len(set(parts)) < len(parts):
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
            mine, theirs = (
                ", ".join(f"{label} {at}" + (f"<{head}" if head >= 0 else "") for at, head, label in arcs) or "nothing"
                for arcs in (a, b)
            )
            yield Hit(here, f"{mine} here, {theirs} there: {' '.join(suite.tokens[here])}")
