"""The checks of suites by id, and what they find: an item and a word in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ..treebank.validate.check import Checks, Level, printable


class Hit(NamedTuple):
    """An item that a check does not like; `position` is the word (from 1) that it is about, 0 for the item."""

    item: int
    message: str
    position: int = 0
    todo: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a suite, where, and what to do about it."""

    id: str
    level: Level
    file: str
    line: int
    item: str
    message: str
    todo: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.level} {self.id} [item {printable(self.item)}]: {self.message}"


GROUP = "gardenpath.checks"
"""The group of entry points: a module that registers its checks when it is imported."""
SCOPES = ("roles", "two", "regions", "corpus")
"""What a check looks at: a suite of roles, also with its other form; a suite of regions, also with counts of words."""
CHECKS = Checks[Hit]("suites", "suite check", SCOPES)
check_of_roles, check_of_two, check_of_regions, check_of_corpus = map(CHECKS.of, SCOPES)
