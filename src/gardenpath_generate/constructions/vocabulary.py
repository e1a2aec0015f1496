"""Words of generated constructions, read from the scenes of the lexicon: one file per scene, and a shared one."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from gardenpath.runs import digest

from ..roles.language import Number
from ..roles.lexicon import Name, Noun

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


FOLDER = Path(__file__).parent / "scenes"
COMMON = "common.toml"
_GENDERS = {"m": "masc", "f": "fem", "n": "neut"}
_WITHOUT_GE = ("be", "ver", "er", "ent", "ge", "zer", "über", "unter", "miss")


@cache
def vocabulary() -> Vocabulary:
    """The bundled words; read once."""
    files = {path.name: path.read_bytes() for path in sorted(FOLDER.glob("*.toml"))}
    tables = {name: tomllib.loads(data.decode("utf-8")) for name, data in files.items()}
    shared = _Shared(tables.pop(COMMON))
    scenes = tuple(shared.scene(name.removesuffix(".toml"), table) for name, table in tables.items())
    return shared.vocabulary(digest(b"".join(files.values()))[:12], scenes)


class _Shared:
    """What all scenes share, and how a scene is read with it."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.table = table
        self.manners = {name: tuple(map(phrase, texts)) for name, texts in table["manners"].items()}
        self.motives = {name: tuple(map(motive, texts)) for name, texts in table["motives"].items()}

    def vocabulary(self, made_of: str, scenes: tuple[Scene, ...]) -> Vocabulary:
        table = self.table
        return Vocabulary(
            made_of,
            scenes,
            tuple(Name(lemma, _GENDERS[gender]) for lemma, gender in map(str.split, table["names"].split(","))),
            tuple(Noun(lemma, "neut") for lemma in table["cities"].split()),
            {name: tuple(words) for name, words in table["adverbs"].items()},
            {name: tuple(phrase(f"- acc {text}") for text in texts) for name, texts in table["times"].items()},
            tuple(map(motive, table["hurdles"]["having"])),
            tuple(table["hurdles"]["being"]),
            tuple(phrase(f"- acc {text}") for text in table["having"]["person"]),
            tuple(map(_verbal, table["participles"]["person"])),
        )

    def scene(self, name: str, table: Mapping[str, Any]) -> Scene:
        nouns, partners = _nouns(table["classes"], table.get("subclasses", {}))
        by_class: dict[str, list[Noun]] = {}
        for noun in nouns:
            for class_name in noun.classes:
                by_class.setdefault(class_name, []).append(noun)
        shared = {
            name: [self.action(entry, by_class) for entry in self.table["verbs"][name]] for name in ("all", "clausal")
        }
        actions = [*map(self.action, table["verbs"]["all"]), *shared["all"]]
        return Scene(
            name,
            {class_name: tuple(members) for class_name, members in by_class.items()},
            partners,
            {class_name: _class(entry) for class_name, entry in table["classes"].items()},
            tuple(action for action in actions if action.case and not action.preposition and not action.receivers),
            tuple(action for action in actions if not action.case),
            tuple(action for action in actions if action.preposition),
            tuple(action for action in actions if action.receivers),
            tuple(shared["clausal"]),
            tuple(
                Attitude(self.action(entry), _nouns_in(entry["nouns"].split(",")), frozenset(entry["events"].split()))
                for entry in table["verbs"]["attitudes"]
            ),
            tuple(map(_circumstance, table["circumstances"])),
            tuple(map(phrase, (*table["times"], *self.table["phrases"]["time"]))),
            tuple(map(phrase, table["places"])),
            tuple(map(_unlike, table["unlike"])),
        )

    def action(self, entry: Mapping[str, Any], known: Collection[str] | None = None) -> Action:
        """A verb; of a shared one with those classes of subjects that the scene has."""
        subjects, _, objects = entry["roles"].partition(">")
        preposition, _, case = entry.get("prep", "").partition(" ")
        bare = verb(entry["v"], entry.get("aux", "haben"))
        return replace(
            bare,
            subjects=frozenset(name for name in subjects.split() if known is None or name in known),
            objects=frozenset(objects.split()),
            case=case or ("acc" if objects else ""),
            preposition=preposition,
            receivers=frozenset(entry.get("to", "").split()),
            adverbs=tuple(entry.get("adv", "").split()),
            manners=tuple(plan for name in entry.get("how", "").split() for plan in self.manners[name]),
            instruments=tuple(map(phrase, entry.get("with", ()))),
            motives=tuple(reason for name in entry.get("why", "").split() for reason in self.motives[name]),
            stage=entry.get("stage", 2),
            state=tuple(entry["state"].split()) if "state" in entry else None,
            stative=entry.get("still", False),
            makes=entry.get("makes", False),
            leaves=entry.get("leaves", False),
            foreign=entry.get("foreign", False),
        )


