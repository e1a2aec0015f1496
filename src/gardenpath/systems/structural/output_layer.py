"""The last layer of a structural model: which word GEN says. Imported only with torch."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional

from ..neural.output_loss import summed_loss
from ..neural.vocabulary import SPECIAL

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


class Saying(nn.Module):  # type: ignore[misc]
    """Logits of classes and words; tied to the vectors of the words that are read, or not."""

    def __init__(self, hidden: int, embedding: nn.Embedding, *, tied: bool) -> None:
        super().__init__()
        outputs = embedding.num_embeddings - FIRST_OUTPUT
        self.bias = nn.Parameter(torch.zeros(outputs))
        self._tied = [embedding] if tied else []  # in a list: the weights belong to the embedding, and are saved once
        if not tied:
            self.weight = nn.Parameter(torch.empty(outputs, hidden).uniform_(-0.05, 0.05))

    @property
    def _weights(self) -> torch.Tensor:
        return self._tied[0].weight[FIRST_OUTPUT:] if self._tied else self.weight

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Column 0 is the word with the number `FIRST_OUTPUT`."""
        return functional.linear(hidden, self._weights, self.bias)

    def log_probability(self, hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """ln p of one word for each row."""
        return -functional.cross_entropy(self(hidden), words - FIRST_OUTPUT, reduction="none")

    def log_probability_in_parts(self, hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """The same, to search with: takes half as long for many rows."""
        if len(hidden) <= PART:
            return self.log_probability(hidden, words)
        parts = zip(hidden.split(PART), words.split(PART), strict=True)
        return torch.cat([self.log_probability(rows, some) for rows, some in parts])

    def loss(self, hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """The sum of -ln p of these words, to learn from."""
        return summed_loss(hidden, self._weights, self.bias, words - FIRST_OUTPUT)

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
