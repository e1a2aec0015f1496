"""LSTM, Transformer (GPT-2) and the output layer they share, whose loss needs little memory. Needs torch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from .vocabulary import OUTPUTS_FROM

if TYPE_CHECKING:
    from .system import Architecture

ROWS = 256
"""Contexts whose distributions are in memory at a time; more do not stay in the cache."""


def tensor(values: NDArray[Any]) -> torch.Tensor:
    """Return an array as a tensor on the device on which new tensors are made."""
    return torch.from_numpy(values).to(torch.get_default_device())


def summed_loss(hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """The sum of -ln softmax(hidden weightᵀ + bias) at the targets, as `cross_entropy` has it.

    hidden: contexts x units; weight: words x units; bias: words; targets: contexts. Sums of exponentials need all
    digits, whatever the precision of the layers below.
    """
    hidden = hidden.to(weight.dtype)
    learning = torch.is_grad_enabled() and (hidden.requires_grad or weight.requires_grad)
    loss: torch.Tensor = _SummedLoss.apply(hidden, weight, bias, targets, learning)
    return loss


class _SummedLoss(torch.autograd.Function):  # type: ignore[misc]
    """The gradient of the sum by the logits is softmax - 1[target]: it is there as soon as the softmax is."""

    @staticmethod
    def forward(
        ctx: Any, hidden: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, targets: torch.Tensor, learning: bool
    ) -> torch.Tensor:
        room = hidden.new_empty(min(ROWS, len(hidden)), len(weight))
        total = hidden.new_zeros(())
        slopes = [torch.empty_like(hidden), torch.zeros_like(weight), torch.zeros_like(bias)] if learning else []
        for begin in range(0, len(hidden), ROWS):
            some, wanted = hidden[begin : begin + ROWS], targets[begin : begin + ROWS, None]
            logits = torch.addmm(bias, some, weight.t(), out=room[: len(some)])
            highest = logits.amax(1, keepdim=True)
            chosen = logits.gather(1, wanted) - highest
            weights = logits.sub_(highest).exp_()
            sums = weights.sum(1, keepdim=True)
            total += (sums.log() - chosen).sum()
            if learning:
                weights.div_(sums).scatter_add_(1, wanted, torch.full_like(sums, -1.0))
                torch.mm(weights, weight, out=slopes[0][begin : begin + ROWS])
                slopes[1].addmm_(weights.t(), some)
                slopes[2] += weights.sum(0)
        ctx.save_for_backward(*slopes)
        return total

    @staticmethod
    def backward(ctx: Any, outer: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return (*(outer * slope for slope in ctx.saved_tensors), None, None)


class Output(nn.Module):  # type: ignore[misc]
    """What cannot come next (padding, the begin of a sentence) has no score, so that the others sum to one.

    Column 0 of the logits is the number `first` of the vocabulary; the weights may be those of the embedding.
    """

    def __init__(self, hidden: int, embedding: nn.Embedding, *, tied: bool, first: int = OUTPUTS_FROM) -> None:
        super().__init__()
        self.first, outputs = first, embedding.num_embeddings - first
        self.bias = nn.Parameter(torch.zeros(outputs))
        self._tied = [embedding] if tied else []  # in a list: the weights belong to the embedding, and are saved once
        if not tied:
            self.weight = nn.Parameter(torch.empty(outputs, hidden).uniform_(-0.05, 0.05))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Logits: rows × outputs."""
        return functional.linear(hidden, self._weights, self.bias)

    def loss(self, hidden: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """The sum of -ln p of the targets, which are numbers of the vocabulary."""
        return summed_loss(hidden, self._weights, self.bias, targets - self.first)

    @property
    def _weights(self) -> torch.Tensor:
        return self._tied[0].weight[self.first :] if self._tied else self.weight


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


def initialise(module: nn.Module, layers: int, width: int) -> None:
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
            # Sines and cosines of falling frequency (Vaswani et al. 2017)
            angles = torch.arange(places)[:, None] / 10000 ** (torch.arange(0, shape.hidden, 2) / shape.hidden)
            waves = torch.stack([angles.sin(), angles.cos()], dim=2).reshape(places, shape.hidden)
            self.register_buffer("positions", waves, persistent=False)
        self.blocks = nn.ModuleList(Block(shape.hidden, shape.heads, shape.dropout) for _ in range(shape.layers))
        self.last = nn.LayerNorm(shape.hidden)
        self.dropout = nn.Dropout(shape.dropout)
        self.output = Output(shape.hidden, self.embedding, tied=shape.tied)
        initialise(self, shape.layers, shape.hidden)

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
