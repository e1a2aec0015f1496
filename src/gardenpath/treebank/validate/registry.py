"""The checks of CoNLL-U files by id, and what they find: a line and a token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ...runs.case import CheckCase
from ..checking import Checks, Level, printable


class Hit(NamedTuple):
    """A line that a check does not like."""

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

    @property
    def case(self) -> CheckCase:
        """For a continuous integration."""
        message = f"{self.message} ({self.todo})" if self.todo else self.message
        return CheckCase(self.id, f"{self.file}:{self.line}", message, self.level, self.file, self.line)


SCOPES = ("file", "piece", "sentence")
"""What a check looks at: all bytes of the file, a piece of some thousand lines, or a whole sentence."""
CHECKS = Checks[Hit]("validate", "treebank validate", SCOPES)
check_of_file, check_of_piece, check_of_sentence = map(CHECKS.of, SCOPES)
# What a check of sentences needs is `others`, rows that are no words: most sentences have none.
