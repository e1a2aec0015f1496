"""Is a noun phrase definite? For subject × object in the paper's Table 4."""

from __future__ import annotations

import numpy as np

from ...treebank.fields import parse_feats
from ...treebank.scores import universal
from ...treebank.tree import parents
from ...treebank.treebank import Treebank
from .clauses import Ints, flags

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
