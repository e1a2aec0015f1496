"""Ordinals: 3. 3rd 3:e 3-й 第三, and in words: third, dritte, tredje, пятый."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .agreement import fits_before
from .calendar import is_century, is_month
from .edit import Change, Proposal, Refusal, Replacement
from .numerals import TEST_SEED
from .ordinal_words import ordinal_words
from .places import editable
from .ranges import is_in_range

if TYPE_CHECKING:
    from ..node import Node
    from ..sentence import Sentence
    from .registry import PerturbationSettings

FORMATS = {
    "de": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>\.)"),
    "en": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>(?i:st|nd|rd|th))"),
    "sv": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>:[ae])"),
    # Only endings that are the same after every number: третий and пятый, but not перша and друга.
    "ru": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>-(?:й|я|го|му|м|ю|х|ми|е))"),
    "uk": re.compile(r"(?P<number>[1-9]\d{0,2})(?P<ending>-(?:й|го|му|м|х|ми|ї))"),
    "zh": re.compile(r"第(?P<number>[1-9]\d?|[一二三四五六七八九]?十?[一二三四五六七八九]?(?<!第))(?P<ending>)"),
    # 第 is a word of its own.
    "ja": re.compile(r"(?P<number>[1-9]\d?|(?=.)[一二三四五六七八九]?十?[一二三四五六七八九]?)(?P<ending>)"),
}
_UPOS = {
    "de": ("ADJ",),
    "ru": ("ADJ",),
    "uk": ("ADJ",),
    "zh": ("ADJ", "NUM"),
    "ja": ("NUM",),
}  # 2-х is a cardinal, 90-е a noun
_ANY_UPOS = ("ADJ", "NUM", "NOUN", "ADV")
_CHARACTERS = "〇一二三四五六七八九"
_WITH_SIGN = {"zh": "第", "ja": ""}
"""Languages that put 第 before the number, and what of it is in the word."""


class Ordinals:
    """The first ordinal; days stay days, centuries centuries, decades decades; all tokens with that form."""

    name = "ordinals"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language, self.split = settings.language, settings.split
        self.seed = TEST_SEED if settings.seed is None else settings.seed
        self.signature = f"ordinals(set={settings.split},seed={self.seed})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        free, upos = editable(sentence), _UPOS.get(self.language, _ANY_UPOS)
        pattern = FORMATS[self.language]
        ordinals = [word for word in sentence.words if word.upos in upos and pattern.fullmatch(word.form)]
        ordinals = [word for word in ordinals if not _explains(word) and not is_in_range(word)]
        if self.language == "ja":
            ordinals = [word for word in ordinals if word.prev_node is not None and word.prev_node.form == "第"]
        first = next((word for word in ordinals if word.ord in free), None)
        if first is None:
            return self._in_words(sentence, free) or Refusal("multiword token" if ordinals else "no match")
        match = pattern.fullmatch(first.form)
        assert match is not None
        old, ending = match["number"], match["ending"]
        same = [word for word in ordinals if word.form == first.form and word.ord in free]
        skipped, done, present = Counter[str](), [], {word.form for word in sentence.words}
        for number in self._numbers(self._domain(first, old)):
            new = written(number, self.language, ending, in_digits=old.isdigit())
            if new == first.form:
                continue
            if new in present:  # `the 20th and 20th century`
                skipped["present"] += 1
                continue
            if not all(fits_before(word, new, self.language) for word in same):
                skipped["agreement"] += 1
                continue
            lemma = _lemma(first, old, str(number), new)
            if lemma is None:
                return Refusal("lemma")
            done.append(Replacement(new, {word.ord: Change(new, lemma) for word in same}))
        return Proposal(first.form, tuple(word.ord for word in same), done, skipped) if done else Refusal("agreement")

    def _in_words(self, sentence: Sentence, free: set[int]) -> Proposal | None:
        """The first ordinal in words; it alone, since the next `second` of the sentence may be no ordinal."""
        present = {word.form.lower() for word in sentence.words}
        for word in sentence.words:
            free_word = word.ord in free and not is_in_range(word)
            values = ordinal_words(word, self.language, self.split) if free_word else []
            new_values = [(form, lemma) for form, lemma in values if form.lower() not in present]
            fitting = [(form, lemma) for form, lemma in new_values if fits_before(word, form, self.language)]
            if fitting:
                done = [Replacement(form.lower(), {word.ord: Change(form, lemma)}) for form, lemma in fitting]
                skipped = {"present": len(values) - len(new_values), "agreement": len(new_values) - len(fitting)}
                return Proposal(word.form, (word.ord,), done, {why: count for why, count in skipped.items() if count})
        return None

    def _domain(self, word: Node, old: str) -> Iterable[int]:
        near = [word.parent, word.next_node, *word.children]
        if any(is_century(one, self.language) for one in near):
            return range(10, 22)
        if any(is_month(one, self.language) for one in near):
            return range(1, 29)
        plural = word.feats.get("Number") in ("Plur", "Ptan") or word.form.endswith(("-х", "-ми"))
        if plural and re.fullmatch(r"[1-9]0", old):
            return range(10, 100, 10)
        if word.udeprel != "amod" and old.isdigit() and int(old) <= 31 and self.language not in _WITH_SIGN:
            return range(1, 29)  # on the 20th, without a noun: most often a day
        return range(1, 21) if self.language in _WITH_SIGN else range(1, 100)

    def _numbers(self, domain: Iterable[int]) -> list[int]:
        """In a drawn order; no number is both to test and to train with."""
        import numpy as np

        order = np.random.default_rng(self.seed).permutation(np.array(list(domain)))
        return [int(number) for number in order[0 if self.split == "test" else 1 :: 2]][:50]


def _explains(word: Node) -> bool:
    """`the fifteenth (15th)`."""
    return word.udeprel == "appos" and word.parent is not None and word.parent.feats.get("NumType") == "Ord"


def written(number: int, language: str, ending: str, in_digits: bool = True) -> str:
    """The ordinal as the language writes it; `ending` is the old one's, kept where no number changes it."""
    if language == "en":
        teen = 10 <= number % 100 <= 20
        new = "th" if teen else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{new.upper() if ending.isupper() else new}"
    if language == "sv":
        return f"{number}:{'a' if number % 10 in (1, 2) and number % 100 not in (11, 12) else 'e'}"
    if language in _WITH_SIGN:
        return _WITH_SIGN[language] + (str(number) if in_digits else _in_characters(number))
    return f"{number}{ending}"


def _in_characters(number: int) -> str:
    tens, ones = divmod(number, 10)
    ten = "" if not tens else "十" if tens == 1 else f"{_CHARACTERS[tens]}十"
    return ten + (_CHARACTERS[ones] if ones else "")


def _lemma(word: Node, old: str, number: str, new: str) -> str | None:
    """The lemma of the new ordinal; None where the old one was formed in a way we do not know."""
    if word.lemma == "_":
        return "_"
    if word.lemma == word.form:
        return new
    rest = word.lemma.removeprefix(old)
    return number + rest if rest != word.lemma and not rest[:1].isdigit() else None
