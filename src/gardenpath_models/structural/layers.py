"""Parts that RNNG and PLM share: the layer that generates words, and rows shared by hypotheses. Needs torch."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ..neural.networks import Output
from ..neural.vocabulary import SPECIAL
from .actions import Ids


class Memory:
    """Columns of rows. Hypotheses that branch off copy numbers and not rows; `kept` drops what none needs any more."""

    def __init__(self, first: Sequence[torch.Tensor]) -> None:
        self.columns = [column.clone() for column in first]
        self.size = len(first[0])

    def room(self, count: int) -> list[torch.Tensor]:
        """Room for so many rows at the end of each column, to be written to before anything else is added."""
        if self.size + count > len(self.columns[0]):
            most = max(2 * len(self.columns[0]), self.size + count)
            for at, column in enumerate(self.columns):
                grown = torch.empty((most, *column.shape[1:]), dtype=column.dtype)
                grown[: self.size] = column[: self.size]
                self.columns[at] = grown
        self.size += count
        return [column[self.size - count : self.size] for column in self.columns]

    def append(self, rows: Sequence[torch.Tensor]) -> Ids:
        """Puts rows at the end; their numbers."""
        for place, new in zip(self.room(len(rows[0])), rows, strict=True):
            place.copy_(new)
        return np.arange(self.size - len(rows[0]), self.size)

    def rows(self, at: int, numbers: Ids) -> torch.Tensor:
        """Rows of one column, in the shape of `numbers`."""
        return rows_of(self.columns[at], numbers)

    def kept(self, numbers: Ids) -> Ids:
        """Keeps these rows alone; the new number of each old one (0 of those that are gone)."""
        unique = np.unique(numbers)
        renamed = np.zeros(self.size, np.int64)
        renamed[unique] = np.arange(len(unique))
        for column in self.columns:  # the room that they had is kept: as much will be needed again
            column[: len(unique)] = rows_of(column, unique)
        self.size = len(unique)
        return renamed


def rows_of(column: torch.Tensor, numbers: Ids) -> torch.Tensor:
    """Rows by their numbers, in the shape of `numbers`; indexing would do the same five times as slowly."""
    chosen: torch.Tensor = torch.index_select(column, 0, torch.from_numpy(numbers.reshape(-1)))
    return chosen.view(*numbers.shape, *column.shape[1:])


FIRST_OUTPUT = len(SPECIAL)
"""What GEN can say begins here: classes of unknown words, then words. The end of a sentence is an action."""
NEVER = -1e9
"""The logit of an action that is not possible: its probability is 0 in single precision."""
FREQUENT = 128
"""So many outputs are enough to tell that a word will not be said."""
PART = 64
"""Rows whose logits are computed at once: they stay in the cache of the processor until they are summed."""
ROUNDING = 1e-4
"""Sums of single precision in another order differ by less."""


class Saying(Output):
    """Logits of classes and words; tied to the vectors of the words that are read, or not."""

    def __init__(self, hidden: int, embedding: nn.Embedding, *, tied: bool) -> None:
        super().__init__(hidden, embedding, tied=tied, first=FIRST_OUTPUT)

    def log_probability(self, hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """ln p of one word for each row."""
        return -functional.cross_entropy(self(hidden), words - FIRST_OUTPUT, reduction="none")

    def log_probability_in_parts(self, hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """The same, to search with: takes half as long for many rows."""
        if len(hidden) <= PART:
            return self.log_probability(hidden, words)
        parts = zip(hidden.split(PART), words.split(PART), strict=True)
        return torch.cat([self.log_probability(rows, some) for rows, some in parts])

    def at_most(self, hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """A value that ln p of the word is never above, from the first words of the vocabulary alone.

        These are the most frequent ones, so little is missing from the sum over all.
        """
        numbers = words - FIRST_OUTPUT
        different, which = torch.unique(numbers, return_inverse=True)  # many hypotheses are asked for few words
        logits = functional.linear(hidden, self._weights[different], self.bias[different])
        wanted = logits.gather(1, which[:, None])[:, 0]
        some = _log_sum(functional.linear(hidden, self._weights[:FREQUENT], self.bias[:FREQUENT]))
        return wanted - torch.where(numbers < FREQUENT, some, torch.logaddexp(some, wanted)) + ROUNDING


def _log_sum(logits: torch.Tensor) -> torch.Tensor:
    """ln of the sum of e^x over each row: twice as fast as `logsumexp`, whose exponential function is a slow one."""
    if not logits.shape[1]:
        return logits.new_full((len(logits),), -math.inf)
    return logits[:, 0] - functional.log_softmax(logits, 1)[:, 0]
