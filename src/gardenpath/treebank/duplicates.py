"""Sentences that occur twice: whoever has seen one of them in training has seen the other."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .treebank import Treebank

Ints = NDArray[Any]


def first_occurrences(treebank: Treebank) -> Ints:
    """For each sentence the number of the first one with the same word forms: its own, where there is none before."""
    codes = np.asarray(treebank.column("form").codes)
    seen: dict[bytes, int] = {}
    ends = treebank.offsets.tolist()
    words = codes.astype(np.int64).tobytes()
    return np.array([
        seen.setdefault(words[8 * begin : 8 * end], number)
        for number, (begin, end) in enumerate(pairwise(ends))
    ])  # fmt: skip


def repeats(treebank: Treebank, parts: Iterable[Ints]) -> int:
    """Sentences of these parts that have the words of an earlier one."""
    first = first_occurrences(treebank)[np.sort(np.concatenate(list(parts)))]
    return len(first) - len(np.unique(first))


def shared(treebank: Treebank, train: Ints, test: Ints) -> int:
    """Sentences of test that occur in train, word for word."""
    first = first_occurrences(treebank)
    return int(np.isin(first[test], first[train]).sum())
