"""What a check of a suite is: an id, one line that explains it, what to do, and a function that finds places."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from ..treebank.validate.registry import printable
from .model import RoleSuite
from .regions.model import RegionSuite

Suite = TypeVar("Suite")


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
    file: str
    line: int
    item: str
    message: str
    todo: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.id} [item {printable(self.item)}]: {self.message}"


@dataclass(frozen=True, slots=True)
class Check(Generic[Suite]):
    """One kind of problem; `pair` checks need a second suite."""

    id: str
    about: str
    todo: str
    function: Callable[[Suite], Iterable[Hit]] | None = None
    compare: Callable[[Suite, Suite], Iterable[Hit]] | None = None


CHECKS: dict[str, Check[RoleSuite]] = {}
"""Checks of suites of roles."""
REGION_CHECKS: dict[str, Check[RegionSuite]] = {}
"""Checks of suites of regions."""

Function = Callable[[RoleSuite], Iterable[Hit]]
RegionFunction = Callable[[RegionSuite], Iterable[Hit]]
Comparison = Callable[[RoleSuite, RoleSuite], Iterable[Hit]]


def check_of_suite(id: str, about: str, todo: str) -> Callable[[Function], Function]:
    """Registers a function of one suite as the check `id`."""

    def register(function: Function) -> Function:
        CHECKS[id] = Check(id, about, todo, function=function)
        return function

    return register


def check_of_two(id: str, about: str, todo: str) -> Callable[[Comparison], Comparison]:
    """Registers a function of a suite and its other form as the check `id`."""

    def register(function: Comparison) -> Comparison:
        CHECKS[id] = Check(id, about, todo, compare=function)
        return function

    return register


def check_of_regions(id: str, about: str, todo: str) -> Callable[[RegionFunction], RegionFunction]:
    """Registers a function of one suite of regions as the check `id`."""

    def register(function: RegionFunction) -> RegionFunction:
        REGION_CHECKS[id] = Check(id, about, todo, function=function)
        return function

    return register
