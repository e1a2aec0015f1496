"""Word lists by language: entries with a form for every cell of their paradigm, and the script of Chinese text."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ..format.fields import parse_pairs

LISTS = Path(__file__).parent / "lists"
NO_FORM = "-"


@dataclass(frozen=True)
class Entry:
    """One word of a list: its lemma, and its form in each cell ("-" where it has none)."""

    lemma: str
    forms: tuple[str, ...]
    group: str
    number: int
    """Its place in the group."""


@dataclass(frozen=True)
class Group:
    """Words that can replace each other; a word whose features contradict `feats` is not one of them."""

    name: str
    feats: Mapping[str, str]
    upos: frozenset[str]
    entries: tuple[Entry, ...]
    cells: tuple[Mapping[str, str], ...]
    """The paradigm: the features that each form of an entry stands for."""
    fixed: frozenset[str] = frozenset()
    """Words that can replace others, but have senses of their own in which no other word replaces them."""


@dataclass(frozen=True)
class Lexicon:
    """A list of words in groups."""

    groups: Mapping[str, Group]
    divided: bool
    """Are the values divided into some to test and some to train with?"""
    unmodified: bool
    """Is a word with a modifier of its own left alone?"""
    bound: bool = False
    """Is a word that is part of a fixed expression left alone?"""

    @cached_property
    def by_form(self) -> dict[str, list[Entry]]:
        entries: dict[str, list[Entry]] = {}
        for group in self.groups.values():
            for entry in group.entries:
                for form in dict.fromkeys(entry.forms):
                    if form != NO_FORM:
                        entries.setdefault(form, []).append(entry)
        return entries

    def fitting(self, entry: Entry, form: str, feats: Mapping[str, str]) -> list[int]:
        """The cells in which the entry has this form and whose features the word does not contradict."""
        paradigm = self.groups[entry.group].cells
        cells = [n for n, cell in enumerate(paradigm) if entry.forms[n] == form and compatible(cell, feats)]
        # A cell that the word's features name in full says more than one that they merely allow.
        most = max((len(paradigm[n].items() & feats.items()) for n in cells), default=0)
        return [n for n in cells if len(paradigm[n].items() & feats.items()) == most]

    def form_in(self, entry: Entry, cells: Sequence[int]) -> str | None:
        """The form that the entry has in all these cells; None where it has none or several.

        Cells of the same features are choices: the first will do.
        """
        if len({tuple(self.groups[entry.group].cells[n].items()) for n in cells}) == 1:
            cells = cells[:1]
        forms = {entry.forms[n] for n in cells}
        return forms.pop() if len(forms) == 1 and NO_FORM not in forms else None


def compatible(wanted: Mapping[str, str], feats: Mapping[str, str]) -> bool:
    """Does no feature contradict? `Masc,Neut` allows both."""
    return all(value in feats[name].split(",") for name, value in wanted.items() if name in feats)


@cache
def raw_lists(language: str) -> dict[str, Any]:
    """The file of a language."""
    return tomllib.loads((LISTS / f"{language}.toml").read_text(encoding="utf-8"))


@cache
def lexicon(language: str, name: str) -> Lexicon:
    """A list of a language, such as `names`."""
    return lexicon_of(raw_lists(language)[name])


def lexicon_of(table: Mapping[str, Any]) -> Lexicon:
    """A list as its file has it; what is not said in a group holds for all of them."""
    genitive = table.get("genitive", "")
    groups = {}
    for key, group in table["groups"].items():
        upos = frozenset(group.get("upos", table.get("upos", ["PROPN"])))
        cells = [parse_pairs(cell) for cell in group.get("cells", table.get("cells", [""]))]
        if genitive:
            cells = [{}, {"Case": "Gen"}]
        entries = []
        # A list of strings with all forms of a word, or one string of words that have one form.
        values = group["values"]
        for number, value in enumerate(values.split() if isinstance(values, str) else list(values)):
            forms = _with_genitive(value, genitive) if genitive else _forms(value, len(cells))
            entries.append(Entry(forms[0], forms, key, number))
        fixed = frozenset(group.get("fixed", "").split())
        groups[key] = Group(key, group.get("feats", {}), upos, tuple(entries), tuple(cells), fixed)
    return Lexicon(groups, table.get("divided", True), table.get("unmodified", False), table.get("bound", False))


def _forms(value: str, count: int) -> tuple[str, ...]:
    """A word that has one form has it in every cell."""
    forms = value.split()
    if len(forms) not in (1, count):
        raise ValueError(f"{value!r} has {len(forms)} forms for {count} cells")
    return tuple(forms * count) if len(forms) == 1 else tuple(forms)


def _with_genitive(word: str, rule: str) -> tuple[str, ...]:
    """The genitive in -s. After s, ß, x and z German needs an apostrophe (no form here), Swedish needs nothing."""
    if word[-1] in "sßxz":
        return word, word if rule == "s or nothing" else NO_FORM
    return word, f"{word}s"


@cache
def _scripts() -> tuple[frozenset[str], frozenset[str]]:
    """Characters that only the simplified script has, and those that only the traditional one has."""
    simplified, traditional = zip(*raw_lists("zh")["scripts"]["pairs"].split(), strict=True)
    return frozenset(simplified), frozenset(traditional)


def script_of(text: str) -> str:
    """`Hant` where a Chinese text has more signs of the traditional script than of the simplified one."""
    simplified, traditional = (sum(char in script for char in text) for script in _scripts())
    return "Hant" if traditional > simplified else "Hans"
