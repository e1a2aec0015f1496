"""Plans of sentences with none of the phenomena, so that a treebank looks like one: none has a PP but of an agent."""

from __future__ import annotations

from collections.abc import Callable

from .clause import Adjective, Clause, Coordination, Nominal, Part, Phrase, Sentence, laid_out
from .clause_building import (
    Deed,
    add_manner,
    although,
    built,
    continued,
    deed,
    form_of,
    meanwhile,
    object_pronoun,
    relative,
    sentence_of,
    varied,
)
from .composer import (
    Composer,
    Entity,
    NothingFitsError,
    article,
    auxiliary,
    conjunction,
    noun_word,
    predicative,
    subordinator,
    told,
)
from .vocabulary import Action

Plan = Callable[[Composer], Sentence]


def svo(made: Composer) -> Sentence:
    form = form_of(made, "simple", "simple", "perfect", "modal", "future")
    doing = deed(made)
    return sentence_of(made, doing, doing.rest, doing.subject, form, pps=False, front=False)


def ovs(made: Composer) -> Sentence:
    form = form_of(made, "simple", "perfect")
    doing = _object_first(made)
    return sentence_of(made, doing, [doing.subject], doing.rest[-1], form, pps=False, nouns=False)


def _object_first(made: Composer) -> Deed:
    """Where forms tell what is the object."""
    doing = deed(made, kind="def")
    if not told(doing.who, doing.rest[-1]):
        raise NothingFitsError
    return doing


def adverb_first(made: Composer) -> Sentence:
    form = form_of(made, "simple", "perfect", "modal")
    doing = deed(made)
    front = made.comment(linking=True) if made.maybe(0.4) else made.when()
    return sentence_of(made, doing, [doing.subject, *doing.rest], front, form, pps=False, front=False)


def question(made: Composer) -> Sentence:
    form = form_of(made, "simple", "perfect", "modal")
    doing = deed(made, kind="def")
    clause = built(made, doing.action, doing.who, [doing.subject, *doing.rest], order="v1", form=form)
    return laid_out(varied(made, clause, doing, pps=False, front=False, middle=False, nouns=False), "?")


def _undergone(made: Composer, fits: Callable[[Action], bool]) -> Deed:
    """What becomes of a thing: it is the subject."""
    action = made.action(made.scene.deeds, fits)
    thing = made.entity(action.objects)
    return Deed(action, thing, made.subject(thing, "def", genitive=0.5), [])


def passive(made: Composer) -> Sentence:
    doing = _undergone(made, lambda action: action.case == "acc")
    middle: list[Part] = []
    if made.maybe(0.6):
        agent = made.nominal(made.entity(doing.action.subjects), "dat", "def")
        middle.append(Part("agent", made.around("von", agent)))
    form = form_of(made, "passive", "passive", "passive-perfect")
    return sentence_of(made, doing, middle, doing.subject, form, pps=False)


def statal(made: Composer) -> Sentence:
    """A passive with sein: Die Brücke ist inzwischen geschlossen."""
    doing = _undergone(made, lambda action: action.state is not None)
    assert doing.action.state is not None
    middle = [made.manner(doing.action.state)]
    clause = built(
        made,
        doing.action,
        doing.who,
        [part for part in middle if part is not None],
        front=doing.subject,
        form="statal",
    )
    made.timed = True
    if made.maybe(0.5):
        phrase = doing.subject.phrase
        if isinstance(phrase, Nominal) and phrase.genitive is None:
            phrase.relative = relative(made, doing.who, doing.action.lemma, alive=True)
    if clause.subject is not None and made.maybe(0.6):
        clause.after.append(although(made))
    else:
        clause.after.append(meanwhile(made, doing.action))
    return laid_out(clause)


def subordinate(made: Composer) -> Sentence:
    """A clause with dass as object."""
    saying = deed(made, made.scene.clausal)
    inner = deed(made, genitive=0.4)
    form = form_of(made, "simple", "perfect", "perfect")
    clause = built(made, inner.action, inner.who, [inner.subject, *inner.rest], order="vl", form=form)
    clause.complementiser = subordinator("dass")
    if made.maybe(0.6):
        add_manner(made, inner.action, clause.middle)
    root = built(made, saying.action, saying.who, [], front=saying.subject)
    root.after.append(Part("complement", clause))
    return laid_out(varied(made, root, saying, pps=False, after=False))


