"""Annotation schemes: categories, functions, tags, fields and head rules, read from the tables of a file each."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

Labels = TypeVar("Labels", "Tags", "Categories", "Functions", "Fields")


@dataclass(frozen=True, slots=True)
class Rule:
    """The first (or last) child with one of these functions and one of these labels; none given: any."""

    last: bool = False
    functions: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    but: frozenset[str] = frozenset()
    """Labels that it must not have."""
    finite: bool = False
    """Only a child that a finite verb heads."""
    beside: frozenset[str] = frozenset()
    """Only where one of the children has one of these labels: a conjunction, say."""


@dataclass(frozen=True, slots=True)
class HeadRules:
    """The first rule that fits some child decides; punctuation is no candidate beside anything else."""

    by_category: Mapping[str, tuple[Rule, ...]]
    others: tuple[Rule, ...]
    """For categories that are not in the table."""
    complement: tuple[Rule, ...]
    """For what stands with the preposition in a prepositional phrase."""
    fallback: Rule
    """If no other rule fits: the first or the last child."""

    def of(self, category: str) -> tuple[Rule, ...]:
        return self.by_category.get(category, self.others)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tags:
    """Parts of speech. What a scheme does not have is an empty set."""

    finite: frozenset[str]
    """Verbs, imperatives included."""
    nonfinite: frozenset[str] = frozenset()
    auxiliaries: frozenset[str] = frozenset()
    """Auxiliaries and modals, finite or not."""
    zu_infinitives: frozenset[str] = frozenset()
    """Infinitives with *zu* inside (`auszugehen`)."""
    zu: frozenset[str] = frozenset()
    """The particle before an infinitive."""
    prepositions: frozenset[str]
    pronominal_adverbs: frozenset[str] = frozenset()
    conjunctions: frozenset[str]
    """Coordinating ones."""
    relative_pronouns: frozenset[str] = frozenset()
    relative_words: frozenset[str]
    """These, and the question words that may open a relative clause."""
    attachable: frozenset[str]
    """Words that a prepositional phrase right behind them could belong to."""
    punctuation: frozenset[str]
    punctuation_prefix: str
    """A tag that begins so is one of punctuation, whether it is listed or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Categories:
    """Labels of phrases. What a scheme does not have is an empty set."""

    known_by: frozenset[str]
    """The categories by which trees of the scheme are recognised."""
    clauses: frozenset[str] = frozenset()
    noun_phrase: str
    prepositional: str
    nominal: frozenset[str]
    """Phrases around a noun, prepositional ones included."""
    modifying: frozenset[str] = frozenset()
    """Phrases of adjectives and adverbs."""
    verb_phrases: frozenset[str] = frozenset()
    verbal: frozenset[str] = frozenset()
    """Clauses, verb phrases and their coordinations, where phrases hang at them without a field in between."""
    relative_clauses: frozenset[str] = frozenset()
    """Categories that only relative clauses have."""
    clause_coordination: str
    """Over clauses, or parts of clauses, that share their subject."""
    clause_conjuncts: frozenset[str] = frozenset()
    """What a conjunct with a finite verb of its own may be."""
    preposition_coordinations: frozenset[str] = frozenset()
    """Over prepositions: `für und gegen`."""
    coordinations: frozenset[str] = frozenset()
    """Categories that only coordinations have; in schemes without any, a conjunction among the children tells."""
    kinds: Mapping[str, str]
    """The kind (s, vp, ap, pp, np, avp) of a label as a conjunct."""
    coordination_of: Mapping[str, str] = field(default_factory=dict)
    """Over phrases of one category: CPP over PP, and over CPP; a phrase of it is a coordination of such phrases."""
    split_verb_phrases: frozenset[str] = frozenset()
    """Verb phrases that may stand on both sides of the finite verb."""
    hyphenated: frozenset[str] = frozenset()
    """Categories whose hyphen separates no function, wherever a file writes functions behind hyphens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Functions:
    """Labels of edges. What a scheme does not have is None or an empty set."""

    head: str
    subject: str
    expletive: str
    object: str
    indirect_object: str
    prepositional_object: str
    predicate: str
    complement: str
    """An object clause or, in schemes with verb phrases, one of these."""
    agent: str
    """The agent of a passive; in some schemes it shares its function with others."""
    modifier: str
    conjunct: str
    conjunction: str | None = None
    relative_clause: str | None = None
    noun_element: str | None = None
    """What a flat noun phrase consists of."""
    preposition: str | None = None
    headlike: frozenset[str]
    """What the head of a phrase may be called in it."""
    once: frozenset[str] = frozenset()
    """Functions that a clause or phrase has once: two of them are pieces of one phrase."""
    complementiser: str | None = None
    """Of the word that opens a subordinate clause."""
    outside: frozenset[str] = frozenset()
    """What may stand before a clause and is no phrase of it."""
    weak: frozenset[str] = frozenset()
    """Of modifiers in a field, beside which another phrase is the main one."""
    pointer: str | None = None
    """What follows the function of a phrase in that of its modifier: `-MOD` in OA-MOD."""
    no_target: frozenset[str] = frozenset()
    """What may stand before the pointer and is no function of a phrase."""

    @property
    def all(self) -> frozenset[str]:
        """Every function that is named here."""
        single = (getattr(self, one.name) for one in fields(self) if one.name != "pointer")
        return frozenset(name for name in single if isinstance(name, str)) | self.headlike | self.once

    def target(self, function: str) -> str:
        """The function that a modifier's function points at, OA of OA-MOD; empty for all others."""
        if self.pointer is None or not function.endswith(self.pointer):
            return ""
        target = function.removesuffix(self.pointer)
        return "" if target in self.no_target else target


