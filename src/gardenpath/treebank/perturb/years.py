"""Years by century: which times does a parser know?"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from .agreement import fits_before
from .edit import Proposal, Refusal
from .numerals import TEST_SEED, same_form
from .places import editable
from .ranges import is_half_of_season, keeps_order, other_years

if TYPE_CHECKING:
    from ..node import Node
    from ..sentence import Sentence
    from .registry import PerturbationSettings

PER_CENTURY = 5
CENTURIES = range(1100, 2100, 100)
_YEAR = re.compile(r"1[1-9]\d\d|20\d\d")
_MONEY = frozenset("$ € £ ¥ ₽ ₴ % kr".split())
_CLOCK = frozenset("kl kl. klockan uhr".split())
_SPANS = frozenset("前 後 間 以上 以内 ぶり".split())
"""After 年 in Japanese: so many years, not a year."""


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
        if before is not None and before.form.lower() in _CLOCK:
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
