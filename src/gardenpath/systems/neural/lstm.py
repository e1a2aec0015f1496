"""The LSTM: embedding, layers, and an output over everything that can come next. Imported only with torch."""

from __future__ import annotations

import torch
from torch import nn

from .output import Output
from .settings import Architecture


class LSTMNetwork(nn.Module):  # type: ignore[misc]
    """Words before, as numbers, to what is expected after each of them."""

    def __init__(self, shape: Architecture, vocabulary: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, shape.embedding)
        nn.init.uniform_(self.embedding.weight, -0.1, 0.1)
        self.layers = nn.LSTM(
            shape.embedding, shape.hidden, shape.layers, batch_first=True,
            dropout=shape.dropout if shape.layers > 1 else 0.0,
        )  # fmt: skip
        self.dropout = nn.Dropout(shape.dropout)
        self.output = Output(shape.hidden, self.embedding, tied=shape.tied)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The hidden state after each word: sentences × words × units."""
        found, _ = self.layers(self.dropout(self.embedding(ids)))
        hidden: torch.Tensor = self.dropout(found)
        return hidden
