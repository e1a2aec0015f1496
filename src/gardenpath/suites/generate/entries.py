"""What a lexicon holds: nouns, verbs, names and the constructions that are listed as wholes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Number = Literal["Sing", "Plur"]
Case = Literal["acc", "dat"]
ANIMATE = frozenset(["human", "animal"])
INSTITUTION = "institution"
"""The class of nouns that mean people or a building (regular polysemy); neither animate nor inanimate here."""


@dataclass(frozen=True, slots=True)
class Noun:
    lemma: str
    gender: str
    """masc, fem or neut; com or neut in Dutch."""
    plural: str = ""
    classes: tuple[str, ...] = ()
    oblique: str = ""
    """The singular in all cases but the nominative, of weak masculines (den Bauern)."""
    feminine: str = ""
    """The word for a woman (Bäuerin)."""
    sex: str = ""
    """fem where the grammatical gender does not say which pronoun it has (Dutch)."""

    @property
    def animate(self) -> bool:
        return not ANIMATE.isdisjoint(self.classes)


@dataclass(frozen=True, slots=True)
class Role:
    """Which classes of subjects go with which classes of objects."""

    subjects: frozenset[str]
    objects: frozenset[str]


@dataclass(frozen=True, slots=True)
class Verb:
    lemma: str
    present: str
    """Third person singular; the plural is the infinitive."""
    past: tuple[str, str]
    """Third person, singular and plural."""
    participle: str
    auxiliary: str
    """Of the perfect."""
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


@dataclass(frozen=True, slots=True)
class Adjunct:
    """A prepositional phrase of time."""

    preposition: str
    determiner: str
    noun: str
    gender: str


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


@dataclass(frozen=True, slots=True)
class Idiom:
    subject: Fixed
    verb: Verb
    object: Fixed
    negated: Fixed | None


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

    def __repr__(self) -> str:
        return f"<Lexicon {self.name}: {self.language}, {len(self.nouns)} nouns, {len(self.verbs)} verbs>"
