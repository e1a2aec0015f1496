"""Clauses of a treebank with subject, verb and object, and the order in which the three stand (paper, Tables 2 and 4).

The verb that counts for the order is the finite one (the auxiliary or copula where the lexical verb is none), so that
German *Er hat das Buch gelesen* is SVO and *weil er das Buch gelesen hat* is SOV, or the main verb, by which both are
SOV, as in the paper. Topological fields go by the finite verb. A clause with several objects counts once for each, as
in the paper. What is shared with a coordinated verb is not filled in.
"""

from __future__ import annotations

from collections.abc import Callable
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

ORDERS = ("VSO", "SVO", "SOV", "VOS", "OVS", "OSV")
"""Of subject, verb and object, as in the paper's Table 2."""
PATTERNS = (
    "LK[V]MF[SO]", "VF[S]LK[V]MF[O]", "VF[ADV]LK[V]MF[SO]", "MF[SO]VC[V]",
    "LK[V]MF[OS]", "VF[O]LK[V]MF[S]", "VF[ADV]LK[V]MF[OS]", "MF[OS]VC[V]",
)  # fmt: skip
"""The eight orders of the suites, which tell verb-first clauses from those with another word in the forefield."""
CLAUSE_TYPES = ("verb-first", "verb-second", "verb-last")
_OUTSIDE = frozenset("punct cc mark discourse vocative dislocated reparandum".split())
"""Dependents of a verb that stand before a clause, not in its forefield."""
_VERBS = frozenset(["VERB", "AUX"])
SUBJECTS, OBJECTS = frozenset(["nsubj"]), frozenset(["obj", "iobj"])
OTHER_SUBJECTS = frozenset(["csubj", "expl"])
"""Clauses, and pronouns that refer to nothing: counted apart."""
_OFTEN = 0.1
"""Every tenth word of a German or Dutch text is one of its most frequent; in another language some look alike."""


@dataclass(frozen=True, slots=True)
class ClauseRules:
    """Which clauses are looked for, and which verb decides their order."""

    verb: str = "finite"
    """`finite` or `main`."""
    datives: bool = False
    """Are datives objects that are labelled obl:arg? (`iobj` always is.)"""
    apart: bool = False
    """With clausal and expletive arguments, which are counted apart."""


PLAIN_RULES = ClauseRules()


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
    """Index into ORDERS, by the place of the verb that was asked for."""
    finite_order: Ints
    """The same by the place of the finite verb."""
    forefield: Bools
    """Does something else than subject or object stand before the finite verb?"""

    def __len__(self) -> int:
        return len(self.subject)

    @property
    def sentence(self) -> Ints:
        return self.treebank.sentence_of[self.verb]

    @cached_property
    def orders(self) -> list[str]:
        return [ORDERS[code] for code in self.order.tolist()]

    @cached_property
    def pattern(self) -> Ints:
        """Index into PATTERNS."""
        # the patterns without VF[ADV] stand in the order of ORDERS
        plain = np.array([code for code, fields in enumerate(PATTERNS) if "ADV" not in fields])[self.finite_order]
        verb_first = np.isin(self.finite_order, [ORDERS.index("VSO"), ORDERS.index("VOS")])
        # VF[ADV] stands two places after LK[V] with the same order of subject and object
        return np.where(verb_first & self.forefield, plain + 2, plain)

    @cached_property
    def clause_type(self) -> Ints:
        """Index into CLAUSE_TYPES."""
        kinds = [0 if name.startswith("LK") else 1 if name.startswith("VF") else 2 for name in PATTERNS]
        return np.array(kinds)[self.pattern]


def clauses_of(treebank: Treebank, plain: Plain = universal, rules: ClauseRules = PLAIN_RULES) -> Clauses:
    """All clauses with a verb that has both a subject (nsubj) and an object (obj, iobj)."""
    full = treebank.column("deprel")
    label = full.mapped(plain)
    up = parents(treebank.heads, treebank.offsets)
    below = treebank.heads > 0
    is_outer = flags(full, lambda value: value.endswith(":outer"))
    is_subject, is_object = flags(label, SUBJECTS.__contains__), flags(label, OBJECTS.__contains__)
    if rules.datives:
        is_object |= _datives(treebank, up)
    if rules.apart:
        is_inherent = flags(full, "expl:pv".__eq__)
        is_object |= flags(label, "ccomp".__eq__) | is_inherent
        is_subject |= flags(label, OTHER_SUBJECTS.__contains__) & ~is_inherent
    subject, obj = _joined(np.flatnonzero(is_subject & below & ~is_outer), np.flatnonzero(is_object & below), up)
    verb = up[subject]
    is_verb = flags(treebank.column("upos"), _VERBS.__contains__)
    helping = flags(label, {"aux", "cop"}.__contains__) & below
    has_helper = np.zeros(treebank.word_count, dtype=bool)
    has_helper[up[helping]] = True
    kept = is_verb[verb] | has_helper[verb]
    subject, obj, verb = subject[kept], obj[kept], verb[kept]
    finite = _finite(treebank, up, helping, is_verb)[verb]
    by_finite = _orders(subject, obj, finite)
    order = by_finite if rules.verb == "finite" else _orders(subject, obj, verb)
    return Clauses(
        treebank, subject, obj, verb, finite, order, by_finite, _forefield(treebank, up, label, verb, finite)
    )


