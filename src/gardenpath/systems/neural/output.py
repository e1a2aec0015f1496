"""The last layer of a network: scores of the end of a sentence, of the classes and of the words. Needs torch."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from .output_loss import summed_loss
from .vocabulary import OUTPUTS_FROM


class Output(nn.Module):  # type: ignore[misc]
    """What cannot come next (padding, the begin of a sentence) has no score, so that the others sum to one."""

    def __init__(self, hidden: int, embedding: nn.Embedding, *, tied: bool) -> None:
        super().__init__()
        outputs = embedding.num_embeddings - OUTPUTS_FROM
        self.bias = nn.Parameter(torch.zeros(outputs))
        self._tied = [embedding] if tied else []  # in a list: the weights belong to the embedding, and are saved once
        if not tied:
            self.weight = nn.Parameter(torch.empty(outputs, hidden).uniform_(-0.05, 0.05))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Logits; column 0 is the end of a sentence, which has the number `OUTPUTS_FROM` in a vocabulary."""
        return functional.linear(hidden, self._weights, self.bias)

    def loss(self, hidden: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """The sum of -ln p of the targets, which are columns of the logits."""
        return summed_loss(hidden, self._weights, self.bias, targets)

    @property
    def _weights(self) -> torch.Tensor:
        return self._tied[0].weight[OUTPUTS_FROM:] if self._tied else self.weight
