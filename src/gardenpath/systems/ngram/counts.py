"""Counting n-grams of all orders at once: an n-gram is the rank of its first n-1 words and its last word.

That pair fits into one 64-bit number whatever the order, so that each order costs one sort of integers. The
n-grams of an order are sorted by context, and every one knows where its context and its suffix are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from .encode import BEGIN_ID, Corpus

ORDERS = range(1, 6)
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Counts:
    """The different n-grams of one order, sorted."""

    keys: Integers
    """context << bits | word; the context is a place in the order below. Of unigrams, the words themselves."""
    suffixes: Integers
    """The place of the n-gram without its first word in the order below (of unigrams, zeros)."""
    raw: Integers
    """How often it occurs."""
    adjusted: Integers
    """Below the highest order: how many different words stand before it; but how often it occurs if it begins
    with <s>, before which nothing stands. In the highest order: how often it occurs. <s> alone counts 0."""


def word_bits(words: Sequence[str]) -> int:
    """Bits that an id needs."""
    return max(1, (len(words) - 1).bit_length())


def count(corpus: Corpus, order: int) -> list[Counts]:
    """Counts of the orders 1 to `order`, as KenLM's `lmplz` adjusts them."""
    if order not in ORDERS:
        raise UsageError(f"{order} is no order of a model", todo=f"give one from {ORDERS[0]} to {ORDERS[-1]}")
    if len(corpus.ids) >= 1 << 31:
        raise UsageError(f"{len(corpus.ids)} tokens are too many for one model", todo="train on less than 2 billion")
    bits = word_bits(corpus.words)
    ids, size = corpus.ids, len(corpus.words)
    found = [(np.arange(size), np.zeros(size, np.int64), np.bincount(ids, minlength=size))]
    places = np.arange(len(ids))
    begins = np.flatnonzero(ids == BEGIN_ID)
    ranks = ids  # of the n-gram that ends here, in its order
    for length in range(2, order + 1):
        # One more token of each sentence has no n-gram that ends there: those before it are too few.
        places = _without(places, begins + length - 2, len(ids))
        keys = ranks[places - 1].astype(np.int64)
        keys <<= bits
        keys |= ids[places]
        keys, firsts, raw, new = _distinct(keys, size << bits, ranked=length < order)
        found.append((keys, ranks[places[firsts]].astype(np.int64), raw))
        size = len(keys)
        if new is not None:
            ranks = np.zeros(len(ids), np.int32)
            ranks[places] = new
    return _adjusted(found)


def _without(places: Integers, gone: Integers, size: int) -> Integers:
    """These places but for some. After a sentence as short as <s> w </s> the place falls on the next <s>, which was
    the first to go."""
    left = np.zeros(size, np.bool_)
    left[places] = True
    left[gone[gone < size]] = False
    return np.flatnonzero(left)


def _distinct(
    keys: Integers, limit: int, *, ranked: bool = True
) -> tuple[Integers, Integers, Integers, NDArray[np.int32] | None]:
    """The different keys in order, where each occurs first, how often, and (`ranked`) the rank of every key.

    The keys are overwritten: fresh memory is a third of what counting costs.
    """
    shift = max(1, len(keys).bit_length())
    if limit.bit_length() + shift <= 63:
        # Numbers that carry their own place are sorted four times as fast as places are by numbers.
        keys <<= shift
        keys |= np.arange(len(keys))
        keys.sort()
        order = keys & ((1 << shift) - 1)
        keys >>= shift
    else:
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
    new = np.empty(len(keys), np.bool_)
    new[:1] = True
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    ranks = None
    if ranked:
        ranks = np.empty(len(keys), np.int32)
        ranks[order] = np.cumsum(new, dtype=np.int32) - 1
    return keys[starts], order[starts], np.diff(starts, append=len(keys)), ranks


def _adjusted(found: list[tuple[Integers, Integers, Integers]]) -> list[Counts]:
    levels = []
    for number, (keys, suffixes, raw) in enumerate(found):
        adjusted = raw
        if number + 1 < len(found):
            before = np.bincount(found[number + 1][1], minlength=len(keys))
            adjusted = np.where(before == 0, raw, before) if number else before
        if number == 0:
            adjusted = adjusted.copy()
            adjusted[BEGIN_ID] = 0
        levels.append(Counts(keys, suffixes, raw, adjusted))
    return levels
