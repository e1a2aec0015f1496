"""What a scene of generated constructions has: nouns in classes, verbs that say which classes they take, phrases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..entries import Name, Noun, Number

PERSON, BODY, THING = "person", "body", "thing"
"""Kinds of classes that all scenes share: people, institutions, and what is neither these nor an animal."""


@dataclass(frozen=True, slots=True)
class PhrasePlan:
    """A phrase as the lexicon writes it: `mit dat indef rot Mantel m`; without a preposition a bare noun phrase."""

    preposition: str
    case: str
    article: str
    adjective: str
    noun: Noun
    number: Number = "Sing"
    proper: bool = False


@dataclass(frozen=True, slots=True)
class Action:
    """A verb with one of its frames: which classes its subject, its object and its dative have."""

    lemma: str
    present: str
    past: tuple[str, str]
    participle: str
    auxiliary: str
    subjects: frozenset[str]
    objects: frozenset[str] = frozenset()
    case: str = ""
    """Of the object; empty where there is none."""
    preposition: str = ""
    particle: str = ""
    receivers: frozenset[str] = frozenset()
    """Classes of a dative beside the object."""
    adverbs: tuple[str, ...] = ()
    manners: tuple[PhrasePlan, ...] = ()
    instruments: tuple[PhrasePlan, ...] = ()
    motives: tuple[Motive, ...] = ()
    """Why somebody does it."""
    stage: int = 2
    """1 begins an affair, 3 ends it: of two deeds in a row the later one is not of an earlier stage."""
    state: tuple[str, ...] | None = None
    """Adverbs of its statal passive, if it has one."""
    stative: bool = False
    makes: bool = False
    """What it is done to was not there before."""
    leaves: bool = False
    """Who does it is gone then."""
    foreign: bool = False
    """Not done to what is one's own."""

    @property
    def plural(self) -> str:
        """The finite form of the present plural, without its particle."""
        return self.lemma.removeprefix(self.particle)


@dataclass(frozen=True, slots=True)
class Motive:
    """A verb with its object, maybe below a modal: keine Zeit verlieren wollen."""

    action: Action
    thing: PhrasePlan
    modal: str = ""


@dataclass(frozen=True, slots=True)
class Circumstance:
    """A noun and what is to be said of it: die Zeit ist knapp, das Geld fehlt."""

    noun: Noun
    number: Number
    adjective: str
    action: Action | None


@dataclass(frozen=True, slots=True)
class VerbalPlan:
    """A participle or infinitive with an adverb, a PP or both before it."""

    adverbs: tuple[str, ...]
    phrase: PhrasePlan | None
    form: str
    lemma: str


@dataclass(frozen=True, slots=True)
class UnlikePlan:
    """What can be said of things of some classes by an adjective, a noun, a participle or an infinitive."""

    classes: frozenset[str]
    adjectives: tuple[str, ...]
    nouns: tuple[Noun, ...]
    participles: tuple[VerbalPlan, ...]
    infinitives: tuple[VerbalPlan, ...]


@dataclass(frozen=True, slots=True)
class Attitude:
    """A verb that takes nouns as well as clauses, with nouns and with verbs of clauses that fit it."""

    action: Action
    nouns: tuple[Noun, ...]
    events: frozenset[str]


@dataclass(frozen=True, slots=True)
class NounClass:
    """What the nouns of a class can have: adjectives, PPs, possessors in the genitive or after von."""

    adjectives: tuple[str, ...]
    predicates: tuple[str, ...]
    """Adjectives that can be said of them."""
    attributes: tuple[PhrasePlan, ...]
    genitives: frozenset[str]
    possessors: str
    """After von: `cities`, `names`, the class of a bare plural (`@witness`), or nothing."""
    keepers: frozenset[str]
    """Classes of people who call them their own: ihre Ziegen."""
    only_plural: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Scene:
    """A small world whose words go together."""

    name: str
    nouns: Mapping[str, tuple[Noun, ...]]
    """By class, by kind and by subclass."""
    partners: Mapping[str, str]
    """The word for a man by that for a woman, and the other way round."""
    classes: Mapping[str, NounClass]
    transitive: tuple[Action, ...]
    """With one object, in the accusative or dative."""
    intransitive: tuple[Action, ...]
    prepositional: tuple[Action, ...]
    ditransitive: tuple[Action, ...]
    clausal: tuple[Action, ...]
    """With a clause: sagen, dass."""
    attitudes: tuple[Attitude, ...]
    circumstances: tuple[Circumstance, ...]
    times: tuple[PhrasePlan, ...]
    places: tuple[PhrasePlan, ...]
    unlike: tuple[UnlikePlan, ...]

    @property
    def deeds(self) -> tuple[Action, ...]:
        """What somebody does to something."""
        return tuple(action for action in self.transitive if not action.stative)


@dataclass(frozen=True, eq=False, slots=True)
class Vocabulary:
    digest: str
    scenes: tuple[Scene, ...]
    names: tuple[Name, ...]
    cities: tuple[Noun, ...]
    adverbs: Mapping[str, tuple[str, ...]]
    times: Mapping[str, tuple[PhrasePlan, ...]]
    """Bare accusatives, of the present and of the past."""
    hurdles: tuple[Motive, ...]
    weaknesses: tuple[str, ...]
    """Adjectives: obwohl er müde war."""
    having: tuple[PhrasePlan, ...]
    participles: tuple[VerbalPlan, ...]
