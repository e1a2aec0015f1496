"""The numerals of the consistency study, exactly as published (§3 and Appendix A)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from .edit import Change, Proposal, Refusal, Replacement
from .places import editable

if TYPE_CHECKING:
    from ..sentence import Sentence
    from .registry import PerturbationSettings

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
