"""Clauses of a treebank with subject, verb and object, and the order in which the three stand (paper, Tables 2 and 4).

The verb that counts for the order is the finite one: the auxiliary or copula where the lexical verb is none, so that
German *Er hat das Buch gelesen* is SVO (verb second) and *weil er das Buch gelesen hat* is SOV (verb last). A clause
with several objects counts once for each, as in the paper. What is shared with a coordinated verb is not filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from ...suites.clues import FREQUENT, language_of
from ...treebank.fields import parse_feats
from ...treebank.pool import Column
from ...treebank.scores import universal
from ...treebank.tree import parents
from ...treebank.treebank import Treebank
from .labels import Plain

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

ORDERS: Mapping[str, str] = {
    "VSO": "LK[V]MF[SO]",
    "SVO": "VF[S]LK[V]MF[O]",
    "SOV": "MF[SO]VC[V]",
    "VOS": "LK[V]MF[OS]",
    "OVS": "VF[O]LK[V]MF[S]",
    "OSV": "MF[OS]VC[V]",
}
"""The six orders with their topological fields in German and Dutch, in the order of the paper's Table 2."""
PATTERNS = (
    "LK[V]MF[SO]", "VF[S]LK[V]MF[O]", "VF[ADV]LK[V]MF[SO]", "MF[SO]VC[V]",
    "LK[V]MF[OS]", "VF[O]LK[V]MF[S]", "VF[ADV]LK[V]MF[OS]", "MF[OS]VC[V]",
)  # fmt: skip
"""The eight orders of the suites, which tell verb-first clauses from those with another word in the forefield."""
CLAUSE_TYPES = ("verb-first", "verb-second", "verb-last")
_NAMES = tuple(ORDERS)
_OUTSIDE = frozenset("punct cc mark discourse vocative parataxis dislocated reparandum".split())
"""Dependents of a verb that stand before a clause, not in its forefield."""
_VERBS = frozenset(["VERB", "AUX"])
_OFTEN = 0.1
"""Every tenth word of a German or Dutch text is one of its most frequent; in another language some look alike."""


@dataclass(frozen=True, eq=False)
class Clauses:
    """One entry for each subject, verb and object of one clause; words are numbered over the whole treebank."""

    treebank: Treebank
    subject: Ints
    object: Ints
    verb: Ints
    """The head of both."""
    finite: Ints
    """The verb whose place counts; `verb` itself where no verb is finite."""
    order: Ints
    """Index into ORDERS."""
    forefield: Bools
    """Does something else than subject or object stand before the finite verb?"""

    def __len__(self) -> int:
        return len(self.subject)

    @property
    def sentence(self) -> Ints:
        return self.treebank.sentence_of[self.verb]

    @cached_property
    def orders(self) -> list[str]:
        return [_NAMES[code] for code in self.order.tolist()]

    @cached_property
    def pattern(self) -> Ints:
        """Index into PATTERNS."""
        plain = np.array([PATTERNS.index(fields) for fields in ORDERS.values()])[self.order]
        verb_first = np.isin(self.order, [_NAMES.index("VSO"), _NAMES.index("VOS")])
        # VF[ADV] stands two places after LK[V] with the same order of subject and object
        return np.where(verb_first & self.forefield, plain + 2, plain)

    @cached_property
    def clause_type(self) -> Ints:
        """Index into CLAUSE_TYPES."""
        kinds = [0 if name.startswith("LK") else 1 if name.startswith("VF") else 2 for name in PATTERNS]
        return np.array(kinds)[self.pattern]


def clauses_of(treebank: Treebank, plain: Plain = universal) -> Clauses:
    """All clauses with a verb that has both a subject (nsubj) and an object (obj, iobj)."""
    full = treebank.column("deprel")
    label = full.mapped(plain)
    up = parents(treebank.heads, treebank.offsets)
    below = treebank.heads > 0
    is_outer = flags(full, lambda value: value.endswith(":outer"))
    subjects = np.flatnonzero(flags(label, {"nsubj"}.__contains__) & below & ~is_outer)
    objects = np.flatnonzero(flags(label, {"obj", "iobj"}.__contains__) & below)
    subject, obj = _joined(subjects, objects, up)
    verb = up[subject]
    is_verb = flags(treebank.column("upos"), _VERBS.__contains__)
    helping = flags(label, {"aux", "cop"}.__contains__) & below
    has_helper = np.zeros(treebank.word_count, dtype=bool)
    has_helper[up[helping]] = True
    kept = is_verb[verb] | has_helper[verb]
    subject, obj, verb = subject[kept], obj[kept], verb[kept]
    finite = _finite(treebank, up, helping, is_verb)[verb]
    places = np.stack([subject, obj, finite], axis=1)
    rank = np.argsort(np.argsort(places, axis=1), axis=1)  # of S, O, V
    codes = np.array([[name.index(role) for role in "SOV"] for name in _NAMES])
    order = (rank[:, None, :] == codes[None]).all(axis=2).argmax(axis=1)
    return Clauses(treebank, subject, obj, verb, finite, order, _forefield(treebank, up, label, verb, finite))


