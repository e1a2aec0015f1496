"""Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998, equations 26 and 27), as `lmplz` does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError
from .counts import Counts, count, word_bits
from .encode import BEGIN_ID, SPECIAL, Corpus
from .model import BackoffModel, Level

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


def discounts_of(adjusted: NDArray[np.int64], fallback: tuple[float, float, float] = FALLBACK) -> Discounts:
    """D1, D2 and D3+ from how many n-grams have the (adjusted) counts 1 to 4; the fallback on small or odd data."""
    n = np.bincount(np.minimum(adjusted, 5), minlength=6)[:5].tolist()
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
    """The model of this corpus.

    Unigrams are interpolated with the uniform distribution over all words, </s> and <unk>. `prune` has a number
    for each order, the last stands for all above it: n-grams that occur so often or more rarely are left out.
    """
    counts = count(corpus, order)
    limits = prune_limits(prune, order)
    bits = word_bits(corpus.words)
    discounts = [discounts_of(level.adjusted, fallback) for level in counts]
    lower, backoff = _unigrams(counts[0], discounts[0])
    probabilities: list[Floats] = [lower]
    backoffs: list[Floats] = []
    for level, given, limit in zip(counts[1:], discounts[1:], limits[1:], strict=True):
        lower, backoff = _interpolated(level, given, lower, level.raw > limit, bits)
        probabilities.append(lower)
        backoffs.append(backoff)
    backoffs.append(np.ones(len(lower)))
    return Estimate(
        _model(corpus.words, counts, probabilities, backoffs, limits), discounts, [len(level.keys) for level in counts]
    )


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


def _unigrams(level: Counts, discounts: Discounts) -> tuple[Floats, Floats]:
    taken = _taken(level.adjusted, discounts)
    total = level.adjusted.sum()
    uniform = taken.sum() / total / (len(level.keys) - 1)  # <s> is never predicted
    probabilities = (level.adjusted - taken) / total + uniform
    probabilities[BEGIN_ID] = 1.0  # by convention
    return probabilities, np.ones(len(level.keys))


def _interpolated(
    level: Counts, discounts: Discounts, lower: Floats, kept: NDArray[np.bool_], bits: int
) -> tuple[Floats, Floats]:
    """Probabilities of this order, and the weights that their contexts give to the order below."""
    contexts = level.keys >> bits
    taken = _taken(level.adjusted, discounts)
    given_up = taken if kept.all() else np.where(kept, taken, level.adjusted)
    totals = np.bincount(contexts, weights=level.adjusted, minlength=len(lower))
    weights = np.bincount(contexts, weights=given_up, minlength=len(lower))
    with np.errstate(invalid="ignore"):
        backoffs = np.where(totals > 0, weights / totals, 1.0)
    probabilities = (level.adjusted - taken) / totals[contexts] + backoffs[contexts] * lower[level.suffixes]
    return probabilities, backoffs


def _taken(adjusted: NDArray[np.int64], discounts: Discounts) -> Floats:
    return np.array([0.0, *discounts.values])[np.minimum(adjusted, 3)]


def _model(
    words: list[str],
    counts: list[Counts],
    probabilities: list[Floats],
    backoffs: list[Floats],
    limits: list[int],
) -> BackoffModel:
    """Logarithms, and the n-grams that are not pruned, with their contexts' new places."""
    bits = word_bits(words)
    mask = (1 << bits) - 1
    levels: list[Level] = []
    places = np.empty(0, np.int64)
    for number, level in enumerate(counts):
        kept = level.raw > limits[number] if limits[number] else np.ones(len(level.keys), np.bool_)
        if number == 0:
            kept[: len(SPECIAL)] = True
        keys = level.keys
        if number > 1 and limits[number - 1]:
            keys = np.where(kept, (places[keys >> bits] << bits) | (keys & mask), 0)
        places = np.cumsum(kept) - 1
        if not kept.all():
            keys = keys[kept]
            probabilities[number], backoffs[number] = probabilities[number][kept], backoffs[number][kept]
        levels.append(Level(keys, np.minimum(np.log10(probabilities[number]), 0.0), np.log10(backoffs[number])))
    return BackoffModel(words, levels)
