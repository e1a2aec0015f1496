"""A text as numbers: every word an id, every sentence between <s> and </s>."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count as counter

import numpy as np

from ...errors import InputError, UsageError
from ..tokenised import BEGIN, END, UNKNOWN
from .columns import Column, Scratch, occurrences

UNKNOWN_ID, BEGIN_ID, END_ID = 0, 1, 2
SPECIAL = (UNKNOWN, BEGIN, END)


@dataclass(frozen=True)
class Corpus:
    """All sentences one after the other."""

    words: list[str]
    """By id; the first three are <unk>, <s> and </s>."""
    ids: Column
    """<s> w … w </s> <s> w … w </s> …"""
    sentences: int

    @property
    def tokens(self) -> int:
        """Words, without the marks of sentences."""
        return len(self.ids) - 2 * self.sentences


def encoded(pieces: Iterable[list[bytes]], vocabulary: int | None = None, scratch: Scratch | None = None) -> Corpus:
    """The corpus of tokens in pieces, with `</s>` after each sentence (two in a row: an empty one, left out).

    Ids are in the order of first occurrence. With `vocabulary` only so many of the most frequent words keep
    theirs, and the others are <unk>, as is the word <unk> in the text; of equally frequent words the first wins.
    """
    if vocabulary is not None and vocabulary < 1:
        raise UsageError(f"{vocabulary} is not a size of a vocabulary", todo="give 1 or more words")
    scratch = scratch or Scratch()
    # A new word takes the next number, without a step of Python's interpreter per token.
    known: defaultdict[bytes, int] = defaultdict(counter(len(SPECIAL)).__next__)
    known.update((word.encode(), number) for number, word in enumerate(SPECIAL))
    text, ended, sentences = scratch.column(np.int32), True, 0
    for tokens in pieces:
        ids = np.fromiter(map(known.__getitem__, tokens), np.int32, len(tokens))
        ends = ids == END_ID
        after = np.concatenate([[ended], ends[:-1]])  # an end stands before it
        ended = bool(ends[-1]) if len(ends) else ended
        empty = ends & after
        sentences += int((ends & ~empty).sum())
        # <s> before the first word of a sentence
        ids, starts = ids[~empty], (after & ~ends)[~empty]
        text.append(np.insert(ids, np.flatnonzero(starts), BEGIN_ID))
    if not len(text):
        raise InputError("there is no text in it")
    words = [token.decode("utf-8") for token in known]
    if vocabulary is not None and len(words) - len(SPECIAL) > vocabulary:
        words, text = _limited(words, text, vocabulary)
    return Corpus(words, text, sentences)


def _limited(words: list[str], text: Column, size: int) -> tuple[list[str], Column]:
    counts = occurrences(text, len(words)).array.copy()
    counts[: len(SPECIAL)] = 0
    kept = np.sort(np.argsort(-counts, kind="stable")[:size])
    kept = np.concatenate([np.arange(len(SPECIAL)), kept[kept >= len(SPECIAL)]])
    new = np.full(len(words), UNKNOWN_ID, np.int32)
    new[kept] = np.arange(len(kept))
    limited = text.scratch.column(np.int32)
    for _, ids in text.blocks():
        limited.append(new[ids])
    return [words[number] for number in kept.tolist()], limited
