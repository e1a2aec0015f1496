"""What a network learns from, and what it is examined on: items with their loss, or a score."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .batches import Ids, bucketed

if TYPE_CHECKING:
    import torch
    from torch import nn


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences (or trees): how long each is, and the loss of those with these numbers.

    The loss is the sum of -ln p over all that is predicted, and how many predictions that are.
    """

    lengths: Sequence[int] | Ids
    loss: Callable[[Ids], tuple[torch.Tensor, int]]
    measure: str = "perplexity"
    """What is shown of an epoch: the perplexity, or the `loss` of a prediction where it is no probability."""

    def shown(self, nats: float, events: int) -> float:
        """The measure of so much loss."""
        return _perplexity(nats, events) if self.measure == "perplexity" else nats / max(1, events)


@dataclass(frozen=True, slots=True)
class Scored:
    """Held-out items of which a score is taken, the higher the better, instead of the perplexity."""

    name: str
    score: Callable[[], float]


def evaluated(module: nn.Module, items: Items, batch: int) -> float:
    """Perplexity on held-out items."""
    import torch

    module.eval()
    nats, events = 0.0, 0
    with torch.no_grad():
        for numbers in bucketed(items.lengths, batch):
            loss, count = items.loss(numbers)
            nats, events = nats + float(loss), events + count
    return _perplexity(nats, events)


def _perplexity(nats: float, events: int) -> float:
    return math.exp(min(nats / max(1, events), 700.0))