def _orders(subject: Ints, obj: Ints, verb: Ints) -> Ints:
    """Index into ORDERS."""
    places = np.stack([subject, obj, verb], axis=1)
    rank = np.argsort(np.argsort(places, axis=1), axis=1)  # of S, O, V
    codes = np.array([[name.index(role) for role in "SOV"] for name in ORDERS])
    order: Ints = (rank[:, None, :] == codes[None]).all(axis=2).argmax(axis=1)
    return order


def _datives(treebank: Treebank, up: Ints) -> Bools:
    """Words labelled obl:arg in the dative, by their own case or that of their determiner, without an adposition."""
    full, feats = treebank.column("deprel"), treebank.column("feats")
    case = feats.mapped(lambda value: parse_feats(value).get("Case", ""))
    is_dative, below = flags(case, "Dat".__eq__), treebank.heads > 0
    marked, adposition = np.zeros(treebank.word_count, dtype=bool), np.zeros(treebank.word_count, dtype=bool)
    marked[up[flags(full, lambda value: universal(value) == "det") & below & is_dative]] = True
    adposition[up[flags(full, lambda value: universal(value) == "case") & below]] = True
    return flags(full, "obl:arg".__eq__) & (is_dative | marked) & ~adposition


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
    marked = flags(feats, bool)
    finite = np.where(marked, flags(feats, "Fin".__eq__), flags(tags, "Fin".__eq__))
    return finite, marked | flags(tags, bool)


def _forefield(treebank: Treebank, up: Ints, label: Column, verb: Ints, finite: Ints) -> Bools:
    """Does a constituent of the clause, or the lexical verb itself, stand before the finite verb?

    An adverb such as *deshalb* is one, also where it is called mark or cc, and so is a quoted clause (parataxis).
    """
    is_adverb = flags(treebank.column("upos"), "ADV".__eq__)
    outside = flags(label, _OUTSIDE.__contains__) & ~(is_adverb & flags(label, {"mark", "cc"}.__contains__))
    inside = (treebank.heads > 0) & ~outside
    members = np.flatnonzero(inside)
    leftmost = np.full(treebank.word_count, treebank.word_count)
    np.minimum.at(leftmost, up[members], members)
    occupied: Bools = np.minimum(leftmost[verb], verb) < finite
    return occupied


DATIVES = frozenset("bar de fo gsw is lb".split())
"""Languages with datives that UD labels obl:arg: they are objects there unless somebody says otherwise."""
VERB_SECOND = frozenset("af bar da de fo fy gsw is lb nds nl no sv yi".split())
"""Languages whose clauses have topological fields, by the code that begins the name of a UD file."""


def has_datives(treebank: Treebank) -> bool:
    """By the name of the file, else because German function words are frequent in it."""
    return _language(treebank) in DATIVES


def is_verb_second(treebank: Treebank) -> bool:
    """By the name of the file, else because German or Dutch function words are frequent in it."""
    return _language(treebank) in VERB_SECOND


def _language(treebank: Treebank) -> str:
    """The code that begins the name of a UD file, else of German or Dutch, where its words look like it."""
    code = PurePath(treebank.name).name.partition("_")[0]
    if code in VERB_SECOND:
        return code
    forms = treebank.column("form")
    counts = np.bincount(forms.codes, minlength=len(forms.values)).tolist()
    language = language_of(forms.values, counts)
    words = FREQUENT.get(language, frozenset())
    known = sum(count for form, count in zip(forms.values, counts, strict=True) if form.casefold() in words)
    return language if known > _OFTEN * treebank.word_count else ""


def flags(column: Column, test: Callable[[str], object]) -> Bools:
    """For each word: does its string pass the test? Asked once per different string."""
    return np.array([bool(test(value)) for value in column.values], dtype=bool)[column.codes]
