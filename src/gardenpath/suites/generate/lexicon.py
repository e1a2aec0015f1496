"""Reading a lexicon from TOML: every entry is checked, and an error names the file, the entry and what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from ...boundary.structured import read_toml
from ...boundary.texts import file_bytes
from ...errors import InputError, UsageError, unknown_name
from ...runs.signature import digest
from .entries import Adjunct, Asymmetric, Case, Fixed, Idiom, Lexicon, Light, Name, Noun, Number, Role, Verb

FOLDER = Path(__file__).parent.parent / "lexicon"
BUNDLED = {"de": "german.toml", "nl": "dutch.toml"}
GENDERS = {"de": ("masc", "fem", "neut"), "nl": ("com", "neut")}
_PERFECT = {"de": ("haben", "sein"), "nl": ("hebben", "zijn")}
_VERB_LISTS: Mapping[str, tuple[Case, bool]] = {
    "accusative": ("acc", False), "dative": ("dat", False),
    "psych_accusative": ("acc", True), "psych_dative": ("dat", True),
}  # fmt: skip
_TOP = (
    "language",
    "extends",
    "adverbs",
    "conjunctions",
    "names",
    "phrases",
    "groups",
    "nouns",
    "verbs",
    "constructions",
)
_LISTS = ("asymmetric", "light", "idioms")
Entry = Mapping[str, Any]
T = TypeVar("T")


def bundled_lexicon(language: str) -> Path:
    """The lexicon that comes with gardenpath."""
    if language not in BUNDLED:
        names = {
            "german": "de",
            "deutsch": "de",
            "ger": "de",
            "deu": "de",
            "dutch": "nl",
            "nederlands": "nl",
            "nld": "nl",
        }
        if near := names.get(language.casefold()):
            raise UsageError(f"unknown language {language!r}", todo=f"did you mean {near}?")
        raise unknown_name("language", language, BUNDLED)
    return FOLDER / BUNDLED[language]


def read_lexicon(path: str | Path) -> Lexicon:
    """A lexicon; one that says `extends = "de"` has the entries of the bundled one too, unless it replaces them."""
    path = Path(path)
    data, table = _load(path)
    language = table.get("extends") or table.get("language")
    if not isinstance(language, str) or language not in BUNDLED:
        what = f"language is {language!r}" if language else "language is missing"
        raise InputError(what, where=str(path), todo='write language = "de" or "nl", or extends = "de" or "nl"')
    if table.get("extends"):
        base, below = _load(bundled_lexicon(language))
        table, data = _merged(below, table), base + data
    return _Reader(path.name, language).lexicon(table, digest(data)[:12])


def _load(path: Path) -> tuple[bytes, dict[str, Any]]:
    data = file_bytes(path, todo="name a lexicon in TOML")
    return data, read_toml(data, str(path), "see docs/suites.md for an example")


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Tables are merged; entries of a list with the lemma of a later one give way to it."""
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(old, dict) and isinstance(value, dict):
            merged[key] = _merged(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            new = {_key(one) for one in value}
            merged[key] = value + [one for one in old if _key(one) not in new]
        else:
            merged[key] = value
    return merged


def _key(entry: object) -> object:
    if not isinstance(entry, dict):
        return str(entry)
    return entry.get("lemma") or tuple(sorted((name, str(value)) for name, value in entry.items()))


class _Reader:
    def __init__(self, name: str, language: str) -> None:
        self.name, self.language = name, language
        self.groups: dict[str, list[str]] = {}
        self.classes: set[str] = set()

    def lexicon(self, table: Entry, made_of: str) -> Lexicon:
        self._known(table, _TOP, "top level")
        words = {key: tuple(self._strings(table.get(key, []), key)) for key in ("adverbs", "conjunctions")}
        for key in (*words, "names", "phrases", "nouns", "verbs"):
            if not table.get(key):
                raise InputError(
                    f"{key} is missing", where=self.name, todo=f"list {key}; docs/suites.md has an example"
                )
        nouns = [self._noun(entry, name, at) for name, entry, at in self._each(table["nouns"], "nouns")]
        self.classes = {one for noun in nouns for one in noun.classes}
        self._groups(table.get("groups", {}))
        self._known(table["verbs"], _VERB_LISTS, "verbs")
        verbs = [self._verb(entry, name, at) for name, entry, at in self._each(table["verbs"], "verbs")]
        by_lemma = {verb.lemma: verb for verb in verbs}
        for verb in verbs:
            if verb.synonym and verb.synonym not in by_lemma:
                raise self._unknown("verb", verb.synonym, by_lemma, f"verbs: {verb.lemma}: synonym")
        wholes = table.get("constructions", {})
        self._known(wholes, _LISTS, "constructions")
        called = {noun.lemma: noun for noun in nouns}
        lists = {key: list(self._each({key: wholes.get(key, [])}, "constructions")) for key in _LISTS}
        return Lexicon(
            self.name, self.language, made_of, words["adverbs"], words["conjunctions"],
            tuple(self._name(entry, at) for _, entry, at in self._each({"names": table["names"]}, "")),
            tuple(self._adjunct(entry, at) for _, entry, at in self._each({"phrases": table["phrases"]}, "")),
            tuple(nouns), tuple(verbs),
            tuple(self._asymmetric(entry, at, called, by_lemma) for _, entry, at in lists["asymmetric"]),
            tuple(self._light(entry, at, by_lemma) for _, entry, at in lists["light"]),
            tuple(self._idiom(entry, at, by_lemma) for _, entry, at in lists["idioms"]),
        )  # fmt: skip

    # ---- entries

    def _noun(self, entry: Entry, cls: str, at: str) -> Noun:
        self._known(entry, ("lemma", "gender", "plural", "oblique", "feminine", "sex", "also"), at)
        gender = self._one_of(entry, "gender", GENDERS[self.language], at)
        also = tuple(self._strings(entry.get("also", []), f"{at}: also"))
        texts = [self._text(entry, key, at, needed=False) for key in ("plural", "oblique", "feminine", "sex")]
        plural, oblique, feminine, sex = texts
        return Noun(self._text(entry, "lemma", at), gender, plural, (cls, *also), oblique, feminine, sex)

    def _verb(self, entry: Entry, kind: str, at: str) -> Verb:
        known = ("lemma", "present", "past", "participle", "auxiliary", "roles", "synonym")
        self._known(entry, known, at)
        lemma, present = self._text(entry, "lemma", at), self._text(entry, "present", at)
        case, psych = _VERB_LISTS[kind]
        auxiliary = _PERFECT[self.language][0]
        if "auxiliary" in entry:
            auxiliary = self._one_of(entry, "auxiliary", _PERFECT[self.language], at)
        roles = tuple(self._role(text, at) for text in self._strings(entry.get("roles", []), f"{at}: roles"))
        past, participle = self._past(entry, lemma, present, at)
        synonym = self._text(entry, "synonym", at, needed=False)
        return Verb(lemma, present, past, participle, auxiliary, case, psych, roles, synonym)

    def _past(self, entry: Entry, lemma: str, present: str, at: str) -> tuple[tuple[str, str], str]:
        """In German, weak verbs need not say them: lobt, lobte, gelobt; probiert, probierte, probiert."""
        if self.language == "de":
            past = self._text(entry, "past", at, needed=False) or present + "e"
            whole = present if lemma.endswith("ieren") else "ge" + present
            return (past, past + ("n" if past.endswith("e") else "en")), entry.get("participle") or whole
        forms = self._strings(entry.get("past", []), f"{at}: past")
        if len(forms) != 2:
            todo = 'write both numbers, as in past = ["las", "lazen"]'
            raise InputError("past must have two forms", where=f"{self.name}: {at}", todo=todo)
        return (forms[0], forms[1]), self._text(entry, "participle", at)

    def _role(self, text: str, at: str) -> Role:
        subjects, arrow, objects = text.partition(">")
        if not arrow or not subjects.split() or not objects.split():
            todo = 'write classes of subjects, > and classes of objects: "human institution > building"'
            raise InputError(f"roles: {text!r} is no role", where=f"{self.name}: {at}", todo=todo)
        return Role(self._classes(subjects.split(), at), self._classes(objects.split(), at))

    def _name(self, entry: Entry, at: str) -> Name:
        self._known(entry, ("lemma", "gender"), at)
        return Name(self._text(entry, "lemma", at), self._one_of(entry, "gender", ("fem", "masc"), at))

    def _adjunct(self, entry: Entry, at: str) -> Adjunct:
        self._known(entry, ("preposition", "determiner", "noun", "gender"), at)
        gender = self._one_of(entry, "gender", GENDERS[self.language], at)
        preposition, determiner, noun = (self._text(entry, key, at) for key in ("preposition", "determiner", "noun"))
        return Adjunct(preposition, determiner, noun, gender)

    def _asymmetric(self, entry: Entry, at: str, nouns: Mapping[str, Noun], verbs: Mapping[str, Verb]) -> Asymmetric:
        self._known(entry, ("subject", "verb", "object", "institution"), at)
        institutions = self._strings(entry.get("institution", []), f"{at}: institution")
        subject, object, *others = (
            self._called(name, nouns, "noun", at)
            for name in (self._text(entry, "subject", at), self._text(entry, "object", at), *institutions)
        )
        return Asymmetric(
            subject, self._called(self._text(entry, "verb", at), verbs, "verb", at), object, tuple(others)
        )

    def _light(self, entry: Entry, at: str, verbs: Mapping[str, Verb]) -> Light:
        self._known(entry, ("verb", "noun", "gender", "article", "subjects"), at)
        gender = self._one_of(entry, "gender", GENDERS[self.language], at)
        subjects = self._classes(self._strings(entry.get("subjects", []), f"{at}: subjects"), at)
        if not subjects:
            raise InputError("subjects is missing", where=f"{self.name}: {at}", todo='write subjects = ["human"]')
        verb = self._called(self._text(entry, "verb", at), verbs, "verb", at)
        bare = not self._text(entry, "article", at, needed=False)
        return Light(verb, Noun(self._text(entry, "noun", at), gender), bare, subjects)

    def _idiom(self, entry: Entry, at: str, verbs: Mapping[str, Verb]) -> Idiom:
        self._known(entry, ("subject", "verb", "object", "negated"), at)
        subject, object = (self._fixed(entry.get(key), f"{at}: {key}") for key in ("subject", "object"))
        negated = self._text(entry, "negated", at, needed=False)
        verb = self._called(self._text(entry, "verb", at), verbs, "verb", at)
        return Idiom(subject, verb, object, Fixed(_words(negated), object.gender, object.number) if negated else None)

    def _fixed(self, entry: Any, at: str) -> Fixed:
        if not isinstance(entry, dict):
            todo = 'write { words = "der frühe:früh Vogel", gender = "masc", number = "sing" }'
            raise InputError("is missing or no table", where=f"{self.name}: {at}", todo=todo)
        self._known(entry, ("words", "gender", "number"), at)
        number = self._one_of(entry, "number", ("sing", "plur"), at).capitalize()
        gender = self._one_of(entry, "gender", GENDERS[self.language], at) if "gender" in entry else ""
        return Fixed(_words(self._text(entry, "words", at)), gender, cast(Number, number))

    # ---- fields

    def _each(self, table: Any, where: str) -> Iterator[tuple[str, Entry, str]]:
        """The entries of all lists of a table, each with the list's name and its place for people."""
        for name, entries in table.items() if isinstance(table, dict) else [("", None)]:
            place = f"{where}.{name}" if where else name
            if not isinstance(entries, list):
                raise InputError("is no list of entries", where=f"{self.name}: {place}", todo=f"write {name} = [ … ]")
            for number, entry in enumerate(entries, 1):
                if not isinstance(entry, dict):
                    todo = "write each entry in braces: { lemma = … }"
                    raise InputError(f"entry {number} is no table", where=f"{self.name}: {place}", todo=todo)
                word = entry.get("lemma") or entry.get("verb") or entry.get("noun") or ""
                yield name, entry, f"{place}, entry {number}" + (f" ({word})" if isinstance(word, str) and word else "")

    def _text(self, entry: Entry, key: str, at: str, *, needed: bool = True) -> str:
        value = entry.get(key, "")
        if not isinstance(value, str) or any(char in value for char in "\t\n\r|") or value != value.strip():
            todo = "write one text without tabs, line ends and |"
            raise InputError(f"{key} is {value!r}", where=f"{self.name}: {at}", todo=todo)
        if needed and not value:
            raise InputError(f"{key} is missing", where=f"{self.name}: {at}", todo=f'add {key} = "…" to this entry')
        return value

    def _strings(self, value: Any, at: str) -> list[str]:
        if not isinstance(value, list) or any(not isinstance(one, str) or not one.strip() for one in value):
            raise InputError("must be a list of texts", where=f"{self.name}: {at}", todo='write ["…", "…"]')
        return value

    def _one_of(self, entry: Entry, key: str, known: Iterable[str], at: str) -> str:
        value = self._text(entry, key, at)
        if value not in known:
            raise self._unknown(key, value, known, at)
        return value

    def _groups(self, table: Any) -> None:
        for name, members in table.items() if isinstance(table, dict) else ():
            for one in self._strings(members, f"groups: {name}"):
                if one not in self.classes:
                    raise self._unknown("class", one, self.classes, f"groups: {name}")
            self.groups[name] = members

    def _classes(self, names: Iterable[str], at: str) -> frozenset[str]:
        found: set[str] = set()
        for name in names:
            if name not in self.classes and name not in self.groups:
                raise self._unknown("class", name, self.classes | set(self.groups), at)
            found.update(self.groups.get(name, [name]))
        return frozenset(found)

    def _called(self, name: str, known: Mapping[str, T], kind: str, at: str) -> T:
        if name not in known:
            raise self._unknown(kind, name, known, at)
        return known[name]

    def _known(self, entry: Any, known: Iterable[str], at: str) -> None:
        if not isinstance(entry, dict):
            raise InputError("is no table", where=f"{self.name}: {at}", todo="docs/suites.md has an example")
        for key in entry:
            if key not in known:
                raise self._unknown("field", key, known, at)

    def _unknown(self, kind: str, name: str, known: Iterable[str], at: str) -> InputError:
        error = unknown_name(kind, name, known)
        return InputError(error.what, where=f"{self.name}: {at}", todo=error.todo)


def _words(text: str) -> tuple[tuple[str, str], ...]:
    pairs = (word.partition(":") for word in text.split())
    return tuple((form, lemma or form) for form, _, lemma in pairs)
