"""Verdicts on constructions, and the error classes of `classes.toml` by which a parse is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from ...boundary.structured import read_toml
from ...errors import UsageError, unknown_name
from ...suites.constructions.model import table_of

RIGHT, WRONG = "right", "wrong"
"""`wrong` is the one error class of coordinations of unlike constituents."""


SHOWN = "shown"
"""Right as far as such trees show it: raised ones do not say which noun an extraposed clause belongs to."""


NOPARSE, UNDECIDED = "noparse", "n/a"
"""No parse at all; a form in which gold does not show the construction. Neither is an error class or right."""


UNCLASSED = {
    SHOWN: "right as far as such trees show it",
    NOPARSE: "no parse",
    UNDECIDED: "such trees do not show it",
}


@dataclass(frozen=True, slots=True)
class ConstructionVerdict:
    """`codes` are all classes that hold; `primary` is the first by the table's order, or right, shown, noparse, n/a."""

    codes: tuple[str, ...]
    primary: str
    flags: tuple[str, ...] = ()
    reason: str = ""
    hidden: tuple[str, ...] = ()
    """The classes that gold itself would have as such trees show it; they are not asked of any parse."""

    @property
    def right(self) -> bool:
        """In full, or as far as the form of trees shows it."""
        return self.primary in (RIGHT, SHOWN)


@dataclass(frozen=True, slots=True)
class Decisions:
    """What the paper leaves open; the defaults are ours."""

    overlap: float = 0.5
    """A relative clause whose words overlap less with gold's (of all words of both) is not recognised."""
    missing: str = "C"
    """The class of a PP that is not there."""
    other_head: str = "C"
    """The class of a PP with the right function and a wrong span around another noun."""
    full_verb: bool = True
    """A PP at an auxiliary or modal belongs to the full verb of its chain; else the verb of the very node counts."""
    field_heads: bool = True
    """A conjunct field without a verb is compared by the functions and heads of its phrases; else by one head."""
    pp: str = "DCBA"
    erc: str = "CABD"
    fcr: str = "CBADE"
    sgf: str = "ECBAD"
    """Which of several classes counts."""

    def __post_init__(self) -> None:
        if not 0 <= self.overlap <= 1:
            raise UsageError(f"overlap {self.overlap:g} is not between 0 and 1")
        for name in ("missing", "other_head"):
            if getattr(self, name) not in CLASSES["pp"]:
                raise unknown_name("error class", str(getattr(self, name)), CLASSES["pp"], where=name)
        for name in ("pp", "erc", "fcr", "sgf"):
            order = getattr(self, name)
            if sorted(order) != sorted(CLASSES[name]):
                todo = f"it has each of {', '.join(CLASSES[name])} once"
                raise UsageError(f"{order} is not an order of the classes of {name}", todo=todo)

    def verdict(self, phenomenon: str, codes: Mapping[str, str], flags: tuple[str, ...] = ()) -> ConstructionVerdict:
        """The verdict from the classes that hold and the reason of each."""
        order = getattr(self, table_of(phenomenon), "")
        first = sorted(codes, key=order.find)
        reasons = dict.fromkeys(codes[code] for code in first)
        return ConstructionVerdict(tuple(sorted(codes)), first[0] if first else RIGHT, flags, "; ".join(reasons))

    def held(self, phenomenon: str, compared: Sequence[Comparisons]) -> tuple[dict[str, str], tuple[str, ...]]:
        """The classes that hold by these comparisons of a parse with gold, each with its reason; and flags."""
        return held_classes(table_of(phenomenon), compared, {"missing": self.missing, "other_head": self.other_head})

    def judged(self, phenomenon: str, compared: Comparisons, flags: tuple[str, ...] = ()) -> ConstructionVerdict:
        """The verdict by one comparison."""
        codes, more = self.held(phenomenon, [compared])
        return self.verdict(phenomenon, codes, (*flags, *more))

    @property
    def changed(self) -> dict[str, object]:
        """What is not as in the defaults, for signatures."""
        return {
            setting.name: getattr(self, setting.name)
            for setting in fields(self)
            if getattr(self, setting.name) != setting.default
        }


