"""What a check is: an id, a level, one line that explains it, and a function that finds places."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeVar

Level = Literal["error", "warning"]
Scope = Literal["file", "piece", "sentence"]
"""What a check looks at: all bytes of the file, a piece of some thousand lines, or a whole sentence."""


class Hit(NamedTuple):
    """A place that a check does not like."""

    line: int
    message: str
    token: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a file, where, and what to do about it."""

    id: str
    level: Level
    file: str
    line: int
    sent_id: str
    token: str
    message: str
    todo: str

    def __str__(self) -> str:
        near = ", ".join(printable(part) for part in (self.sent_id, self.token and f"token {self.token}") if part)
        return f"{self.file}:{self.line}: {self.level} {self.id}{f' [{near}]' if near else ''}: {self.message}"


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of problem."""

    id: str
    level: Level
    about: str
    todo: str
    scope: Scope
    function: Callable[[Any], Iterable[Hit]]
    skips: str = ""
    """What of the sentence cannot be checked after such a problem; the first message says so."""


CHECKS: dict[str, Check] = {}

F = TypeVar("F", bound=Callable[[Any], Iterable[Hit]])


def check(scope: Scope, id: str, level: Level, about: str, todo: str, *, skips: str = "") -> Callable[[F], F]:
    """Registers a function as the check `id`."""

    def register(function: F) -> F:
        CHECKS[id] = Check(id, level, about, todo, scope, function, skips)
        return function

    return register


def printable(text: str) -> str:
    """A text from a file or the file's name, safe for a terminal and for UTF-8."""
    return text if text.isprintable() else repr(text)[1:-1]


def shown(text: str, longest: int = 40) -> str:
    """A field as a message quotes it."""
    return repr(text if len(text) <= longest else text[:longest] + "…")
