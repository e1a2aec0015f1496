"""German word forms with tags and features, and phrases composed of them at random."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from ..roles.language import Number
from ..roles.lexicon import Noun
from .clause import Adjective, Adverb, Coordination, Nominal, Part, Prepositional, Verbal, Word, head
from .vocabulary import BODY, PERSON, Action, NounClass, PhrasePlan, Scene, VerbalPlan, Vocabulary

Columns = tuple[str, str, str, str, str]
"""Form, lemma, UPOS, XPOS, FEATS: what a word is made from."""
_CASES = {"nom": 0, "acc": 1, "dat": 2, "gen": 3}
_FORMS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "forms.toml").read_text(encoding="utf-8"))
_LONG_GENITIVE = ("s", "ß", "x", "z", "sch")


def _marks(case: str, gender: str, number: str) -> tuple[str, str, str]:
    shown = "" if number == "Plur" else f"Gender={gender.capitalize()}"
    return f"Case={case.capitalize()}", shown, f"Number={number}"


def _feats(*parts: str) -> str:
    return "|".join(part for part in parts if part)


def row(noun: Noun, number: Number) -> str:
    return noun.gender if number == "Sing" else "Plur"


@lru_cache(maxsize=50_000)
def _noun(noun: Noun, case: str, number: Number, proper: bool) -> Columns:
    if number == "Plur":
        form = noun.plural + "n" if case == "dat" and noun.plural[-1] not in "ns" else noun.plural
    elif case == "gen" and not noun.oblique and noun.gender != "fem" and not proper:
        form = noun.lemma + _genitive(noun.lemma)
    else:
        form = noun.lemma if case == "nom" else noun.oblique or noun.lemma
    feats = f"Case={case.capitalize()}|Gender={noun.gender.capitalize()}|Number={number}"
    return form, noun.lemma, "PROPN" if proper else "NOUN", "NE" if proper else "NN", feats


def _genitive(lemma: str) -> str:
    vowels = sum(char in "aeiouäöüy" and lemma[at - 1 : at].lower() not in "aeiouäöüy" for at, char in
                 enumerate(lemma.lower()) if at)  # fmt: skip
    if lemma.endswith(_LONG_GENITIVE):
        return "es"
    short = vowels <= 1 and lemma[0] not in "AEIOUÄÖÜ" and lemma[-1] not in "flr" and not lemma.endswith("ch")
    return "es" if short else "s"


def noun_word(noun: Noun, case: str, number: Number, *, proper: bool = False) -> Word:
    return Word(*_noun(noun, case, number, proper))


@lru_cache(maxsize=10_000)
def _article(kind: str, case: str, gender: str, number: Number) -> Columns:
    form = _FORMS["articles"][kind][gender if number == "Sing" else "Plur"].split()[_CASES[case]]
    lemma, xpos = _FORMS["determiners"][kind].split()
    case_mark, gender_mark, number_mark = _marks(case, gender, number)
    if kind == "rel":
        return form, lemma, "PRON", xpos, _feats(case_mark, gender_mark, number_mark, "PronType=Rel")
    if kind in ("dem", "neg"):
        which = "PronType=Dem" if kind == "dem" else "PronType=Neg"
        return form, lemma, "DET", xpos, _feats(case_mark, gender_mark, number_mark, which)
    definite = "Definite=Def" if kind == "def" else "Definite=Ind"
    numeral = "NumType=Card" if kind == "indef" else ""
    return form, lemma, "DET", xpos, _feats(case_mark, definite, gender_mark, number_mark, numeral, "PronType=Art")


def article(kind: str, case: str, gender: str, number: Number) -> Word:
    """The article, demonstrative (`dem`) or relative pronoun (`rel`)."""
    return Word(*_article(kind, case, gender, number))


@lru_cache(maxsize=2_000)
def _possessive(stem: str, case: str, gender: str, number: Number) -> Columns:
    table = _FORMS["possessive"][gender if number == "Sing" else "Plur"]
    form = table.split()[_CASES[case]].replace("X", stem)
    return form, stem, "DET", "PPOSAT", _feats(*_marks(case, gender, number), "Poss=Yes", "PronType=Prs")


def possessive(owner: str, case: str, gender: str, number: Number) -> Word:
    """sein or ihr, by the row (masc, fem, neut, Plur) of the owner."""
    return Word(*_possessive("sein" if owner in ("masc", "neut") else "ihr", case, gender, number))


@lru_cache(maxsize=50_000)
def _attributive(adjective: str, declension: str, case: str, gender: str, number: Number) -> Columns:
    stem, _, plain = adjective.partition(":")
    ending = _FORMS["endings"][declension][gender if number == "Sing" else "Plur"].split()[_CASES[case]]
    case_mark, gender_mark, number_mark = _marks(case, gender, number)
    return stem + ending, plain or stem, "ADJ", "ADJA", _feats(case_mark, "Degree=Pos", gender_mark, number_mark)


def attributive(adjective: str, declension: str, case: str, gender: str, number: Number) -> Word:
    return Word(*_attributive(adjective, declension, case, gender, number))


def predicative(adjective: str) -> Word:
    stem, _, plain = adjective.partition(":")
    return Word(plain or stem, plain or stem, "ADJ", "ADJD", "Degree=Pos")


def pronoun(gender_row: str, case: str, number: Number) -> Word:
    forms = _FORMS["pronouns"][gender_row].split()
    marks = _marks(case, gender_row, number)
    return Word(forms[_CASES[case]], forms[0], "PRON", "PPER", _feats(*marks, "Person=3", "PronType=Prs"))


def preposition(form: str, determiner: Word | None) -> tuple[Word, Word | None]:
    """The preposition and what is left of the article: an and dem are am."""
    if determiner is not None and determiner.xpos == "ART":
        merged = _FORMS["merged"].get(f"{form} {determiner.form}")
        if merged is not None:
            return Word(merged, form, "ADP", "APPRART", determiner.feats), None
    return Word(form, form, "ADP", "APPR"), determiner


def adverb(form: str) -> Word:
    return Word(form, form, "ADV", "ADV")


def conjunction(form: str) -> Word:
    return Word(form, form, "CCONJ", "KON")


def subordinator(form: str) -> Word:
    return Word(form, form, "SCONJ", "KOUS")


MODALS = ("können", "müssen", "wollen", "sollen")


def finite_feats(number: str, past: bool) -> str:
    return f"Mood=Ind|Number={number}|Person=3|Tense={'Past' if past else 'Pres'}|VerbForm=Fin"


def auxiliary(lemma: str, number: Number, past: bool, relation: str = "aux") -> Word:
    form = _FORMS["auxiliaries"][lemma].split()[2 * past + (number == "Plur")]
    tag = "VMFIN" if lemma in MODALS else "VAFIN"
    return Word(form, lemma, "AUX", tag, finite_feats(number, past), relation)


T = TypeVar("T")
PEOPLE = frozenset((PERSON, BODY))
_OWN = "sein"
"""Among the words used: a possessive comes but once in a sentence."""


class NothingFitsError(Exception):
    """No word of the scene is left for this place: the sentence has to be begun anew."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Something to speak of: a noun in a number, or a person by name."""

    noun: Noun
    number: Number = "Sing"
    named: bool = False

    @property
    def row(self) -> str:
        return row(self.noun, self.number)

    @property
    def acts(self) -> bool:
        """Whether it has motives: a person or an institution."""
        return not PEOPLE.isdisjoint(self.noun.classes)


