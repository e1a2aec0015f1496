"""Lexicon of a language: nouns, verbs, names and constructions listed as wholes, read from TOML.

Every entry is checked, and an error names the file, the entry and what it lacks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from gardenpath.errors import InputError
from gardenpath.runs import digest
from gardenpath.suites import ROLE_PROPERTIES

from ..checked_toml import CheckedFile, Entry, load_toml
from .language import LEXICON, EntryFields, Language, LanguageFolder, Number, language_codes, language_folder

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


@dataclass(frozen=True, eq=False, slots=True)
class Triple:
    """A base sentence chosen by hand, and the variants that make sense for it."""

    subject: Noun
    verb: Verb
    object: Noun
    properties: frozenset[str] | None
    """None: all that its words and the lexicon allow."""
    words: Mapping[str, tuple[Noun, Verb, Noun]]
    """Subject, verb and object of variants that have other words, by property."""
    synonym: Verb | None
    name: Name | None
    institution: Noun | None

    def __str__(self) -> str:
        return f"{self.subject.lemma} – {self.verb.lemma} – {self.object.lemma}"


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
    triples: tuple[Triple, ...] = ()
    """Where there are any, they are the base sentences."""
    attachments: Attachments | None = None

    def __repr__(self) -> str:
        return f"<Lexicon {self.name}: {self.language}, {len(self.nouns)} nouns, {len(self.verbs)} verbs>"


_VERB_LISTS: Mapping[str, tuple[Case, bool]] = {
    "accusative": ("acc", False), "dative": ("dat", False),
    "psych_accusative": ("acc", True), "psych_dative": ("dat", True),
}  # fmt: skip
_TOP = "language extends adverbs conjunctions names phrases groups nouns verbs constructions attachment".split()
_LISTS = ("asymmetric", "light", "idioms", "triples")
_OTHER_WORDS = ("dat", "sinan", "oan", "invan", "psy", "semas", "vlight")
"""Properties whose variants have other nouns or another verb than the base sentence."""
_OTHER_WORD = frozenset(["syn", "sname", "regpol"])
"""Properties whose variants replace one word."""
_PLACE = re.compile(r"\{([a-z_.1-9]+)\}")
_PAGE = "docs/suites.md"
T = TypeVar("T")


def read_lexicon(path: str | Path, within: LanguageFolder | None = None) -> Lexicon:
    """A lexicon; one that says `extends = "de"` has the entries of that language's own too, unless it replaces them.

    `within` is the grammar to read it by, if it is not that of the language that the lexicon names.
    """
    path = Path(path)
    data, table = load_toml(path, "lexicon", _PAGE)
    code = table.get("extends") or table.get("language")
    codes = language_codes() if within is None else (within.language.code,)
    if not isinstance(code, str) or code not in codes:
        what = f"language is {code!r}" if code else "language is missing"
        known = " or ".join(f'"{name}"' for name in codes)
        raise InputError(what, where=str(path), todo=f"write language = {known}, or extends = {known}")
    home = within or language_folder(code)
    if table.get("extends"):
        base, below = load_toml(home.lexicon, "lexicon", _PAGE)
        table, data = _merged(below, table), base + data
    name = f"{home.language.code}/{LEXICON}" if path.name == LEXICON else path.name
    return _LexiconFile(name, home.language).lexicon(table, digest(data)[:12])


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Tables are merged; entries of a list with the lemma of a later one give way to it."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[key] = _merged(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            new = {_key(entry) for entry in value}
            merged[key] = value + [entry for entry in old if _key(entry) not in new]
        else:
            merged[key] = value
    return merged


def _key(entry: object) -> object:
    if not isinstance(entry, dict):
        return str(entry)
    return entry.get("lemma") or tuple(sorted((name, str(value)) for name, value in entry.items()))


class _LexiconFile(CheckedFile):
    page = _PAGE

    def __init__(self, name: str, language: Language) -> None:
        super().__init__(name)
        self.language = language
        self.groups: dict[str, list[str]] = {}
        self.classes: set[str] = set()

    def lexicon(self, table: Entry, made_of: str) -> Lexicon:
        self.known(table, _TOP, "top level")
        words = {key: tuple(self.strings(table.get(key, []), key)) for key in ("adverbs", "conjunctions")}
        parts = {"adverbs": "ADV", "conjunctions": "C", "phrases": "A"}
        for key in (*parts, "nouns", "verbs"):
            if not table.get(key) and (key not in parts or self.language.uses(parts[key])):
                raise self.error(f"{key} is missing", "", f"list {key}; {_PAGE} has an example")
        nouns = [self._noun(entry, name, at) for name, entry, at in self._each(table["nouns"], "nouns")]
        self.classes = {name for noun in nouns for name in noun.classes}
        self._groups(table.get("groups", {}))
        self.known(table["verbs"], _VERB_LISTS, "verbs")
        verbs = [self._verb(entry, name, at) for name, entry, at in self._each(table["verbs"], "verbs")]
        by_lemma = {verb.lemma: verb for verb in verbs}
        for verb in verbs:
            if verb.synonym and verb.synonym not in by_lemma:
                raise self.unknown("verb", verb.synonym, by_lemma, f"verbs: {verb.lemma}: synonym")
        wholes = table.get("constructions", {})
        self.known(wholes, _LISTS, "constructions")
        called = {noun.lemma: noun for noun in nouns}
        lists = {key: list(self._each({key: wholes.get(key, [])}, "constructions")) for key in _LISTS}
        names = tuple(self._name(entry, at) for _, entry, at in self._each({"names": table.get("names", [])}, ""))
        light = tuple(self._light(entry, at, by_lemma) for _, entry, at in lists["light"])
        people = {name.lemma: name for name in names}
        phrases = self._each({"phrases": table.get("phrases", [])}, "")
        return Lexicon(
            self.name, self.language.code, made_of, words["adverbs"], words["conjunctions"], names,
            tuple(self._adjunct(entry, at) for _, entry, at in phrases), tuple(nouns), tuple(verbs),
            tuple(self._asymmetric(entry, at, called, by_lemma) for _, entry, at in lists["asymmetric"]),
            light, tuple(self._idiom(entry, at, by_lemma) for _, entry, at in lists["idioms"]),
            tuple(self._triple(entry, at, called, by_lemma, people, light) for _, entry, at in lists["triples"]),
            self._attachments(table["attachment"], called, by_lemma) if "attachment" in table else None,
        )  # fmt: skip

    # ---- entries

    def _fields(self, entry: Entry, rules: EntryFields, at: str) -> dict[str, str]:
        """The fields of an entry, those of several forms as `past.1` and `past.2`, and those that are derived."""
        fields: dict[str, str] = {}
        for key in ("lemma", *rules.needed, *rules.optional):
            value = entry.get(key, "")
            if isinstance(value, list):
                forms = self.strings(value, f"{at}: {key}")
                value = " ".join(forms)
            else:
                missing = key in rules.needed or (key == "lemma" and all(rule.field != key for rule in rules.derived))
                value = self.word(entry, key, at, needed=missing)
                forms = value.split()
            fields[key] = value
            fields |= {f"{key}.{number}": form for number, form in enumerate(forms, 1)}
        for rule in rules.derived:
            if not fields.get(rule.field):
                fields[rule.field] = _derived(rule.rules, fields)
        return fields

    def _forms(self, fields: Mapping[str, str], names: tuple[str, ...]) -> tuple[str, ...]:
        forms = tuple(fields.get(name, "") for name in names)
        return forms if all(forms) else ()

    def _gender(self, entry: Entry, at: str, *more: str) -> str:
        if not self.language.genders:
            return self.word(entry, "gender", at, needed=False)
        return self.one_of(entry, "gender", (*self.language.genders, *more), at)

    def _noun(self, entry: Entry, cls: str, at: str) -> Noun:
        rules = self.language.nouns
        self.known(entry, ("lemma", "gender", *rules.fields.needed, *rules.fields.optional, "also"), at)
        also = tuple(self.strings(entry.get("also", []), f"{at}: also"))
        fields = self._fields(entry, rules.fields, at)
        facts = [meaning[fields[key]] for key, meaning in rules.facts.items() if fields.get(key) in meaning]
        noun = self._declined(fields, self._gender(entry, at), (cls, *also), frozenset(facts))
        if not noun.forms["Sing"] and not noun.forms["Plur"]:
            raise self.error("the noun has no form", at, f"it needs {', '.join(dict.fromkeys(rules.sing))}")
        return noun

    def _declined(
        self, fields: Mapping[str, str], gender: str, classes: tuple[str, ...], facts: frozenset[str]
    ) -> Noun:
        rules = self.language.nouns
        forms = {"Sing": self._forms(fields, rules.sing), "Plur": self._forms(fields, rules.plur)}
        variant, woman = None, {key: _filled(text, fields) for key, text in rules.variant.items()}
        if woman.get("lemma"):
            derived = dict(woman)
            for rule in rules.fields.derived:
                if not derived.get(rule.field):
                    derived[rule.field] = _derived(rule.rules, derived)
            variant = self._declined({**derived, "feminine": ""}, woman["gender"], classes, facts)
        plural, oblique = fields.get("plural", ""), fields.get("oblique", "")
        if oblique == fields["lemma"]:
            oblique = ""
        return Noun(fields["lemma"], gender, plural, classes, oblique, forms, facts, variant)

    def _verb(self, entry: Entry, kind: str, at: str) -> Verb:
        rules = self.language.verbs
        self.known(entry, ("lemma", *rules.fields.needed, *rules.fields.optional, "roles", "synonym"), at)
        case, psych = _VERB_LISTS[kind]
        if case not in self.language.cases:
            raise self.error(f"the grammar has no case {case}", at, "put the verb into another list")
        roles = tuple(self._role(text, at) for text in self.strings(entry.get("roles", []), f"{at}: roles"))
        fields = self._fields(entry, rules.fields, at)
        helpers = [rule.auxiliary for rule in rules.complex.values()]
        if "{auxiliary}" in helpers and fields["auxiliary"] not in rules.auxiliaries:
            raise self.unknown("auxiliary", fields["auxiliary"], rules.auxiliaries, at)
        for name in (*(name for _, name in rules.finite.rows), *(rule.main for rule in rules.complex.values())):
            if not fields.get(name):
                field, _, number = name.partition(".")
                what = f"{field} must have {number} forms" if number else f"{field} is missing"
                raise self.error(what, at, f'write them in their order, as in {field} = ["…", "…"]')
        return Verb(fields["lemma"], fields, case, psych, roles, self.word(entry, "synonym", at, needed=False))

    def _role(self, text: str, at: str) -> Role:
        subjects, arrow, objects = text.partition(">")
        if not arrow or not subjects.split() or not objects.split():
            todo = 'write classes of subjects, > and classes of objects: "human institution > building"'
            raise self.error(f"roles: {text!r} is not a role", at, todo)
        return Role(self._classes(subjects.split(), at), self._classes(objects.split(), at))

    def _name(self, entry: Entry, at: str) -> Name:
        rules = self.language.nouns
        self.known(entry, ("lemma", "gender", *rules.fields.needed), at)
        fields = self._fields(entry, rules.fields, at)
        return Name(fields["lemma"], self._gender(entry, at, "fem", "masc"), {"Sing": self._forms(fields, rules.sing)})

    def _adjunct(self, entry: Entry, at: str) -> Adjunct:
        self.known(entry, ("preposition", "determiner", "noun", "gender", "lemma"), at)
        noun, lemma = self.word(entry, "noun", at), self.word(entry, "lemma", at, needed=False)
        words = [self.word(entry, key, at, needed=False) for key in ("preposition", "determiner")]
        return Adjunct(words[0], words[1], noun, self._gender(entry, at), lemma or noun)

    def _asymmetric(self, entry: Entry, at: str, nouns: Mapping[str, Noun], verbs: Mapping[str, Verb]) -> Asymmetric:
        self.known(entry, ("subject", "verb", "object", "institution"), at)
        institutions = self.strings(entry.get("institution", []), f"{at}: institution")
        subject, object, *others = (
            self._called(name, nouns, "noun", at)
            for name in (self.word(entry, "subject", at), self.word(entry, "object", at), *institutions)
        )
        return Asymmetric(subject, self._called(self.word(entry, "verb", at), verbs, "verb", at), object, tuple(others))

    def _light(self, entry: Entry, at: str, verbs: Mapping[str, Verb]) -> Light:
        self.known(entry, ("verb", "noun", "gender", "article", "subjects", "forms"), at)
        subjects = self._classes(self.strings(entry.get("subjects", []), f"{at}: subjects"), at)
        if not subjects:
            raise self.error("subjects is missing", at, 'write subjects = ["human"]')
        verb = self._called(self.word(entry, "verb", at), verbs, "verb", at)
        bare = not self.word(entry, "article", at, needed=False)
        rules = self.language.nouns
        fields = self._fields({"lemma": self.word(entry, "noun", at), **entry.get("forms", {})}, rules.fields, at)
        noun = self._declined(fields, self._gender(entry, at), (), frozenset())
        return Light(verb, noun, bare, subjects)

    def _triple(
        self, entry: Entry, at: str, nouns: Mapping[str, Noun], verbs: Mapping[str, Verb],
        names: Mapping[str, Name], light: Iterable[Light],
    ) -> Triple:  # fmt: skip
        roles = ("subject", "verb", "object")
        self.known(entry, (*roles, "properties", *_OTHER_WORDS, *_OTHER_WORD), at)

        def words(table: Entry, at: str, nouns: Mapping[str, Noun]) -> tuple[Noun, Verb, Noun]:
            subject, verb, object = (self.word(table, key, at) for key in roles)
            return (
                self._called(subject, nouns, "noun", at), self._called(verb, verbs, "verb", at),
                self._called(object, nouns, "noun", at),
            )  # fmt: skip

        base = {key: entry.get(key, "") for key in roles}
        subject, verb, object = words(base, at, nouns)
        if not subject.animate or object.animate or verb.case != "acc" or verb.psych:
            todo = 'variants have others, as in oan = { object = "…" }; people are in the class human, if by also'
            raise self.error("a base sentence has a person, a verb of accusative and a thing", at, todo)
        others = {}
        for key in (key for key in _OTHER_WORDS if key in entry):
            place = f"{at}: {key}"
            self.known(entry[key], roles, place)
            more = {one.noun.lemma: one.noun for one in light} if key == "vlight" else {}
            others[key] = words({**base, **entry[key]}, place, {**nouns, **more})
            if others[key][1].case != ("dat" if key == "dat" else "acc") or others[key][1].psych != (key == "psy"):
                raise self.error(f"{others[key][1].lemma} is in another list of verbs", place, "name a verb that fits")
        if "vlight" in others and all((one.verb, one.noun) != others["vlight"][1:] for one in light):
            raise self.error("is no light verb construction", f"{at}: vlight", "list it in constructions.light too")
        listed = None
        if "properties" in entry:
            listed = {*self.strings(entry["properties"], f"{at}: properties"), *others, *(_OTHER_WORD & entry.keys())}
            for name in listed - ROLE_PROPERTIES.keys():
                raise self.unknown("property", name, ROLE_PROPERTIES, f"{at}: properties")

        def other(key: str, known: Mapping[str, T], kind: str) -> T | None:
            return self._called(self.word(entry, key, at), known, kind, f"{at}: {key}") if key in entry else None

        return Triple(
            subject, verb, object, None if listed is None else frozenset(listed), others,
            other("syn", verbs, "verb"), other("sname", names, "name"), other("regpol", nouns, "noun"),
        )  # fmt: skip

    def _idiom(self, entry: Entry, at: str, verbs: Mapping[str, Verb]) -> Idiom:
        self.known(entry, ("subject", "verb", "object", "negated"), at)
        subject, object = (self._fixed(entry.get(key), f"{at}: {key}") for key in ("subject", "object"))
        negated = self.word(entry, "negated", at, needed=False)
        verb = self._called(self.word(entry, "verb", at), verbs, "verb", at)
        return Idiom(
            subject,
            verb,
            object,
            Fixed(_words(negated), object.gender, object.number, object.shows) if negated else None,
        )

    def _fixed(self, entry: Any, at: str) -> Fixed:
        if not isinstance(entry, dict):
            todo = 'write { words = "der frühe:früh Vogel", gender = "masc", number = "sing" }'
            raise self.error("is missing or no table", at, todo)
        self.known(entry, ("words", "gender", "number", "shows"), at)
        number = self.one_of(entry, "number", ("sing", "plur"), at).capitalize()
        gender = self._gender(entry, at) if "gender" in entry else ""
        return Fixed(_words(self.word(entry, "words", at)), gender, cast(Number, number), bool(entry.get("shows")))

    def _attachments(self, entry: Any, nouns: Mapping[str, Noun], verbs: Mapping[str, Verb]) -> Attachments:
        at = "attachment"
        self.known(entry, ("preposition", "case", "adjectives", "subjects", "recipients", "actions", "parts"), at)

        def named(fields: Entry, key: str, place: str) -> tuple[Noun, ...]:
            names = self.strings(fields.get(key, []), f"{place}: {key}")
            return tuple(self._called(name, nouns, "noun", place) for name in names)

        actions, parts = list[Action](), dict[str, tuple[Noun, ...]]()
        for _, fields, place in self._each({"actions": entry.get("actions", [])}, at):
            self.known(fields, ("verb", "objects", "with", "omits", "recipient"), place)
            verb = self._called(self.word(fields, "verb", place), verbs, "verb", place)
            actions += [
                Action(verb, object, instrument, bool(fields.get("omits")), bool(fields.get("recipient")))
                for object in named(fields, "objects", place)
                for instrument in named(fields, "with", place)
            ]
        for _, fields, place in self._each({"parts": entry.get("parts", [])}, at):
            self.known(fields, ("of", "with"), place)
            for whole in named(fields, "of", place):
                parts[whole.lemma] = (*parts.get(whole.lemma, ()), *named(fields, "with", place))
        subjects = named(entry, "subjects", at)
        if not subjects or not actions:
            missing = "actions" if subjects else "subjects"
            raise self.error(f"{missing} is missing", at, "docs/grammars.md has an example")
        adjectives = [_words(text)[0] for text in self.strings(entry.get("adjectives", []), f"{at}: adjectives")]
        return Attachments(
            self.word(entry, "preposition", at), self.one_of(entry, "case", self.language.cases, at),
            tuple(adjectives), subjects, named(entry, "recipients", at), tuple(actions), parts,
        )  # fmt: skip

    # ---- fields

    def _each(self, table: Any, where: str) -> Iterator[tuple[str, Entry, str]]:
        """The entries of all lists of a table, each with the list's name and its place for people."""
        for name, entries in table.items() if isinstance(table, dict) else [("", None)]:
            place = f"{where}.{name}" if where else name
            if not isinstance(entries, list):
                raise self.error("is not a list of entries", place, f"write {name} = [ … ]")
            for number, entry in enumerate(entries, 1):
                if not isinstance(entry, dict):
                    raise self.error(
                        f"entry {number} is not a table", place, "write each entry in braces: { lemma = … }"
                    )
                word = entry.get("lemma") or entry.get("verb") or entry.get("noun") or ""
                yield name, entry, f"{place}, entry {number}" + (f" ({word})" if isinstance(word, str) and word else "")

    def _groups(self, table: Any) -> None:
        for name, members in table.items() if isinstance(table, dict) else ():
            for member in self.strings(members, f"groups: {name}"):
                if member not in self.classes:
                    raise self.unknown("class", member, self.classes, f"groups: {name}")
            self.groups[name] = members

    def _classes(self, names: Iterable[str], at: str) -> frozenset[str]:
        classes: set[str] = set()
        for name in names:
            if name not in self.classes and name not in self.groups:
                raise self.unknown("class", name, self.classes | set(self.groups), at)
            classes.update(self.groups.get(name, [name]))
        return frozenset(classes)

    def _called(self, name: str, known: Mapping[str, T], kind: str, at: str) -> T:
        if name not in known:
            raise self.unknown(kind, name, known, at)
        return known[name]


def _words(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (word.partition(":") for word in text.split())
    return tuple((form, lemma or form) for form, _, lemma in pairs)


def _filled(text: str, fields: Mapping[str, str]) -> str:
    """A text with its places filled; empty where one of them is."""
    if any(not fields.get(name) for name in _PLACE.findall(text)):
        return ""
    return _PLACE.sub(lambda place: fields[place[1]], text)


def _derived(rules: tuple[tuple[str, tuple[str, ...], str], ...], fields: Mapping[str, str]) -> str:
    """By the first rule whose field has one of the endings, or that asks for none."""
    for key, endings, text in rules:
        if not key or fields.get(key, "").endswith(endings):
            return _filled(text, fields)
    return ""
