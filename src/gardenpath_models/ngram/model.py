"""A back-off model in arrays: scoring looks all tokens up at once, order by order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from gardenpath.systems import BEGIN

from .counts import BEGIN_ID, END_ID, UNKNOWN_ID, word_bits

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
_BITS_OF_LOG10 = float(np.log2(10))


@dataclass(frozen=True)
class Level:
    """The n-grams of one order, sorted by key; logarithms of base 10, as in ARPA files."""

    keys: Integers
    """context << bits | word, where the context is a place in the order below; of unigrams, the words."""
    logprob: Floats
    backoff: Floats


@dataclass(frozen=True)
class BackoffModel:
    """Words by id (<unk>, <s>, </s> first), and the orders from 1 on."""

    words: list[str]
    levels: list[Level]

    @property
    def order(self) -> int:
        return len(self.levels)

    @property
    def counts(self) -> list[int]:
        return [len(level.keys) for level in self.levels]

    @cached_property
    def bits(self) -> int:
        return word_bits(self.words)

    @cached_property
    def lookup(self) -> dict[str, int]:
        """Ids by word. <s> is in no sentence as a word: there it is an unknown one."""
        numbers = {word: number for number, word in enumerate(self.words)}
        del numbers[BEGIN]
        return numbers

    def ids(self, sentences: Sequence[Sequence[str]]) -> Integers:
        """The ids of all tokens; <unk> for unknown ones."""
        total = sum(map(len, sentences))
        tokens = chain.from_iterable(sentences)
        return np.fromiter(map(self.lookup.get, tokens, repeat(UNKNOWN_ID)), np.int64, total)

    def score(self, sentences: Sequence[Sequence[str]]) -> tuple[Floats, Floats]:
        """Surprisals in bits: of all tokens, and of the end of each sentence."""
        lengths = np.fromiter(map(len, sentences), np.int64, len(sentences))
        starts = np.concatenate([[0], np.cumsum(lengths + 2)[:-1]]) if len(sentences) else np.empty(0, np.int64)
        ids = np.empty(int((lengths + 2).sum()), np.int64)
        word = np.ones(len(ids), np.bool_)
        ends = starts + lengths + 1
        word[starts] = word[ends] = False
        ids[word], ids[starts], ids[ends] = self.ids(sentences), BEGIN_ID, END_ID
        inside = np.arange(len(ids)) - np.repeat(starts, lengths + 2)
        bits = -self._logprobs(ids, inside) * _BITS_OF_LOG10 + 0.0  # + 0.0: no negative zeros
        return bits[word], bits[ends]

    def _logprobs(self, ids: Integers, inside: Integers) -> Floats:
        """log10 p of each token after those before it; `inside` counts the tokens of the sentence before it."""
        logprobs = self.levels[0].logprob[ids]
        ranks = ids  # of the n-gram that ends here, in its order; -1: the model does not have it
        for length, level in enumerate(self.levels[1:], 2):
            below = self.levels[length - 2]
            at = np.flatnonzero(inside >= length - 1)
            contexts = ranks[at - 1]
            at, contexts = at[contexts >= 0], contexts[contexts >= 0]
            places = self._places(level, (contexts << self.bits) | ids[at])
            hit = places >= 0
            logprobs[at[hit]] = level.logprob[places[hit]]
            logprobs[at[~hit]] += below.backoff[contexts[~hit]]
            ranks = np.full(len(ids), -1, np.int64)
            ranks[at] = places
        return logprobs

    def _places(self, level: Level, keys: Integers) -> Integers:
        if not len(level.keys):
            return np.full(len(keys), -1, np.int64)
        places = np.minimum(np.searchsorted(level.keys, keys), len(level.keys) - 1)
        return np.where(level.keys[places] == keys, places, -1)
