"""The TIGER tree of an abstract clause: flat phrases without unary nodes, gaps, secondary edges for what is shared.

Objects and adverbials of the verb hang at the lowest VP, subject and sentence adverbials at S, marks at the root.
"""

from __future__ import annotations

from ....phrase.schemes.tiger import TIGER
from ....phrase.tree import ROOT, PhraseTree
from .bracketing import Bracketing, functions_of
from .clause import (
    Adjective,
    Adverb,
    Clause,
    Clauses,
    Coordination,
    Nominal,
    Part,
    Phrase,
    Prepositional,
    Sentence,
    Unlike,
    Verbal,
)

FUNCTIONS = functions_of(TIGER)


def tiger(sentence: Sentence, sent_id: str = "") -> PhraseTree:
    made = Bracketing(sentence.words)
    root = sentence.root
    if isinstance(root, Clauses):
        top = made.inner("CS", "", ROOT)
        for clause in root.conjuncts:
            _clause(made, clause, "CJ", top)
        made.leaf(root.conjunction, "CD", top)
    else:
        _clause(made, root, "", ROOT)
    return made.tree(sent_id)


def _clause(made: Bracketing, clause: Clause, function: str, mother: int) -> int:
    if clause.later is None:
        return _simple(made, clause, function, mother)[0]
    assert clause.conjunction is not None
    top = made.inner("CS", function, mother)
    _, nodes = _simple(made, clause, "CJ", top)
    made.leaf(clause.conjunction, "CD", top)
    second, _ = _simple(made, clause.later, "CJ", top)
    if clause.complementiser is not None:
        made.secondary.append((clause.complementiser.at, "CP", second))
    for part, node in nodes:
        if part.role == "subject":
            made.secondary.append((node, "SB", second))
        elif part is clause.front and part.role == "adverbial" and not isinstance(part.phrase, Clause | Verbal):
            made.secondary.append((node, "MO", second))  # time or place of both
    return top


def _simple(made: Bracketing, clause: Clause, function: str, mother: int) -> tuple[int, list[tuple[Part, int]]]:
    top = made.inner("S", function, mother)
    if clause.complementiser is not None:
        made.leaf(clause.complementiser, "CP", top)
    made.leaf(clause.finite, "HD", top)
    if clause.particle is not None:
        made.leaf(clause.particle, "SVP", top)
    parts = clause.parts()
    low, function = top, "PD" if clause.statal else "OC"
    for verb in reversed(clause.verbs):
        alone = verb is clause.verbs[0] and not any(_low(part) for part in parts)
        if alone:  # a single word has no phrase
            made.leaf(verb, function, low)
        else:
            low = made.inner("VP", function, low)
            made.leaf(verb, "HD", low)
    return top, [(part, _part(made, part, low if _low(part) else top)) for part in parts]


def _low(part: Part) -> bool:
    """Whether it belongs to the lowest verb phrase, if there is one."""
    return part.role != "subject" and part.level == "verb"


def _part(made: Bracketing, part: Part, mother: int) -> int:
    function = FUNCTIONS[part.role]
    phrase = part.phrase
    if (
        function == "PD"
        and isinstance(phrase, Unlike)
        and any(isinstance(conjunct, Nominal) for conjunct in phrase.conjuncts)
    ):
        function = "OC"
    return _phrase(made, phrase, function, mother)


def _phrase(made: Bracketing, phrase: Phrase, function: str, mother: int) -> int:
    if isinstance(phrase, Nominal):
        return _nominal(made, phrase, function, mother)
    if isinstance(phrase, Prepositional):
        top = made.inner("PP", function, mother)
        made.leaf(phrase.preposition, "AC", top)
        if isinstance(phrase.nominal, Nominal):
            _content(made, phrase.nominal, top)
        else:
            _phrase(made, phrase.nominal, "NK", top)
        return top
    if isinstance(phrase, Adjective):
        if phrase.degree is None:
            return made.leaf(phrase.head, function, mother)
        top = made.inner("AP", function, mother)
        made.leaf(phrase.degree, "MO", top)
        made.leaf(phrase.head, "HD", top)
        return top
    if isinstance(phrase, Adverb):
        return made.leaf(phrase.head, "NG" if phrase.head.xpos == "PTKNEG" else function, mother)
    if isinstance(phrase, Coordination | Unlike):
        label = "CO"
        if isinstance(phrase, Coordination):
            label = "CNP" if isinstance(phrase.conjuncts[0], Nominal) else "CAP"
        top = made.inner(label, function, mother)
        for conjunct in phrase.conjuncts:
            _phrase(made, conjunct, "CJ", top)
        made.leaf(phrase.conjunction, "CD", top)
        return top
    if isinstance(phrase, Verbal):
        return _verbal(made, phrase, function, mother)
    return _clause(made, phrase, function, mother)


def _nominal(made: Bracketing, nominal: Nominal, function: str, mother: int) -> int:
    if (
        nominal.determiner is None
        and nominal.genitive is None
        and nominal.relative is None
        and not nominal.adjectives
        and not nominal.attributes
    ):
        return made.leaf(nominal.head, function, mother)
    top = made.inner("NP", function, mother)
    _content(made, nominal, top)
    return top


def _content(made: Bracketing, nominal: Nominal, top: int) -> None:
    """The daughters of an NP, or of a PP beside its preposition."""
    if nominal.determiner is not None:
        made.leaf(nominal.determiner, "NK", top)
    for adjective in nominal.adjectives:
        _phrase(made, adjective, "NK", top)
    made.leaf(nominal.head, "NK", top)
    if nominal.genitive is not None:
        _nominal(made, nominal.genitive, "AG", top)
    for attribute in nominal.attributes:
        _phrase(made, attribute, "PG" if attribute.possessive else "MNR", top)
    if nominal.relative is not None:
        _clause(made, nominal.relative, "RC", top)


def _verbal(made: Bracketing, phrase: Verbal, function: str, mother: int) -> int:
    top = made.inner("VP", function, mother)
    for part in phrase.parts:
        _part(made, part, top)
    if phrase.zu is None:
        made.leaf(phrase.verb, "HD", top)
    else:
        inner = made.inner("VZ", "HD", top)
        made.leaf(phrase.zu, "PM", inner)
        made.leaf(phrase.verb, "HD", inner)
    return top
