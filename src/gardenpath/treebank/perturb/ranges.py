"""Ranges of numbers: another number must not put the end before the beginning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..node import Node

TIES = frozenset("- – — ~ 〜 ～ / x х × to bis till до 至 到 から".split())
"""Between the ends of a range."""
_TIES_OF_TIMES = TIES | frozenset("until through and und och по и і й та まで".split())
_FROM = frozenset("from between von vom zwischen ab från mellan с со от между з із зі від між 从 從 由 自 から".split())
_REACH = 7
"""Words between the ends of a range: from the end of the 13th century to about 1600."""
_CLOSE = 3
"""Words from a tie to a year: to the end of 1969."""
_YEAR, _SHORT = re.compile(r"\d{3,4}"), re.compile(r"\d{1,2}")


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
    return [int(form) for form in near if _YEAR.fullmatch(form)]


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
