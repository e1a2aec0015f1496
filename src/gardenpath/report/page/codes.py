"""Texts as numbers into a list of the different ones: small, and fast to compare."""

from __future__ import annotations

from collections.abc import Iterable


class Codes:
    """Texts as numbers, in the order in which they come."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def codes(self, texts: Iterable[str]) -> list[int]:
        return [self._numbers.setdefault(text, len(self._numbers)) for text in texts]

    @property
    def values(self) -> list[str]:
        return list(self._numbers)
