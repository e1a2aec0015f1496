"""Universal Dependencies: a word with what depends on it is a phrase, the label of its arc the phrase's function.

Dependency trees that are written as phrase trees (see `dependency_phrases`) go the road of all phrase trees.
"""

from __future__ import annotations

from .model import Categories, Functions, HeadRules, Scheme, Tags, first, labelled

HEAD = "head"
"""The function of the word that a phrase is of; no relation of UD has this name."""

UD = Scheme(
    "ud",
    "UD",
    Categories(
        known_by=labelled("NOUN PROPN PRON VERB AUX ADJ ADV NUM DET ADP SYM X INTJ PART SCONJ CCONJ"),
        noun_phrase="NOUN", prepositional="", nominal=labelled("NOUN PROPN PRON"), verbal=labelled("VERB AUX"),
        clause_coordination="", kinds={},
    ),
    Functions(
        head=HEAD, subject="nsubj", expletive="expl", object="obj", indirect_object="iobj", prepositional_object="obl",
        predicate="root", complement="ccomp", agent="obl:agent", modifier="advmod", conjunct="conj", conjunction="cc",
        relative_clause="acl:relcl", preposition="case", headlike=labelled(HEAD),
    ),
    Tags(
        finite=labelled("VERB AUX"), auxiliaries=labelled("AUX"), prepositions=labelled("ADP"),
        conjunctions=labelled("CCONJ"), relative_pronouns=labelled("PRON"), relative_words=labelled("PRON ADV DET"),
        attachable=labelled("NOUN PROPN PRON"), punctuation=labelled("PUNCT"), punctuation_prefix="PUNCT",
    ),
    HeadRules(by_category={}, others=(first(HEAD),), complement=(first(HEAD),), fallback=first()),
    arcs=True,
)  # fmt: skip
