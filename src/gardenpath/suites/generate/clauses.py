"""What a clause is made of before it has words in a row: tagged words, arguments, and phrases in their places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .entries import Adjunct, Fixed, Name, Noun, Number, Verb

Kind = Literal["noun", "name", "pronoun", "negative", "nothing", "nobody", "fixed"]
_NEGATIVE = frozenset(["negative", "nothing", "nobody"])


class Token(NamedTuple):
    form: str
    columns: str
    """LEMMA, UPOS, XPOS and FEATS with tabs between."""
    deprel: str = ""
    """Empty for the head of the phrase: the clause says what it is."""
    up: int = 0
    """How far behind the word its head is; 0 for the head of the phrase."""

    @property
    def lemma(self) -> str:
        return self.columns.partition("\t")[0]


Phrase = tuple[Token, ...]
"""Words; the one without a deprel is the head of the others."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A subject or object before it has a case."""

    kind: Kind
    number: Number = "Sing"
    noun: Noun | None = None
    article: str = ""
    name: Name | None = None
    fixed: Fixed | None = None
    facts: frozenset[str] = frozenset()
    """What the form of a pronoun depends on beside its noun: subject or object, and hidden."""

    @property
    def pronominal(self) -> bool:
        return self.kind == "pronoun"

    @property
    def negative(self) -> bool:
        return self.kind in _NEGATIVE or self.article == "neg"

    @property
    def gender(self) -> str:
        word = self.noun or self.name or self.fixed
        return word.gender if word else ""


@dataclass(frozen=True, slots=True)
class Clause:
    """Subject, verb and object, with what the properties added."""

    subject: Argument
    verb: Verb
    object: Argument
    auxiliary: bool = False
    adjunct: Adjunct | None = None
    inverted: bool = False
    """The object is the more agentive one (psych verbs and the like): it may come first in the middle field."""


class Slot(NamedTuple):
    """A phrase in a clause: what its head is to the main verb (empty: it is the main verb), and its field."""

    phrase: Phrase
    label: str
    field: str


def heads(slots: Iterable[Slot]) -> Mapping[int, int]:
    """Where the head of each slot is among all words, from 1, by the number of the slot."""
    places, before = {}, 0
    for number, slot in enumerate(slots):
        head = next(place for place, word in enumerate(slot.phrase, 1) if not word.deprel)
        places[number] = before + head
        before += len(slot.phrase)
    return places
