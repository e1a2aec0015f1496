"""Plans of sentences for each phenomenon: PPs, distant relative clauses, and coordinations (FCR, SGF, CUC)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from . import plain
from .clause import Adjective, Clause, Nominal, Part, Phrase, Sentence, Unlike, Verbal, laid_out
from .clause_building import (
    Deed,
    Form,
    Order,
    add_manner,
    built,
    deed,
    driven,
    following,
    form_of,
    meanwhile,
    motives,
    opening,
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
from .plain import Plan, said_of_thing
from .vocabulary import PERSON, Action, UnlikePlan

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
    return sentence_of(made, doing, doing.rest, doing.subject, form)


def ppn_subject(made: Composer) -> Sentence:
    form = _form(made, 0.4)
    doing = _with_described_subject(made)
    return sentence_of(made, doing, doing.rest, doing.subject, form, nouns=False)


def ppn_front(made: Composer) -> Sentence:
    """The object with its PP stands first."""
    doing = _with_attribute(made, definite=1)
    if not told(doing.who, doing.rest[-1]):
        raise NothingFitsError
    form = _form(made, 0.4)
    return sentence_of(made, doing, [doing.subject], doing.rest[-1], form, nouns=False)


def ppn_possessive(made: Composer) -> Sentence:
    """A von-phrase in place of a genitive, at the object or the subject."""
    described = _with_attribute if made.maybe(0.5) else _with_described_subject
    doing = described(made, possessive=True)
    form = _form(made, 0.4)
    return sentence_of(made, doing, doing.rest, doing.subject, form, nouns=False)


def _ppv(made: Composer, kind: str) -> Sentence:
    """The PP directly after the object, where it could be the object's."""
    doing = deed(made, kind="def" if made.maybe(0.85) else "indef", adjective=0.25, genitive=0.1)
    how = made.adverbial(kind, doing.action)
    if how is None:
        raise NothingFitsError
    form = _form(made, 0.55)
    return sentence_of(made, doing, [*doing.rest, how], doing.subject, form)


def ppv_object(made: Composer) -> Sentence:
    """A prepositional object after the subject."""
    form = _form(made, 0.4)
    doing = deed(made, made.scene.prepositional)
    doing.subject = made.subject(doing.who, "def")
    front = opening(made, pps=True)
    return sentence_of(made, doing, [doing.subject, *doing.rest], front, form, middle=False, nouns=False)


def pp_both(made: Composer) -> Sentence:
    """A PP of the object and one of the verb behind it."""
    doing = _with_attribute(made)
    kind = made.pick(("time", "manner", "instrument", "instrument"))
    how = made.adverbial(kind, doing.action, doing.nominal.attributes[0].preposition.lemma)
    if how is None:
        raise NothingFitsError
    form = _form(made, 0.7)
    return sentence_of(made, doing, [*doing.rest, how], doing.subject, form, nouns=False)


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


def _filled(made: Composer, doing: Deed, share: float = 0.35) -> list[Part]:
    """The object, and now and then how or with what, of one conjunct."""
    rest = list(doing.rest)
    if made.maybe(share):
        kind = "instrument" if doing.action.instruments and made.maybe(0.6) else "manner"
        how = made.adverbial(kind, doing.action)
        if how is not None:
            return [*rest, how]
    if made.maybe(share):
        add_manner(made, doing.action, rest)
    return rest


def _join(made: Composer, first: Clause, doing: Deed, order: Order) -> Clause:
    """With a second conjunct: what the same people do then."""
    then = following(made, doing, adjective=0.3, genitive=0.2)
    later = built(made, then.action, doing.who, _filled(made, then), order=order)
    if made.past and not made.timed and made.maybe(0.3):
        later.middle.insert(0, made.then())
    first.later, first.conjunction = later, conjunction("und")
    return first


def _start(made: Composer) -> Deed:
    """The first of two deeds: not one that ends an affair."""
    return deed(made, fits=lambda action: action.stage < 3 and _goes_on(made, action), genitive=0.2)


def _goes_on(made: Composer, action: Action) -> bool:
    """Whether all who do it can do something else then."""
    others = [verb for verb in made.scene.deeds if verb.lemma != action.lemma and verb.stage >= action.stage]
    return all(any(name in verb.subjects for verb in others) for name in action.subjects)


def fcr_v2(made: Composer) -> Sentence:
    doing = _start(made)
    draw = made.chance.random()
    first = built(made, doing.action, doing.who, _filled(made, doing), front=doing.subject)
    if draw < 0.15 and doing.action.auxiliary == "haben" and PERSON in doing.who.noun.classes:
        # hat das Fenster geputzt und ist am Abend verschwunden
        first = built(made, doing.action, doing.who, first.middle, front=doing.subject, form="perfect")
        leaving = made.action(
            made.scene.intransitive,
            lambda verb: verb.leaves and not verb.subjects.isdisjoint(doing.who.noun.classes),
        )
        when = made.adverbial("time") or made.when()
        first.later = built(made, leaving, doing.who, [when], form="perfect")
        first.conjunction = conjunction("und")
        return laid_out(first)
    if made.maybe(0.5) and not made.timed:
        first.middle.insert(0, made.when())
    return laid_out(_join(made, first, doing, "v2"))


