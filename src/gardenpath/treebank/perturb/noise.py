"""Noise of the real world: other capitals, and slips of the keyboard. The gold tree is that of what was meant."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from .edit import Change, Proposal, Refusal, Replacement
from .places import editable
from .structure import Structure

if TYPE_CHECKING:
    from ..sentence import Sentence
    from .registry import PerturbationSettings

STYLES: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "title": lambda form: form[:1].upper() + form[1:],
}
_CONTENT = ("NOUN", "VERB", "ADJ", "ADV")
_LEAST = 6
"""Letters of a word with a slip: in shorter ones a slip is too often another word."""
_LEAST_LOST = 8
"""Letters of a word that may lose one: cooked without its k is a word, too."""
_VOWELS = frozenset("aeiouyäöüåаеёиоуыэюяіїє")
_UKRAINIAN = frozenset("ієїґ")
_KEYS_OF_UKRAINE = str.maketrans("ыъэ", "іїє")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю")


class Capitals:
    """The whole sentence in small letters, in capitals, and with a capital in every word."""

    name = "capitals"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.signature = "capitals()"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        done = []
        for value, style in STYLES.items():
            tokens = {token.first: style(token.form) for token in sentence.tokens if token.is_multiword}
            changes = {
                word.ord: Change(style(word.form)) for word in sentence.words if style(word.form) != word.form
            }  # fmt: skip
            if changes:
                done.append(Replacement(value, changes, structure=Structure(tokens=tokens)))
        if not done:
            return Refusal("no match")
        return Proposal("as written", tuple(sorted({number for one in done for number in one.changes})), done)


class Typos:
    """A slip in one word of six letters or more: two letters change places, one is lost, doubled, or a wrong one."""

    name = "typos"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.shift = 0 if settings.split == "test" else 1
        self.signature = f"typos(set={settings.split})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        free = editable(sentence)
        words = [
            word for word in sentence.words
            if word.ord in free and word.upos in _CONTENT and len(word.form) >= _LEAST and is_spelled(word.form)
        ]  # fmt: skip
        if not words:
            return Refusal("no match")
        draw = zlib.crc32(sentence.text.encode("utf-8"))  # any order that does not change from run to run
        word = words[(draw + self.shift) % len(words)]
        made = {value: slip(word.form, draw + self.shift) for value, slip in SLIPS.items()}
        if _UKRAINIAN & set(sentence.text.lower()):
            made["mistyped"] = made["mistyped"].translate(_KEYS_OF_UKRAINE)
        done = [
            Replacement(value, {word.ord: Change(form)}) for value, form in made.items() if form and form != word.form
        ]
        return Proposal(word.form, (word.ord,), done) if done else Refusal("no value")


def is_spelled(form: str) -> bool:
    """Is it written in letters that have capitals? Chinese characters are not mistyped like this."""
    return form.isalpha() and form.lower() != form.upper()


def _place(form: str, draw: int, fits: Callable[[int], bool]) -> int | None:
    """A drawn place inside the word, neither its first letter nor its last, that fits."""
    places = [place for place in range(1, len(form) - 1) if fits(place)]
    return places[draw % len(places)] if places else None


def swapped(form: str, draw: int) -> str:
    """`frist` for `first`."""
    place = _place(form, draw, lambda n: n < len(form) - 2 and form[n] != form[n + 1])
    return "" if place is None else form[:place] + form[place + 1] + form[place] + form[place + 2 :]


def lost(form: str, draw: int) -> str:
    """`frst`: not one of two equal letters, which is another spelling rather than a slip."""
    if len(form) < _LEAST_LOST:
        return ""
    place = _place(form, draw, lambda n: form[n] not in (form[n - 1], form[n + 1]))
    return "" if place is None else form[:place] + form[place + 1 :]


def doubled(form: str, draw: int) -> str:
    """`firrst`."""
    place = _place(form, draw, lambda n: form[n] not in (form[n - 1], form[n + 1]))
    return "" if place is None else form[:place] + form[place] + form[place:]


def mistyped(form: str, draw: int) -> str:
    """`fprst`: the key beside; a consonant for a vowel, as `крачки` for `краски` is a word too."""

    def keys(letter: str) -> str:
        return "".join(key for key in beside(letter) if key not in _VOWELS) if letter in _VOWELS else ""

    place = _place(form, draw, lambda n: bool(keys(form[n])))
    if place is None:
        return ""
    choices = keys(form[place])
    return form[:place] + choices[draw % len(choices)] + form[place + 1 :]


def beside(letter: str) -> str:
    """The keys to the left and to the right, on the usual Latin and Russian keyboards."""
    row = next((row for row in _ROWS if letter in row), "")
    place = row.find(letter)
    return row[max(0, place - 1) : place] + row[place + 1 : place + 2] if row else ""


SLIPS = {"swapped": swapped, "lost": lost, "doubled": doubled, "mistyped": mistyped}
