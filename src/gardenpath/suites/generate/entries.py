"""What a lexicon holds: nouns, verbs, names and the constructions that are listed as wholes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Number = Literal["Sing", "Plur"]
Case = Literal["acc", "dat"]
ANIMATE = frozenset(["human", "animal"])
INSTITUTION = "institution"
"""The class of nouns that mean people or a building (regular polysemy); neither animate nor inanimate here."""


FormsByNumber = Mapping[str, tuple[str, ...]]
"""A form for each case of the grammar, by number; none where the number has no form."""


@dataclass(frozen=True, slots=True)
class Noun:
    lemma: str
    gender: str
    """One of the grammar's; empty where it has none."""
    plural: str = ""
    classes: tuple[str, ...] = ()
    oblique: str = ""
    """The singular in all cases but the nominative, of weak masculines (den Bauern)."""
    forms: FormsByNumber = field(default_factory=dict, compare=False)
    facts: frozenset[str] = frozenset()
    """What else the rows of a paradigm may ask for (Dutch nouns of common gender that mean a woman)."""
    variant: Noun | None = field(default=None, compare=False)
    """The word to take where this one shows its case (Bäuerin)."""

    @property
    def animate(self) -> bool:
        return not ANIMATE.isdisjoint(self.classes)


@dataclass(frozen=True, slots=True)
class Role:
    """Which classes of subjects go with which classes of objects."""

    subjects: frozenset[str]
    objects: frozenset[str]


@dataclass(frozen=True, eq=False, slots=True)
class Verb:
    lemma: str
    fields: Mapping[str, str]
    """Its forms, and what else the lexicon says, by the names that the grammar gives them."""
    case: Case = "acc"
    psych: bool = False
    roles: tuple[Role, ...] = ()
    synonym: str = ""

    def allows(self, subject: tuple[str, ...], object: tuple[str, ...]) -> bool:
        """Whether nouns of these classes can be its subject and object."""
        return any(not role.subjects.isdisjoint(subject) and not role.objects.isdisjoint(object) for role in self.roles)


@dataclass(frozen=True, slots=True)
class Name:
    lemma: str
    gender: str
    forms: FormsByNumber = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Adjunct:
    """A phrase of time: a noun, maybe with a preposition or postposition and a determiner."""

    preposition: str
    determiner: str
    noun: str
    gender: str
    lemma: str
    """Of the noun."""


@dataclass(frozen=True, slots=True)
class Asymmetric:
    """A subject and an object that cannot change places."""

    subject: Noun
    verb: Verb
    object: Noun
    institutions: tuple[Noun, ...] = ()


@dataclass(frozen=True, slots=True)
class Light:
    """A light verb and the noun that carries the meaning."""

    verb: Verb
    noun: Noun
    bare: bool
    subjects: frozenset[str]


@dataclass(frozen=True, slots=True)
class Fixed:
    """A noun phrase as it stands, form and lemma of each word, the noun last."""

    words: tuple[tuple[str, str], ...]
    gender: str
    number: Number
    shows: bool = False
    """Whether one of its words shows its case; determiners need not be said here."""


@dataclass(frozen=True, slots=True)
class Idiom:
    subject: Fixed
    verb: Verb
    object: Fixed
    negated: Fixed | None


@dataclass(frozen=True, slots=True)
class Action:
    """A verb with a thing that it is done to and a thing that it is done with."""

    verb: Verb
    object: Noun
    instrument: Noun
    omits: bool
    """Whether the object may be left out."""
    recipient: bool


@dataclass(frozen=True, eq=False, slots=True)
class Attachments:
    """What suites of PPs are made of."""

    preposition: str
    case: str
    adjectives: tuple[tuple[str, str], ...]
    """Form after the article, and lemma."""
    subjects: tuple[Noun, ...]
    recipients: tuple[Noun, ...]
    actions: tuple[Action, ...]
    parts: Mapping[str, tuple[Noun, ...]]
    """What a thing has, by its lemma."""


@dataclass(frozen=True, eq=False, slots=True)
class Lexicon:
    name: str
    language: str
    digest: str
    adverbs: tuple[str, ...]
    conjunctions: tuple[str, ...]
    names: tuple[Name, ...]
    adjuncts: tuple[Adjunct, ...]
    nouns: tuple[Noun, ...]
    verbs: tuple[Verb, ...]
    asymmetric: tuple[Asymmetric, ...]
    light: tuple[Light, ...]
    idioms: tuple[Idiom, ...]
    attachments: Attachments | None = None

    def __repr__(self) -> str:
        return f"<Lexicon {self.name}: {self.language}, {len(self.nouns)} nouns, {len(self.verbs)} verbs>"
