"""What a check has to say of one place, in the form that continuous integrations understand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

CaseLevel = Literal["error", "warning", "note", "pass"]
"""Fails the check; worth a look; worth knowing; all is well."""


@dataclass(frozen=True, slots=True)
class CheckCase:
    """One thing that was checked: by which rule, where, and how it came out."""

    rule: str
    """What is checked: `las-worse`, `missing-text`."""
    name: str
    """Of what: a condition, a group of a system, a place in a file."""
    message: str
    level: CaseLevel
    path: str
    line: int = 1

    @property
    def failed(self) -> bool:
        return self.level == "error"
