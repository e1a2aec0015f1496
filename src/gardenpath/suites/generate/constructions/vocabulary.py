"""The words of generated constructions, read from the scenes of the lexicon: one file each, and what they share."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ....runs.signature import digest
from ..entries import Name, Noun, Number
from .scenes import (
    THING,
    Action,
    Attitude,
    Circumstance,
    Motive,
    NounClass,
    PhrasePlan,
    Scene,
    UnlikePlan,
    VerbalPlan,
    Vocabulary,
)

FOLDER = Path(__file__).parents[2] / "lexicon" / "german_scenes"
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
            tuple(map(self._attitude, table["verbs"]["attitudes"])),
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

    def _attitude(self, entry: Mapping[str, Any]) -> Attitude:
        nouns = tuple(map(_noun, entry["nouns"].split(",")))
        return Attitude(self.action(entry), nouns, frozenset(entry["events"].split()))


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


def _noun(text: str) -> Noun:
    lemma, gender = text.split()
    return Noun(lemma, _GENDERS[gender])


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
        tuple(map(_noun, entry["np"])),
        tuple(map(_verbal, entry["vp"])),
        tuple(map(_verbal, entry["zu"])),
    )
