"""What a grammar file declares: paradigms, what tells subject from object, and the layout of a clause in each order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .entries import Number
from .paradigm import Condition, Paradigm, Rows, Template

PAGE = "docs/grammars.md"
GRAMMAR, LEXICON = "grammar.toml", "lexicon.toml"


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a field is made where the lexicon leaves it out: (field, endings, text), the first that fits."""

    field: str
    rules: tuple[tuple[str, tuple[str, ...], str], ...]


@dataclass(frozen=True, slots=True)
class EntryFields:
    """Which fields the nouns or verbs of a lexicon have, and how missing ones are made."""

    needed: tuple[str, ...]
    optional: tuple[str, ...]
    derived: tuple[Derivation, ...]


@dataclass(frozen=True, slots=True)
class NounRules:
    fields: EntryFields
    sing: tuple[str, ...]
    """The field that is the form of each case."""
    plur: tuple[str, ...]
    variant: Mapping[str, str]
    """Fields of the word to take where the noun shows its case, as texts with places for the noun's own."""
    facts: Mapping[str, Mapping[str, str]]
    """Field, value and the fact that it means."""


@dataclass(frozen=True, slots=True)
class ComplexVerb:
    """An auxiliary, and the field of the main verb's form beside it."""

    auxiliary: str
    main: str
    template: Template


@dataclass(frozen=True, slots=True)
class VerbRules:
    fields: EntryFields
    template: Template
    finite: Rows[str]
    """Fields by tense, number and gender of the subject, and negation."""
    complex: Mapping[str, ComplexVerb]
    auxiliary: Template
    auxiliaries: Mapping[str, Rows[str]]
    """Their finite forms, by lemma."""

    @property
    def tenses(self) -> tuple[str, ...]:
        return tuple(tense for tense in ("present", "past") if tense in self.finite.names)


@dataclass(frozen=True, slots=True)
class OrderRules:
    """The fields and parts of a clause in one order, and the clauses that have this order."""

    layout: tuple[tuple[str, str], ...]
    """(topological field, part)."""
    mark: str
    after: frozenset[str]
    """Kinds of arguments that an adjunct does not stand right before."""
    only: tuple[Condition, ...]
    unless: tuple[Condition, ...]

    def allowed(self, facts: frozenset[str]) -> bool:
        if self.only and not any(condition(facts) for condition in self.only):
            return False
        return not any(condition(facts) for condition in self.unless)


@dataclass(frozen=True, slots=True)
class AttachmentRules:
    """How a clause with a PP is laid out: after the object, and in front; and what a recipient is to the verb."""

    layout: tuple[tuple[str, str], ...]
    fronted: tuple[tuple[str, str], ...]
    recipient: str


@dataclass(frozen=True, eq=False)
class Language:
    """The grammar of one language as its file has it."""

    code: str
    name: str
    aliases: tuple[str, ...]
    digest: str
    cases: tuple[str, ...]
    genders: Mapping[str, Mapping[str, str]]
    """What each gender fills templates with."""
    capitals: Mapping[str, str]
    """Letters whose capital is another than usual (Turkish i and İ)."""
    tells: frozenset[str]
    """What tells subject from object where an item is not ambiguous: case, agreement or both."""
    plural_share: Mapping[str, float]
    """How often a plural subject is preferred, by the ambiguity of the suite."""
    numbers: Mapping[tuple[bool, bool], tuple[tuple[Number, Number], ...]]
    """Numbers of subject and object, the preferred first, by (must they hide the roles, is a plural preferred)."""
    absent: Mapping[str, frozenset[str]]
    """Properties that the language has not, by the ambiguity of the suite."""
    excluded: frozenset[frozenset[str]]
    articles: Mapping[str, str]
    """The article of a subject, an object, and an object that hides its case; the field of verbs that have these."""
    words: Mapping[str, Template]
    determiners: Mapping[str, Paradigm]
    pronouns: Mapping[str, Paradigm]
    nouns: NounRules
    verbs: VerbRules
    adjunct: tuple[tuple[str, Template], ...]
    """The fields of an adjunct in their order."""
    adjunct_case: str
    orders: Mapping[str, OrderRules]
    attachment: AttachmentRules | None

    def uses(self, part: str) -> bool:
        """Does an order have this part?"""
        return any(part == name for order in self.orders.values() for _, name in order.layout)
