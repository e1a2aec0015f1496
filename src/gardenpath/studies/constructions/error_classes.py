"""The error classes of `classes.toml`: which of them hold, by what a parse made of the anchors of a construction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from ...boundary.structured import read_toml

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