@dataclass(frozen=True, slots=True)
class Fields:
    """Topological fields between a clause and its phrases, and what hangs at which verb of the clause."""

    fields: frozenset[str]
    phrase_fields: frozenset[str]
    """Those that hold phrases with functions."""
    verb_fields: frozenset[str]
    verbless: frozenset[str]
    """Those that may be conjuncts without a verb."""
    initial: str
    complementiser: str
    left: str
    """The left bracket, with the finite verb of main clauses."""
    middle: str
    right: str
    coordination: str
    conjunct: str
    """A conjunct of more than one field."""
    finite_verb: str
    """The phrase of the finite verb."""
    verbs: frozenset[str]
    """Phrases of verbs."""
    verb_function: str
    """Of a verb below another one."""
    particle: str
    """The function of a separated verb particle, which hangs at the highest verb."""
    at_finite: frozenset[str]
    """Functions of phrases that hang at the finite verb."""
    at_lowest: frozenset[str]
    """Functions of phrases that hang at the lowest verb."""
    low_modifiers: frozenset[str]
    """Categories that hang there if they are modifiers."""

    @property
    def brackets(self) -> frozenset[str]:
        return frozenset({self.left, self.right})

    @property
    def all(self) -> frozenset[str]:
        """Whatever stands between a clause and its phrases: fields and their coordination."""
        return self.fields | {self.coordination, self.conjunct}


@dataclass(frozen=True, slots=True)
class Scheme:
    """One way to annotate phrase trees. Two schemes are the same if their names are."""

    name: str
    title: str = field(compare=False)
    """As people write it."""
    categories: Categories = field(compare=False, repr=False)
    functions: Functions = field(compare=False, repr=False)
    tags: Tags = field(compare=False, repr=False)
    heads: HeadRules = field(compare=False, repr=False)
    fields: Fields | None = field(default=None, compare=False, repr=False)
    """None: phrases hang at clauses and verb phrases themselves."""
    arcs: bool = field(default=False, compare=False, repr=False)
    """Are these dependency trees, written as phrases?"""
    bare: bool = field(default=False, compare=False, repr=False)
    """Are constructions judged by categories alone? The functions of some schemes mark neither heads nor conjuncts."""


class _Tables:
    """The tables of a scheme's file. `like` in a table names the scheme whose entries it takes over."""

    def __init__(self, name: str) -> None:
        text = (Path(__file__).parent / "tables" / f"{name}.toml").read_text(encoding="utf-8")
        self.raw: dict[str, Any] = tomllib.loads(text)
        self.groups: dict[str, str] = {}
        for group, labels in self.table("labels").items():
            if isinstance(labels, list):
                stems, endings = labels
                labels = " ".join(stem + ending for stem in stems.split() for ending in endings.split(" "))
            self.groups[group] = self.written_out(labels)

    def table(self, name: str) -> dict[str, Any]:
        own = dict(self.raw.get(name, {}))
        return {**_tables(own.pop("like")).table(name), **own} if "like" in own else own

    def written_out(self, text: str) -> str:
        """The labels of `<nouns>` in the place of the name."""
        return re.sub(r"<(\w+)>", lambda match: self.groups[match[1]], text)

    def labels(self, kind: type[Labels], name: str) -> Labels:
        """An object whose attributes are labels, sets of them, or labels by what they are listed under."""
        types = {part.name: str(part.type) for part in fields(kind)}
        values: dict[str, Any] = {}
        for key, value in self.table(name).items():
            if isinstance(value, dict):
                values[key] = {label: what for what, text in value.items() for label in self.written_out(text).split()}
            else:
                values[key] = frozenset(self.written_out(value).split()) if "frozenset" in types[key] else value
        return kind(**values)

    def rules(self, texts: list[str]) -> tuple[Rule, ...]:
        """Rules such as `first NK : NN NE but KON beside KON finite`: functions, labels, and conditions."""
        rules: list[Rule] = []
        for text in texts:
            if text[1:-1] in self.raw.get("rules", {}):
                rules += self.rules(self.raw["rules"][text[1:-1]])
                continue
            side, *words = self.written_out(text).split()
            parts: dict[str, list[str]] = {"functions": [], ":": [], "but": [], "beside": []}
            part = parts["functions"]
            for word in words:
                if word in parts:
                    part = parts[word]
                elif word != "finite":
                    part.append(word)
            functions, labels, but, beside = map(frozenset, parts.values())
            rules.append(Rule(side == "last", functions, labels, but, "finite" in words, beside))
        return tuple(rules)


_tables = cache(_Tables)


@cache
def read_scheme(name: str) -> Scheme:
    """The scheme of this name, from its file."""
    tables = _tables(name)
    heads = tables.raw["heads"]
    by_category = {
        category: tables.rules(texts)
        for categories, texts in heads["by_category"].items()
        for category in tables.written_out(categories).split()
    }
    others, complement, (fallback,) = (tables.rules(heads[key]) for key in ("others", "complement", "fallback"))
    return Scheme(
        name,
        tables.raw["title"],
        tables.labels(Categories, "categories"),
        tables.labels(Functions, "functions"),
        tables.labels(Tags, "tags"),
        HeadRules(by_category, others, complement, fallback),
        tables.labels(Fields, "fields") if "fields" in tables.raw else None,
        arcs=tables.raw.get("arcs", False),
        bare=tables.raw.get("bare", False),
    )


TIGER, TUEBADZ, UD = map(read_scheme, ("tiger", "tuebadz", "ud"))
PUNCTUATION = TIGER.tags.punctuation
"""Tags of punctuation in STTS."""
