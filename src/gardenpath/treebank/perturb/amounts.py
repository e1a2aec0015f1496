"""Amounts: counted things and money, with as many digits, the same signs and the same plural as before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from .agreement import fits_before, is_number, plural_class
from .edit import Proposal, Refusal, editable
from .numerals import TEST_SEED, TIES, is_date_or_hour, same_form

if TYPE_CHECKING:
    from ..format.sentence import Node, Sentence
    from .registry import PerturbationSettings

MOST = 50
"""Values per sentence."""
_AMOUNT = re.compile(r"(?:[1-9]\d{0,2}(?:([.,'])\d{3})(?:\1\d{3})*|[1-9]\d*|0(?=[.,]))([.,]\d{1,2})?")
_YEAR = re.compile(r"1[1-9]\d\d|20\d\d")
_SIGNS = frozenset("$ € £ ¥ ₽ ₴ % US$".split())
_LINKS = TIES | frozenset("and or of und oder von och eller av à a и или из та і й або чи з із 和 或 と や か".split())
"""Between two numbers that are said together: 2 or 3, between 2 and 3, 33 of 36."""
_PERCENT = ("%", "percent", "prozent", "procent", "процент", "відсот")
_BOTH = frozenset("both beide beiden båda bägge оба обе обидва обидві".split())
_ENUMERATED = 3  # Up to so many digits all numbers are looked at; of longer ones a sample is drawn


@cache
def digits_of(size: int, plural: str, language: str, split: str, seed: int) -> tuple[str, ...]:
    """Numbers of `size` digits after which a noun has this plural, in a drawn order; none is in both sets."""
    import numpy as np

    chance = np.random.default_rng([seed, size])
    low, high = 10 ** (size - 1), 10**size
    if size <= _ENUMERATED:
        numbers = chance.permutation(np.arange(low, high)).tolist()
    else:  # digit by digit, since a number may be longer than an integer of NumPy
        drawn = chance.integers(0, 10, size=(8 * MOST, size)).tolist()
        numbers = [int("".join(map(str, [digits[0] or 1, *digits[1:]]))) for digits in drawn]
    fitting = [str(n) for n in dict.fromkeys(numbers) if plural == "fraction" or plural_class(language, n) == plural]
    return tuple(fitting[0 if split == "test" else 1 :: 2])


class Amounts:
    """The first amount; all tokens with that form."""

    name = "amounts"

    def __init__(self, settings: PerturbationSettings) -> None:
        self.language, self.split = settings.language, settings.split
        self.seed = TEST_SEED if settings.seed is None else settings.seed
        self.signature = f"amounts(set={settings.split},seed={self.seed})"

    def propose(self, sentence: Sentence) -> Proposal | Refusal:
        free = editable(sentence)
        amounts = [word for word in sentence.words if _AMOUNT.fullmatch(word.form) and self._is_amount(word)]
        first = next((word for word in amounts if word.ord in free), None)
        if first is None:
            return Refusal("multiword token" if amounts else "no match")
        lemmas: dict[str, Callable[[str], str]] = {_bare(first.form): _bare, first.form: str, "_": lambda _: "_"}
        if first.lemma not in lemmas:
            return Refusal("lemma")
        lemma = lemmas[first.lemma]
        same = [word for word in sentence.words if word.form == first.form and word.ord in free]
        dated = any(is_date_or_hour(near, self.language) for word in same for near in _around(word))
        if dated or any(map(_in_company, same)):
            return Refusal("ambiguous")  # 26 metres, on the 26th; 15 men of 14 to 15
        if first.form == "2" and any(word.form.lower() in _BOTH for word in sentence.words):
            return Refusal("agreement")
        numbers, skipped, done = tuple(word.ord for word in same), Counter[str](), []
        for value in self._values(first.form):
            if all(fits_before(word, value, self.language) for word in same):
                done.append(same_form(numbers, value, lemma(value)))
            else:
                skipped["agreement"] += 1
        return Proposal(first.form, numbers, done[:MOST], skipped) if done else Refusal("agreement")

    def _is_amount(self, word: Node) -> bool:
        if word.upos != "NUM" or _in_company(word) or _is_whole(word):
            return False
        near = _around(word)
        if any(one.form == "第" for one in near):
            return False
        if any(one.form in _SIGNS for one in near):
            return True
        head = word.parent
        if head is None or word.udeprel != "nummod" or head.upos not in ("NOUN", "SYM") or head.ord < word.ord:
            return False
        if any(is_date_or_hour(one, self.language) for one in (head, *near)):
            return False
        return word.deprel == "nummod:gov" or not _YEAR.fullmatch(word.form)  # the 2006 elections

    def _values(self, form: str) -> list[str]:
        """Other amounts of the same shape; none where only this number has its plural."""
        # The whole number and what follows the decimal sign; three digits after a sign are thousands.
        match = re.fullmatch(r"(.*\d)([.,]\d{1,2})", form)
        whole, fraction = (match[1], match[2]) if match else (form, "")
        size = sum(map(str.isdigit, whole))
        if fraction:
            return self._fractions(whole, fraction)
        plural = plural_class(self.language, int(re.sub(r"\D", "", whole)))
        values = digits_of(size, plural, self.language, self.split, self.seed)
        values = tuple(digits for digits in values if plural != "any" or digits != "1")
        shaped = [_shaped(digits, whole) for digits in values]
        return [value for value in shaped if value != form][: 2 * MOST]

    def _fractions(self, whole: str, fraction: str) -> list[str]:
        size, places = sum(map(str.isdigit, whole)), len(fraction) - 1
        if whole == "0":
            ends = digits_of(places, "fraction", self.language, self.split, self.seed)
            return [f"0{fraction[0]}{end}" for end in ends if end != fraction[1:]][: 2 * MOST]
        after = digits_of(3, "fraction", self.language, self.split, self.seed)
        before = [d for d in digits_of(size, "fraction", self.language, self.split, self.seed) if d != "1"]
        pairs = zip(before * (2 * MOST // max(len(before), 1) + 1), after, strict=False)
        made = dict.fromkeys(f"{_shaped(digits, whole)}{fraction[0]}{end[-places:]}" for digits, end in pairs)
        return [value for value in made if value != whole + fraction][: 2 * MOST]


def _around(word: Node) -> list[Node]:
    return [near for near in (word.prev_node, word.next_node) if near is not None]


def _in_company(word: Node) -> bool:
    """Is it said together with a second number? `2-3 weeks`, `1.5 to 2 %`, `10 km to 20 km`, `500 (five hundred)`."""
    words, at = word.sentence.words, word.ord - 1
    after = [words[n] if n < len(words) else None for n in (at + 1, at + 2, at + 3)]
    before = [words[n] if n >= 0 else None for n in (at - 1, at - 2, at - 3)]
    for near, second, third in (after, before):
        if near is None:
            continue
        if (near.form.lower() in _LINKS or near.form in "()") and is_number(second):
            return True
        if near.form.lower() in TIES and is_number(third):
            return True
        if second is not None and second.form.lower() in TIES and is_number(third):
            return True
    return any(child.udeprel == "conj" for child in word.children) or word.udeprel == "conj"


def _is_whole(word: Node) -> bool:
    """100 %: more than that is rarely meant."""
    after = word.next_node
    return after is not None and after.form.lower().startswith(_PERCENT) and len(re.split("[.,]", word.form)[0]) > 2


def _bare(value: str) -> str:
    """English treebanks have 16250 as the lemma of 16,250."""
    return re.sub("[,']", "", value)


def _shaped(digits: str, pattern: str) -> str:
    """The digits with the signs of the pattern between them."""
    rest = iter(digits)
    return "".join(next(rest) if sign.isdigit() else sign for sign in pattern)
