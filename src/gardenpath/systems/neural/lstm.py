"""The LSTM: embedding, layers, and an output over everything that can come next. Imported only with torch."""

from __future__ import annotations

import torch
from torch import nn

from .output import Output
from .settings import Architecture

EMBEDDING = 0.3
"""The spread of the first vectors of words. Smaller ones hardly move an LSTM at first, and grow slowly: with 0.06 the
first epochs learn little more than how frequent words are; with 1 the first output of tied weights is far off."""


class LSTMNetwork(nn.Module):  # type: ignore[misc]
    """Words before, as numbers, to what is expected after each of them."""

    def __init__(self, shape: Architecture, vocabulary: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, shape.embedding)
        nn.init.normal_(self.embedding.weight, std=EMBEDDING)
        self.layers = nn.LSTM(
            shape.embedding, shape.hidden, shape.layers, batch_first=True,
            dropout=shape.dropout if shape.layers > 1 else 0.0,
        )  # fmt: skip
        self.dropout = nn.Dropout(shape.dropout)
        self.output = Output(shape.hidden, self.embedding, tied=shape.tied)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The hidden state after each word: sentences × words × units."""
        states, _ = self.layers(self.dropout(self.embedding(ids)))
        hidden: torch.Tensor = self.dropout(states)
        return hidden
