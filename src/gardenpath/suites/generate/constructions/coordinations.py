"""Plans of coordinations: clauses that share a subject (FCR, SGF), and unlike constituents (CUC)."""

from __future__ import annotations

from typing import Literal

from ..entries import Noun
from .clause import Adjective, Adverb, Clause, Nominal, Part, Phrase, Sentence, Unlike, laid_out
from .composer import Composer, Entity, Form
from .inflection import adverb, article, auxiliary, conjunction, noun_word, predicative, subordinator
from .vocabulary import Action, UnlikePlan

_PERSONAL = frozenset("Fehler Krankheit Tat Ärger Sorge Kritik Entscheidung Irrtum Versprechen Reise".split())
"""What is somebody's."""


def _second(made: Composer, first: Action) -> Action:
    return made.action(made.deeds, lambda one: one.lemma != first.lemma)


def _rest(made: Composer, action: Action, owner: Entity) -> list[Part]:
    """Object, and now and then an adverbial, of one conjunct."""
    _, thing = made.object(action, owner=owner, kind="def" if made.maybe(0.7) else "indef", adjective=0.2)
    if made.maybe(0.15):
        how = made.adverbial("neutral")
        if how is not None:
            return [thing, how]
    return [thing]


def _reduced(made: Composer, action: Action, who: Entity, order: Literal["v2", "vl"], form: Form = "simple") -> Clause:
    return made.clause(action, who.number, _rest(made, action, who), order=order, form=form)


def _join(made: Composer, first: Clause, later: Clause) -> Clause:
    first.later, first.conjunction = later, conjunction("und")
    if made.past and made.maybe(0.15):
        later.middle.insert(0, Part("adverbial", Adverb(adverb(made.pick(("dann", "danach", "anschließend"))))))
    return first


def fcr_v2(made: Composer) -> Sentence:
    who = made.person()
    action = made.pick(made.deeds)
    subject = made.subject(who)
    draw = made.chance.random()
    form: Form = "simple" if draw < 0.75 else "perfect" if draw < 0.88 else "modal"
    first = made.clause(action, who.number, _rest(made, action, who), front=subject, form=form)
    if form == "perfect" and action.auxiliary == "haben":  # hat das Fenster geputzt und ist am Abend verschwunden
        second = made.action(made.words.intransitive, lambda one: one.auxiliary == "sein" and "human" in one.subjects)
        when = made.adverbial("time") or made.adverb_part("event")
        return laid_out(_join(made, first, made.clause(second, who.number, [when], form=form, past=False)))
    later = _reduced(made, _second(made, action), who, "v2", form)
    while form == "modal" and later.finite.lemma == first.finite.lemma:
        later = _reduced(made, _second(made, action), who, "v2", form)
    return laid_out(_join(made, first, later))


def _last(made: Composer, word: str) -> tuple[Clause, Entity]:
    """A verb-last clause with two conjuncts."""
    who = made.person()
    action = made.pick(made.deeds)
    middle = [made.subject(who, "def"), *_rest(made, action, who)]
    first = made.clause(action, who.number, middle, order="vl", complementiser=subordinator(word))
    return _join(made, first, _reduced(made, _second(made, action), who, "vl")), who


def fcr_weil(made: Composer) -> Sentence:
    """An adverbial clause after or before its main clause."""
    clause, _ = _last(made, made.pick(made.words.conjunctions["reason"]))
    part = Part("adverbial", clause, "sentence")
    speaker = made.person()
    action = made.action([one for one in made.words.transitive if one.psych or not one.stative],
                         lambda one: "human" in one.subjects)  # fmt: skip
    subject = made.subject(speaker)
    _, thing = made.object(action)
    if made.maybe(0.3):
        return laid_out(made.clause(action, speaker.number, [subject, thing], front=part))
    root = made.clause(action, speaker.number, [thing], front=subject, form="perfect" if made.maybe(0.3) else "simple")
    root.after.append(part)
    return laid_out(root)


def fcr_dass(made: Composer) -> Sentence:
    clause, _ = _last(made, "dass")
    speaker = made.person()
    action = made.pick(made.words.clausal)
    front: Part | None = made.subject(speaker)
    middle: list[Part] = []
    if made.maybe(0.3):
        front, middle = made.adverb_part(), [front] if front else []
    root = made.clause(action, speaker.number, middle, front=front, form="perfect" if made.maybe(0.3) else "simple")
    root.after.append(Part("complement", clause))
    return laid_out(root)


def fcr_relative(made: Composer) -> Sentence:
    """A relative clause at its noun, with two conjuncts."""
    who = made.entity(("human",))
    action = made.pick(made.deeds)
    pronoun_part = Part("subject", Nominal(article("rel", "nom", who.noun.gender, who.number)))
    inner = made.clause(action, who.number, _rest(made, action, who), order="vl", relative=pronoun_part)
    _join(made, inner, _reduced(made, _second(made, action), who, "vl"))
    nominal = made.nominal(who, "nom", "def")
    nominal.relative = inner
    if made.maybe(0.6):
        outer = made.action(made.words.transitive, lambda one: "human" in one.subjects)
        _, thing = made.object(outer)
        return laid_out(made.clause(outer, who.number, [thing], front=Part("subject", nominal)))
    outer = made.action(made.deeds, lambda one: "human" in one.objects and one.case == "acc" and not one.particle)
    speaker = made.person()
    nominal = made.nominal(who, "acc", "def")
    nominal.relative = inner
    return laid_out(made.clause(outer, speaker.number, [Part("object", nominal)], front=made.subject(speaker)))


