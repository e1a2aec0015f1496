"""Grammar of a language: its declarations (paradigms, clause layouts), and its file, read and checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar, cast

from gardenpath.errors import InputError, UsageError, unknown_name
from gardenpath.plugins import plugins
from gardenpath.runs import digest
from gardenpath.suites import ROLE_PROPERTIES

from ..checked_toml import CheckedFile, Entry, load_toml

T = TypeVar("T")
_PLACE = re.compile(r"\{([a-z.]+)\}")


@dataclass(frozen=True, slots=True)
class Condition:
    """Facts that must hold and facts that must not: `hidden object:pronoun not inverted`."""

    holds: frozenset[str]
    fails: frozenset[str]

    @classmethod
    def parsed(cls, text: str) -> Condition:
        parts = text.replace("not ", "not\t").split(" ")
        fails = frozenset(part[4:] for part in parts if part.startswith("not\t"))
        return cls(frozenset(part for part in parts if part and not part.startswith("not\t")), fails)

    @property
    def names(self) -> frozenset[str]:
        return self.holds | self.fails

    def __call__(self, facts: Set[str]) -> bool:
        return self.holds <= facts and self.fails.isdisjoint(facts)


@dataclass(frozen=True, slots=True)
class Rows(Generic[T]):
    """Values by condition; the first row whose condition holds is taken."""

    rows: tuple[tuple[Condition, T], ...]

    def pick(self, facts: Set[str]) -> T | None:
        for condition, value in self.rows:
            if condition(facts):
                return value
        return None

    def place(self, facts: Set[str]) -> int:
        """The number of the row that is taken; -1 where none is."""
        return next((place for place, (condition, _) in enumerate(self.rows) if condition(facts)), -1)

    @property
    def names(self) -> frozenset[str]:
        return frozenset[str]().union(*(condition.names for condition, _ in self.rows))


@dataclass(frozen=True, slots=True)
class Template:
    """LEMMA, UPOS, XPOS and FEATS of a word; a part of FEATS without a value is left out."""

    upos: str
    xpos: str
    feats: Rows[str]
    lemma: str = ""

    def columns(self, lemma: str, facts: Set[str], values: Mapping[str, str]) -> str:
        return f"{lemma}\t{self.upos}\t{self.xpos}\t{filled(self.feats.pick(facts) or '', values)}"


@dataclass(frozen=True, slots=True)
class Paradigm:
    """Forms by case in rows that are chosen by facts, with a template."""

    template: Template
    forms: Rows[tuple[str, ...]]
    """A form for each case; none at all where there is no such form."""
    case: str = ""
    """Whatever case the clause asks for, the phrase stands in this one (unmarked objects)."""

    def lemma(self, row: tuple[str, ...], form: str) -> str:
        return {"": row[0], "{form}": form}.get(self.template.lemma, self.template.lemma)


def filled(feats: str, values: Mapping[str, str]) -> str:
    """`Case={case}|Gender={gender.sing}` with its values, without the parts whose value is empty."""
    parts = []
    for part in feats.split("|"):
        names = _PLACE.findall(part)
        if all(values.get(name) for name in names):
            parts.append(_PLACE.sub(lambda place: values[place[1]], part))
    return "|".join(part for part in parts if part) or "_"


def placeholders(feats: str) -> frozenset[str]:
    return frozenset(_PLACE.findall(feats))


Number = Literal["Sing", "Plur"]
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


_TOP = (
    "language name aliases cases genders capitals tells numbers properties arguments words determiners pronouns nouns "
    "verbs auxiliaries adjunct orders attachment"
).split()
_VALUES = frozenset(["case", "case.shown", "gender", "gender.sing", "number", "tense", "animacy"])
_PARTS = ("S", "O", "V", "N", "A", "ADV", "C")
_PP_PARTS = ("S", "V", "I", "O", "P")
_AMBIGUITIES = ("part", "none", "full")
_NUMBERS: Mapping[str, Number] = {"sing": "Sing", "plur": "Plur"}
_PRONOUNS = ("personal", "negative", "nothing", "nobody")
_REFERENCE = re.compile(r"[a-z_]+(\.[1-9])?")


def read_language(folder: Path) -> Language:
    """The grammar of a folder."""
    data, table = load_toml(folder / GRAMMAR, "folder with a grammar", PAGE)
    return _GrammarFile(f"{folder.name}/{GRAMMAR}").language(table, digest(data)[:12])


class _GrammarFile(CheckedFile):
    def language(self, table: Entry, made_of: str) -> Language:
        self.known(table, _TOP, "top level")
        self.cases = self._list(table, "cases")
        code = self.text(table, "language", "")
        self.genders = self._genders(table.get("genders", []))
        words = self.table(table, "words", needed=True)
        self.known(words, ("noun", "name", "adjective", "adverb", "conjunction", "mark"), "words")
        numbers, properties = self.table(table, "numbers", needed=True), self.table(table, "properties")
        self.known(numbers, ("plural_share", "plain", "hidden"), "numbers")
        self.known(properties, ("absent", "absent_full", "excluded"), "properties")
        adjunct = self.table(table, "adjunct")
        return Language(
            code, self.text(table, "name", ""), self._list(table, "aliases", needed=False), made_of, self.cases,
            self.genders, self.table(table, "capitals"),
            frozenset(self._list(table, "tells", ("case", "agreement"))), self._shares(numbers),
            {(hidden == "hidden", preferred == "plural"): self._numbers(numbers, hidden, preferred)
             for hidden in ("plain", "hidden") for preferred in ("plural", "singular")},
            self._absent(properties), self._excluded(properties), self._articles(self.table(table, "arguments")),
            {key: self._template(words, key, "words") for key in words},
            {name: self._paradigm(entry, f"determiners.{name}", "DET")
             for name, entry in self.table(table, "determiners").items()},
            self._pronouns(self.table(table, "pronouns")), self._nouns(self.table(table, "nouns", needed=True)),
            self._verbs(self.table(table, "verbs", needed=True), self.table(table, "auxiliaries")),
            self._adjunct(adjunct, words), self.text(adjunct, "case", "adjunct", needed=False),
            self._orders(self.table(table, "orders", needed=True)), self._attachment(self.table(table, "attachment")),
        )  # fmt: skip

    # ---- small parts

    def _list(self, entry: Entry, key: str, known: Iterable[str] = (), *, needed: bool = True) -> tuple[str, ...]:
        names = self.strings(entry.get(key, []), key)
        if needed and not names:
            raise self.error(f"{key} is missing", "", f'write {key} = ["…"]')
        for name in names:
            if known and name not in known:
                raise self.unknown(key, name, known, key)
        return tuple(names)

    def _genders(self, value: Any) -> Mapping[str, Mapping[str, str]]:
        """A list of names, or a table of what each stands for: `inan = { gender = "masc", animacy = "inan" }`."""
        if isinstance(value, list):
            return {name: {"gender": name} for name in self.strings(value, "genders")}
        for name in value:
            self.known(value[name], ("gender", "animacy"), f"genders.{name}")
        return cast(Mapping[str, Mapping[str, str]], value)

    def _shares(self, numbers: Entry) -> Mapping[str, float]:
        shares = self.table(numbers, "plural_share", "numbers")
        self.known(shares, _AMBIGUITIES, "numbers.plural_share")
        for name, share in shares.items():
            if not isinstance(share, (int, float)) or not 0 <= share <= 1:
                raise self.error(f"{name} is {share!r}", "numbers.plural_share", "write a share between 0 and 1")
        return {name: float(shares.get(name, 0.5)) for name in _AMBIGUITIES}

    def _numbers(self, numbers: Entry, hidden: str, preferred: str) -> tuple[tuple[Number, Number], ...]:
        at = f"numbers.{hidden}.{preferred}"
        rows = self.table(numbers, hidden, "numbers").get(preferred, ["sing sing"])
        pairs = [tuple(text.split()) for text in self.strings(rows, at)]
        for pair in pairs:
            if len(pair) != 2 or not set(pair) <= set(_NUMBERS):
                raise self.error(f"{' '.join(pair)!r} is not a pair of numbers", at, 'write ["sing sing", "plur plur"]')
        return tuple((_NUMBERS[subject], _NUMBERS[object]) for subject, object in pairs)

    def _absent(self, properties: Entry) -> Mapping[str, frozenset[str]]:
        absent = frozenset(self._list(properties, "absent", ROLE_PROPERTIES, needed=False))
        in_full = frozenset(self._list(properties, "absent_full", ROLE_PROPERTIES, needed=False))
        return {name: absent | in_full if name == "full" else absent for name in _AMBIGUITIES}

    def _excluded(self, properties: Entry) -> frozenset[frozenset[str]]:
        pairs = [text.split("-") for text in self._list(properties, "excluded", needed=False)]
        for pair in pairs:
            for name in pair:
                if name not in ROLE_PROPERTIES:
                    raise self.unknown("property", name, ROLE_PROPERTIES, "properties.excluded")
        return frozenset(map(frozenset, pairs))

    def _articles(self, arguments: Entry) -> Mapping[str, str]:
        keys = ("subject", "object", "hidden_object", "hidden_verbs")
        self.known(arguments, keys, "arguments")
        articles = {key: self.text(arguments, key, "arguments", needed=False) for key in keys}
        return {**articles, "hidden_object": articles["hidden_object"] or articles["object"]}

    # ---- words

    def _template(self, entry: Entry, key: str, at: str) -> Template:
        fields = self.table(entry, key, at, needed=True)
        self.known(fields, ("lemma", "upos", "xpos", "feats"), f"{at}.{key}")
        return self._read_template(fields, f"{at}.{key}")

    def _read_template(self, fields: Entry, at: str, upos: str = "") -> Template:
        feats = fields.get("feats", "")
        rows = self._rows({"": feats} if isinstance(feats, str) else feats, f"{at}.feats")
        for _, text in rows.rows:
            for name in placeholders(text):
                if name not in _VALUES:
                    raise self.unknown("value", name, _VALUES, f"{at}.feats")
        upos = upos or self.word(fields, "upos", at)
        return Template(
            upos,
            self.word(fields, "xpos", at, needed=False) or "_",
            rows,
            self.word(fields, "lemma", at, needed=False),
        )

    def _rows(self, table: Any, at: str) -> Rows[str]:
        if not isinstance(table, dict) or not all(isinstance(text, str) for text in table.values()):
            raise self.error("is not a table of texts", at, 'write { "sing" = "…", "plur" = "…" }')
        return Rows(tuple((Condition.parsed(when), text) for when, text in table.items()))

    def _paradigm(self, entry: Any, at: str, upos: str) -> Paradigm:
        self.known(entry, ("lemma", "xpos", "feats", "forms", "case"), at)
        rows = []
        for condition, text in self._rows(entry.get("forms"), f"{at}.forms").rows:
            forms = tuple(text.split())
            if len(forms) not in (0, 1, len(self.cases)):
                todo = f"write one form, or one for each of {', '.join(self.cases)}"
                raise self.error(f"{text!r} has {len(forms)} forms", f"{at}.forms", todo)
            rows.append((condition, forms * len(self.cases) if len(forms) == 1 else forms))
        case = self.one_of(entry, "case", self.cases, at) if "case" in entry else ""
        return Paradigm(self._read_template(entry, at, upos), Rows(tuple(rows)), case)

    def _pronouns(self, table: Entry) -> Mapping[str, Paradigm]:
        self.known(table, _PRONOUNS, "pronouns")
        return {name: self._paradigm(entry, f"pronouns.{name}", "PRON") for name, entry in table.items()}

    def _fields(self, table: Entry, at: str) -> EntryFields:
        derived = []
        for name, rules in self.table(table, "derived", at).items():
            place = f"{at}.derived.{name}"
            if not isinstance(rules, list) or not rules:
                raise self.error("is not a list of rules", place, 'write ["{present}e"]')
            derived.append(Derivation(name, tuple(self._rule(rule, place) for rule in rules)))
        needed, optional = (self._list(table, key, needed=False) for key in ("needed", "fields"))
        return EntryFields(needed, optional, tuple(derived))

    def _rule(self, rule: Any, at: str) -> tuple[str, tuple[str, ...], str]:
        if isinstance(rule, str):
            return "", (), rule
        self.known(rule, ("field", "ends", "then"), at)
        ends = tuple(self.strings(rule.get("ends", []), f"{at}: ends"))
        return self.text(rule, "field", at), ends, self.text(rule, "then", at)

    def _nouns(self, table: Entry) -> NounRules:
        self.known(table, ("needed", "fields", "derived", "sing", "plur", "variant", "facts"), "nouns")
        rows = [tuple(self.text(table, key, "nouns").split()) for key in ("sing", "plur")]
        for key, names in zip(("sing", "plur"), rows, strict=True):
            if len(names) != len(self.cases):
                todo = f"name a field for each of {', '.join(self.cases)}"
                raise self.error(f"{key} has {len(names)} fields", "nouns", todo)
        variant, facts = self.table(table, "variant", "nouns"), self.table(table, "facts", "nouns")
        return NounRules(self._fields(table, "nouns"), rows[0], rows[1], variant, facts)

    def _verbs(self, table: Entry, auxiliaries: Entry) -> VerbRules:
        self.known(table, ("needed", "fields", "derived", "finite", "complex"), "verbs")
        self.known(auxiliaries, ("xpos", "feats", "forms"), "auxiliaries")
        finite = self.table(table, "finite", "verbs", needed=True)
        self.known(finite, ("xpos", "feats", "forms"), "verbs.finite")
        rows = self._rows(finite.get("forms"), "verbs.finite.forms")
        for _, name in rows.rows:
            if not _REFERENCE.fullmatch(name):
                raise self.error(f"{name!r} is no field", "verbs.finite.forms", "name a field of verbs, or lemma")
        forms = {
            lemma: self._rows(entry, f"auxiliaries.forms.{lemma}")
            for lemma, entry in self.table(auxiliaries, "forms", "auxiliaries").items()
        }
        complexes = {}
        for tense, entry in self.table(table, "complex", "verbs").items():
            at = f"verbs.complex.{tense}"
            self.known(entry, ("auxiliary", "main", "xpos", "feats"), at)
            template = self._read_template(entry, at, "VERB")
            complexes[tense] = ComplexVerb(self.text(entry, "auxiliary", at), self.text(entry, "main", at), template)
            if not complexes[tense].auxiliary.startswith("{"):
                self.one_of(entry, "auxiliary", forms, at)
        return VerbRules(
            self._fields(table, "verbs"), self._read_template(finite, "verbs.finite", "VERB"), rows, complexes,
            self._read_template(auxiliaries, "auxiliaries", "AUX"), forms,
        )  # fmt: skip

    def _adjunct(self, table: Entry, words: Entry) -> tuple[tuple[str, Template], ...]:
        known = ("preposition", "determiner", "noun")
        self.known(table, ("words", "case", *known), "adjunct")
        names = self.strings(table.get("words", []), "adjunct.words")
        for name in names:
            if name not in known:
                raise self.unknown("word", name, known, "adjunct.words")
        return tuple(
            (name, self._template(table if name in table else words, name, "adjunct" if name in table else "words"))
            for name in names
        )

    # ---- orders

    def _orders(self, table: Entry) -> Mapping[str, OrderRules]:
        after = frozenset(self._list(table, "after", needed=False))
        orders = {name: self._order(entry, f'orders."{name}"', after) for name, entry in table.items()
                  if name != "after"}  # fmt: skip
        if not orders:
            raise self.error("no order", "orders", 'add [orders."SVO"] with layout = "S V O"')
        return orders

    def _order(self, entry: Any, at: str, after: frozenset[str]) -> OrderRules:
        self.known(entry, ("layout", "mark", "after", "only", "unless"), at)
        layout = self._layout(entry, "layout", _PARTS, at)
        for name in ("S", "O", "V"):
            if sum(part == name for _, part in layout) != 1:
                raise self.error(f"layout has not exactly one {name}", at, 'write it once, as in layout = "S V O"')
        only, unless = (
            tuple(Condition.parsed(text) for text in self.strings(entry.get(key, []), f"{at}.{key}"))
            for key in ("only", "unless")
        )
        own = frozenset(self.strings(entry["after"], f"{at}.after")) if "after" in entry else after
        return OrderRules(layout, self.text(entry, "mark", at, needed=False) or ".", own, only, unless)

    def _layout(self, entry: Entry, key: str, known: tuple[str, ...], at: str) -> tuple[tuple[str, str], ...]:
        """`VF:S LK:V MF:O`, or `S V O` without topological fields."""
        parts = [part.rpartition(":") for part in self.text(entry, key, at).split()]
        for _, _, name in parts:
            if name not in known:
                raise self.unknown("part of a clause", name, known, f"{at}: {key}")
        return tuple((field, name) for field, _, name in parts)

    def _attachment(self, entry: Entry) -> AttachmentRules | None:
        if not entry:
            return None
        self.known(entry, ("layout", "fronted", "recipient"), "attachment")
        layout, fronted = (self._layout(entry, key, _PP_PARTS, "attachment") for key in ("layout", "fronted"))
        return AttachmentRules(layout, fronted, self.text(entry, "recipient", "attachment", needed=False) or "iobj")


BUNDLED = ("de", "nl", "cs", "tr")
DEFAULT = "de"
GROUP = "gardenpath.languages"
"""The group of entry points: `is = "package.module"`, a package whose folder has the two files."""
_FOLDER = Path(__file__).parent / "languages"


@dataclass(frozen=True, eq=False)
class LanguageFolder:
    """A grammar, and the path of the lexicon beside it."""

    language: Language
    lexicon: Path


def language_codes() -> tuple[str, ...]:
    return (*BUNDLED, *(plugin.name for plugin in plugins(GROUP) if plugin.name not in BUNDLED))


def language_folder(code: str) -> LanguageFolder:
    """The grammar and lexicon of a language by its code."""
    if code in BUNDLED:
        return bundled_language(code)
    for plugin in plugins(GROUP):
        if plugin.name == code:
            try:
                module = import_module(plugin.target.partition(":")[0])
            except ImportError as error:
                what = f"the grammar of {plugin.source} cannot be loaded: {error}"
                raise UsageError(what, todo="install it again") from None
            return grammar_folder(Path(str(module.__path__[0])))
    for known in BUNDLED:
        if code.casefold() in bundled_language(known).language.aliases:
            raise UsageError(f"unknown language {code!r}", todo=f"did you mean {known}?")
    raise unknown_name("language", code, language_codes())


def chosen_language(code: str, folder: str | Path | None) -> LanguageFolder:
    """The language of a folder of one's own, which says its language itself, else the one of this code."""
    if folder is None:
        return language_folder(code)
    home = grammar_folder(Path(folder))
    if code not in (DEFAULT, home.language.code):
        what = f"the grammar is of {home.language.code!r}, not of {code!r}"
        raise UsageError(what, where=str(folder), todo="leave out --language")
    return home


@lru_cache(maxsize=8)
def bundled_language(code: str) -> LanguageFolder:
    """One of those that come with gardenpath."""
    return grammar_folder(_FOLDER / code)


def grammar_folder(folder: Path) -> LanguageFolder:
    """A folder with `grammar.toml` and `lexicon.toml`."""
    for name in (GRAMMAR, LEXICON):
        if not (folder / name).is_file():
            todo = "docs/grammars.md shows a folder that is complete"
            raise InputError(f"there is no {name} in this folder", where=str(folder), todo=todo)
    return LanguageFolder(read_language(folder), folder / LEXICON)
