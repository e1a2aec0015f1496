"""Abstract clauses: verbs in their forms, subordinate clauses, and variations of a main clause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from .clause import (
    Adjective,
    Adverb,
    Clause,
    Clauses,
    Nominal,
    Part,
    Prepositional,
    Role,
    Sentence,
    Word,
    laid_out,
    length,
)
from .composer import (
    MODALS,
    Composer,
    Entity,
    article,
    auxiliary,
    conjunction,
    finite_feats,
    noun_word,
    predicative,
    pronoun,
    subordinator,
)
from .vocabulary import PERSON, Action, Circumstance, Motive

Form = Literal["simple", "perfect", "pluperfect", "modal", "future", "passive", "passive-perfect", "statal"]
Order = Literal["v2", "v1", "vl"]
_NONE = Word("", "", "", "")


@dataclass(slots=True)
class Deed:
    """Who does what: a verb with its subject and what else it needs, before they have their places."""

    action: Action
    who: Entity
    subject: Part
    rest: list[Part]
    """Dative, then object."""
    thing: Entity | None = None

    @property
    def nominal(self) -> Nominal:
        """The noun phrase of the object."""
        phrase = self.rest[-1].phrase
        inner = phrase if isinstance(phrase, Nominal) else phrase.nominal  # type: ignore[union-attr]
        assert isinstance(inner, Nominal)
        return inner


def deed(
    made: Composer,
    pool: Sequence[Action] = (),
    fits: Callable[[Action], bool] = lambda action: True,
    *,
    who: Entity | None = None,
    kind: str = "",
    adjective: float = 0.3,
    genitive: float = 0.25,
    merge: bool = True,
) -> Deed:
    """Something that somebody does: what people do to things, if no pool of verbs is given."""
    doer = who
    action = made.action(
        pool or made.scene.deeds,
        lambda verb: (doer is None or not verb.subjects.isdisjoint(doer.noun.classes)) and fits(verb),
    )
    if who is None:
        who = made.doer(action)
    subject = made.subject(who, adjective=adjective)
    rest = [made.receiver(action)] if action.receivers else []
    thing = None
    if action.case:
        if action.makes:  # nobody builds an old house, or that of somebody
            adjective = genitive = 0
        thing, part = made.object(action, owner=who, kind=kind, adjective=adjective, genitive=genitive, merge=merge)
        rest.append(part)
    return Deed(action, who, subject, rest, thing)


def following(made: Composer, first: Deed, **how: float) -> Deed:
    """What the same people do then."""
    return deed(
        made,
        fits=lambda verb: verb.plural != first.action.plural and verb.stage >= first.action.stage,
        who=first.who,
        **how,  # type: ignore[arg-type]
    )


def built(
    made: Composer,
    action: Action,
    who: Entity,
    middle: list[Part],
    *,
    order: Order = "v2",
    form: Form = "simple",
    front: Part | None = None,
    complementiser: Word | None = None,
    relative: Part | None = None,
    modal: str = "",
) -> Clause:
    """The clause with its verbs; `middle` is what stands in the Mittelfeld, in order."""
    past, number = made.past, who.number
    clause = Clause(order, finite=_NONE, middle=middle, front=front, complementiser=complementiser, relative=relative)
    participle = Word(action.participle, action.lemma, "VERB", "VVPP", "VerbForm=Part")
    if form == "simple":
        if action.lemma == "haben":
            clause.finite = auxiliary("haben", number, past, "")
            clause.finite.upos = "VERB"
            return clause
        stem = action.past[number == "Plur"] if past else (action.present if number == "Sing" else action.plural)
        last = action.particle + stem if order == "vl" else stem
        lemma = action.lemma if order == "vl" else action.plural  # separated, it has the lemma of its stem
        clause.finite = Word(last, lemma, "VERB", "VVFIN", finite_feats(number, past))
        if action.particle and order != "vl":
            clause.particle = Word(action.particle, action.particle, "ADP", "PTKVZ")
    elif form in ("perfect", "pluperfect"):
        clause.finite, clause.verbs = auxiliary(action.auxiliary, number, form == "pluperfect"), [participle]
    elif form in ("modal", "future"):
        helper = "werden" if form == "future" else modal or made.pick(MODALS)
        infinitive = Word(action.lemma, action.lemma, "VERB", "VVINF", "VerbForm=Inf")
        clause.finite, clause.verbs = auxiliary(helper, number, past and form == "modal"), [infinitive]
    else:
        clause.passive, clause.statal = True, form == "statal"
        if form == "passive-perfect":
            been = Word("worden", "werden", "AUX", "VAPP", "VerbForm=Part", "aux:pass")
            clause.finite, clause.verbs = auxiliary("sein", number, False), [participle, been]
        else:
            helper = "sein" if clause.statal else "werden"
            clause.finite, clause.verbs = auxiliary(helper, number, past, "aux:pass"), [participle]
    return clause


def add_manner(made: Composer, action: Action, middle: list[Part]) -> None:
    """An adverb of manner behind the object, but before one with a preposition."""
    part = made.manner(action.adverbs)
    if part is not None:
        oblique = bool(middle) and middle[-1].role == "oblique"
        middle.insert(len(middle) - oblique, part)


def form_of(made: Composer, *choices: Form) -> Form:
    """One of these, which decides on the tense of the whole sentence: no future in the past, no perfect but there."""
    form = made.pick(choices)
    made.coming = form in ("modal", "future")
    if form == "future":
        made.past = False
    elif form in ("perfect", "passive-perfect"):
        made.past = True
    return form


# ---- clauses that go with a main clause


def _adverbial(clause: Clause) -> Part:
    return Part("adverbial", clause, "sentence")


def driven(made: Composer, motive: Motive, who: Entity, order: Order = "vl") -> Clause:
    """A clause with a motive, without its subject: die Kosten fürchtete."""
    role: Role = "object" if motive.thing.case == "acc" else "indirect"
    thing = Part(role, made.bare(motive.thing))
    form: Form = "modal" if motive.modal else "simple"
    return built(made, motive.action, who, [thing], order=order, form=form, modal=motive.modal)


def motives(made: Composer, action: Action, count: int) -> list[Motive]:
    """So many motives for this, or none; all with different verbs."""
    free = [motive for motive in action.motives if motive.thing.noun.lemma not in made.used]
    made.chance.shuffle(free)
    by_verb = {motive.modal or motive.action.lemma: motive for motive in free}
    return list(by_verb.values())[:count] if len(by_verb) >= count else []


def because(made: Composer, action: Action, who: Entity) -> Part | None:
    """weil er die Kosten fürchtete."""
    reasons = motives(made, action, 1) if who.acts else []
    if not reasons:
        return None
    clause = driven(made, reasons[0], who)
    clause.middle.insert(0, made.pronoun(who))
    clause.complementiser = subordinator(made.pick(("weil", "weil", "da")))
    return _adverbial(clause)


def although(made: Composer, who: Entity | None = None) -> Part:
    """obwohl sie müde war, obwohl die Zeit knapp war; of nobody: only the latter."""
    draw = made.chance.random()
    if who is None or PERSON not in who.noun.classes or draw > 0.6:
        clause = circumstance(made, made.pick(made.scene.circumstances))
    elif draw < 0.3:
        weak = Part("predicate", Adjective(predicative(made.pick(made.words.weaknesses))))
        clause = Clause("vl", auxiliary("sein", who.number, made.past, "cop"), [made.pronoun(who), weak])
    else:
        clause = driven(made, made.pick(made.words.hurdles), who)
        clause.middle.insert(0, made.pronoun(who))
    clause.complementiser = subordinator("obwohl")
    return _adverbial(clause)


def circumstance(made: Composer, plan: Circumstance, order: Order = "vl") -> Clause:
    """die Zeit knapp war, das Geld fehlte; in a main clause the subject is in front."""
    made.used.add(plan.noun.lemma)
    entity = Entity(plan.noun, plan.number)
    who = Nominal(noun_word(plan.noun, "nom", plan.number), article("def", "nom", plan.noun.gender, plan.number))
    subject = Part("subject", who)
    front, middle = (None, [subject]) if order == "vl" else (subject, [])
    if plan.action is not None:
        return built(made, plan.action, entity, middle, order=order, front=front)
    middle.append(Part("predicate", Adjective(predicative(plan.adjective))))
    return Clause(order, auxiliary("sein", plan.number, made.past, "cop"), middle, front)


def meanwhile(made: Composer, action: Action | None = None) -> Part:
    """nachdem die Behörde den Antrag geprüft hatte, bevor die Sitzung begann: what others do."""
    choices = ("als", "nachdem", "bevor", "während") if made.past else ("sobald", "bevor", "während", "nachdem")
    word = made.pick(choices)
    stage = action.stage if action is not None else 2

    def fits(verb: Action) -> bool:
        in_order = verb.stage <= stage if word == "nachdem" else verb.stage >= stage if word == "bevor" else True
        return in_order and (action is None or verb.lemma != action.lemma)

    pool = [verb for verb in made.scene.deeds if fits(verb)]
    if word != "während" and (made.maybe(0.25) or not pool):
        pool = [
            verb for verb in made.scene.intransitive if verb.auxiliary == "sein" or PERSON not in _kinds(made, verb)
        ]
    made.timed = True
    inner = deed(made, pool, adjective=0.15, genitive=0.15)
    form: Form = "simple"
    if word == "nachdem":
        form = "pluperfect" if made.past else "perfect"
    inner.subject = made.subject(inner.who, "def", adjective=0.15)
    clause = built(made, inner.action, inner.who, [inner.subject, *inner.rest], order="vl", form=form)
    clause.complementiser = subordinator(word)
    return _adverbial(clause)


def _kinds(made: Composer, action: Action) -> set[str]:
    """What kinds of subjects a verb has in the scene."""
    return {kind for name in action.subjects for kind in made.scene.nouns[name][0].classes}


# ---- relative clauses


def relative(made: Composer, entity: Entity, unlike: str = "", *, alive: bool = False) -> Clause:
    """A relative clause about an entity, its pronoun subject or object; with another verb than `unlike`.

    `alive`: the main clause says what the entity is, so this one says neither that nor what ended it.
    """
    classes = set(entity.noun.classes)
    draw = made.chance.random()
    if PERSON in classes and draw < 0.1:
        finite = auxiliary("haben", entity.number, made.past)
        finite.upos = "VERB"
        thing = Part("object", made.bare(made.pick(made.words.having)))
        return Clause("vl", finite, [thing], relative=_pronoun(entity, "nom", "subject"))
    if not alive and draw < 0.2:
        predicate = made.said_of(entity)
        if predicate is not None:
            finite = auxiliary("sein", entity.number, made.past, "cop")
            what = Part("predicate", predicate)
            return Clause("vl", finite, [what], relative=_pronoun(entity, "nom", "subject"))
    before: Form = "pluperfect" if made.past else "perfect"
    deeds = [verb for verb in made.scene.deeds if verb.lemma != unlike and not (alive and verb.stage == 3)]
    doing = [verb for verb in deeds if not verb.subjects.isdisjoint(classes)]
    undergoing = [verb for verb in deeds if not verb.objects.isdisjoint(classes)]
    if doing and (not undergoing or made.maybe(0.7)):
        inner = deed(made, doing, who=entity, genitive=0.2)
        action, doer, middle = inner.action, entity, list(inner.rest)
        who = _pronoun(entity, "nom", "subject")
    else:
        action = made.pick(undergoing)
        doer = made.doer(action)
        who, middle = _pronoun(entity, action.case, "object"), [made.subject(doer, "def")]
    if made.maybe(0.4):
        add_manner(made, action, middle)
    return built(made, action, doer, middle, order="vl", relative=who, form=before)


def _pronoun(entity: Entity, case: str, role: Role) -> Part:
    return Part(role, Nominal(article("rel", case, entity.noun.gender, entity.number)))


def object_pronoun(action: Action, entity: Entity) -> Part:
    """ihn, as object of this verb."""
    role: Role = "object" if action.case == "acc" else "indirect"
    return Part(role, Nominal(pronoun(entity.row, action.case, entity.number)))


Step = Callable[[Composer, Clause, Deed, bool], None]


def opening(made: Composer, *, pps: bool, places: bool = True, linking: bool = True) -> Part:
    """What can stand before the verb beside the subject: a time, a place, a comment."""
    draw = made.chance.random()
    if pps and draw < 0.55:
        part = made.adverbial("place" if places and draw < 0.13 else "time")
        if part is not None:
            return part
    return made.comment(linking) if draw > 0.8 else made.when()


def varied(
    made: Composer,
    clause: Clause,
    doing: Deed,
    *,
    pps: bool = True,
    front: bool = True,
    after: bool = True,
    middle: bool = True,
    nouns: bool = True,
) -> Clause:
    """The clause with so much more that it has the length of the sentence; what is False stays as it is.

    `pps`: PPs may be added; `middle`: adverbs in the middle; `nouns`: a relative clause at the subject.
    """
    steps: list[Step] = [_middle, _manner] if middle else []
    if front:
        steps += [_front, _front]
    if after:
        steps += [_after, _after, _before]
    if nouns:
        steps.append(_described)
    made.chance.shuffle(steps)
    for step in steps:
        if length(clause) >= made.length:
            break
        step(made, clause, doing, pps)
    return clause


def sentence_of(
    made: Composer, doing: Deed, parts: list[Part], first: Part, form: Form = "simple", **more: bool
) -> Sentence:
    """What somebody does as a sentence: `first`, the verb, `parts`; `more` as `varied` takes it."""
    clause = built(made, doing.action, doing.who, parts, front=first, form=form)
    return laid_out(varied(made, clause, doing, **more))


def _front(made: Composer, clause: Clause, doing: Deed, pps: bool) -> None:
    """An adverbial in front; the subject goes behind the verb."""
    subject = clause.front
    if subject is None or subject.role != "subject" or made.timed or _has_clause(clause, subject):
        return
    clause.front = opening(made, pps=pps, linking=not clause.after)
    clause.middle.insert(0, subject)


def _before(made: Composer, clause: Clause, doing: Deed, pps: bool) -> None:
    """A clause in front of the main clause."""
    subject = clause.front
    if subject is None or subject.role != "subject" or _has_clause(clause) or clause.after:
        return
    clause.front = meanwhile(made, doing.action) if made.maybe(0.7) else although(made)
    clause.middle.insert(0, subject)


def _after(made: Composer, clause: Clause, doing: Deed, pps: bool) -> None:
    """A clause behind it: why, in spite of what, when."""
    if clause.after or _has_clause(clause):
        return
    part = None
    if clause.finite.xpos != "VMFIN" and not made.linked and made.maybe(0.6):
        part = because(made, doing.action, doing.who)
    if part is None:
        in_spite = made.maybe(0.4) and doing.who.acts and not made.linked
        part = although(made, doing.who) if in_spite else meanwhile(made, doing.action)
    clause.after.append(part)


def _middle(made: Composer, clause: Clause, doing: Deed, pps: bool) -> None:
    """An adverb or time before the objects."""
    if clause.front is not None and clause.front.level == "sentence" and isinstance(clause.front.phrase, Adverb):
        part = None if made.timed else made.when()
    elif made.timed:
        part = made.comment() if made.maybe(0.4) else None
    else:
        part = made.when()
    if part is not None:
        place = 1 if clause.middle and clause.middle[0].role == "subject" else 0
        clause.middle.insert(place, part)


def _manner(made: Composer, clause: Clause, doing: Deed, pps: bool) -> None:
    """An adverb of manner at the end, where no PP says how."""
    said = any(isinstance(part.phrase, Prepositional) and part.role == "adverbial" for part in clause.middle)
    if said or clause.finite.xpos == "VMFIN":
        return
    add_manner(made, doing.action, clause.middle)


def _described(made: Composer, clause: Clause, doing: Deed, pps: bool) -> None:
    """A relative clause at the subject in front."""
    phrase = doing.subject.phrase
    if clause.front is not doing.subject or not isinstance(phrase, Nominal) or doing.who.named:
        return
    if phrase.genitive is None and not phrase.attributes and not clause.after and not _has_clause(clause):
        phrase.relative = relative(made, doing.who, doing.action.lemma)
        if any(part.role == "predicate" for part in phrase.relative.middle):
            phrase.adjectives.clear()  # eine neue Uhr, die alt ist


def _has_clause(clause: Clause, part: Part | None = None) -> bool:
    """Whether there is a clause in it before its end, or in this part of it."""
    phrases = [one.phrase for one in ([part] if part is not None else [*clause.parts()])]
    return any(
        isinstance(phrase, Clause) or (isinstance(phrase, Nominal) and phrase.relative is not None)
        for phrase in phrases
    )


def continued(made: Composer, clause: Clause, doing: Deed) -> Clauses:
    """A second main clause: denn er fürchtete die Kosten, aber die Zeit war knapp, und andere …"""
    reasons = motives(made, doing.action, 1) if doing.who.acts and not made.linked and made.maybe(0.5) else []
    if reasons:
        second = driven(made, reasons[0], doing.who, "v2")
        second.front = made.pronoun(doing.who)
        return Clauses([clause, second], conjunction("denn"))
    if made.maybe(0.35):
        second = circumstance(made, made.pick(made.scene.circumstances), "v2")
        return Clauses([clause, second], conjunction(made.pick(("aber", "doch"))))
    next_deed = deed(made, genitive=0.15)
    second = built(made, next_deed.action, next_deed.who, next_deed.rest, front=next_deed.subject)
    if made.maybe(0.5):
        add_manner(made, next_deed.action, second.middle)
    return Clauses([clause, second], conjunction(made.pick(("und", "aber", "und"))))
