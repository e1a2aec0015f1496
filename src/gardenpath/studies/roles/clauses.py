"""Clauses of a treebank with subject, verb and object: their order, and what kind of words the arguments are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from ...suites.roles.names import FREQUENT, language_of
from ...treebank.format.columns import Column
from ...treebank.format.fields import parse_feats
from ...treebank.format.treebank import Treebank
from ...treebank.trees.scores import universal
from ...treebank.trees.tree import parents
from .declaration import Plain

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


def guesses_finiteness(treebank: Treebank) -> bool:
    """Return whether no word of the treebank is called finite or not."""
    return not _finiteness(treebank)[1].any()


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
    """By the name of the file, else because German function words are frequent in it; and some words have a Case."""
    return _language(treebank) in DATIVES and "Case" in feature_names(treebank)


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


def feature_names(treebank: Treebank) -> frozenset[str]:
    """Return the names of all features that some word has."""
    return frozenset(name for value in treebank.column("feats").values for name in parse_feats(value))


DEFINITENESS = ("definite", "indefinite", "other")
_OPEN = 3
"""PronType=Dem,Rel, as German *der* has it: the tag must tell."""
_SOME = 0.005
"""The share of words that mark definiteness in a language that does: a few may be foreign, or mistakes."""
_DEFINITE_FORMS = frozenset("der die das den dem des de het the dieser diese dieses deze dit this that these".split())


def marks_definiteness(treebank: Treebank) -> bool:
    """Has the treebank articles, or words that are called definite? Without them there is nothing to tell."""
    feats, form = treebank.column("feats"), treebank.column("form").mapped(str.casefold)
    says = flags(feats, lambda value: "Definite" in value and "Definite" in parse_feats(value))
    articles = flags(treebank.column("deprel"), _is_determiner) & flags(form, _DEFINITE_FORMS.__contains__)
    return bool((says | articles).sum() > _SOME * treebank.word_count)


def definiteness(treebank: Treebank, words: Ints) -> Ints:
    """Of these words, as heads of noun phrases: index into DEFINITENESS.

    Definite: a definite article, demonstrative or possessive (also a name before it: Annas Buch), Definite=Def on the
    noun itself, proper names, personal and demonstrative pronouns. Other: relative and interrogative pronouns.
    Indefinite: all else, also bare nouns.
    """
    feats = treebank.column("feats")
    full = treebank.column("deprel")
    lemma, form = (treebank.column(name).mapped(str.casefold) for name in ("lemma", "form"))
    up = parents(treebank.heads, treebank.offsets)
    upos = treebank.column("upos")
    name = flags(upos, "PROPN".__eq__)
    marks = flags(full, _is_determiner)
    silent = marks & flags(feats, lambda value: not ({"Definite", "PronType", "Poss"} & parse_feats(value).keys()))
    marking = marks & flags(feats, _says_definite)
    marking |= silent & (flags(lemma, _DEFINITE_FORMS.__contains__) | flags(form, _DEFINITE_FORMS.__contains__))
    marking |= flags(full, "nmod:poss".__eq__)
    before = np.arange(treebank.word_count) < up
    marking |= flags(full, lambda value: universal(value) == "nmod") & before & name
    marked = np.zeros(treebank.word_count, dtype=bool)
    marked[up[marking & (treebank.heads > 0)]] = True
    own = np.array([_own(value) for value in feats.values], dtype=np.int64)[feats.codes]
    own = np.where(own == _OPEN, np.where(flags(treebank.column("xpos"), is_relative_tag), 2, 0), own)
    pronoun = flags(upos, {"PRON", "DET"}.__contains__)
    own_feature = flags(feats, lambda value: parse_feats(value).get("Definite") == "Def")
    definite = marked | name | own_feature
    return np.where(definite, 0, np.where(pronoun, own, 1))[words]


def is_relative_tag(xpos: str) -> bool:
    """PRELS and PRELAT of STTS, and REL of German-PUD."""
    return xpos.startswith(("PREL", "REL"))


def _is_determiner(deprel: str) -> bool:
    return universal(deprel) == "det"


def _says_definite(feats: str) -> bool:
    pairs = parse_feats(feats)
    return pairs.get("Definite") == "Def" or pairs.get("PronType") == "Dem" or pairs.get("Poss") == "Yes"


def _own(feats: str) -> int:
    """What a pronoun's own features say."""
    pairs = parse_feats(feats)
    if pairs.get("Reflex") == "Yes":
        return 0
    types = pairs.get("PronType", "").split(",")
    if {"Rel", "Dem"} <= set(types):
        return _OPEN
    if {"Rel", "Int"} & set(types):
        return 2
    return 0 if {"Prs", "Dem", "Rcp"} & set(types) else 1


