"""Composing abstract clauses at random: nouns that fit their verbs, agreement, case, and what stands in which field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal, TypeVar

from ..entries import Noun, Number
from .clause import (
    Adjective,
    Adverb,
    Clause,
    Coordination,
    Nominal,
    Part,
    Prepositional,
    Role,
    Verbal,
    Word,
    head,
)
from .inflection import (
    MODALS,
    adverb,
    article,
    attributive,
    auxiliary,
    conjunction,
    finite_feats,
    noun_word,
    possessive,
    predicative,
    preposition,
    pronoun,
    row,
)
from .vocabulary import Action, PhrasePlan, VerbalPlan, Vocabulary

Form = Literal["simple", "perfect", "modal", "future", "passive", "passive-perfect"]
T = TypeVar("T")
_OWN = frozenset("clothing tool vehicle device furniture treasure tame".split())
"""Classes of what people call their own."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Something to speak of: a noun in a number, or a person by name."""

    noun: Noun
    number: Number = "Sing"
    named: bool = False

    @property
    def row(self) -> str:
        return row(self.noun, self.number)


class Composer:
    """One sentence at a time: no noun comes twice in it, and all its clauses have one tense."""

    def __init__(self, words: Vocabulary, chance: Random) -> None:
        self.words, self.chance = words, chance
        self.used: set[str] = set()
        self.past = False
        self.deeds = [one for one in words.transitive if "human" in one.subjects and not one.psych and not one.stative]
        """What people do to something."""
        self._names: dict[frozenset[str], list[str]] = {}
        self._fitting: dict[tuple[str, ...], list[Action]] = {}

    def begin(self, past: bool | None = None) -> None:
        self.used = set()
        self.past = self.chance.random() < 0.65 if past is None else past

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def pick(self, choices: Sequence[T]) -> T:
        return choices[int(self.chance.random() * len(choices))]

    # ---- things

    def entity(self, classes: Iterable[str], plural: float = 0.2) -> Entity:
        """Something of these classes that is not in the sentence yet."""
        key = frozenset(classes)
        names = self._names.get(key)
        if names is None:
            names = self._names[key] = [name for name in sorted(key) if name in self.words.by_class]
        while True:
            noun = self.pick(self.words.by_class[self.pick(names)])
            if noun.lemma not in self.used:
                break
        self.used |= {noun.lemma, noun.feminine}
        many = bool(noun.plural) and self.maybe(plural)
        return Entity(noun, "Plur" if many else "Sing")

    def person(self, plural: float = 0.2) -> Entity:
        if self.maybe(0.12):
            name = self.pick(self.words.names)
            if name.lemma not in self.used:
                self.used.add(name.lemma)
                return Entity(Noun(name.lemma, name.gender, classes=("human",)), "Sing", True)
        return self.entity(("human",), plural)

    def action(self, pool: Sequence[Action], fits: Callable[[Action], bool] = lambda one: True) -> Action:
        while True:
            action = self.pick(pool)
            if fits(action):
                return action

    def nominal(
        self, entity: Entity, case: str, kind: str = "", *, adjective: float = 0.25, owner: Entity | None = None
    ) -> Nominal:
        """A noun phrase; `kind` is def, indef, none or dem, and by chance if not given."""
        noun, number = entity.noun, entity.number
        if entity.named:
            return Nominal(noun_word(noun, case, number, proper=True))
        if not kind:
            kind = "def" if self.maybe(0.7) else "indef"
        if kind == "indef" and number == "Plur":
            kind = "none"
        determiner, declension = self._determiner(kind, case, noun, number)
        if owner is not None and kind == "def" and not _OWN.isdisjoint(noun.classes) and self.maybe(0.4):
            determiner, declension = possessive(owner.row, case, noun.gender, number), "mixed"
        made = Nominal(noun_word(noun, case, number), determiner)
        kinds = self.words.adjectives.get(noun.classes[0], ()) if noun.classes else ()
        if kinds and self.maybe(adjective):
            made.adjectives.append(self._adjectives(kinds, declension, case, noun.gender, number))
        return made

    def _determiner(self, kind: str, case: str, noun: Noun, number: Number) -> tuple[Word | None, str]:
        if kind == "none":
            return None, "strong"
        return article(kind, case, noun.gender, number), "mixed" if kind == "indef" else "weak"

    def _adjectives(
        self, kinds: Sequence[str], declension: str, case: str, gender: str, number: Number
    ) -> Adjective | Coordination:
        first = self.pick(kinds)
        word = attributive(first, declension, case, gender, number)
        draw = self.chance.random()
        if draw < 0.12:
            second = self.pick([kind for kind in kinds if kind != first])
            second_adjective = Adjective(attributive(second, declension, case, gender, number))
            return Coordination([Adjective(word), second_adjective], conjunction("und"))
        return Adjective(word, self.degree(first) if draw < 0.3 else None)

    def degree(self, adjective: str) -> Word | None:
        """An adverb such as sehr; none before adjectives that know no degrees."""
        if adjective in self.words.adjectives["absolute"]:
            return None
        return adverb(self.pick(self.words.adverbs["degree"]))

    def owned(self, nominal: Nominal) -> Nominal:
        """With a possessor in the genitive: das Haus des Lehrers."""
        nominal.genitive = self.nominal(self.entity(("human",), 0.1), "gen", "def", adjective=0.15)
        return nominal

    # ---- PPs

    def phrase(self, plan: PhrasePlan) -> Prepositional:
        noun, number = plan.noun, plan.number
        if isinstance(noun, str):
            noun = self.entity((noun,), 0).noun
        determiner, declension = self._determiner(plan.article, plan.case, noun, number)
        before, left = preposition(plan.preposition, determiner)
        inner = Nominal(noun_word(noun, plan.case, number, proper=plan.proper), left)
        if plan.adjective:
            inner.adjectives.append(Adjective(attributive(plan.adjective, declension, plan.case, noun.gender, number)))
        return Prepositional(before, inner)

    def around(self, form: str, inner: Nominal, merge: bool = True) -> Prepositional:
        """A preposition with a noun phrase; they merge to am and im, but not before a relative clause."""
        if not merge:
            return Prepositional(preposition(form, None)[0], inner)
        before, inner.determiner = preposition(form, inner.determiner)
        return Prepositional(before, inner)

    def attribute(self, entity: Entity) -> Prepositional | None:
        """A PP for a noun of this class."""
        plans = self.words.attributes.get(entity.noun.classes[0], ())
        many = entity.number == "Plur"
        known = [
            candidate
            for candidate in plans
            if self._free(candidate) and not (many and candidate.preposition == "mit" and candidate.article != "none")
        ]
        if entity.named or not known:
            return None
        plan = self.pick(known)
        if isinstance(plan.noun, Noun):
            self.used.add(plan.noun.lemma)
        return self.phrase(plan)

    def adverbial(self, kind: str, action: Action | None = None, unlike: str = "") -> Part | None:
        """A PP for a verb: time, manner, neutral, place or its instrument; not with the preposition `unlike`."""
        if kind == "instrument":
            plans = self.words.instruments.get(action.lemma if action else "", ())
        else:
            plans = self.words.adverbials[kind]
        known = [one for one in plans if self._free(one) and one.preposition != unlike]
        if not known:
            return None
        plan = self.pick(known)
        if isinstance(plan.noun, Noun):
            self.used.add(plan.noun.lemma)
        return Part("adverbial", self.phrase(plan))

    def _free(self, plan: PhrasePlan) -> bool:
        return isinstance(plan.noun, str) or plan.noun.lemma not in self.used

    def adverb_part(self, kind: str = "") -> Part:
        """An adverb of the sentence or of the event; of the past only where it fits."""
        kinds = ["sentence", "event", "past"] if self.past else ["sentence", "event"]
        kind = kind or self.pick(kinds)
        word = adverb(self.pick(self.words.adverbs[kind]))
        return Part("adverbial", Adverb(word), "sentence" if kind == "sentence" else "verb")

    def verbal(self, plan: VerbalPlan, zu: bool) -> Verbal:
        """A participle or infinitive with its modifiers."""
        parts = []
        for lemma in plan.adverbs:
            graded = lemma in ("gut", "schlecht", "schwer", "leicht", "reich", "sorgfältig")
            word = predicative(lemma) if graded else adverb(lemma)
            if lemma == "nicht":
                word = Word("nicht", "nicht", "PART", "PTKNEG", "Polarity=Neg")
            parts.append(Part("adverbial", Adverb(word), "verb" if graded else "sentence"))
        if plan.phrase is not None:
            parts.append(Part("adverbial", self.phrase(plan.phrase)))
        if zu:
            particle = Word("zu", "zu", "PART", "PTKZU")
            return Verbal(parts, Word(plan.form, plan.lemma, "VERB", "VVINF", "VerbForm=Inf"), particle)
        return Verbal(parts, Word(plan.form, plan.lemma, "VERB", "VVPP", "VerbForm=Part"))

    # ---- clauses

    def clause(
        self,
        action: Action,
        number: Number,
        middle: list[Part],
        *,
        order: Literal["v2", "v1", "vl"] = "v2",
        form: Form = "simple",
        front: Part | None = None,
        complementiser: Word | None = None,
        relative: Part | None = None,
        past: bool | None = None,
    ) -> Clause:
        """The clause with its verbs; `middle` is what stands in the Mittelfeld, in order."""
        past = self.past if past is None else past
        made = Clause(order, finite=_NONE, middle=middle, front=front, complementiser=complementiser, relative=relative)
        participle = Word(action.participle, action.lemma, "VERB", "VVPP", "VerbForm=Part")
        if form == "simple":
            stem = action.past[number == "Plur"] if past else (action.present if number == "Sing" else action.plural)
            last = action.particle + stem if order == "vl" else stem
            lemma = action.lemma if order == "vl" else action.plural  # separated, it has the lemma of its stem
            made.finite = Word(last, lemma, "VERB", "VVFIN", finite_feats(number, past))
            if action.particle and order != "vl":
                made.particle = Word(action.particle, action.particle, "ADP", "PTKVZ")
        elif form == "perfect":
            made.finite, made.verbs = auxiliary(action.auxiliary, number, past and self.maybe(0.4)), [participle]
        elif form in ("modal", "future"):
            helper = "werden" if form == "future" else self.pick(MODALS)
            infinitive = Word(action.lemma, action.lemma, "VERB", "VVINF", "VerbForm=Inf")
            made.finite, made.verbs = auxiliary(helper, number, past and form == "modal"), [infinitive]
        else:
            made.passive = True
            if form == "passive":
                made.finite, made.verbs = auxiliary("werden", number, past, "aux:pass"), [participle]
            else:
                been = Word("worden", "werden", "AUX", "VAPP", "VerbForm=Part", "aux:pass")
                made.finite, made.verbs = auxiliary("sein", number, False), [participle, been]
        return made

    def object(
        self,
        action: Action,
        *,
        kind: str = "",
        owner: Entity | None = None,
        adjective: float = 0.25,
        merge: bool = True,
    ) -> tuple[Entity, Part]:
        """An object that fits the verb, bare or with its preposition."""
        entity = self.entity(action.objects)
        inner = self.nominal(entity, action.case, kind, adjective=adjective, owner=owner)
        if action.preposition:
            return entity, Part("oblique", self.around(action.preposition, inner, merge))
        return entity, Part("object" if action.case == "acc" else "indirect", inner)

    def subject(self, entity: Entity, kind: str = "", *, adjective: float = 0.2) -> Part:
        if not kind:
            kind = "def" if self.maybe(0.95 if entity.number == "Plur" else 0.75) else "indef"
        return Part("subject", self.nominal(entity, "nom", kind, adjective=adjective))

    def form(self, *choices: Form) -> Form:
        """One of these; the whole sentence is in the present if it is the future."""
        form = self.pick(choices)
        if form == "future":
            self.past = False
        return form

    def pronoun(self, entity: Entity) -> Part:
        return Part("subject", Nominal(pronoun(entity.row, "nom", entity.number)))

    def relative(self, entity: Entity, *, light: bool = False, before: bool = False) -> Clause:
        """A relative clause about an entity, with its pronoun as subject or object; `before`: not in the present."""
        classes = set(entity.noun.classes)
        draw = self.chance.random()
        human = "human" in classes
        if human and draw < 0.2:
            return self._having(entity)
        if draw < 0.4:
            return self._being(entity)
        pool = self.deeds if draw < 0.9 or light else self.words.transitive
        if human and draw < 0.75:
            action = self.action(pool, lambda one: not one.subjects.isdisjoint(classes))
            _, thing = self.object(action, adjective=0.2)
            who = self._pronoun(entity, "nom", "subject")
            return self.clause(action, entity.number, [thing], order="vl", relative=who, form=self._tense(before))
        fitting = self._fitting.get(entity.noun.classes)
        if fitting is None:
            fitting = [deed for deed in self.deeds if not deed.objects.isdisjoint(classes)]
            self._fitting[entity.noun.classes] = fitting
        if not fitting:
            return self._being(entity)
        action = self.pick(fitting)
        doer = self.person()
        what = self._pronoun(entity, action.case, "object" if action.case == "acc" else "indirect")
        subject = self.subject(doer, "def")
        return self.clause(action, doer.number, [subject], order="vl", relative=what, form=self._tense(before))

    def _tense(self, before: bool) -> Form:
        return "perfect" if (before and not self.past) or self.maybe(0.25) else "simple"

    def _pronoun(self, entity: Entity, case: str, role: Role) -> Part:
        return Part(role, Nominal(article("rel", case, entity.noun.gender, entity.number)))

    def _having(self, entity: Entity) -> Clause:
        noun = self.pick(self.words.having)
        thing = Part("object", Nominal(noun_word(noun, "acc", "Sing")))
        finite = auxiliary("haben", entity.number, self.past)
        finite.upos = "VERB"
        return Clause("vl", finite, [thing], relative=self._pronoun(entity, "nom", "subject"))

    def _being(self, entity: Entity) -> Clause:
        kinds = self.words.adjectives[entity.noun.classes[0]]
        kind = self.pick(kinds)
        what = Part("predicate", Adjective(predicative(kind), self.degree(kind) if self.maybe(0.6) else None))
        finite = auxiliary("sein", entity.number, self.past, "cop")
        return Clause("vl", finite, [what], relative=self._pronoun(entity, "nom", "subject"))


def told(who: Entity, thing: Part) -> bool:
    """Whether forms tell the subject from an object in front: by case of a masculine or the dative, or by number."""
    feats = head(thing.phrase).feats
    other_number = f"Number={who.number}" not in feats
    masculine = "Gender=Masc|Number=Sing" in feats or (who.row == "masc" and not who.named)
    return other_number or masculine or thing.role == "indirect"


_NONE = Word("", "", "", "")
