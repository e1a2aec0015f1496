"""Phenomena: queries with names, from the command line or a file, and the gold words that they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...boundary.structured import read_toml
from ...boundary.texts import file_bytes
from ...data.names import local
from ...errors import InputError, UsageError
from ...treebank.perturb.registry import language_of
from ...treebank.query.parser import read_request, request_text
from ...treebank.query.request import Request
from ...treebank.query.search import Matches
from ...treebank.treebank import Treebank

_NAMED = re.compile(r"([^={}\[\]<>:;.@*]++)=\s*(.+)", re.DOTALL)
_NAMED_BEHIND = re.compile(r"(.*[\]})>\s\w*]):\s*([\w][\w -]*?)\s*", re.DOTALL)
_FIELDS = ("name", "query", "about", "arc", "language")
_FORM = 'each has a name and a query: [[phenomenon]], name = "…", query = "…"'


@dataclass(frozen=True)
class Phenomenon:
    """A query by name. Parsers are scored on the edge `arc`, or on its named edges (`e: …`), or on all of its edges.

    One with a `language` is asked of treebanks of this language, and of those whose names do not tell theirs.
    """

    name: str
    request: Request
    arc: str = ""
    language: str = ""

    def words(self, gold: Treebank) -> NDArray[np.bool_]:
        """For each gold word: is its edge one that the phenomenon is about?"""
        matches = Matches(self.request, gold.query_words)
        mask = np.zeros(gold.word_count, dtype=bool)
        mask[matches.words(self.arc) if self.arc else matches.dependants] = True
        return mask

    def is_for(self, gold: Treebank) -> bool:
        """By the language with which the names of its files begin."""
        return not self.language or language_of(gold.name.split(" + ")) in ("", self.language)


def phenomena(queries: Iterable[str]) -> list[Phenomenon]:
    """Those that are named: `NAME=PATTERN`, a pattern alone, or a file of them (also `bundled:ud-phenomena`)."""
    named = [phenomenon for text in queries for phenomenon in _of(text)]
    names = [phenomenon.name for phenomenon in named]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(
                f"two queries are called {name!r}", where="--where", todo="give each its own: NAME=PATTERN"
            )
    return named


def _of(text: str) -> list[Phenomenon]:
    if text.startswith("bundled:") or text.endswith(".toml"):
        return _read(text)
    return [as_phenomenon(text)]


def as_phenomenon(text: str) -> Phenomenon:
    """A query as it is written on the command line: `NAME=PATTERN`, `PATTERN:NAME`, or a pattern that is its name."""
    name, pattern = " ".join(text.split()), text
    if match := _NAMED.fullmatch(text):
        name, pattern = match[1].strip(), match[2]
    elif (match := _NAMED_BEHIND.fullmatch(text)) and not text.startswith("@"):
        name, pattern = match[2], match[1]
    return Phenomenon(name, read_request(request_text(pattern)))


def _read(place: str) -> list[Phenomenon]:
    path = Path(local(place))
    entries = read_toml(file_bytes(path), str(path), _FORM).get("phenomenon")
    if not isinstance(entries, list) or not entries:
        raise InputError("there is no phenomenon in this file", where=str(path), todo=_FORM)
    return [_entry(entry, f"{path}, phenomenon {number}") for number, entry in enumerate(entries, 1)]


def _entry(entry: Any, where: str) -> Phenomenon:
    if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in _FIELDS[:2]):
        raise InputError("a phenomenon without a name or a query", where=where, todo=_FORM)
    if unknown := sorted(set(entry) - set(_FIELDS)):
        raise InputError(f"unknown: {', '.join(unknown)}", where=where, todo=f"there are {', '.join(_FIELDS)}")
    if not all(isinstance(value, str) for value in entry.values()):
        raise InputError("each field of a phenomenon is a text", where=where, todo=_FORM)
    try:
        request, arc = read_request(entry["query"]), entry.get("arc", "")
        if arc and arc not in request.edges:
            raise InputError(f"no edge of the query is called {arc!r}", where=where, todo="name it: e: X -[obj]-> Y")
        return Phenomenon(entry["name"], request, arc, entry.get("language", ""))
    except UsageError as error:
        raise InputError(f"the query: {error.what}", where=f"{where}, {error.where}", todo=error.todo) from None
