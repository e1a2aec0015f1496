"""Noise: other capitals, slips of the keyboard, another mark at the end, quotation marks of another shape."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from .edit import Change, Insertion, Proposal, Refusal, Replacement, Structure, capitalised, editable

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence
    from .registry import PerturbationSettings


STYLES: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "title": capitalised,
}
_CONTENT = ("NOUN", "VERB", "ADJ", "ADV")
_LEAST = 6  # Letters of a word with a slip: in shorter ones a slip is too often another word
_LEAST_LOST = 8  # Letters of a word that may lose one: cooked without its k is a word, too
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


NONE = "none"
_FINAL = {".": "!…", "!": ".…", "?": "…", "…": ".!", "。": "！…", "！": "。…", "？": "…"}
"""What may stand in place of a final mark; a question stays one without its mark, or with a stronger one."""
_STYLES = ('""', "“”", "„“", "«»", "‘’")
_CHINESE_STYLES = ("“”", "「」", "『』")
_OPENING, _CLOSING = frozenset("“„«「『"), frozenset("”»」』")
_QUOTES = _OPENING | _CLOSING | {'"', "``", "''"}


class FinalMark:
    """The mark at the end: another one, or none; and one where there is none."""

    name = "punctuation"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.signature = "punctuation()"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        last = sentence.words[-1]
        if last.ord not in editable(sentence):
            return Refusal("multiword token")
        is_mark = last.upos == "PUNCT" and last.form in _FINAL and last.udeprel == "punct"
        if is_mark and not last.children and len(sentence) > 1:
            marks = "" if last.feats else _FINAL[last.form]  # features of a mark are those of this mark
            done = [
                Replacement(mark, {last.ord: Change(mark, mark if last.lemma == last.form else None)}) for mark in marks
            ]
            done.append(Replacement(NONE, {}, structure=Structure(removed=frozenset({last.ord}))))
            return Proposal(last.form, (last.ord,), done)
        root = next((word for word in sentence.words if word.udeprel == "root"), None)
        if root is None or not last.form[-1:].isalpha() or last.upos in ("PUNCT", "SYM", "X"):
            return Refusal("no match")
        marks = "。！" if _is_east_asian(last) else ".!"
        return Proposal(
            NONE, (last.ord,), [Replacement(mark, {}, structure=_with_mark(last, root, mark)) for mark in marks]
        )


def _with_mark(last: Node, root: Node, mark: str) -> Structure:
    word = Insertion(last.ord + 1, mark, mark, "PUNCT", root.ord, "punct", "." if last.xpos not in ("", "_") else "_")
    return Structure(inserted=(word,))


def _is_east_asian(word: Node) -> bool:
    """Does it end in a Chinese character or in kana?"""
    return "\u3040" <= word.form[-1:] <= "\u9fff"


class Quotes:
    """All quotation marks of the sentence in another shape, opening and closing in turn."""

    name = "quotes"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.signature = "quotes()"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        words = [word for word in sentence.words if word.upos == "PUNCT" and word.form in _QUOTES]
        if not words:
            return Refusal("no match")
        opening, closing = words[0::2], words[1::2]
        if len(opening) != len(closing):
            return Refusal("ambiguous")
        if any(map(_closes, opening)) or any(map(_opens, closing)):
            return Refusal("ambiguous")  # quotations inside quotations
        done = []
        for style in _CHINESE_STYLES if any(map(_is_east_asian, sentence.words)) else _STYLES:
            changes = {
                word.ord: Change(style[place % 2], style[place % 2] if word.lemma == word.form else None)
                for place, word in enumerate(words)
                if word.form != style[place % 2]
            }
            if changes:
                done.append(Replacement(style, changes))
        return Proposal(words[0].form, tuple(word.ord for word in words), done)


def _opens(mark: Node) -> bool:
    """By its shape, or by what it sticks to; „ … “ closes with a mark that opens in other languages."""
    if mark.form in _OPENING:
        return mark.form != "“" or mark.ord == 1 or not _sticks(mark.prev_node)
    return mark.form not in _CLOSING and _sticks(mark) and not _sticks(mark.prev_node)


def _closes(mark: Node) -> bool:
    if mark.form in _CLOSING:
        return True
    return mark.form not in _OPENING and not _sticks(mark) and mark.ord > 1 and _sticks(mark.prev_node)


def _sticks(word: Node | None) -> bool:
    """Does no blank follow it?"""
    return word is not None and not word.is_root() and word.misc.get("SpaceAfter") == "No"