def decisions_from(pairs: Mapping[str, str]) -> Decisions:
    """Decisions from texts, as `overlap=0.6` on the command line gives them."""
    known = {setting.name: setting.default for setting in fields(Decisions)}
    chosen: dict[str, Any] = {}
    for name, text in pairs.items():
        if name not in known:
            raise unknown_name("decision", name, known, where="--set decide")
        chosen[name] = _value(name, text, known[name])
    return Decisions(**chosen)


def _value(name: str, text: str, default: object) -> object:
    if isinstance(default, bool):
        if text not in ("yes", "no"):
            raise UsageError(f"{name}={text}: neither yes nor no", todo=f"write {name}=yes or {name}=no")
        return text == "yes"
    if isinstance(default, float):
        try:
            return float(text)
        except ValueError:
            raise UsageError(f"{name}={text}: not a number", todo=f"write {name}={default:g}") from None
    return text


SAME, OTHER = "same", "other"


THERE, MISSING = "there", "missing"
"""What a comparison with gold may come to."""


class Comparisons:
    """A parse beside gold at the anchors: one word for each comparison, and the reason in words."""

    def __init__(self) -> None:
        self.words: dict[str, str] = {}
        self.reasons: dict[str, str] = {}

    def same(self, name: str, holds: bool, reason: str = "") -> None:
        """Is it the same as in gold?"""
        self._note(name, SAME if holds else OTHER, reason)

    def there(self, name: str, holds: bool, reason: str = "") -> None:
        """Is it there?"""
        self._note(name, THERE if holds else MISSING, reason)

    def _note(self, name: str, word: str, reason: str) -> None:
        self.words[name], self.reasons[name] = word, reason


@dataclass(frozen=True, slots=True)
class ClassRule:
    """A class, and when it holds."""

    code: str
    when: tuple[tuple[str, str], ...]
    because: tuple[str, ...]
    flag: str
    alone: bool

    def holds(self, comparisons: Comparisons) -> bool:
        return all(comparisons.words.get(name) == word for name, word in self.when)


def held_classes(
    table: str, compared: Sequence[Comparisons], decided: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The classes that hold in any of these comparisons, each with its first reason; and flags.

    `decided` has the classes that the paper leaves open.
    """
    codes: dict[str, str] = {}
    flags: dict[str, None] = {}
    for alone in (False, True):
        if alone and codes:
            break
        for comparisons in compared:
            for rule in _rules(table):
                if rule.alone == alone and rule.holds(comparisons):
                    reason = "; ".join(comparisons.reasons[name] for name in rule.because)
                    codes.setdefault(decided.get(rule.code, rule.code), reason)
                    if rule.flag:
                        flags[rule.flag] = None
    return codes, tuple(flags)


def class_titles() -> dict[str, dict[str, str]]:
    """Each table and its classes, with what they mean."""
    return {name: dict(table["titles"]) for name, table in _tables().items()}


@cache
def _tables() -> dict[str, Any]:
    file = Path(__file__).with_name("classes.toml")
    return dict(read_toml(file.read_bytes(), str(file)))


@cache
def _rules(table: str) -> tuple[ClassRule, ...]:
    return tuple(
        ClassRule(
            entry["class"], tuple(entry["when"].items()), tuple(entry["because"]), entry.get("flag", ""),
            entry.get("alone", False),
        )
        for entry in _tables()[table]["rule"]
    )  # fmt: skip


CLASSES: Mapping[str, Mapping[str, str]] = class_titles()
"""The error classes of Tables 1 to 4 of the TEPACOC paper, and of CUC, which has no table."""
ONLY_WITH_FIELDS = ("fcr", "E")
"""A class that only schemes with topological fields have."""
