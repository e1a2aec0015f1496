"""Sentences that occur twice, word for word or nearly: whoever has seen one of them in training knows the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .shingles import hashes, near_texts
from .treebank import Treebank

Ints = NDArray[Any]


def first_occurrences(treebank: Treebank) -> Ints:
    """For each sentence the number of the first one with the same word forms: its own, where there is none before."""
    return _first_of(hashes(treebank.column("form").codes, treebank.offsets))


def first_alike(treebank: Treebank, near: float | None) -> Ints:
    """For each sentence the first of those that are the same: word for word, or alike to the share `near`."""
    if near is None:
        return first_occurrences(treebank)
    return _first_of(near_texts(treebank, near).groups())


def _first_of(groups: Ints) -> Ints:
    """For each the first of its group."""
    _, first, number = np.unique(groups, return_index=True, return_inverse=True)
    firsts: Ints = first[number]
    return firsts


def repeats(first: Ints, parts: Iterable[Ints]) -> int:
    """Sentences of these parts that are the same as an earlier one; `first` has the first of those that are."""
    kept = first[np.concatenate(list(parts))]
    return len(kept) - len(np.unique(kept))


def shared(first: Ints, train: Ints, test: Ints) -> int:
    """Sentences of test that occur in train."""
    return int(np.isin(first[test], first[train]).sum())
