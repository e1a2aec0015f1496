"""The words of generated constructions: those of the German lexicon, and what german_constructions.toml adds."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from ....runs.signature import digest
from ..entries import Lexicon, Name, Noun, Number
from ..languages import bundled_language
from ..lexicon import read_lexicon

FILE = Path(__file__).parents[2] / "lexicon" / "german_constructions.toml"


@dataclass(frozen=True, slots=True)
class Action:
    """A verb with one of its frames: which classes its subject and its object have."""

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
    psych: bool = False
    stative: bool = False
    placed: bool = False

    @property
    def plural(self) -> str:
        """The finite form of the present plural, without its particle."""
        return self.lemma.removeprefix(self.particle)


@dataclass(frozen=True, slots=True)
class PhrasePlan:
    """A PP as the lexicon writes it: `mit dat indef rot Mantel masc`."""

    preposition: str
    case: str
    article: str
    adjective: str
    noun: Noun | str
    """A noun, or the class of one (`@place`)."""
    number: Number = "Sing"
    proper: bool = False


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
    nouns: tuple[PhrasePlan, ...]
    participles: tuple[VerbalPlan, ...]
    infinitives: tuple[VerbalPlan, ...]


@dataclass(frozen=True, slots=True)
class Attitude:
    """A verb that takes nouns as well as clauses, with nouns and with verbs of clauses that fit it."""

    action: Action
    nouns: tuple[Noun, ...]
    events: frozenset[str]


@dataclass(frozen=True, eq=False, slots=True)
class Vocabulary:
    digest: str
    nouns: tuple[Noun, ...]
    by_class: Mapping[str, tuple[Noun, ...]]
    names: tuple[Name, ...]
    transitive: tuple[Action, ...]
    """With a nominal object in the accusative or dative; particle verbs among them."""
    intransitive: tuple[Action, ...]
    prepositional: tuple[Action, ...]
    ditransitive: tuple[Action, ...]
    clausal: tuple[Action, ...]
    attitudes: tuple[Attitude, ...]
    adverbs: Mapping[str, tuple[str, ...]]
    conjunctions: Mapping[str, tuple[str, ...]]
    having: tuple[Noun, ...]
    adjectives: Mapping[str, tuple[str, ...]]
    attributes: Mapping[str, tuple[PhrasePlan, ...]]
    adverbials: Mapping[str, tuple[PhrasePlan, ...]]
    instruments: Mapping[str, tuple[PhrasePlan, ...]]
    unlike: tuple[UnlikePlan, ...]
    participles: tuple[VerbalPlan, ...]


@cache
def vocabulary() -> Vocabulary:
    """The bundled words; read once."""
    path = bundled_language("de").lexicon
    data = FILE.read_bytes()
    table = tomllib.loads(data.decode("utf-8"))
    return _Reading(table, read_lexicon(path)).vocabulary(digest(path.read_bytes() + data)[:12])


class _Reading:
    def __init__(self, table: Mapping[str, Any], lexicon: Lexicon) -> None:
        self.table, self.lexicon = table, lexicon
        self.groups = {name: classes.split() for name, classes in table["groups"].items()}
        self.stative = frozenset(table["verbs"]["stative"])
        self.placed = frozenset(table["verbs"]["placed"])

    def vocabulary(self, made_of: str) -> Vocabulary:
        table, verbs = self.table, self.table["verbs"]
        nouns = self._nouns()
        by_class: dict[str, list[Noun]] = {}
        for noun in nouns:
            for name in noun.classes:
                by_class.setdefault(name, []).append(noun)
        adverbials = table["adverbials"]
        return Vocabulary(
            made_of,
            nouns,
            {name: tuple(members) for name, members in by_class.items()},
            self.lexicon.names,
            (*self._known_verbs(), *self._all(verbs["particle"], "acc")),
            (*self._all(verbs["intransitive"]), *self._all(verbs["particle_intransitive"])),
            self._all(verbs["prepositional"]),
            self._all(verbs["ditransitive"], "acc"),
            self._all(verbs["clausal"]),
            tuple(map(self._attitude, verbs["unlike"])),
            {name: tuple(words) for name, words in table["adverbs"].items()},
            {name: tuple(words) for name, words in table["conjunctions"].items()},
            tuple(Noun(one["lemma"], one["gender"]) for one in table["abstract"]["having"]),
            {name: tuple(words) for name, words in table["adjectives"].items()},
            {name: tuple(map(_phrase, texts)) for name, texts in table["attributes"].items()},
            {name: tuple(map(_phrase, adverbials[name])) for name in ("time", "manner", "neutral", "place")},
            {verb: tuple(map(_phrase, texts)) for verb, texts in adverbials["instrument"].items()},
            tuple(map(_unlike, table["unlike"])),
            tuple(map(_verbal, table["participles"]["human"])),
        )

    def _nouns(self) -> tuple[Noun, ...]:
        """Those of the lexicon, words for women as nouns of their own, with subclasses."""
        nouns = []
        for noun in self.lexicon.nouns:
            more = tuple(name for name, lemmas in self.table["classes"].items() if noun.lemma in lemmas)
            noun = replace(noun, classes=noun.classes + more)
            nouns.append(noun)
            if noun.feminine:
                nouns.append(Noun(noun.feminine, "fem", noun.feminine + "nen", noun.classes))
        return tuple(nouns)

    def _known_verbs(self) -> Iterable[Action]:
        for verb in self.lexicon.verbs:
            for role in verb.roles:
                forms = verb.fields
                yield Action(
                    verb.lemma, forms["present"], (forms["past"], forms["past_plural"]), forms["participle"],
                    forms["auxiliary"], role.subjects, role.objects, verb.case, "", "", verb.psych,
                    verb.lemma in self.stative, verb.lemma in self.placed,
                )  # fmt: skip

    def _all(self, entries: Iterable[Mapping[str, str]], case: str = "") -> tuple[Action, ...]:
        return tuple(action for entry in entries for action in self._actions(entry, case))

    def _actions(self, entry: Mapping[str, Any], case: str) -> Iterable[Action]:
        lemma, present = entry["lemma"], entry["present"]
        past = entry.get("past", present + "e")
        roles = entry.get("roles") or [f"{entry.get('subjects', 'human')} > {entry.get('objects', '')}"]
        for role in roles:
            subjects, _, objects = role.partition(">")
            yield Action(
                lemma, present, (past, past + ("n" if past.endswith("e") else "en")),
                entry.get("participle", "ge" + present), entry.get("auxiliary", "haben"), self._classes(subjects),
                self._classes(objects), entry.get("case", case), entry.get("preposition", ""),
                entry.get("particle", ""), False, lemma in self.stative, lemma in self.placed,
            )  # fmt: skip

    def _attitude(self, entry: Mapping[str, Any]) -> Attitude:
        nouns = tuple(map(_noun, entry["objects"].split()))
        return Attitude(self._all([entry])[0], nouns, frozenset(entry["events"].split()))

    def _classes(self, text: str) -> frozenset[str]:
        return frozenset(one for name in text.split() for one in self.groups.get(name, [name]))


def _noun(text: str) -> Noun:
    """`Fehler:masc`, `Name:masc:Namen`."""
    lemma, gender, *oblique = text.split(":")
    return Noun(lemma, gender, oblique=oblique[0] if oblique else "")


def _phrase(text: str) -> PhrasePlan:
    preposition, case, article, *rest = text.split()
    proper = rest[-1] == "NE"
    number: Number = "Plur" if rest[-1] == "plur" else "Sing"
    if proper or number == "Plur":
        rest = rest[:-1]
    if rest[-1].startswith("@"):
        return PhrasePlan(preposition, case, article, "", rest[-1][1:])
    *adjective, word, gender = rest
    lemma, _, plural = word.partition("/")
    noun = Noun(lemma, gender, plural)
    return PhrasePlan(preposition, case, article, adjective[0] if adjective else "", noun, number, proper)


def _verbal(text: str) -> VerbalPlan:
    before, form, lemma = text.split(";")
    words, bracket, phrase = before.partition("[")
    return VerbalPlan(tuple(words.split()), _phrase(phrase.rstrip("]")) if bracket else None, form, lemma)


def _unlike(entry: Mapping[str, Any]) -> UnlikePlan:
    return UnlikePlan(
        frozenset(entry["classes"].split()),
        tuple(entry["ap"]),
        tuple(_phrase(f"- nom {text}") for text in entry["np"]),
        tuple(map(_verbal, entry["vp"])),
        tuple(map(_verbal, entry["zu"])),
    )
