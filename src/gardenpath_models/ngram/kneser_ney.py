"""Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998, equations 26 and 27), as `lmplz` does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import UsageError

from .counts import BEGIN_ID, UNKNOWN_ID, Column, Corpus, Counts, count, gathered, word_bits
from .model import MISSING_UNKNOWN, BackoffModel, Level

Floats = NDArray[np.float64]
FALLBACK = (0.5, 1.0, 1.5)
"""What `lmplz --discount_fallback` takes where the closed form has no answer."""


@dataclass(frozen=True, slots=True)
class Discounts:
    """What is taken from n-grams that were counted once, twice, and three times or more."""

    values: tuple[float, float, float]
    problem: str = ""
    """Why these are not of the closed form; empty if they are."""


@dataclass(frozen=True)
class Estimate:
    """A model, and the numbers it is made of, per order."""

    model: BackoffModel
    discounts: list[Discounts]
    counted: list[int]
    """Different n-grams, before any were pruned; unigrams include <unk>, <s> and </s>."""


def discounts_of(adjusted: Column, fallback: tuple[float, float, float] = FALLBACK) -> Discounts:
    """D1, D2 and D3+ from how many n-grams have the (adjusted) counts 1 to 4; the fallback on small or odd data."""
    counts = np.zeros(6, np.int64)
    for _, block in adjusted.blocks():
        counts += np.bincount(np.minimum(block, 5), minlength=6)
    n = counts[:5].tolist()
    for times in (1, 2, 3):
        if n[times] == 0:
            return Discounts(fallback, f"none was counted {times}×")
    y = n[1] / (n[1] + 2 * n[2])
    first, second, third = (times - (times + 1) * y * n[times + 1] / n[times] for times in (1, 2, 3))
    for times, value in enumerate((first, second, third), 1):
        if not 0 <= value <= times:
            return Discounts(fallback, f"the discount of those counted {times}× would be {value:.3f}")
    return Discounts((first, second, third))


def estimate(
    corpus: Corpus, order: int = 3, *, prune: Sequence[int] = (), fallback: tuple[float, float, float] = FALLBACK
) -> Estimate:
    """The model of this corpus; where the corpus is in files, so is all that is made of it.

    Unigrams are interpolated with the uniform distribution over all words, </s> and <unk>. `prune` has a number
    for each order, the last stands for all above it: n-grams that occur so often or more rarely are left out.
    """
    counts = count(corpus, order)
    limits = prune_limits(prune, order)
    bits, scratch = word_bits(corpus.words), corpus.ids.scratch
    discounts = [discounts_of(level.adjusted, fallback) for level in counts]
    counted = [len(level.keys) for level in counts]
    probabilities = scratch.column(np.float64, _unigrams(counts[0], discounts[0], closed=bool(corpus.classes)))
    levels: list[Level] = []
    places = None  # of the n-grams that are left, in the order below
    for number in range(order):
        level, higher, backoffs = counts.pop(0), probabilities, None
        if counts:
            higher, backoffs = _interpolated(counts[0], discounts[number + 1], probabilities, limits[number + 1], bits)
        finished, places = _level(level, probabilities, backoffs, limits[number], places, bits)
        levels.append(finished)
        probabilities = higher
    return Estimate(BackoffModel(corpus.words, levels, corpus.classes), discounts, counted)


def prune_limits(prune: Sequence[int], order: int) -> list[int]:
    """A limit for each order: none for unigrams, none smaller than the one before it."""
    limits = [*prune, *([prune[-1]] * (order - len(prune)))] if prune else [0] * order
    wrong = len(limits) > order or limits[0] != 0 or any(a > b for a, b in pairwise(limits))
    if wrong:
        raise UsageError(
            f"n-grams cannot be pruned by {' '.join(map(str, prune))}",
            todo=f"give at most {order} numbers, the first 0 (words stay), none smaller than the one before it",
        )
    return limits


def _unigrams(level: Counts, discounts: Discounts, *, closed: bool) -> Floats:
    """Return the probabilities of words; where every unknown word has a class, no word is <unk>."""
    adjusted = level.adjusted.array
    taken = _taken(adjusted, discounts)
    total = adjusted.sum()
    uniform = taken.sum() / total / (len(level.keys) - 1 - closed)  # <s> is never predicted
    probabilities: Floats = (adjusted - taken) / total + uniform
    probabilities[BEGIN_ID] = 1.0  # by convention
    if closed:
        probabilities[UNKNOWN_ID] = 10**MISSING_UNKNOWN
    return probabilities


def _interpolated(level: Counts, discounts: Discounts, lower: Column, limit: int, bits: int) -> tuple[Column, Column]:
    """Probabilities of this order, and the weights that their contexts give to the order below.

    p(w | h) = (c(hw) - D) / c(h.) + backoff(h) p(w | h'), with backoff(h) = what was taken from the words after h.
    """
    scratch = lower.scratch
    below = gathered(lower, level.suffixes)
    probabilities, backoffs = scratch.column(np.float64), scratch.column(np.float64)
    for start, contexts in _contexts(level.keys, bits):
        stop = start + len(contexts)
        adjusted = level.adjusted.read(start, stop)
        taken = _taken(adjusted, discounts)
        given_up = np.where(level.raw.read(start, stop) > limit, taken, adjusted) if limit else taken
        # Contexts that nothing follows give all to the order below.
        first, last = len(backoffs), int(contexts[-1]) + 1
        local = contexts - first
        totals = np.bincount(local, weights=adjusted, minlength=last - first)
        weights = np.bincount(local, weights=given_up, minlength=last - first)
        with np.errstate(invalid="ignore"):
            own = np.where(totals > 0, weights / totals, 1.0)
        backoffs.append(own)
        probabilities.append((adjusted - taken) / totals[local] + own[local] * below.read(start, stop))
    while len(backoffs) < len(lower):
        backoffs.append(np.ones(min(scratch.rows, len(lower) - len(backoffs))))
    return probabilities, backoffs


def _contexts(keys: Column, bits: int) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """The contexts of n-grams, block by block, and where a block begins: all n-grams of a context are in one."""
    start, rows = 0, keys.scratch.rows
    while start < len(keys):
        contexts = keys.read(start, start + rows) >> bits
        if start + len(contexts) < len(keys):
            whole = int(np.searchsorted(contexts, contexts[-1]))
            if not whole:
                rows *= 2
                continue
            contexts = contexts[:whole]
        yield start, contexts
        start, rows = start + len(contexts), keys.scratch.rows


def _taken(adjusted: NDArray[np.int64], discounts: Discounts) -> Floats:
    return np.array([0.0, *discounts.values])[np.minimum(adjusted, 3)]


def _level(
    counts: Counts, probabilities: Column, backoffs: Column | None, limit: int, below: Column | None, bits: int
) -> tuple[Level, Column | None]:
    """Logarithms of the n-grams that are not pruned, and the new place of each; None where all are as they were.

    `below` has the new places of their contexts.
    """
    scratch = counts.keys.scratch
    keys = scratch.column(np.int64) if limit or below is not None else counts.keys
    logprob, backoff = scratch.column(np.float64), scratch.column(np.float64)
    places = scratch.column(np.int64) if limit else None
    for start, block in counts.keys.blocks():
        stop = start + len(block)
        kept = counts.raw.read(start, stop) > limit if limit else slice(None)
        own = np.ones(len(block)) if backoffs is None else backoffs.read(start, stop)
        logprob.append(np.minimum(np.log10(probabilities.read(start, stop)[kept]), 0.0))
        backoff.append(np.log10(own[kept]))
        if keys is not counts.keys:
            left = block[kept]
            if below is not None and len(left):
                contexts = left >> bits
                first = int(contexts[0])
                left = (below.read(first, int(contexts[-1]) + 1)[contexts - first] << bits) | (left & ((1 << bits) - 1))
            if places is not None:
                places.append(len(keys) + np.cumsum(counts.raw.read(start, stop) > limit) - 1)
            keys.append(left)
    return Level(keys.array, logprob.array, backoff.array), places
