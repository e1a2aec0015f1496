"""The TüBa-D/Z tree of an abstract clause: topological fields, functions on the phrases in them, no gaps."""

from __future__ import annotations

from ....phrase.schemes.tuebadz import TUEBADZ
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
    Word,
)

FUNCTIONS = functions_of(TUEBADZ)
_CATEGORIES = {"Nominal": "NX", "Adjective": "ADJX", "Prepositional": "PX", "Adverb": "ADVX", "Clause": "SIMPX"}


def tuebadz(sentence: Sentence, sent_id: str = "") -> PhraseTree:
    made = Bracketing(sentence.words)
    root = sentence.root
    if isinstance(root, Clauses):
        top = made.inner("SIMPX", "", ROOT)
        for clause in root.conjuncts:
            _clause(made, clause, "KONJ", top)
        made.leaf(root.conjunction, "", top)
    else:
        _clause(made, root, "", ROOT)
    return made.tree(sent_id)


def _function(part: Part) -> str:
    if part.role == "extraposed":
        assert part.antecedent is not None
        return f"{_function(part.antecedent)}-MOD"
    if part.role != "adverbial":
        return FUNCTIONS[part.role]
    return "MOD" if part.level == "sentence" or isinstance(part.phrase, Clause | Verbal) else "V-MOD"


def _clause(made: Bracketing, clause: Clause, function: str, mother: int) -> None:
    top = made.inner("SIMPX" if clause.relative is None else "R-SIMPX", function, mother)
    if clause.complementiser is not None:
        made.leaf(clause.complementiser, "", made.inner("C", "", top))
    for name, part in (("C", clause.relative), ("VF", clause.front)):
        if part is not None:
            _part(made, part, made.inner(name, "", top))
    if clause.later is None:
        _fields(made, clause, top)
        return
    assert clause.conjunction is not None
    both = made.inner("FKOORD", "", top)
    _fields(made, clause, made.inner("FKONJ", "KONJ", both))
    made.leaf(clause.conjunction, "", both)
    _fields(made, clause.later, made.inner("FKONJ", "KONJ", both))


def _fields(made: Bracketing, clause: Clause, top: int) -> None:
    """From the left bracket on: LK, MF, VC, NF, as far as there is something in them."""
    if clause.order != "vl":
        _finite(made, clause.finite, made.inner("LK", "", top))
    unlike: Unlike | None = None
    middle = -1
    for part in clause.middle:
        if isinstance(part.phrase, Unlike) and part.role == "predicate":
            unlike = part.phrase
            continue
        middle = made.inner("MF", "", top) if middle < 0 else middle
        _part(made, part, middle)
    if unlike is not None:
        _unlike_fields(made, unlike, top)
    if clause.verbs or clause.particle is not None or clause.order == "vl":
        complex_ = made.inner("VC", "", top)
        for at, verb in enumerate(clause.verbs):
            highest = clause.order != "vl" and at == len(clause.verbs) - 1 > 0
            _infinite(made, verb, "HD" if highest else "OV", complex_)
        if clause.particle is not None:
            made.leaf(clause.particle, "VPT", complex_)
        if clause.order == "vl":
            _finite(made, clause.finite, complex_)
    if clause.after:
        after = made.inner("NF", "", top)
        for part in clause.after:
            _part(made, part, after)


def _unlike_fields(made: Bracketing, unlike: Unlike, top: int) -> None:
    """Conjuncts as fields: a verbless one is an MF, one with a verb has two fields in an FKONJ."""
    both = made.inner("FKOORD", "", top)
    for conjunct_phrase in unlike.conjuncts:
        if isinstance(conjunct_phrase, Verbal):
            conjunct = made.inner("FKONJ", "KONJ", both)
            _verbal_fields(made, conjunct_phrase, conjunct, "OV")
        else:
            _phrase(made, conjunct_phrase, "PRED", made.inner("MF", "KONJ", both))
    made.leaf(unlike.conjunction, "", both)


def _verbal_fields(made: Bracketing, phrase: Verbal, top: int, function: str) -> None:
    middle = made.inner("MF", "", top)
    for part in phrase.parts:
        _part(made, part, middle)
    verb = made.inner("VXINF", function, made.inner("VC", "", top))
    if phrase.zu is not None:
        made.leaf(phrase.zu, "HD", verb)
        made.leaf(phrase.verb, "", verb)
    else:
        made.leaf(phrase.verb, "HD", verb)


def _finite(made: Bracketing, verb: Word, mother: int) -> None:
    made.leaf(verb, "HD", made.inner("VXFIN", "HD", mother))


def _infinite(made: Bracketing, verb: Word, function: str, mother: int) -> None:
    made.leaf(verb, "HD", made.inner("VXINF", function, mother))


def _part(made: Bracketing, part: Part, mother: int) -> None:
    _phrase(made, part.phrase, _function(part), mother)


def _phrase(made: Bracketing, phrase: Phrase, function: str, mother: int) -> None:
    if isinstance(phrase, Nominal):
        _nominal(made, phrase, function, mother)
    elif isinstance(phrase, Prepositional):
        top = made.inner("PX", function, mother)
        made.leaf(phrase.preposition, "", top)
        _phrase(made, phrase.nominal, "HD", top)
    elif isinstance(phrase, Adjective):
        top = made.inner("ADJX", function, mother)
        if phrase.degree is not None:
            made.leaf(phrase.degree, "HD", made.inner("ADVX", "", top))
        made.leaf(phrase.head, "HD", top)
    elif isinstance(phrase, Adverb):
        made.leaf(phrase.head, "HD", made.inner("ADJX" if phrase.head.xpos == "ADJD" else "ADVX", function, mother))
    elif isinstance(phrase, Coordination | Unlike):
        first = phrase.conjuncts[0]
        top = made.inner(_CATEGORIES[type(first).__name__], function, mother)
        for conjunct in phrase.conjuncts:
            _phrase(made, conjunct, "KONJ", top)
        made.leaf(phrase.conjunction, "", top)
    elif isinstance(phrase, Verbal):  # a participle clause
        _verbal_fields(made, phrase, made.inner("SIMPX", function, mother), "HD")
    else:
        _clause(made, phrase, function, mother)


def _nominal(made: Bracketing, nominal: Nominal, function: str, mother: int) -> None:
    """The noun with what stands before it; each thing that follows makes one more NX around that."""
    following: list[Nominal | Prepositional | Clause] = [*nominal.attributes]
    if nominal.genitive is not None:
        following.insert(0, nominal.genitive)
    if nominal.relative is not None and not nominal.extraposed:
        following.append(nominal.relative)
    top = made.inner("NX", function, mother)
    for phrase in reversed(following):
        inner = made.inner("NX", "HD", top)
        _phrase(made, phrase, "", top)
        top = inner
    if nominal.determiner is not None:
        made.leaf(nominal.determiner, "", top)
    for adjective in nominal.adjectives:
        _phrase(made, adjective, "", top)
    made.leaf(nominal.head, "HD", top)