def _joined(subjects: Ints, objects: Ints, up: Ints) -> tuple[Ints, Ints]:
    """Every subject with every object of the same head, in the order of the text by head, object and subject."""
    by_head = subjects[np.argsort(up[subjects], kind="stable")]
    objects = objects[np.argsort(up[objects], kind="stable")]
    heads = up[by_head]
    begins, ends = np.searchsorted(heads, up[objects]), np.searchsorted(heads, up[objects], side="right")
    sizes = ends - begins
    places = np.repeat(begins - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))
    return by_head[places], np.repeat(objects, sizes)


def _finite(treebank: Treebank, up: Ints, helping: Bools, is_verb: Bools) -> Ints:
    """For each word as head of a clause the verb whose place counts.

    The first of the verb and its auxiliaries that FEATS or XPOS call finite. Where neither says anything about any of
    them, the auxiliary: the first one if it stands before the verb (verb second), else the last one (verb last).
    """
    count = treebank.word_count
    everyone = np.arange(count)
    is_finite, is_known = _finiteness(treebank)
    members = np.flatnonzero(helping)
    first = np.where(is_finite & is_verb, everyone, count)
    np.minimum.at(first, up[members], np.where(is_finite[members], members, count))
    known = is_known & is_verb
    np.logical_or.at(known, up[members], is_known[members])
    leftmost, rightmost = np.full(count, count), np.full(count, -1)
    np.minimum.at(leftmost, up[members], members)
    np.maximum.at(rightmost, up[members], members)
    guessed = np.where(leftmost < everyone, leftmost, np.where(rightmost >= 0, rightmost, everyone))
    return np.where(first < count, first, np.where(known, everyone, guessed))


def _finiteness(treebank: Treebank) -> tuple[Bools, Bools]:
    """For each word: is it called finite, and is anything said about it?"""

    def by_feats(feats: str) -> str:
        return parse_feats(feats).get("VerbForm", "") if "VerbForm" in feats else ""

    def by_tag(tag: str) -> str:
        """The tags of STTS: VVFIN, VAIMP; VVINF, VAPP."""
        if len(tag) > 3 and tag[0] == "V" and tag[1] in "VAM":
            return "Fin" if tag[2:] in ("FIN", "IMP") else "Inf" if tag[2:] in ("INF", "IZU", "PP") else ""
        return ""

    feats, tags = treebank.column("feats").mapped(by_feats), treebank.column("xpos").mapped(by_tag)
    said = flags(feats, bool)
    finite = np.where(said, flags(feats, "Fin".__eq__), flags(tags, "Fin".__eq__))
    return finite, said | flags(tags, bool)


def _forefield(treebank: Treebank, up: Ints, label: Column, verb: Ints, finite: Ints) -> Bools:
    """Does a constituent of the clause, or the lexical verb itself, stand before the finite verb?"""
    inside = (treebank.heads > 0) & ~flags(label, _OUTSIDE.__contains__)
    members = np.flatnonzero(inside)
    leftmost = np.full(treebank.word_count, treebank.word_count)
    np.minimum.at(leftmost, up[members], members)
    found: Bools = np.minimum(leftmost[verb], verb) < finite
    return found


VERB_SECOND = frozenset("af bar da de fo fy gsw is lb nds nl no sv yi".split())
"""Languages whose clauses have topological fields, by the code that begins the name of a UD file."""


def is_verb_second(treebank: Treebank) -> bool:
    """By the name of the file, else because German or Dutch function words are frequent in it."""
    code = PurePath(treebank.name).name.partition("_")[0]
    if code in VERB_SECOND:
        return True
    forms = treebank.column("form")
    counts = np.bincount(forms.codes, minlength=len(forms.values)).tolist()
    language = language_of(forms.values, counts)
    words = FREQUENT.get(language, frozenset())
    found = sum(count for form, count in zip(forms.values, counts, strict=True) if form.casefold() in words)
    return bool(found > _OFTEN * treebank.word_count)


def flags(column: Column, test: Callable[[str], object]) -> Bools:
    """For each word: does its string pass the test? Asked once per different string."""
    return np.array([bool(test(value)) for value in column.values], dtype=bool)[column.codes]
