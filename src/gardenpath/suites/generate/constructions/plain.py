"""Plans of sentences with none of the phenomena, so that a treebank looks like one."""

from __future__ import annotations

from ..entries import Noun
from .clause import Adjective, Clause, Clauses, Coordination, Nominal, Part, Phrase, Sentence, laid_out
from .composer import Composer, Entity, Form, told
from .inflection import article, auxiliary, conjunction, noun_word, predicative, pronoun, subordinator
from .vocabulary import Action

_OWNED = frozenset("tool device clothing furniture vehicle treasure text plan art building".split())
"""Classes of what can be somebody's: das Haus des Lehrers."""


def _simple_clause(made: Composer, form: Form = "simple") -> tuple[Action, Entity, Part, Part]:
    action = made.pick(made.words.transitive)
    while form != "simple" and (action.stative or action.psych):
        action = made.pick(made.words.transitive)
    who = made.entity(action.subjects)
    subject = made.subject(who)
    _, thing = made.object(action)
    return action, who, subject, thing


def svo(made: Composer) -> Sentence:
    form = made.form("simple", "simple", "perfect", "modal", "future")
    action, who, subject, thing = _simple_clause(made, form)
    if "human" in who.noun.classes and made.maybe(0.2):
        subject = made.pronoun(who)
    middle = [thing] if made.maybe(0.6) else [made.adverb_part(), thing]
    return laid_out(made.clause(action, who.number, middle, front=subject, form=form))


def ovs(made: Composer) -> Sentence:
    form = made.form("simple", "perfect")
    action, who, subject, thing = _simple_clause(made, form)
    while not told(who, thing):
        made.begin(made.past)
        action, who, subject, thing = _simple_clause(made, form)
    return laid_out(made.clause(action, who.number, [subject], front=thing, form=form))


def adverb_first(made: Composer) -> Sentence:
    form = made.form("simple", "perfect", "modal")
    action, who, subject, thing = _simple_clause(made, form)
    return laid_out(made.clause(action, who.number, [subject, thing], front=made.adverb_part(), form=form))


def question(made: Composer) -> Sentence:
    form = made.form("simple", "perfect", "modal")
    action, who, subject, thing = _simple_clause(made, form)
    return laid_out(made.clause(action, who.number, [subject, thing], order="v1", form=form), "?")


def passive(made: Composer) -> Sentence:
    action = made.action(made.deeds, lambda one: one.case == "acc")
    thing = made.entity(action.objects)
    subject = made.subject(thing, "def")
    middle: list[Part] = [made.adverb_part("event")] if made.maybe(0.4) else []
    if made.maybe(0.5):
        agent = made.nominal(made.entity(action.subjects), "dat", "def")
        middle.append(Part("agent", made.around("von", agent)))
    form: Form = "passive" if made.maybe(0.7) else "passive-perfect"
    return laid_out(made.clause(action, thing.number, middle, front=subject, form=form))


def subordinate(made: Composer) -> Sentence:
    action, who, subject, thing = _simple_clause(made)
    inner = made.clause(action, who.number, [subject, thing], order="vl", form="simple")
    speaker = made.person()
    if made.maybe(0.5):
        inner.complementiser = subordinator("dass")
        root = made.clause(made.pick(made.words.clausal), speaker.number, [], front=made.subject(speaker))
        root.after.append(Part("complement", inner))
        return laid_out(root)
    inner.complementiser = subordinator(made.pick(made.words.conjunctions["reason"]))
    outer = made.pick(made.deeds)
    _, thing_part = made.object(outer)
    part = Part("adverbial", inner, "sentence")
    if made.maybe(0.4):
        return laid_out(made.clause(outer, speaker.number, [made.subject(speaker), thing_part], front=part))
    root = made.clause(outer, speaker.number, [thing_part], front=made.subject(speaker))
    root.after.append(part)
    return laid_out(root)


