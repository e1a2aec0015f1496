"""Whether a system returns the same output for the same sentence, as far as this process has found out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import ref

SAMPLE = 20
"""Sentences that are queried twice, at most, for each system and process."""
MARK = "outputs:not repeatable"
"""What the signature of a study says of a system that is not repeatable."""


@dataclass(frozen=True)
class Repeatability:
    """Sentences that were queried twice, and how many of them got a different output the second time."""

    queried: int = 0
    changed: int = 0

    def __add__(self, other: Repeatability) -> Repeatability:
        return Repeatability(self.queried + other.queried, self.changed + other.changed)

    @property
    def text(self) -> str:
        """`different output for 3 of 20 sentences that were queried twice`."""
        return f"different output for {self.changed} of {self.queried} sentences that were queried twice"


UNKNOWN = Repeatability()
_known: dict[int, tuple[ref[Any], Repeatability]] = {}


def repeatability_of(system: object) -> Repeatability:
    """Return what is known of this system so far in this process."""
    known = _known.get(id(system))
    return known[1] if known is not None and known[0]() is system else UNKNOWN


def add_repeatability(system: object, found: Repeatability) -> None:
    """Add what was found to what is known of this system, as long as it lives."""
    _known[id(system)] = ref(system), repeatability_of(system) + found