def verb(text: str, auxiliary: str = "haben") -> Action:
    """`ab|lehnen`, or with its forms: `lesen liest las gelesen`."""
    marked, *forms = text.split()
    particle, bar, rest = marked.partition("|")
    if not bar:
        particle, rest = "", marked
    if forms:
        present, past, participle = forms
    else:
        stem = rest.removesuffix("n").removesuffix("e")
        ending = "et" if stem[-1] in "td" else "t"
        present, past = stem + ending, stem + ending + "e"
        ge = "" if rest.startswith(_WITHOUT_GE) or rest.endswith("ieren") else "ge"
        participle = particle + ge + stem + ending
    past_plural = past + ("n" if past.endswith("e") else "en")
    return Action(particle + rest, present, (past, past_plural), participle, auxiliary, frozenset(), particle=particle)


def phrase(text: str) -> PhrasePlan:
    """`mit dat none groß Sorgfalt f`, `in dat def Ferien/Ferien f plur`, `aus dat none Wien n NE`."""
    preposition, case, article, *rest = text.split()
    proper = rest[-1] == "NE"
    number: Number = "Plur" if rest[-1] == "plur" else "Sing"
    if proper or number == "Plur":
        rest = rest[:-1]
    *adjective, word, gender = rest
    lemma, _, plural = word.partition("/")
    noun = Noun(lemma, _GENDERS[gender], plural)
    before = "" if preposition == "-" else preposition
    return PhrasePlan(before, case, article, adjective[0] if adjective else "", noun, number, proper)


def motive(text: str) -> Motive:
    """`vermeiden vermeidet vermied vermieden | acc indef Fehler m | wollen`."""
    forms, thing, *modal = (part.strip() for part in text.split(" | "))
    return Motive(verb(forms), phrase(f"- {thing}"), modal[0] if modal else "")


def _nouns(classes: Mapping[str, Any], subclasses: Mapping[str, str]) -> tuple[list[Noun], dict[str, str]]:
    """All nouns of a scene, words for women as nouns of their own; and these by the words for men, and back."""
    nouns: list[Noun] = []
    partners: dict[str, str] = {}
    for class_name, entry in classes.items():
        for text in entry["nouns"].split(","):
            lemma, gender, plural, *more = text.split()
            feminine, oblique = "", ""
            for word in more:
                if word.startswith("~"):
                    oblique = word[1:]
                else:
                    feminine = word
            woman, _, women = feminine.partition("/")
            rows = [(lemma, _GENDERS[gender], "" if plural == "-" else plural, oblique)]
            if woman:
                rows.append((woman, "fem", "" if women == "-" else women or woman + "nen", ""))
                partners |= {lemma: woman, woman: lemma}
            for word, its_gender, its_plural, its_oblique in rows:
                below = (name for name, members in subclasses.items() if word in members.split())
                its_classes = (class_name, entry.get("kind", THING), *below)
                nouns.append(Noun(word, its_gender, its_plural, its_classes, its_oblique))
    return nouns, partners


def _class(entry: Mapping[str, Any]) -> NounClass:
    return NounClass(
        tuple(entry.get("adjectives", "").split()),
        tuple(entry.get("predicates", "").split()),
        tuple(map(phrase, entry.get("attributes", ()))),
        frozenset(entry.get("genitive", "").split()),
        entry.get("von", ""),
        frozenset(entry.get("own", "").split()),
        entry.get("only", "") == "plural",
    )


def _nouns_in(texts: Iterable[str]) -> tuple[Noun, ...]:
    return tuple(Noun(lemma, _GENDERS[gender]) for lemma, gender in map(str.split, texts))


def _circumstance(text: str) -> Circumstance:
    """`Zeit f;knapp`, `Geld n;fehlen`, `Beweis/Beweise m plur;dünn`."""
    words, said_of_it = text.split(";")
    plan = phrase(f"- nom def {words}")
    is_verb = said_of_it.endswith("en")
    return Circumstance(plan.noun, plan.number, "" if is_verb else said_of_it, verb(said_of_it) if is_verb else None)


def _verbal(text: str) -> VerbalPlan:
    before, form, lemma = text.split(";")
    words, bracket, inside = before.partition("[")
    return VerbalPlan(tuple(words.split()), phrase(inside.rstrip("]")) if bracket else None, form, lemma)


def _unlike(entry: Mapping[str, Any]) -> UnlikePlan:
    return UnlikePlan(
        frozenset(entry["classes"].split()),
        tuple(entry["ap"]),
        _nouns_in(entry["np"]),
        tuple(map(_verbal, entry["vp"])),
        tuple(map(_verbal, entry["zu"])),
    )
