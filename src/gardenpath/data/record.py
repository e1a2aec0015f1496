"""One set of public data: what it is, where it comes from, who made it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

STUDIES = {"roles": "roles", "surprisal": "surprisal", "pairs": "surprisal", "constructions": "constructions"}
"""The study that a folder of the mirror, or a bundled sample, is for."""


@dataclass(frozen=True, slots=True)
class Record:
    """One set of data: what it is, where it comes from, who made it, and where it lies in a mirror."""

    name: str
    title: str
    about: str
    urls: tuple[str, ...]
    licence: str
    citation: str
    place: str
    sha256: str | None = None
    """Hash of the content (see `tree.tree_hash`); None: the first download is trusted and remembered."""
    moves: Mapping[str, str] = field(default_factory=dict)
    expects: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    """Patterns of the files that are the data; empty: all of them."""
    layout: str = ""
    """Of suites: their format, as `formats` names it."""
    language: str = ""
    """ISO 639-1, several with commas; empty where it is of many languages."""
    exams: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of suites: by language, the files or folders in it that a score card takes; empty: all, if of one language."""
    by_hand: str = ""
    """For data that no address serves: what to put into a mirror, and where it is from."""

    @property
    def study(self) -> str:
        """The study that it is a suite for; empty of all other data."""
        return STUDIES.get(self.place.partition("/")[0], "")

    @property
    def folder(self) -> str:
        """The name of its folder in the store: the name without what a file system may refuse."""
        return self.name.replace(":", "_")