def _last(made: Composer, word: str, unlike: str = "") -> Clause:
    """A verb-last clause with two conjuncts: what others do, with another first verb than `unlike`."""
    doing = _start(made)
    if doing.action.lemma == unlike:
        raise NothingFitsError
    doing.subject = made.subject(doing.who, "def")
    middle = [doing.subject, *_filled(made, doing, 0.25)]
    first = built(made, doing.action, doing.who, middle, order="vl", complementiser=subordinator(word))
    return _join(made, first, doing, "vl")


def fcr_weil(made: Composer) -> Sentence:
    """An adverbial clause after or before its main clause: two motives, or what others do in the meantime."""
    form = form_of(made, "simple", "simple", "perfect")
    doing = deed(made, fits=lambda action: len(action.motives) > 1, genitive=0.3)
    reasons = motives(made, doing.action, 2)
    if made.maybe(0.7) and len(reasons) == 2:
        clause, later = (driven(made, reason, doing.who) for reason in reasons)
        clause.complementiser = subordinator(made.pick(("weil", "weil", "da")))
        clause.middle.insert(0, made.pronoun(doing.who))
        clause.later, clause.conjunction = later, conjunction("und")
        before = False
    else:
        words = ("als", "während", "bevor") if made.past else ("während", "bevor", "sobald")
        clause, before = _last(made, made.pick(words), doing.action.lemma), made.maybe(0.4)
    part = Part("adverbial", clause, "sentence")
    rest = list(doing.rest)
    if made.maybe(0.5):
        add_manner(made, doing.action, rest)
    if before:
        return laid_out(built(made, doing.action, doing.who, [doing.subject, *rest], front=part, form=form))
    root = built(made, doing.action, doing.who, rest, front=doing.subject, form=form)
    if made.maybe(0.5) and not made.timed:
        root.front = opening(made, pps=True, linking=False)
        root.middle.insert(0, doing.subject)
    root.after.append(part)
    return laid_out(root)


def fcr_dass(made: Composer) -> Sentence:
    form = form_of(made, "simple", "simple", "simple", "perfect")
    saying = deed(made, made.scene.clausal)
    clause = _last(made, "dass")
    front: Part = saying.subject
    middle: list[Part] = []
    if made.maybe(0.5):
        made.timed = False
        front, middle = opening(made, pps=True, places=False), [saying.subject]
    root = built(made, saying.action, saying.who, middle, front=front, form=form)
    root.after.append(Part("complement", clause))
    return laid_out(root)


def fcr_relative(made: Composer) -> Sentence:
    """A relative clause at its noun, with two conjuncts."""
    doing = _start(made)
    who = doing.who
    if who.named:
        raise NothingFitsError
    pronoun_part = Part("subject", Nominal(article("rel", "nom", who.noun.gender, who.number)))
    inner = built(made, doing.action, who, _filled(made, doing, 0.25), order="vl", relative=pronoun_part)
    _join(made, inner, doing, "vl")
    assert inner.later is not None
    inside = {inner.finite.lemma, inner.later.finite.lemma}
    outer = [
        action
        for action in made.scene.deeds
        if not action.objects.isdisjoint(who.noun.classes) and not action.particle and action.lemma not in inside
    ]
    if outer and made.maybe(0.4):
        asking = made.pick(outer)
        speaker = made.doer(asking)
        nominal = made.nominal(who, "acc", "def")
        nominal.relative = inner
        middle = [Part("object", nominal)]
        if not made.timed and made.maybe(0.5):
            front = opening(made, pps=True)
            return laid_out(built(made, asking, speaker, [made.subject(speaker), *middle], front=front))
        return laid_out(built(made, asking, speaker, middle, front=made.subject(speaker)))
    nominal = made.nominal(who, "nom", "def")
    nominal.relative = inner
    main = deed(made, fits=lambda action: action.lemma not in inside, who=who, adjective=0.2)
    return laid_out(built(made, main.action, who, main.rest, front=Part("subject", nominal)))


def _gapped(made: Composer, front: Part, doing: Deed | None = None) -> Sentence:
    doing = doing or _start(made)
    doing.subject = made.subject(doing.who, "def")
    middle = [doing.subject, *_filled(made, doing)]
    first = built(made, doing.action, doing.who, middle, front=front)
    return laid_out(_join(made, first, doing, "v2"))


def sgf_adverb(made: Composer) -> Sentence:
    if made.past and made.maybe(0.5):
        return _gapped(made, made.then())
    return _gapped(made, made.when())


