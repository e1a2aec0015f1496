"""Edits that put words in or take words out, or write two words as one token, with the tree of the others kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

NO_SPACE = "SpaceAfter=No"
OF_THE_PLACE = frozenset({"TokenRange", "start_char", "end_char"})
"""Keys of MISC that say where a token stands."""
_HEAD_IN_DEPS = re.compile(r"(?<![^|])(\d+)(?=[.:])")


@dataclass(frozen=True, slots=True)
class Insertion:
    """A new word without dependents: it comes before the word with the ID `before`, which may be one past the last."""

    before: int
    form: str
    lemma: str
    upos: str
    head: int
    deprel: str
    xpos: str = "_"
    feats: str = "_"


@dataclass(frozen=True, slots=True)
class Structure:
    """What becomes of the tokens of a sentence, by the IDs that its words have before."""

    inserted: tuple[Insertion, ...] = ()
    removed: frozenset[int] = frozenset()
    """Words without dependents."""
    parted: frozenset[int] = frozenset()
    """Multiword tokens, by their first word, whose words become tokens."""
    joined: Mapping[int, str] = field(default_factory=dict)
    """A word that becomes one token with the next one, and how both are written together."""
    tokens: Mapping[int, str] = field(default_factory=dict)
    """Multiword tokens, by their first word, that are written otherwise."""

    def __bool__(self) -> bool:
        return bool(self.inserted or self.removed or self.parted or self.joined or self.tokens)

    def __or__(self, second: Structure) -> Structure:
        """Both edits at once."""
        return Structure(
            self.inserted + second.inserted, self.removed | second.removed, self.parted | second.parted,
            {**self.joined, **second.joined}, {**self.tokens, **second.tokens},
        )  # fmt: skip

    @property
    def touched(self) -> set[int]:
        """The words whose tokens are others afterwards."""
        own = {*self.removed, *self.parted, *self.joined, *self.tokens}
        return own | {number + 1 for number in self.joined} | {insertion.before for insertion in self.inserted}

    def described(self) -> list[str]:
        """For the comment of a variant: `+probably<5`, `8>`, `19-20>do not` are short for what was done."""
        return [
            *(f"+{word.form}<{word.before}" for word in self.inserted),
            *(f"-{number}" for number in sorted(self.removed)),
            *(f"{number}>parted" for number in sorted(self.parted)),
            *(f"{number}>{form}" for number, form in sorted({**self.joined, **self.tokens}.items())),
        ]

    def numbers(self, length: int) -> dict[int, int]:
        """The new ID of every word that is still there."""
        new, at = {}, 0
        for number in range(1, length + 1):
            at += sum(insertion.before == number for insertion in self.inserted)
            if number not in self.removed:
                at += 1
                new[number] = at
        return new


@dataclass(slots=True)
class _Token:
    """A surface token: its rows (that of a multiword token first, empty nodes last), and the white space after it."""

    rows: list[list[str]]
    gap: str
    moved: bool = False
    """Is the white space other than it was?"""

    @property
    def first(self) -> int:
        return int(re.split("[-.]", self.rows[0][0])[0])

    @property
    def is_multiword(self) -> bool:
        return "-" in self.rows[0][0]


def restructured(rows: Sequence[Sequence[str]], text: str, structure: Structure) -> tuple[list[Sequence[str]], str]:
    """Rows and text after the edit. The text must be what the forms make."""
    tokens = _tokens(rows, text)
    tokens = [part for token in tokens for part in _parted(token, structure)]
    tokens = _joined(tokens, structure.joined)
    length = sum(row[0].isdigit() for row in rows)
    for word in structure.inserted:
        _insert(tokens, word)
    for number in structure.removed:
        _remove(tokens, number)
    done: list[Sequence[str]] = []
    new = {0: 0} | structure.numbers(length)
    at = 0
    for token in tokens:
        if token.moved:
            token.rows[0][9] = _spaced(token.rows[0][9], not token.gap)
        for row in token.rows:
            if row[0] == "+":
                row[0] = str(at + 1)
            elif "-" in row[0]:
                row[0] = "-".join(str(new[int(end)]) for end in row[0].split("-"))
            elif "." in row[0]:
                row[0] = f"{at}.{row[0].partition('.')[2]}"
            else:
                row[0] = str(new[int(row[0])])
            at += row[0].isdigit()
            row[6] = str(new[int(row[6])]) if row[6].isdigit() else row[6]
            row[8] = _HEAD_IN_DEPS.sub(lambda match: str(new.get(int(match[1]), match[1])), row[8])
            row[9] = without(row[9], OF_THE_PLACE)
            done.append(row)
    return done, "".join(token.rows[0][1] + token.gap for token in tokens).rstrip(" ") if text else text


def without(misc: str, keys: Iterable[str]) -> str:
    """MISC without these keys."""
    return "|".join(part for part in misc.split("|") if part.partition("=")[0] not in keys) or "_"


def _tokens(rows: Sequence[Sequence[str]], text: str) -> list[_Token]:
    tokens: list[_Token] = []
    last = 0
    for row in rows:
        number = row[0]
        inside = number.isdigit() and int(number) <= last
        if inside or ("." in number and tokens):
            tokens[-1].rows.append(list(row))
        else:
            tokens.append(_Token([list(row)], "" if NO_SPACE in row[9].split("|") else " "))
            last = int(number.partition("-")[2] or number.partition(".")[0])
    at = 0
    for token in tokens if text else ():
        at = text.index(token.rows[0][1], at) + len(token.rows[0][1])
        end = at
        while end < len(text) and text[end].isspace():
            end += 1
        token.gap, at = text[at:end], end
    return tokens


def _parted(token: _Token, structure: Structure) -> list[_Token]:
    if token.first in structure.tokens and token.is_multiword:
        token.rows[0][1] = structure.tokens[token.first]
    if token.first not in structure.parted or not token.is_multiword:
        return [token]
    words = [_Token([row], " ", moved=True) for row in token.rows[1:]]
    words[-1].gap = token.gap
    return words


def _joined(tokens: Sequence[_Token], joined: Mapping[int, str]) -> list[_Token]:
    done: list[_Token] = []
    for token in tokens:
        before = done[-1] if done else None
        if before is not None and before.first in joined and not before.is_multiword:
            whole = ["_"] * 10
            whole[0], whole[1] = f"{before.first}-{token.first}", joined[before.first]
            for row in (*before.rows, *token.rows):
                row[9] = without(row[9], ("SpaceAfter",))
            done[-1] = _Token([whole, *before.rows, *token.rows], token.gap, moved=True)
        else:
            done.append(token)
    return done


def _insert(tokens: list[_Token], word: Insertion) -> None:
    deps = f"{word.head}:{word.deprel}" if any(row[8] != "_" for token in tokens for row in token.rows) else "_"
    row = ["+", word.form, word.lemma, word.upos, word.xpos, word.feats, str(word.head), word.deprel, deps, "_"]
    place = next((n for n, token in enumerate(tokens) if token.rows[0][0] != "+" and token.first >= word.before), None)
    if place is None:  # at the end, close to the last word: a mark
        tokens.append(_Token([row], tokens[-1].gap, moved=True))
        tokens[-2].gap, tokens[-2].moved = "", True
    else:
        gap = tokens[place - 1].gap if place else " "  # in Chinese there is none
        tokens.insert(place, _Token([row], gap, moved=True))


def _remove(tokens: list[_Token], number: int) -> None:
    place = next(n for n, token in enumerate(tokens) if token.rows[0][0] == str(number))
    if place:
        tokens[place - 1].gap, tokens[place - 1].moved = tokens[place].gap, True
    del tokens[place]


def _spaced(misc: str, glued: bool) -> str:
    rest = without(misc, ("SpaceAfter",))
    if not glued:
        return rest
    return NO_SPACE if rest == "_" else f"{rest}|{NO_SPACE}"
