"""White space between tokens: what the input has after each character comes back with whatever tokens a parser cuts."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from unicodedata import normalize

from .surface import surface

Rows = list[list[str]]
NO_SPACE = "SpaceAfter=No"
AFTER, BEFORE = "SpacesAfter", "SpacesBefore"
"""White space that is not one blank, in the manner of UDPipe: `SpacesAfter=\\n`."""
_ESCAPES = {"\\": "\\\\", " ": "\\s", "\t": "\\t", "\r": "\\r", "\n": "\\n", "|": "\\p"}


def spaces_after(space: str) -> dict[str, str]:
    """MISC of a token that this white space follows."""
    if not space:
        return {"SpaceAfter": "No"}
    return {} if space == " " else {AFTER: escaped(space)}


def escaped(space: str) -> str:
    return "".join(_ESCAPES.get(char, char) for char in space)


class Spacing:
    """The characters of sentences without white space, and what MISC says of the white space between them.

    Places are counts of characters in canonical decomposition, which stay the same when a parser composes.
    """

    def __init__(self, sentences: Iterable[tuple[Rows, str]]) -> None:
        self._after: dict[int, list[str]] = {}
        self._before: dict[int, list[str]] = {}
        pieces: list[str] = []
        at = 0
        for rows, text in sentences:
            words = text.split()
            begin = at
            for word in words:
                at += length(word)
                self._after[at] = []
            self._told(rows, begin, at)
            pieces += words
        self._characters = "".join(pieces)
        self._ends = [] if self._characters.isascii() else _ends(self._characters)

    def _told(self, rows: Rows, begin: int, end: int) -> None:
        """What the input's own MISC adds: other white space than a blank, and none at the end of a sentence."""
        tokens = surface(rows)
        spans, at = [], begin
        for form, misc in tokens:
            spans.append((at, at := at + length("".join(form.split())), misc.split("|")))
        if at != end:  # its tokens do not make its text, which is what the parser got
            spans = [(begin, end, spans[-1][2])] if spans else []
        for first, last, parts in spans:
            if before := [part for part in parts if part.startswith(BEFORE + "=")]:
                self._before[first] = before
            if last in self._after and (after := [part for part in parts if part.startswith(AFTER + "=")]):
                self._after[last] = after
        if spans and NO_SPACE in spans[-1][2]:
            self._after.pop(end, None)

    def applied(self, rows: Rows, at: int = 0) -> tuple[Rows, int]:
        """The rows of a parser that begin at this place, with the forms and the white space of the input; the end."""
        result, covered = [], 0
        for row in rows:
            row = row.copy()
            parts = [part for part in row[9].split("|") if part != "_" and not _is_spacing(part)]
            multiword = "-" in row[0]
            if multiword or (row[0].isdecimal() and int(row[0]) > covered):
                covered = int(row[0].partition("-")[2]) if multiword else covered
                begin, bare = at, "".join(row[1].split())
                at += length(bare)
                if bare == row[1]:  # where a server composed it, the input's own characters
                    row[1] = self._slice(begin, at) or row[1]
                parts = [*self._before.get(begin, []), *self._after.get(at, [NO_SPACE]), *parts]
            row[9] = "|".join(parts) or "_"
            result.append(row)
        return result, at

    def _slice(self, begin: int, end: int) -> str:
        if not self._ends:
            return self._characters[begin:end]
        first, last = (bisect_left(self._ends, place) for place in (begin, end))
        if self._ends[first] != begin or last >= len(self._ends) or self._ends[last] != end:
            return ""  # cut inside a character
        return self._characters[first:last]


def length(text: str) -> int:
    """Characters in canonical decomposition: of parts, they add up to those of the whole."""
    return len(text) if text.isascii() else len(normalize("NFD", text))


def _ends(characters: str) -> list[int]:
    ends, at = [0], 0
    for char in characters:
        at += 1 if char < "\x80" else len(normalize("NFD", char))
        ends.append(at)
    return ends


def _is_spacing(part: str) -> bool:
    return part.partition("=")[0] in ("SpaceAfter", AFTER, BEFORE)
