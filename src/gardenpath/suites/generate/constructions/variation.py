"""Varying a main clause: what stands in front, adverbs in the middle, and a clause before or behind, up to a length."""

from __future__ import annotations

from collections.abc import Callable

from .clause import Adverb, Clause, Clauses, Nominal, Part, Prepositional, length
from .clause_building import (
    Deed,
    add_manner,
    although,
    because,
    built,
    circumstance,
    deed,
    driven,
    meanwhile,
    motives,
    relative,
)
from .composer import Composer
from .inflection import conjunction

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
