"""The Transformer of GPT-2: each word looks back at all words before it, layer norms come first. Needs torch."""

from __future__ import annotations

import math

import torch
from torch import nn
from torch.nn import functional

from .output import Output
from .settings import Architecture


class Block(nn.Module):  # type: ignore[misc]
    """Attention to the words before, then a layer of four times the width; each is added to what came in."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.rate = heads, dropout
        self.before_attention, self.before_wide = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention, self.mixed = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        sentences, words, width = states.shape
        parts = self.attention(self.before_attention(states)).view(sentences, words, 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(
            query, key, value, is_causal=True, dropout_p=self.rate if self.training else 0.0
        )
        states = states + self.dropout(self.mixed(seen.transpose(1, 2).reshape(sentences, words, width)))
        wide = functional.gelu(self.wide(self.before_wide(states)), approximate="tanh")
        return states + self.dropout(self.narrow(wide))


def begin(module: nn.Module, layers: int, width: int) -> None:
    """The first weights of GPT-2, smaller the more layers add up; but vectors of words and positions are as large as
    makes the first logits of tied weights about 1: those of GPT-2, for much more text, grow slowly."""
    for name, weight in module.named_parameters():
        if name.endswith(("mixed.weight", "narrow.weight")):
            nn.init.normal_(weight, std=0.02 / math.sqrt(2 * layers))
        elif name == "positions":
            nn.init.normal_(weight, std=0.5 / math.sqrt(width))
        elif name.startswith(("blocks", "act")) and name.endswith(".bias"):
            nn.init.zeros_(weight)
        elif weight.dim() == 2:
            own = name.startswith(("blocks", "act", "say", "output"))
            nn.init.normal_(weight, std=0.02 if own else 1 / math.sqrt(width))


class TransformerNetwork(nn.Module):  # type: ignore[misc]
    """Words before, as numbers, to what is expected after each of them."""

    def __init__(self, shape: Architecture, vocabulary: int) -> None:
        super().__init__()
        places = shape.longest + 1  # the begin of the sentence has one
        self.embedding = nn.Embedding(vocabulary, shape.hidden)
        self.learned = shape.positions == "learned"
        if self.learned:
            self.positions = nn.Parameter(torch.empty(places, shape.hidden))
        else:
            self.register_buffer("positions", _waves(places, shape.hidden), persistent=False)
        self.blocks = nn.ModuleList(Block(shape.hidden, shape.heads, shape.dropout) for _ in range(shape.layers))
        self.last = nn.LayerNorm(shape.hidden)
        self.dropout = nn.Dropout(shape.dropout)
        self.output = Output(shape.hidden, self.embedding, tied=shape.tied)
        begin(self, shape.layers, shape.hidden)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """The hidden state after each word: sentences × words × units."""
        states = self.embedding(ids)
        if not self.learned:
            states = states * math.sqrt(states.shape[-1])  # waves have the height 1
        states = self.dropout(states + self.positions[: ids.shape[1]])
        for block in self.blocks:
            states = block(states)
        hidden: torch.Tensor = self.last(states)
        return hidden


def _waves(places: int, width: int) -> torch.Tensor:
    """Sines and cosines of falling frequency (Vaswani et al. 2017)."""
    angles = torch.arange(places)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], dim=2).reshape(places, width)
