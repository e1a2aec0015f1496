"""A text as numbers: every word an id, every sentence between <s> and </s>."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count as counter

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ..tokenised import BEGIN, END, UNKNOWN

UNKNOWN_ID, BEGIN_ID, END_ID = 0, 1, 2
SPECIAL = (UNKNOWN, BEGIN, END)


@dataclass(frozen=True)
class Corpus:
    """All sentences one after the other."""

    words: list[str]
    """By id; the first three are <unk>, <s> and </s>."""
    ids: NDArray[np.int32]
    """<s> w … w </s> <s> w … w </s> …"""

    @property
    def sentences(self) -> int:
        return int(np.count_nonzero(self.ids == BEGIN_ID))

    @property
    def tokens(self) -> int:
        """Words, without the marks of sentences."""
        return len(self.ids) - 2 * self.sentences


def encoded(pieces: Iterable[list[bytes]], vocabulary: int | None = None) -> Corpus:
    """The corpus of tokens in pieces, with `</s>` after each sentence (two in a row: an empty one, left out).

    Ids are in the order of first occurrence. With `vocabulary` only so many of the most frequent words keep
    theirs, and the others are <unk>, as is the word <unk> in the text; of equally frequent words the first wins.
    """
    if vocabulary is not None and vocabulary < 1:
        raise UsageError(f"{vocabulary} is no size of a vocabulary", todo="give 1 or more words")
    # A new word takes the next number, without a step of Python's interpreter per token.
    known: defaultdict[bytes, int] = defaultdict(counter(len(SPECIAL)).__next__)
    known.update((word.encode(), number) for number, word in enumerate(SPECIAL))
    arrays = [np.fromiter(map(known.__getitem__, tokens), np.int32, len(tokens)) for tokens in pieces]
    ids = np.concatenate([np.empty(0, np.int32), *arrays])
    ends = ids == END_ID
    ids = ids[~(ends & np.concatenate([[True], ends[:-1]]))]
    if not len(ids):
        raise InputError("there is no text in it")
    words = [token.decode("utf-8") for token in known]
    if vocabulary is not None and len(words) - len(SPECIAL) > vocabulary:
        words, ids = _limited(words, ids, vocabulary)
    starts = np.concatenate([[0], np.flatnonzero(ids == END_ID)[:-1] + 1])
    return Corpus(words, np.insert(ids, starts, BEGIN_ID))


def _limited(words: list[str], ids: NDArray[np.int32], size: int) -> tuple[list[str], NDArray[np.int32]]:
    counts = np.bincount(ids, minlength=len(words))
    counts[: len(SPECIAL)] = 0
    kept = np.sort(np.argsort(-counts, kind="stable")[:size])
    kept = np.concatenate([np.arange(len(SPECIAL)), kept[kept >= len(SPECIAL)]])
    new = np.full(len(words), UNKNOWN_ID, np.int32)
    new[kept] = np.arange(len(kept))
    return [words[number] for number in kept.tolist()], new[ids]