def sgf_pp(made: Composer) -> Sentence:
    front = made.adverbial("time" if made.maybe(0.75) else "place")
    assert front is not None
    return _gapped(made, front)


def sgf_clause(made: Composer) -> Sentence:
    doing = _start(made)
    return _gapped(made, meanwhile(made, doing.action), doing)


def sgf_participle(made: Composer) -> Sentence:
    plan = made.pick(made.words.participles)
    front = Part("adverbial", made.verbal(plan, False), "sentence")
    doing = _start(made)
    if PERSON not in doing.who.noun.classes or doing.action.lemma == plan.lemma:
        raise NothingFitsError
    return _gapped(made, front, doing)


# ---- coordination of unlike constituents


def _unlike(made: Composer, kinds: str) -> Sentence:
    plan: UnlikePlan = made.pick(made.scene.unlike)
    entity = made.entity(plan.classes, 0.16 if kinds == "vp+ap" else 0)
    subject = made.subject(entity, "def", adjective=0, genitive=0.4)
    infinitive = False
    verbal: Verbal
    if kinds == "vp+ap":
        kind = made.pick(plan.adjectives)
        degree = made.degree(kind) if made.maybe(0.4) else None
        conjuncts: list[Phrase] = [Adjective(predicative(kind), degree)]
        verbal = made.verbal(made.pick(plan.participles), False)
    else:
        noun = made.pick(plan.nouns)
        conjuncts = [Nominal(noun_word(noun, "nom", "Sing"), article("indef", "nom", noun.gender, "Sing"))]
        infinitive = made.maybe(0.75)
        verbal = made.verbal(made.pick(plan.infinitives if infinitive else plan.participles), infinitive)
    conjuncts.append(verbal)
    if made.maybe(0.3) and (kinds == "vp+ap" or infinitive):
        conjuncts.reverse()
    whole = Unlike(conjuncts, conjunction("und"))
    copula = auxiliary("sein", entity.number, made.past, "cop")
    clause = Clause("v2", copula, [Part("predicate", whole)], subject)
    return laid_out(said_of_thing(made, clause, entity, verbal.verb.lemma))


def cuc_s_np(made: Composer) -> Sentence:
    """A noun and a dass-clause as object."""
    attitude = made.pick(made.scene.attitudes)
    action, noun = attitude.action, made.pick(attitude.nouns)
    made.used.add(noun.lemma)
    who = made.doer(action)
    verbs = [*made.scene.deeds, *made.scene.intransitive]
    inner = deed(made, [verb for verb in verbs if verb.lemma in attitude.events], genitive=0.3)
    inner.subject = made.subject(inner.who, "def")
    form: Form = made.pick(("pluperfect", "simple")) if made.past else "perfect"
    clause = built(made, inner.action, inner.who, [inner.subject, *inner.rest], order="vl", form=form)
    add_manner(made, inner.action, clause.middle)
    clause.complementiser = subordinator("dass")
    nominal = Nominal(noun_word(noun, "acc", "Sing"), article("def", "acc", noun.gender, "Sing"))
    whole = Part("object", Unlike([nominal, clause], conjunction("und")))
    subject = made.subject(who)
    if made.maybe(0.6):
        front = opening(made, pps=True, places=False)
        return laid_out(built(made, action, who, [subject, whole], front=front))
    return laid_out(built(made, action, who, [whole], front=subject))


PLANS: Mapping[str, Mapping[str, Plan]] = {
    "plain": {
        "svo": plain.svo, "ovs": plain.ovs, "adverb": plain.adverb_first, "question": plain.question,
        "passive": plain.passive, "statal": plain.statal, "subordinate": plain.subordinate,
        "relative": plain.relative_clause,
        "coordination": plain.coordination, "clauses": plain.clauses, "copula": plain.copula,
        "ditransitive": plain.ditransitive, "genitive": plain.genitive, "intransitive": plain.intransitive,
    },
    "ppn": {"object": ppn_object, "subject": ppn_subject, "front": ppn_front, "both": pp_both,
            "possessive": ppn_possessive},
    "ppv": {**{kind: partial(_ppv, kind=kind) for kind in ("time", "manner", "instrument")}, "object": ppv_object,
            "both": pp_both},
    "erc": {f"{gap}-{antecedent}": partial(_extraposed, gap=gap, antecedent=antecedent)
            for gap in ("participle", "particle", "infinitive") for antecedent in ("subject", "object", "pp")},
    "fcr": {"v2": fcr_v2, "vl-weil": fcr_weil, "vl-dass": fcr_dass,
            "vl-relative": fcr_relative},
    "sgf": {"adverb": sgf_adverb, "pp": sgf_pp, "clause": sgf_clause,
            "participle": sgf_participle},
    "cuc": {**{kinds: partial(_unlike, kinds=kinds) for kinds in ("vp+ap", "vp+np")}, "s+np": cuc_s_np},
}  # fmt: skip
"""Of each phenomenon, its variants in the order in which they take turns."""
