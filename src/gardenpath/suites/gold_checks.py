"""Checks of the gold: are subject and object (or preposition and noun) there, in the sentence, and one each?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .model import OBJECTS, SUBJECT, Arcs, RoleSuite
from .registry import Hit, check_of_roles

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
