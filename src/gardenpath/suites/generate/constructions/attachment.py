"""Plans of sentences with PPs of nouns and of verbs, and with relative clauses away from their nouns."""

from __future__ import annotations

from collections.abc import Callable

from .clause import Nominal, Part, Sentence, laid_out
from .composer import Composer, Form, told
from .vocabulary import Action

Plan = Callable[[Composer], Sentence]
_MOVES = frozenset(
    "abholen mitnehmen stehlen entwenden retten zurückgeben verstecken verbergen holen einpacken bestellen ordern "
    "transportieren wegwerfen".split()
)
"""Verbs that themselves could take a PP with aus, von or in: after their objects it would be really ambiguous."""


def _with_attribute(made: Composer, case: str = "acc") -> tuple[Action, Part]:
    """A verb and its object, which has a PP."""
    while True:
        action = made.pick(made.deeds)
        if action.case != case or action.lemma in _MOVES:
            continue
        entity, part = made.object(action, kind="def" if made.maybe(0.7) else "indef")
        inside = made.attribute(entity)
        if inside is not None and isinstance(part.phrase, Nominal):
            part.phrase.attributes.append(inside)
            return action, part
        made.used.discard(entity.noun.lemma)


def _complex(made: Composer) -> Form:
    return made.form("perfect", "perfect", "modal", "future")


def ppn_object(made: Composer) -> Sentence:
    form = _complex(made) if made.maybe(0.5) else "simple"
    action, thing = _with_attribute(made)
    who = made.person()
    middle = [thing] if made.maybe(0.6) else [made.adverb_part(), thing]
    return laid_out(made.clause(action, who.number, middle, front=made.subject(who), form=form))


def ppn_subject(made: Composer) -> Sentence:
    form = _complex(made) if made.maybe(0.4) else "simple"
    who = made.entity(("human", "institution") if made.maybe(0.3) else ("human",))
    action = made.action(made.deeds, lambda one: not one.subjects.isdisjoint(who.noun.classes))
    subject = made.subject(who, "def")
    inside = made.attribute(who)
    assert inside is not None
    assert isinstance(subject.phrase, Nominal)
    subject.phrase.attributes.append(inside)
    _, thing = made.object(action)
    if made.maybe(0.3):
        front = made.adverb_part()
        return laid_out(made.clause(action, who.number, [subject, thing], front=front, form=form))
    return laid_out(made.clause(action, who.number, [thing], front=subject, form=form))


def ppn_front(made: Composer) -> Sentence:
    """The object with its PP stands first."""
    while True:
        action, thing = _with_attribute(made)
        who = made.person()
        if told(who, thing):
            break
        made.begin(made.past)
    form = _complex(made) if made.maybe(0.4) else "simple"
    return laid_out(made.clause(action, who.number, [made.subject(who)], front=thing, form=form))


def ppv_time(made: Composer) -> Sentence:
    return _ppv(made, "time")


def ppv_manner(made: Composer) -> Sentence:
    return _ppv(made, "manner")


def ppv_instrument(made: Composer) -> Sentence:
    return _ppv(made, "instrument")


def _ppv(made: Composer, kind: str) -> Sentence:
    """The PP directly after the object, where it could be the object's."""
    words = made.words.instruments
    while True:
        action = made.action(made.deeds, lambda one: kind != "instrument" or one.lemma in words)
        who = made.person()
        _, thing = made.object(action, kind="def" if made.maybe(0.85) else "indef")
        how = made.adverbial(kind, action)
        if how is not None:
            break
    form = _complex(made) if made.maybe(0.55) else "simple"
    if made.maybe(0.25):
        middle = [made.subject(who), thing, how]
        return laid_out(made.clause(action, who.number, middle, front=made.adverb_part("sentence"), form=form))
    return laid_out(made.clause(action, who.number, [thing, how], front=made.subject(who), form=form))


def ppv_object(made: Composer) -> Sentence:
    """A prepositional object after the subject."""
    form = _complex(made) if made.maybe(0.4) else "simple"
    action = made.pick(made.words.prepositional)
    who = made.entity(action.subjects)
    _, what = made.object(action)
    front = made.adverb_part()
    return laid_out(made.clause(action, who.number, [made.subject(who, "def"), what], front=front, form=form))


def pp_both(made: Composer) -> Sentence:
    """A PP of the object and one of the verb behind it."""
    while True:
        action, thing = _with_attribute(made)
        kinds = ["time", "manner", *(["instrument"] * 2 if action.lemma in made.words.instruments else [])]
        attribute = thing.phrase.attributes[0] if isinstance(thing.phrase, Nominal) else None
        how = made.adverbial(made.pick(kinds), action, attribute.preposition.lemma if attribute else "")
        if how is not None:
            break
        made.begin(made.past)
    who = made.person()
    form = _complex(made) if made.maybe(0.7) else "simple"
    return laid_out(made.clause(action, who.number, [thing, how], front=made.subject(who), form=form))


# ---- extraposed relative clauses


def _extraposed(made: Composer, gap: str, antecedent: str) -> Sentence:
    form: Form = {"participle": "perfect", "infinitive": "modal", "particle": "simple"}[gap]  # type: ignore[assignment]
    if gap == "infinitive" and made.maybe(0.3):
        form = made.form("future")
    words = made.words

    def fits(verb: Action) -> bool:
        return bool(verb.particle) == (gap == "particle") and not verb.stative

    kind = "indef" if made.maybe(0.65) else "def"
    if antecedent == "subject":
        alone = [verb for verb in words.intransitive if fits(verb) or (verb.particle and gap != "particle")]
        action = made.pick(alone)
        entity = made.entity(action.subjects)
        part = made.subject(entity, kind, adjective=0.15)
        human = "human" in entity.noun.classes
        front = made.adverb_part("" if human else "sentence") if made.maybe(0.75) else made.adverbial("time")
        assert front is not None
        clause = made.clause(action, entity.number, [part], front=front, form=form)
    else:
        pool = words.prepositional if antecedent == "pp" else words.transitive
        action = made.action(pool, lambda verb: fits(verb) and "human" in verb.subjects and not verb.psych)
        who = made.person()
        entity, part = made.object(action, kind=kind, adjective=0.15, merge=False)
        first = made.subject(who)
        middle = [part]
        if made.maybe(0.3):
            clause = made.clause(action, who.number, [first, part], front=made.adverb_part(), form=form)
        else:
            if made.maybe(0.25):
                middle = [made.adverb_part("event"), part]
            clause = made.clause(action, who.number, middle, front=first, form=form)
    phrase = part.phrase
    nominal = phrase if isinstance(phrase, Nominal) else phrase.nominal  # type: ignore[union-attr]
    assert isinstance(nominal, Nominal)
    nominal.relative = made.relative(entity, before=form == "perfect")
    nominal.extraposed = True
    if any(verb.role == "predicate" for verb in nominal.relative.middle):
        nominal.adjectives.clear()  # eine neue Uhr, die alt ist
    clause.after.append(Part("extraposed", nominal.relative, antecedent=part))
    return laid_out(clause)


def extraposed(gap: str, antecedent: str) -> Plan:
    return lambda made: _extraposed(made, gap, antecedent)