def relative(made: Composer) -> Sentence:
    """A relative clause beside its noun."""
    action, who, _, thing = _simple_clause(made)
    if made.maybe(0.6):
        nominal = made.nominal(who, "nom", "def", adjective=0)
        nominal.relative = made.relative(who, light=True)
        return laid_out(made.clause(action, who.number, [thing], front=Part("subject", nominal)))
    action = made.action(made.deeds, lambda one: not one.particle and one.case == "acc")
    entity, thing = made.object(action, adjective=0)
    assert isinstance(thing.phrase, Nominal)
    thing.phrase.relative = made.relative(entity, light=True)
    doer = made.person()
    return laid_out(made.clause(action, doer.number, [thing], front=made.subject(doer)))


def coordination(made: Composer) -> Sentence:
    """Two nouns as subject or object."""
    action = made.pick(made.deeds)
    who = made.person(0.1)
    subject = made.subject(who)
    if made.maybe(0.5):
        companion = made.person(0.1)
        both = Coordination([subject.phrase, made.subject(companion).phrase], conjunction("und"))
        _, thing = made.object(action)
        return laid_out(made.clause(action, "Plur", [thing], front=Part("subject", both)))
    entity, first = made.object(action, kind="def")
    second = made.nominal(made.entity(set(entity.noun.classes[:1])), action.case, "def")
    part = Part(first.role, Coordination([first.phrase, second], conjunction(made.pick(("und", "oder")))))
    return laid_out(made.clause(action, who.number, [part], front=subject))


def clauses(made: Composer) -> Sentence:
    """Two whole clauses."""
    conjuncts = []
    for _ in range(2):
        action = made.pick(made.deeds)
        who = made.person()
        _, thing = made.object(action)
        conjuncts.append(made.clause(action, who.number, [thing], front=made.subject(who)))
    return laid_out(Clauses(conjuncts, conjunction(made.pick(("und", "aber", "und")))))


def copula(made: Composer) -> Sentence:
    plan = made.pick(made.words.unlike)
    entity = made.entity(plan.classes)
    subject = made.subject(entity, "def")
    if made.maybe(0.4) and isinstance(subject.phrase, Nominal) and "human" not in plan.classes:
        made.owned(subject.phrase)
    what: Phrase
    if made.maybe(0.6) or entity.number == "Plur":
        kind = made.pick(plan.adjectives)
        what = Adjective(predicative(kind), made.degree(kind) if made.maybe(0.5) else None)
    else:
        noun = made.pick(plan.nouns).noun
        assert isinstance(noun, Noun)
        what = Nominal(noun_word(noun, "nom", "Sing"), article("indef", "nom", noun.gender, "Sing"))
    return laid_out(
        Clause("v2", auxiliary("sein", entity.number, made.past, "cop"), [Part("predicate", what)], subject)
    )


def ditransitive(made: Composer) -> Sentence:
    action = made.pick(made.words.ditransitive)
    giver, taker = made.person(), made.entity(("human",))
    receiver = Part("indirect", made.nominal(taker, "dat", "def"))
    if made.maybe(0.25):
        receiver = Part("indirect", Nominal(pronoun(taker.row, "dat", taker.number)))
    _, thing = made.object(action, kind="indef" if made.maybe(0.6) else "def")
    form = made.form("simple", "perfect", "modal")
    return laid_out(made.clause(action, giver.number, [receiver, thing], front=made.subject(giver), form=form))


def genitive(made: Composer) -> Sentence:
    form = made.form("simple", "perfect")
    action = made.action(made.deeds, lambda one: one.case == "acc" and _OWNED.issuperset(one.objects))
    who = made.person()
    _, thing = made.object(action, kind="def")
    assert isinstance(thing.phrase, Nominal)
    made.owned(thing.phrase)
    return laid_out(made.clause(action, who.number, [thing], front=made.subject(who), form=form))


def intransitive(made: Composer) -> Sentence:
    action = made.pick(made.words.intransitive)
    who = made.entity(action.subjects)
    form = made.form("simple", "perfect")
    if made.maybe(0.5):
        return laid_out(made.clause(action, who.number, [made.subject(who)], front=made.adverb_part(), form=form))
    return laid_out(made.clause(action, who.number, [made.adverb_part()], front=made.subject(who), form=form))