class Composer:
    """One sentence at a time: all its words are of one scene, and no noun comes twice in it."""

    def __init__(self, words: Vocabulary, chance: Random) -> None:
        self.words, self.chance = words, chance
        self.scene: Scene = words.scenes[0]
        self.used: set[str] = set()
        self.past = False
        self.coming = False
        """Whether what it says is still to come: with a modal or in the future, not in the past."""
        self.linked = False
        """Whether it begins with deshalb or the like: then no clause says why, or in spite of what."""
        self.timed = False
        """Whether the sentence says already when it happened."""
        self.length = 0
        """How many words it should have."""

    def begin(self) -> None:
        self.scene = self.pick(self.words.scenes)
        self.used = set()
        self.past = self.maybe(0.7)
        self.coming = self.timed = self.linked = False
        self.length = round(self.chance.triangular(13, 26, 18))

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def pick(self, choices: Sequence[T]) -> T:
        if not choices:
            raise NothingFitsError
        return choices[int(self.chance.random() * len(choices))]

    # ---- things

    def entity(self, classes: Iterable[str], plural: float = 0.16) -> Entity:
        """Something of these classes that is not in the sentence yet."""
        free = {
            name: [noun for noun in self.scene.nouns[name] if noun.lemma not in self.used] for name in sorted(classes)
        }
        noun = self.pick(free[self.pick([name for name, nouns in free.items() if nouns])])
        self.used |= {noun.lemma, self.scene.partners.get(noun.lemma, noun.lemma)}
        many = self._class(noun).only_plural or (bool(noun.plural) and self.maybe(plural))
        return Entity(noun, "Plur" if many else "Sing")

    def doer(self, action: Action, plural: float = 0.16) -> Entity:
        """Somebody who does this, now and then by name."""
        people = [name for name in sorted(action.subjects) if PERSON in self.scene.nouns[name][0].classes]
        if people and self.maybe(0.08):
            return self.named(self.pick(people))
        return self.entity(action.subjects, plural)

    def named(self, role: str = PERSON) -> Entity:
        """A person by name, who can do what people of this class do."""
        name = self.pick([name for name in self.words.names if name.lemma not in self.used])
        self.used.add(name.lemma)
        return Entity(Noun(name.lemma, name.gender, classes=(role, PERSON)), "Sing", True)

    def _class(self, noun: Noun) -> NounClass:
        return self.scene.classes[noun.classes[0]]

    def action(self, pool: Sequence[Action], fits: Callable[[Action], bool] = lambda action: True) -> Action:
        return self.pick([action for action in pool if fits(action)])

    def nominal(
        self,
        entity: Entity,
        case: str,
        kind: str = "",
        *,
        adjective: float = 0.3,
        genitive: float = 0.0,
        owner: Entity | None = None,
    ) -> Nominal:
        """A noun phrase; `kind` is def, indef, none or dem, and by chance if not given."""
        noun, number = entity.noun, entity.number
        if entity.named:
            return Nominal(noun_word(noun, case, number, proper=True))
        if not kind:
            people = number == "Plur" and PERSON in noun.classes
            kind = "def" if people or self.maybe(0.75) else "indef"
        if kind == "indef":
            kind = "none" if number == "Plur" else kind if noun.plural else "def"  # only one Bürgermeister
        determiner, declension = self._determiner(kind, case, noun, number)
        keepers = self._class(noun).keepers
        if (
            kind == "def"
            and owner is not None
            and _OWN not in self.used
            and not keepers.isdisjoint(owner.noun.classes)
            and self.maybe(0.4)
        ):
            self.used.add(_OWN)
            determiner, declension = possessive(owner.row, case, noun.gender, number), "mixed"
            genitive = 0
        made = Nominal(noun_word(noun, case, number), determiner)
        adjectives = self._class(noun).adjectives
        if adjectives and self.maybe(adjective):
            made.adjectives.append(self._adjectives(adjectives, declension, case, noun.gender, number))
        if kind == "def" and self.maybe(genitive):
            self.owned(entity, made)
        return made

    def owned(self, entity: Entity, nominal: Nominal) -> bool:
        """With a possessor in the genitive, if there can be one: der Antrag des Anwohners."""
        owners = self._class(entity.noun).genitives if not entity.named else frozenset[str]()
        if owners:
            nominal.genitive = self.nominal(self.entity(owners), "gen", "def", adjective=0.3)
        return bool(owners)

    def _determiner(self, kind: str, case: str, noun: Noun, number: Number) -> tuple[Word | None, str]:
        if kind == "none":
            return None, "strong"
        return article(kind, case, noun.gender, number), "mixed" if kind in ("indef", "neg") else "weak"

    def _adjectives(
        self, kinds: Sequence[str], declension: str, case: str, gender: str, number: Number
    ) -> Adjective | Coordination:
        first = self.pick(kinds)
        word = attributive(first, declension, case, gender, number)
        draw = self.chance.random()
        if draw < 0.006 and len(kinds) > 1:
            second = self.pick([kind for kind in kinds if kind != first])
            second_adjective = Adjective(attributive(second, declension, case, gender, number))
            return Coordination([Adjective(word), second_adjective], conjunction("und"))
        return Adjective(word, self.degree(first) if draw < 0.1 else None)

    def degree(self, adjective: str) -> Word | None:
        """An adverb such as sehr; none before adjectives that know no degrees."""
        if adjective in self.words.adverbs["absolute"]:
            return None
        return adverb(self.pick(self.words.adverbs["degree"]))

    def said_of(self, entity: Entity) -> Adjective | None:
        """A predicate that fits: umstritten."""
        kinds = self._class(entity.noun).predicates if not entity.named else ()
        if not kinds:
            return None
        kind = self.pick(kinds)
        return Adjective(predicative(kind), self.degree(kind) if self.maybe(0.7) else None)

    # ---- roles

    def subject(self, entity: Entity, kind: str = "", *, adjective: float = 0.3, genitive: float = 0.0) -> Part:
        if not kind:
            kind = "def" if entity.number == "Plur" or self.maybe(0.85) else "indef"
        return Part("subject", self.nominal(entity, "nom", kind, adjective=adjective, genitive=genitive))

    def object(
        self,
        action: Action,
        *,
        owner: Entity | None = None,
        kind: str = "",
        adjective: float = 0.3,
        genitive: float = 0.25,
        merge: bool = True,
    ) -> tuple[Entity, Part]:
        """An object that fits the verb, bare or with its preposition."""
        entity = self.entity(action.objects)
        keeper = None if action.foreign else owner
        inner = self.nominal(entity, action.case, kind, adjective=adjective, genitive=genitive, owner=keeper)
        return entity, self.placed(action, inner, merge)

    def placed(self, action: Action, inner: Nominal, merge: bool = True) -> Part:
        """A noun phrase as object of this verb."""
        if action.preposition:
            return Part("oblique", self.around(action.preposition, inner, merge))
        return Part("object" if action.case == "acc" else "indirect", inner)

    def receiver(self, action: Action) -> Part:
        taker = self.entity(action.receivers)
        return Part("indirect", self.nominal(taker, "dat", "def", adjective=0.2))

    def pronoun(self, entity: Entity) -> Part:
        return Part("subject", Nominal(pronoun(entity.row, "nom", entity.number)))

    # ---- PPs

    def phrase(self, plan: PhrasePlan) -> Prepositional:
        inner = self.bare(plan)
        before, inner.determiner = preposition(plan.preposition, inner.determiner)
        return Prepositional(before, inner)

    def bare(self, plan: PhrasePlan) -> Nominal:
        """The noun phrase of a plan, without its preposition."""
        noun, number = plan.noun, plan.number
        self.used.add(noun.lemma)
        determiner, declension = self._determiner(plan.article, plan.case, noun, number)
        inner = Nominal(noun_word(noun, plan.case, number, proper=plan.proper), determiner)
        if plan.adjective:
            inner.adjectives.append(Adjective(attributive(plan.adjective, declension, plan.case, noun.gender, number)))
        return inner

    def around(self, form: str, inner: Nominal, merge: bool = True) -> Prepositional:
        """A preposition with a noun phrase; they merge to am and im, but not before a relative clause."""
        if not merge:
            return Prepositional(preposition(form, None)[0], inner)
        before, inner.determiner = preposition(form, inner.determiner)
        return Prepositional(before, inner)

    def attribute(self, entity: Entity) -> Prepositional | None:
        """A PP for a noun of this class."""
        if entity.named:
            return None
        many = entity.number == "Plur"
        plans = [
            plan
            for plan in self._free(self._class(entity.noun).attributes)
            if not (many and plan.preposition == "mit" and plan.article != "none")
        ]
        return self.phrase(self.pick(plans)) if plans else None

    def possessor(self, entity: Entity) -> Prepositional | None:
        """A von-phrase in place of a genitive: die Bürgermeisterin von Jena, die Aussage von Zeugen."""
        by = self._class(entity.noun).possessors if not entity.named else ""
        if not by:
            return None
        if by == "cities":
            inner = Nominal(noun_word(self.pick(self.words.cities), "dat", "Sing", proper=True))
        elif by == "names":
            inner = self.nominal(self.named(), "dat")
        else:
            noun = self.entity((by.removeprefix("@"),)).noun
            inner = self.nominal(Entity(noun, "Plur"), "dat", "none", adjective=0.6)
        return Prepositional(preposition("von", None)[0], inner, possessive=True)

    def _free(self, plans: Iterable[PhrasePlan], unlike: str = "") -> list[PhrasePlan]:
        """Those whose noun is not in the sentence yet, and whose preposition is another."""
        return [
            plan for plan in plans if plan.noun.lemma not in self.used and (not unlike or plan.preposition != unlike)
        ]

    def adverbial(self, kind: str, action: Action | None = None, unlike: str = "") -> Part | None:
        """A PP for a verb: time or place, or its manner or instrument; not with the preposition `unlike`."""
        plans: Sequence[PhrasePlan] = ()
        if kind in ("time", "place"):
            plans = self.scene.times if kind == "time" else self.scene.places
        elif action is not None:
            plans = action.manners if kind == "manner" else action.instruments
        free = self._free(plans, unlike)
        if not free:
            return None
        self.timed = self.timed or kind == "time"
        return Part("adverbial", self.phrase(self.pick(free)))

    # ---- adverbs

    def when(self) -> Part:
        """An adverb or a bare accusative of time."""
        self.timed = True
        tense = "past" if self.past else "present"
        free = self._free(self.words.times[tense])
        if free and self.maybe(0.4):
            return Part("adverbial", self.bare(self.pick(free)))
        words = self.words.adverbs["future" if self.coming and not self.past else tense]
        return Part("adverbial", Adverb(adverb(self.pick(words))))

    def comment(self, linking: bool = False) -> Part:
        """An adverb of the sentence: offenbar; or one that links it to others, such as deshalb."""
        kind = "linking" if linking and self.maybe(0.5) else "sentence"
        self.linked = kind == "linking"
        return Part("adverbial", Adverb(adverb(self.pick(self.words.adverbs[kind]))), "sentence")

    def then(self) -> Part:
        self.timed = True
        return Part("adverbial", Adverb(adverb(self.pick(self.words.adverbs["once"]))))

    def manner(self, choices: Sequence[str]) -> Part | None:
        """One of these as an adverb; how often and for how long only where no time is said."""
        lasting = self.words.adverbs["lasting"]
        free = [lemma for lemma in choices if not (self.timed and lemma in lasting)]
        if not free:
            return None
        lemma = self.pick(free)
        self.timed = self.timed or lemma in lasting
        return Part("adverbial", Adverb(self.modifier(lemma)))

    def modifier(self, lemma: str) -> Word:
        return adverb(lemma) if lemma in self.words.adverbs["plain"] else predicative(lemma)

    def verbal(self, plan: VerbalPlan, zu: bool) -> Verbal:
        """A participle or infinitive with its modifiers."""
        parts = []
        for lemma in plan.adverbs:
            word = self.modifier(lemma)
            if lemma == "nicht":
                word = Word("nicht", "nicht", "PART", "PTKNEG", "Polarity=Neg")
            parts.append(Part("adverbial", Adverb(word), "verb" if word.xpos == "ADJD" else "sentence"))
        if plan.phrase is not None:
            parts.append(Part("adverbial", self.phrase(plan.phrase)))
        if zu:
            particle = Word("zu", "zu", "PART", "PTKZU")
            return Verbal(parts, Word(plan.form, plan.lemma, "VERB", "VVINF", "VerbForm=Inf"), particle)
        return Verbal(parts, Word(plan.form, plan.lemma, "VERB", "VVPP", "VerbForm=Part"))


def told(who: Entity, thing: Part) -> bool:
    """Whether forms tell the subject from an object in front: by case of a masculine or the dative, or by number."""
    feats = head(thing.phrase).feats
    other_number = f"Number={who.number}" not in feats
    masculine = "Gender=Masc|Number=Sing" in feats or (who.row == "masc" and not who.named)
    return other_number or masculine or thing.role == "indirect"
