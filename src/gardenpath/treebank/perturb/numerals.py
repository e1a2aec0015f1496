"""Numerals exactly as published (§3 and Appendix A), years by century, and dates and ranges they must respect."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from .agreement import fits_before
from .edit import Change, Proposal, Refusal, Replacement, editable
from .lexicon import raw_lists

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence
    from .registry import PerturbationSettings


@cache
def _dates(language: str) -> dict[str, frozenset[str]]:
    """Words beside a number that is no count: months, centuries, and those of the clock and the calendar."""
    return {kind: frozenset(words.split()) for kind, words in raw_lists(language)["dates"].items()}


def _says(word: Node | None, language: str, *kinds: str) -> bool:
    if word is None:
        return False
    words = {word.form.lower(), word.lemma.lower()}
    return any(words & _dates(language)[kind] for kind in kinds)


def is_month(word: Node | None, language: str) -> bool:
    return _says(word, language, "months")


def is_century(word: Node | None, language: str) -> bool:
    return _says(word, language, "centuries")


def is_date_or_hour(word: Node | None, language: str) -> bool:
    """A word whose number is a date or an hour."""
    return _says(word, language, "months", "centuries", "clock")


TIES = frozenset("- – — ~ 〜 ～ / x х × to bis till до 至 到 から".split())
"""Between the ends of a range."""
_TIES_OF_TIMES = TIES | frozenset("until through and und och по и і й та まで".split())
_FROM = frozenset("from between von vom zwischen ab från mellan с со от между з із зі від між 从 從 由 自 から".split())
_REACH = 7  # Words between the ends of a range: from the end of the 13th century to about 1600
_CLOSE = 3  # Words from a tie to a year: to the end of 1969
_LONG, _SHORT = re.compile(r"\d{3,4}"), re.compile(r"\d{1,2}")


def is_in_range(ordinal: Node) -> bool:
    """Is it one end of a range that says where it begins, and whose other end is a number too?"""
    words, at = ordinal.sentence.words, ordinal.ord - 1
    before, after = words[max(0, at - _REACH) : at], words[at + 1 : at + 1 + _REACH]
    if not any(word.form.lower() in _FROM for word in before):
        return False
    return any(_is_numeric(word) for word in (*_beyond(after), *_beyond(before[::-1])))


def other_years(year: Node) -> list[int]:
    """The years that this one is tied to: 1505 – 1578, from May 1968 to May 1969."""
    words, at = year.sentence.words, year.ord - 1
    sides = (words[at + 1 : at + 1 + _REACH], words[max(0, at - _REACH) : at][::-1])
    near = [word.form for side in sides for word in list(_beyond(side))[:_CLOSE]]
    return [int(form) for form in near if _LONG.fullmatch(form)]


def is_half_of_season(year: Node) -> bool:
    """2016/17, 1998 – 99: the second half goes with the first; not 2017-02-28."""
    forms = [word.form for word in year.sentence.words[year.ord : year.ord + 3]]
    return len(forms) > 1 and forms[0] in TIES and bool(_SHORT.fullmatch(forms[1])) and forms[0] not in forms[2:]


def keeps_order(old: int, new: int, others: Iterable[int]) -> bool:
    return all(new != one and (new < one) == (old < one) for one in others)


def _beyond(words: Iterable[Node]) -> Iterator[Node]:
    """What comes after the first tie."""
    tied = False
    for word in words:
        if tied:
            yield word
        tied = tied or word.form.lower() in _TIES_OF_TIMES


def _is_numeric(word: Node) -> bool:
    return word.upos == "NUM" or word.feats.get("NumType") == "Ord" or any(map(str.isdigit, word.form))


PATTERN = re.compile(r"(?<= )\d{4}(?= )")
TEST_SEED, TRAIN_SEED = 7919, 7907
"""The 1000th and the 999th prime number."""
LOW, HIGH = 1100, 2100


@cache
def years_to_test(seed: int = TEST_SEED) -> tuple[int, ...]:
    """The 50 values of the study; four of them occur twice."""
    return _drawn(seed, 50)


@cache
def years_to_train(seed: int = TRAIN_SEED) -> tuple[int, ...]:
    """Of 100 values those that are no test years; the study trains with the first 20."""
    held_out = set(years_to_test())
    return tuple(year for year in _drawn(seed, 100) if year not in held_out)


def _drawn(seed: int, size: int) -> tuple[int, ...]:
    import numpy as np

    return tuple(np.random.default_rng(seed).integers(LOW, HIGH, size=size).tolist())


def seed_of(settings: PerturbationSettings) -> int:
    """The published seed of the set, unless another is asked for."""
    if settings.seed is not None:
        return settings.seed
    return TEST_SEED if settings.split == "test" else TRAIN_SEED


class Numerals:
    """The first four-digit number between blanks; all tokens with that form get the value as form and lemma."""

    name = "numerals"

    def __init__(self, settings: PerturbationSettings) -> None:
        seed = seed_of(settings)
        years = years_to_test(seed) if settings.split == "test" else years_to_train(seed)
        self.values: Sequence[str] = [str(year) for year in years]
        self.signature = f"numerals(set={settings.split},seed={seed})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        match = PATTERN.search(sentence.text)
        if match is None:
            return Refusal("no match")
        places = [word.ord for word in sentence.words if word.form == match[0]]
        words = tuple(number for number in places if number in editable(sentence))
        if not words:
            return Refusal("multiword token" if places else "no token")
        return Proposal(match[0], words, [same_form(words, value, value) for value in self.values])


def same_form(words: Sequence[int], value: str, lemma: str | None, group: str = "") -> Replacement:
    """All these words get one form and one lemma."""
    change = Change(value, lemma)
    return Replacement(value, dict.fromkeys(words, change), group)


PER_CENTURY = 5
CENTURIES = range(1100, 2100, 100)
_YEAR = re.compile(r"1[1-9]\d\d|20\d\d")
_MONEY = frozenset("$ € £ ¥ ₽ ₴ % kr".split())
_HOURS = frozenset("kl kl. klockan uhr".split())
_SPANS = frozenset("前 後 間 以上 以内 ぶり".split())  # After 年 in Japanese: so many years, not a year


def years_of(century: int, split: str, seed: int = TEST_SEED) -> list[int]:
    """Five years of a century to test or to train with; under one seed they differ.

    One order of the hundred years is drawn for both: it begins with the test years and ends with the training years.
    """
    import numpy as np

    order = np.random.default_rng([seed, century]).permutation(100)
    chosen = order[:PER_CENTURY] if split == "test" else order[-PER_CENTURY:]
    return [century + int(year) for year in chosen]


class Years:
    """The first number from 1100 to 2099 that is a year, not a count; all tokens with that form."""

    name = "years"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language = settings.language
        seed = TEST_SEED if settings.seed is None else settings.seed
        # One year of every century, then a second one: the first few of them are of all times too.
        drawn = zip(*(years_of(century, settings.split, seed) for century in CENTURIES), strict=True)
        self.values = [(f"{c}s", str(y)) for years in drawn for c, y in zip(CENTURIES, years, strict=True)]
        self.signature = f"years(set={settings.split},seed={seed})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        free = editable(sentence)
        years = [word for word in sentence.words if _YEAR.fullmatch(word.form) and self._is_year(word)]
        first = next((word for word in years if word.ord in free), None)
        if first is None:
            return Refusal("multiword token" if years else "no match")
        same = [word for word in sentence.words if word.form == first.form and word.ord in free]
        numbers, skipped, done = tuple(word.ord for word in same), Counter[str](), []
        others = [year for word in same for year in other_years(word)]
        for group, value in self.values:
            if value == first.form:
                continue
            if not keeps_order(int(first.form), int(value), others):
                skipped["order"] += 1
                continue
            if all(fits_before(word, value, self.language) for word in same):
                lemma = value if first.lemma == first.form else None
                done.append(same_form(numbers, value, lemma, group))
            else:
                skipped["agreement"] += 1
        if first.lemma not in (first.form, "_"):
            return Refusal("lemma")
        return Proposal(first.form, numbers, done, skipped) if done else Refusal(next(iter(skipped), "agreement"))

    def _is_year(self, word: Node) -> bool:
        """A count has a plural noun above it, or money beside it."""
        if word.upos not in ("NUM", "ADJ", "NOUN") or word.deprel == "nummod:gov" or is_half_of_season(word):
            return False
        if any(near is not None and near.form in _MONEY for near in (word.prev_node, word.next_node)):
            return False
        before, head = word.prev_node, word.parent
        if before is not None and before.form.lower() in _HOURS:
            return False
        if self.language == "zh":
            following = word.next_node
            return following is not None and following.form.startswith("年") and following.form != "年代"
        if self.language == "ja":
            following = word.next_node
            second = following.next_node if following is not None else None
            return following is not None and following.form == "年" and (second is None or second.form not in _SPANS)
        counted = head is not None and not head.is_root() and head.feats.get("Number") == "Plur"
        return not (word.udeprel == "nummod" and counted)