KINDS = ("other", "relative", "interrogative", "reflexive", "passive", "expletive", "clausal")
"""The first that holds, from the last on; `other` are nouns, names and personal pronouns of active clauses."""
CORE = 4
"""The first four kinds make up the orders; passive, expletive and clausal arguments are counted apart."""


def missing_kinds(treebank: Treebank) -> dict[str, str]:
    """Return the kinds that no annotation of this treebank could tell, with the layer that it lacks."""
    names = feature_names(treebank)
    missing = {}
    if "PronType" not in names:
        missing["interrogative"] = "PronType"
        if not flags(treebank.column("xpos"), is_relative_tag).any():
            missing["relative"] = "PronType"
    if "Reflex" not in names:
        missing["reflexive"] = "Reflex"
    if not flags(treebank.column("deprel"), lambda value: "pass" in value.split(":")).any():
        missing["passive"] = "the subtype pass"
    return {kind: missing[kind] for kind in KINDS if kind in missing}


def argument_kinds(clauses: Clauses) -> Ints:
    """For each clause an index into KINDS."""
    treebank, both = clauses.treebank, (clauses.subject, clauses.object)
    deprel, feats = treebank.column("deprel"), treebank.column("feats")
    relative, interrogative = _pronouns(treebank)
    reflexive = flags(feats, lambda value: parse_feats(value).get("Reflex") == "Yes")
    expletive = flags(deprel, lambda value: universal(value) == "expl")
    clausal = flags(deprel, lambda value: universal(value) in ("csubj", "ccomp"))
    passive = flags(deprel, lambda value: value.startswith("nsubj:") and "pass" in value.split(":"))
    kinds = np.zeros(len(clauses), dtype=np.int64)
    for kind, holds in (
        ("relative", relative[both[0]] | relative[both[1]]),
        ("interrogative", interrogative[both[0]] | interrogative[both[1]]),
        ("reflexive", reflexive[both[1]]),
        ("passive", passive[both[0]]),
        ("expletive", expletive[both[0]] | expletive[both[1]]),
        ("clausal", clausal[both[0]] | clausal[both[1]]),
    ):
        kinds[holds] = KINDS.index(kind)
    return kinds


def _pronouns(treebank: Treebank) -> tuple[Bools, Bools]:
    """Words that are, or have as determiner, a relative or an interrogative pronoun.

    PronType=Int,Rel is interrogative in a question only, PronType=Dem,Rel relative only where the tag says so.
    """
    feats, xpos, deprel = (treebank.column(name) for name in ("feats", "xpos", "deprel"))
    relative_tag = flags(xpos, is_relative_tag)
    types = feats.mapped(lambda value: parse_feats(value).get("PronType", ""))
    says_relative = flags(types, lambda value: "Rel" in value.split(","))
    says_interrogative = flags(types, lambda value: "Int" in value.split(","))
    says_demonstrative = flags(types, lambda value: "Dem" in value.split(","))
    below_relative = _in_relative_clause(treebank)
    relative = relative_tag | (says_relative & ~says_demonstrative & (~says_interrogative | below_relative))
    interrogative = says_interrogative & ~relative
    up = parents(treebank.heads, treebank.offsets)
    determines = flags(deprel, lambda value: universal(value) == "det" or value == "nmod:poss") & (treebank.heads > 0)
    for mask in (relative, interrogative):
        mask[up[determines & mask]] = True
    return relative, interrogative & ~relative


def _in_relative_clause(treebank: Treebank) -> Bools:
    """Words whose head, or its head, is the verb of a relative clause."""
    verb = flags(treebank.column("deprel"), lambda value: value.startswith("acl"))
    up = parents(treebank.heads, treebank.offsets)
    return verb[up] | verb[up[up]]
