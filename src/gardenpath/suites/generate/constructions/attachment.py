"""Plans of sentences with PPs of nouns and of verbs, and with relative clauses away from their nouns."""

from __future__ import annotations

from collections.abc import Mapping

from .clause import Nominal, Part, Sentence, laid_out
from .clause_building import Deed, Form, built, deed, form_of, relative
from .composer import Composer, Entity, NothingFitsError, told
from .plain import Plan
from .scenes import PERSON, Action
from .variation import opening, varied

_MOVES = frozenset(
    "stehlen verstecken verkaufen kaufen ausleihen abholen einpacken bestellen finden entdecken schreiben".split()
)
"""Verbs that themselves could take a PP with aus, von, für or in: after their objects it would be really ambiguous."""


_FORMS: Mapping[str, tuple[Form, ...]] = {
    "participle": ("perfect",),
    "infinitive": ("modal", "modal", "future"),
    "particle": ("simple",),
}
"""Of what closes the gap between a noun and its relative clause."""


def _form(made: Composer, share: float) -> Form:
    return form_of(made, "perfect", "perfect", "modal", "future") if made.maybe(share) else "simple"


def _give(made: Composer, entity: Entity, nominal: Nominal, possessive: bool) -> None:
    """A PP of this noun, put into its phrase."""
    inside = made.possessor(entity) if possessive else made.attribute(entity)
    if inside is None:
        raise NothingFitsError
    nominal.attributes.append(inside)


def _with_attribute(made: Composer, possessive: bool = False, definite: float = 0.75) -> Deed:
    """A verb and its object, which has a PP."""
    kind = "def" if possessive or made.maybe(definite) else "indef"
    doing = deed(
        made,
        fits=lambda action: action.lemma not in _MOVES and not (possessive and action.makes),
        kind=kind,
        adjective=0.2,
        genitive=0,
    )
    assert doing.thing is not None
    determiner = doing.nominal.determiner
    if determiner is not None and determiner.xpos == "PPOSAT":
        raise NothingFitsError
    _give(made, doing.thing, doing.nominal, possessive)
    return doing


def _with_described_subject(made: Composer, possessive: bool = False) -> Deed:
    """A deed whose subject has a PP."""
    doing = deed(made, adjective=0.2)
    doing.subject = made.subject(doing.who, "def", adjective=0.2)
    assert isinstance(doing.subject.phrase, Nominal)
    _give(made, doing.who, doing.subject.phrase, possessive)
    return doing


def ppn_object(made: Composer) -> Sentence:
    form = _form(made, 0.5)
    doing = _with_attribute(made)
    clause = built(made, doing.action, doing.who, doing.rest, front=doing.subject, form=form)
    return laid_out(varied(made, clause, doing))


def ppn_subject(made: Composer) -> Sentence:
    form = _form(made, 0.4)
    doing = _with_described_subject(made)
    clause = built(made, doing.action, doing.who, doing.rest, front=doing.subject, form=form)
    return laid_out(varied(made, clause, doing, nouns=False))


def ppn_front(made: Composer) -> Sentence:
    """The object with its PP stands first."""
    doing = _with_attribute(made, definite=1)
    if not told(doing.who, doing.rest[-1]):
        raise NothingFitsError
    form = _form(made, 0.4)
    clause = built(made, doing.action, doing.who, [doing.subject], front=doing.rest[-1], form=form)
    return laid_out(varied(made, clause, doing, nouns=False))


def ppn_possessive(made: Composer) -> Sentence:
    """A von-phrase in place of a genitive, at the object or the subject."""
    described = _with_attribute if made.maybe(0.5) else _with_described_subject
    doing = described(made, possessive=True)
    form = _form(made, 0.4)
    clause = built(made, doing.action, doing.who, doing.rest, front=doing.subject, form=form)
    return laid_out(varied(made, clause, doing, nouns=False))


def ppv_time(made: Composer) -> Sentence:
    return _ppv(made, "time")


def ppv_manner(made: Composer) -> Sentence:
    return _ppv(made, "manner")


def ppv_instrument(made: Composer) -> Sentence:
    return _ppv(made, "instrument")


def _ppv(made: Composer, kind: str) -> Sentence:
    """The PP directly after the object, where it could be the object's."""
    doing = deed(made, kind="def" if made.maybe(0.85) else "indef", adjective=0.25, genitive=0.1)
    how = made.adverbial(kind, doing.action)
    if how is None:
        raise NothingFitsError
    form = _form(made, 0.55)
    clause = built(made, doing.action, doing.who, [*doing.rest, how], front=doing.subject, form=form)
    return laid_out(varied(made, clause, doing))


def ppv_object(made: Composer) -> Sentence:
    """A prepositional object after the subject."""
    form = _form(made, 0.4)
    doing = deed(made, made.scene.prepositional)
    doing.subject = made.subject(doing.who, "def")
    front = opening(made, pps=True)
    clause = built(made, doing.action, doing.who, [doing.subject, *doing.rest], front=front, form=form)
    return laid_out(varied(made, clause, doing, middle=False, nouns=False))


def pp_both(made: Composer) -> Sentence:
    """A PP of the object and one of the verb behind it."""
    doing = _with_attribute(made)
    kind = made.pick(("time", "manner", "instrument", "instrument"))
    how = made.adverbial(kind, doing.action, doing.nominal.attributes[0].preposition.lemma)
    if how is None:
        raise NothingFitsError
    form = _form(made, 0.7)
    clause = built(made, doing.action, doing.who, [*doing.rest, how], front=doing.subject, form=form)
    return laid_out(varied(made, clause, doing, nouns=False))


# ---- extraposed relative clauses


def _extraposed(made: Composer, gap: str, antecedent: str) -> Sentence:
    form = form_of(made, *_FORMS[gap])
    scene = made.scene
    pool = {"subject": scene.intransitive, "object": scene.transitive, "pp": scene.prepositional}[antecedent]

    def fits(action: Action) -> bool:
        if antecedent == "subject" and PERSON not in scene.nouns[min(action.subjects)][0].classes:
            return False
        return not action.stative and not action.makes and (bool(action.particle) if gap == "particle" else True)

    kind = "indef" if made.maybe(0.65) else "def"
    doing = deed(made, pool, fits, kind=kind, adjective=0.2, genitive=0, merge=False)
    if antecedent == "subject":
        if doing.who.named:
            raise NothingFitsError
        entity, part = doing.who, made.subject(doing.who, kind, adjective=0.2)
        doing.subject = part
        front = opening(made, pps=True, places=False)
        clause = built(made, doing.action, entity, [part], front=front, form=form)
        nominal = part.phrase
    else:
        assert doing.thing is not None
        entity, part, nominal = doing.thing, doing.rest[-1], doing.nominal
        if nominal.determiner is not None and nominal.determiner.xpos == "PPOSAT":
            raise NothingFitsError
        clause = built(made, doing.action, doing.who, doing.rest, front=doing.subject, form=form)
    assert isinstance(nominal, Nominal)
    nominal.relative = relative(made, entity, doing.action.lemma)
    nominal.extraposed = True
    if any(member.role == "predicate" for member in nominal.relative.middle):
        nominal.adjectives.clear()  # eine neue Uhr, die alt ist
    clause.after.append(Part("extraposed", nominal.relative, antecedent=part))
    return laid_out(varied(made, clause, doing, after=False, nouns=False))


def extraposed(gap: str, antecedent: str) -> Plan:
    return lambda made: _extraposed(made, gap, antecedent)