def relative_clause(made: Composer) -> Sentence:
    """A relative clause beside its noun."""
    doing = deed(
        made, fits=lambda action: not action.particle and not action.makes, adjective=0.2, genitive=0, kind="def"
    )
    assert doing.thing is not None
    if made.maybe(0.5) and not doing.who.named:
        described = doing.subject.phrase
        entity = doing.who
    else:
        described, entity = doing.nominal, doing.thing
    assert isinstance(described, Nominal)
    described.relative = relative(made, entity, doing.action.lemma)
    return sentence_of(made, doing, doing.rest, doing.subject, pps=False, after=False, nouns=False)


def coordination(made: Composer) -> Sentence:
    """Two nouns as subject or object."""
    doing = deed(made, genitive=0)
    assert doing.thing is not None
    clause = built(made, doing.action, doing.who, doing.rest, front=doing.subject)
    if made.maybe(0.5):
        companion = made.entity(doing.action.subjects, 0.1)
        both = Coordination([doing.subject.phrase, made.subject(companion, "def").phrase], conjunction("und"))
        doing.subject, doing.who = Part("subject", both), Entity(doing.who.noun, "Plur")
        clause = built(made, doing.action, doing.who, doing.rest, front=doing.subject)
    else:
        second = made.nominal(made.entity(doing.thing.noun.classes[:1]), doing.action.case, "def")
        part = doing.rest[-1]
        part.phrase = Coordination([part.phrase, second], conjunction("und"))
    return laid_out(varied(made, clause, doing, pps=False))


def clauses(made: Composer) -> Sentence:
    """Two whole clauses."""
    doing = deed(made)
    form = form_of(made, "simple", "simple", "perfect")
    clause = built(made, doing.action, doing.who, doing.rest, front=doing.subject, form=form)
    made.length -= 7
    return laid_out(continued(made, varied(made, clause, doing, pps=False, after=False, nouns=False), doing))


def copula(made: Composer) -> Sentence:
    plan = made.pick(made.scene.unlike)
    entity = made.entity(plan.classes)
    subject = made.subject(entity, "def", adjective=0, genitive=0.4)
    what: Phrase
    if made.maybe(0.6) or entity.number == "Plur":
        kind = made.pick(plan.adjectives)
        what = Adjective(predicative(kind), made.degree(kind) if made.maybe(0.5) else None)
    else:
        noun = made.pick(plan.nouns)
        what = Nominal(noun_word(noun, "nom", "Sing"), article("indef", "nom", noun.gender, "Sing"))
    clause = Clause("v2", auxiliary("sein", entity.number, made.past, "cop"), [Part("predicate", what)], subject)
    return laid_out(said_of_thing(made, clause, entity))


def said_of_thing(made: Composer, clause: Clause, entity: Entity, unlike: str = "") -> Clause:
    """With a relative clause at the subject, or what somebody did when it was so; with another verb than `unlike`."""
    subject = clause.front
    assert subject is not None
    phrase = subject.phrase
    assert isinstance(phrase, Nominal)
    if made.maybe(0.35):
        clause.middle.insert(0, made.comment())
    if made.past and (phrase.genitive is not None or made.maybe(0.4)):
        clause.after.append(Part("adverbial", _done_to(made, entity, unlike), "sentence"))
    else:
        phrase.genitive = None
        phrase.relative = relative(made, entity, unlike, alive=True)
    return clause


def _done_to(made: Composer, entity: Entity, unlike: str) -> Clause:
    """als die Behörde ihn prüfte."""
    action = made.action(
        made.scene.deeds,
        lambda verb: (
            verb.lemma != unlike
            and not verb.makes
            and verb.stage < 3
            and not verb.objects.isdisjoint(entity.noun.classes)
        ),
    )
    who = made.doer(action)
    middle = [made.subject(who, "def"), object_pronoun(action, entity)]
    clause = built(made, action, who, middle, order="vl", complementiser=subordinator("als"))
    if made.maybe(0.5):
        add_manner(made, action, clause.middle)
    return clause


def ditransitive(made: Composer) -> Sentence:
    doing = deed(made, made.scene.ditransitive)
    form = form_of(made, "simple", "perfect", "modal")
    return sentence_of(made, doing, doing.rest, doing.subject, form, pps=False)


def genitive(made: Composer) -> Sentence:
    form = form_of(made, "simple", "perfect")
    doing = deed(made, kind="def", genitive=0)
    assert doing.thing is not None
    determiner = doing.nominal.determiner
    if determiner is None or determiner.xpos != "ART" or not made.owned(doing.thing, doing.nominal):
        raise NothingFitsError
    return sentence_of(made, doing, doing.rest, doing.subject, form, pps=False)


def intransitive(made: Composer) -> Sentence:
    doing = deed(made, made.scene.intransitive)
    form = form_of(made, "simple", "perfect")
    return sentence_of(made, doing, [made.when()], doing.subject, form, pps=False)
