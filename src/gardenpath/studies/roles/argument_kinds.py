"""What kind of words subject and object are: those of a relative clause or question have no choice of place."""

from __future__ import annotations

import numpy as np

from ...treebank.fields import parse_feats
from ...treebank.scores import universal
from ...treebank.tree import parents
from ...treebank.treebank import Treebank
from .clauses import Bools, Clauses, Ints, flags
from .definiteness import is_relative_tag

KINDS = ("other", "relative", "interrogative", "reflexive", "passive", "expletive", "clausal")
"""The first that holds, from the last on; `other` are nouns, names and personal pronouns of active clauses."""
CORE = 4
"""The first four kinds make up the orders; passive, expletive and clausal arguments are counted apart."""


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
