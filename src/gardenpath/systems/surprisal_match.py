"""The sentences of a file of surprisals, found by what they say: permuting a file never changes a number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import takewhile

import numpy as np

from ..errors import InputError
from ..treebank.matching import difference
from .surprisal_table import ScoredTokens, is_unknown, plain

_NOISE = 1e-4
"""Bits that batches of other sizes leave between two readings of one sentence."""
_ORDER = "write #match=order behind the name if its sentences are in the order of the suite"


class SentenceIndex:
    """Sentences by their characters; blanks and the borders of words do not count.

    A token such as `<unk>` stands for any one word, where there are as many tokens as words and all others are equal.
    """

    def __init__(self, sentences: Sequence[ScoredTokens], where: str) -> None:
        self._sentences, self._where = sentences, where
        self._asked: set[int] = set()
        """The ids of sentences that someone asked for."""
        self._by_characters: defaultdict[str, list[ScoredTokens]] = defaultdict(list)
        self._by_known: dict[int, dict[frozenset[int], defaultdict[tuple[str, ...], list[ScoredTokens]]]] = {}
        """By number of tokens, by places of unknown ones, by the words that are known."""
        for sentence in sentences:
            tokens = sentence.tokens
            for key in dict.fromkeys(["".join(tokens), "".join(map(plain, tokens))]):
                self._by_characters[key].append(sentence)  # a mark of a tokenizer can be a letter (Ġ in Maltese)
            unknown = frozenset(place for place, token in enumerate(tokens) if is_unknown(token))
            if unknown:
                of_length = self._by_known.setdefault(len(tokens), {})
                of_length.setdefault(unknown, defaultdict(list))[_without(tokens, unknown)].append(sentence)

    @property
    def surplus(self) -> int:
        """Sentences that nobody has asked for."""
        return sum(id(sentence) not in self._asked for sentence in self._sentences)

    def found(self, asked: Sequence[Sequence[str]]) -> list[ScoredTokens]:
        """What is there for each sentence; one that is not there, or there with different values, is an error."""
        known: dict[tuple[str, ...], ScoredTokens] = {}
        for number, words in enumerate(asked, 1):
            if (key := tuple(words)) not in known:  # a sentence that is asked again is looked for once
                known[key] = self._answer(number, words)
        return [known[tuple(words)] for words in asked]

    def _answer(self, number: int, words: Sequence[str]) -> ScoredTokens:
        candidates = self._by_characters.get("".join(words)) or self._with_unknown(words)
        if not candidates:
            raise self._missing(number, words)
        self._asked.update(map(id, candidates))
        scored = [sentence for sentence in candidates if not np.isnan(sentence.surprisals).any()] or candidates
        first = min(scored, key=lambda sentence: (sentence.tokens, sentence.surprisals.tolist()))
        for sentence in scored:
            if not _same_values(first, sentence):
                raise _ambiguous(number, words, first, sentence)
        return first

    def _with_unknown(self, words: Sequence[str]) -> list[ScoredTokens]:
        """Sentences with unknown tokens that fit. A word that one of them knows is unknown to none that is meant."""
        fitting = {
            unknown: by_words[known]
            for unknown, by_words in self._by_known.get(len(words), {}).items()
            if (known := _without(words, unknown)) in by_words
        }
        least = [unknown for unknown in fitting if not any(subset < unknown for subset in fitting)]
        return [sentence for unknown in least for sentence in fitting[unknown]]

    def _missing(self, number: int, words: Sequence[str]) -> InputError:
        text = "".join(words)
        nearest = max(self._sentences, key=lambda sentence: _likeness(text, "".join(map(plain, sentence.tokens))))
        mismatch = difference(words, [plain(token) for token in nearest.tokens])
        return InputError(
            f"sentence {number} is missing: {' '.join(words)}; in the nearest one, {mismatch}",
            where=nearest.place,
            todo=f"{len(self._sentences)} sentences are in {self._where}; is it the output for this suite? {_ORDER}",
        )


def _without(words: Sequence[str], places: frozenset[int]) -> tuple[str, ...]:
    return tuple(word for place, word in enumerate(words) if place not in places)


def _same_values(first: ScoredTokens, second: ScoredTokens) -> bool:
    same_size = len(first.surprisals) == len(second.surprisals)
    return same_size and np.allclose(first.surprisals, second.surprisals, rtol=0, atol=_NOISE, equal_nan=True)


def _ambiguous(number: int, words: Sequence[str], first: ScoredTokens, second: ScoredTokens) -> InputError:
    """The first token that has other values, or other borders, in two answers to the same sentence."""
    pairs = zip(first.tokens, first.surprisals.tolist(), second.tokens, second.surprisals.tolist(), strict=False)
    mismatch = next(
        (f"{a!r} has {x:g} bits at {first.place} and {b!r} {y:g} at {second.place}" for a, x, b, y in pairs
         if len(a) != len(b) or abs(x - y) > _NOISE),
        f"{len(first.tokens)} tokens at {first.place} and {len(second.tokens)} at {second.place}",
    )  # fmt: skip
    what = f"sentence {number} has answers that differ: {' '.join(words)}: {mismatch}"
    return InputError(what, where=first.place, todo=f"a model says the same of the same words; {_ORDER}")


def _likeness(first: str, second: str) -> int:
    """Characters at the begin and at the end that are the same."""
    return sum(
        sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False)))
        for a, b in ((first, second), (first[::-1], second[::-1]))
    )
