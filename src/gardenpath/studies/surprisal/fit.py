"""Which tokens of a model belong to which word of a suite: the same ones, the same characters, or all but a stretch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from ...suites.regions.targets import common_start
from ...systems.surprisal_table import is_unknown, plain

OTHER = -1
"""The word of a token that stands in a stretch the suite does not have."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenFit:
    """`word_of[i]` is the word in which token i begins, or ends where that is asked for."""

    word_of: NDArray[np.int64]
    lost: range
    """Words of the suite that the model did not see, because its text is another one there."""
    broken: frozenset[int]
    """Words that begin inside a token."""
    other_text: bool = False
    """Did the model see other words than those of the suite in some stretch?"""

    @classmethod
    def same(cls, size: int) -> TokenFit:
        """The tokens are the words."""
        return cls(np.arange(size), range(0), frozenset())

    def covers(self, begin: int, end: int) -> bool:
        """Are the words from begin to end all there, with borders of tokens at both ends, and nothing else inside?"""
        if begin >= end or begin in self.broken or end in self.broken:
            return False
        if len(self.lost):
            return self.lost.stop <= begin or end <= self.lost.start
        inserted = self.other_text and begin < self.lost.start < end
        return not inserted


def fit(words: Sequence[str], tokens: Sequence[str], by_end: bool = False) -> TokenFit:
    """The tokens of a model on the words of a suite."""
    size = len(words)
    same = len(tokens) == size and all(
        token == word or is_unknown(token) for token, word in zip(tokens, words, strict=True)
    )
    if same:
        return TokenFit.same(size)
    bare = [plain(token) for token in tokens]
    if "".join(bare) == "".join(words):
        return _by_characters(words, bare, by_end)
    ahead = common_start(words, tokens)
    behind = min(common_start(words[::-1], tokens[::-1]), size - ahead, len(tokens) - ahead)
    word_of = np.full(len(tokens), OTHER, dtype=np.int64)
    word_of[:ahead] = np.arange(ahead)
    if behind:
        word_of[len(tokens) - behind :] = np.arange(size - behind, size)
    return TokenFit(word_of, range(ahead, size - behind), frozenset(), True)


def _by_characters(words: Sequence[str], tokens: Sequence[str], by_end: bool) -> TokenFit:
    """A token belongs to the word in which it begins, as in SyntaxGym; or, by its end, to that in which it ends."""
    ends = list(accumulate(map(len, words)))
    borders = [0, *accumulate(map(len, tokens))]
    places = [max(begin, end - 1) for begin, end in pairwise(borders)] if by_end else borders[:-1]
    word_of = np.searchsorted(ends, places, side="right")
    at = set(borders[:-1])
    broken = frozenset(number for number, begin in enumerate([0, *ends[:-1]]) if begin not in at and not by_end)
    return TokenFit(np.minimum(word_of, len(words) - 1).astype(np.int64), range(0), broken)
