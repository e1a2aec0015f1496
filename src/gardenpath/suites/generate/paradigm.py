"""Paradigms of a grammar file: rows that are chosen by facts, and templates of tags and features."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Generic, TypeVar

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