def _gapped(made: Composer, front: Part, who: Entity) -> Sentence:
    action = made.pick(made.deeds)
    middle = [made.subject(who, "def"), *_rest(made, action, who)]
    first = made.clause(action, who.number, middle, front=front)
    return laid_out(_join(made, first, _reduced(made, _second(made, action), who, "v2")))


def sgf_adverb(made: Composer) -> Sentence:
    kind = made.pick(("event", "once", "past") if made.past else ("event", "once"))
    return _gapped(made, made.adverb_part(kind), made.person())


def sgf_pp(made: Composer) -> Sentence:
    front = made.adverbial("time" if made.maybe(0.75) else "place")
    assert front is not None
    return _gapped(made, front, made.person())


def sgf_clause(made: Composer) -> Sentence:
    words = ("weil", "obwohl", "sobald", *(("als", "nachdem") if made.past else ()))
    word = made.pick(words)
    speaker = made.entity(("human",))
    pool = made.deeds if made.maybe(0.5) else made.words.intransitive
    action = made.action(pool, lambda one: "human" in one.subjects)
    middle = [made.subject(speaker, "def")]
    if action.case:
        middle.append(made.object(action)[1])
    inner = made.clause(action, speaker.number, middle, order="vl", complementiser=subordinator(word))
    if word == "nachdem":
        participle = made.clause(action, speaker.number, [], order="vl", form="perfect")
        inner.finite, inner.verbs = auxiliary(action.auxiliary, speaker.number, True), participle.verbs
    return _gapped(made, Part("adverbial", inner, "sentence"), made.person())


def sgf_participle(made: Composer) -> Sentence:
    front = Part("adverbial", made.verbal(made.pick(made.words.participles), False), "sentence")
    return _gapped(made, front, made.person())


# ---- coordination of unlike constituents


def _unlike(made: Composer, kinds: str) -> Sentence:
    while True:
        plan: UnlikePlan = made.pick(made.words.unlike)
        entity = made.entity(plan.classes)
        if entity.number == "Sing" or kinds == "vp+ap":
            break
    subject = made.subject(entity, "def", adjective=0.15)
    if made.maybe(0.3) and isinstance(subject.phrase, Nominal) and "human" not in plan.classes:
        made.owned(subject.phrase)
    infinitive = False
    if kinds == "vp+ap":
        kind = made.pick(plan.adjectives)
        degree = made.degree(kind) if made.maybe(0.35) else None
        conjuncts: list[Phrase] = [Adjective(predicative(kind), degree)]
        conjuncts.append(made.verbal(made.pick(plan.participles), False))
    else:
        noun = made.pick(plan.nouns).noun
        assert isinstance(noun, Noun)
        conjuncts = [Nominal(noun_word(noun, "nom", "Sing"), article("indef", "nom", noun.gender, "Sing"))]
        infinitive = "human" in plan.classes or made.maybe(0.7)
        conjuncts.append(made.verbal(made.pick(plan.infinitives if infinitive else plan.participles), infinitive))
    if made.maybe(0.3) and (kinds == "vp+ap" or infinitive):
        conjuncts.reverse()
    whole = Unlike(conjuncts, conjunction("und"))
    copula = auxiliary("sein", entity.number, made.past, "cop")
    return laid_out(Clause("v2", copula, [Part("predicate", whole)], subject))


def cuc_vp_ap(made: Composer) -> Sentence:
    return _unlike(made, "vp+ap")


def cuc_vp_np(made: Composer) -> Sentence:
    return _unlike(made, "vp+np")


def cuc_s_np(made: Composer) -> Sentence:
    """A noun and a dass-clause as object."""
    attitude = made.pick(made.words.attitudes)
    action, noun = attitude.action, made.pick(attitude.nouns)
    made.used.add(noun.lemma)
    who = made.person()
    speaker = made.entity(("human",))
    verbs = [*made.words.transitive, *made.words.intransitive]
    inner = made.action(verbs, lambda one: one.lemma in attitude.events and "human" in one.subjects)
    middle = [made.subject(speaker, "def", adjective=0.1)]
    if inner.case:
        middle.append(made.object(inner, adjective=0.1)[1])
    form: Form = "perfect" if made.maybe(0.5) else "simple"
    clause = made.clause(inner, speaker.number, middle, order="vl", complementiser=subordinator("dass"), form=form)
    nominal = made.nominal(Entity(noun), "acc", "def")
    if noun.lemma in _PERSONAL and made.maybe(0.4):
        made.owned(nominal)
    whole = Part("object", Unlike([nominal, clause], conjunction("und")))
    subject = made.subject(who)
    if made.maybe(0.35):
        return laid_out(made.clause(action, who.number, [subject, whole], front=made.adverb_part()))
    return laid_out(made.clause(action, who.number, [whole], front=subject))
