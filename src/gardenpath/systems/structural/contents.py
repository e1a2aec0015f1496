"""What lies on the stacks of an RNNG's hypotheses: categories, words and phrases, each once. Imported only with torch.

Hypotheses of a search build the same phrases again and again. A phrase is its category and the numbers of its
children here: whoever closes it a second time finds it, and so is a word that many say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from .actions import Ids
from .memory import Memory, rows_of

if TYPE_CHECKING:
    from .rnng import RNNG

_VECTORS, _GATES = 0, 1


class Contents:
    """Vectors by number: first the categories, then words and phrases as they come.

    Beside each vector x lies its part of the gates of the stack's first layer, W_ih x + b.
    """

    def __init__(self, grammar: RNNG) -> None:
        self._grammar = grammar
        self._phrases: dict[tuple[int, ...], int] = {}
        self._words: dict[int, int] = {}
        self._known = Memory(self._columns(grammar.categories.weight.detach()))

    def gates(self, numbers: Ids) -> torch.Tensor:
        """Of the stack's first layer: numbers x 4 hidden."""
        return self._known.rows(_GATES, numbers)

    def words(self, words: Ids) -> Ids:
        """Their numbers; new ones are read."""
        new = [word for word in np.unique(words).tolist() if word not in self._words]
        if new:
            made = self._known.append(self._columns(rows_of(self._grammar.words.weight, np.array(new))))
            self._words.update(zip(new, made.tolist(), strict=True))
        return np.array([self._words[word] for word in words.tolist()], np.int64)

    def phrases(self, phrases: Sequence[tuple[int, ...]]) -> Ids:
        """The numbers of phrases (the category, then the children); new ones are composed."""
        new = list(dict.fromkeys(phrase for phrase in phrases if phrase not in self._phrases))
        if new:
            made = self._known.append(self._columns(self._composed(new)))
            self._phrases.update(zip(new, made.tolist(), strict=True))
        return np.array([self._phrases[phrase] for phrase in phrases], np.int64)

    def _columns(self, vectors: torch.Tensor) -> list[torch.Tensor]:
        first = self._grammar.stack[0]
        return [vectors, functional.linear(vectors, first.weight_ih, first.bias_ih + first.bias_hh)]

    def _composed(self, phrases: list[tuple[int, ...]]) -> torch.Tensor:
        """As `RNNG._compose`: category and children, read from the left and from the right, longest phrases first.

        inputs: reader x different content x 4 hidden; orders: reader x phrase x place. Both readers step at once.
        """
        lengths = np.array([len(phrase) for phrase in phrases])
        order = np.argsort(-lengths, kind="stable")
        lengths = lengths[order]
        orders = np.zeros((2, len(phrases), int(lengths[0])), np.int64)
        for row, number in enumerate(order.tolist()):
            category, *children = phrases[number]
            orders[0, row, : lengths[row]] = (category, *children)
            orders[1, row, : lengths[row]] = (category, *children[::-1])
        different, places = np.unique(orders, return_inverse=True)
        places = places.reshape(orders.shape)
        vectors = self._known.rows(_VECTORS, different)
        readers = (self._grammar.from_left, self._grammar.from_right)
        inputs = torch.stack([_linear(vectors, reader) for reader in readers])
        again = torch.stack([reader.weight_hh_l0.t() for reader in readers])
        hidden = torch.zeros(2, len(phrases), vectors.shape[1])
        state = torch.zeros_like(hidden)
        for place in range(orders.shape[2]):
            here = int(np.searchsorted(-lengths, -place, side="left"))  # phrases that have something at this place
            gates = torch.stack([rows_of(inputs[at], places[at, :here, place]) for at in range(2)])
            if place:
                gates.baddbmm_(hidden[:, :here], again)
            hidden[:, :here], state[:, :here] = lstm_cell(gates, state[:, :here])
        made = squashed(self._grammar.composed(torch.cat([hidden[0], hidden[1]], 1)))
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return rows_of(made, back)


def _linear(vectors: torch.Tensor, reader: nn.LSTM) -> torch.Tensor:
    return functional.linear(vectors, reader.weight_ih_l0, reader.bias_ih_l0 + reader.bias_hh_l0)


def lstm_cell(gates: torch.Tensor, state: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Hidden and cell state from gates (… x 4 hidden: input, forget, cell, output; overwritten) and the last state."""
    enter, keep, fresh, leave = gates.chunk(4, -1)
    new = (keep.sigmoid_() * state).addcmul_(enter.sigmoid_(), squashed(fresh))
    return squashed(new.clone()).mul_(leave.sigmoid_()), new


def squashed(values: torch.Tensor) -> torch.Tensor:
    """tanh in place, by the logistic function, which is computed three times as fast: 2 / (1 + e^-2x) - 1."""
    return values.mul_(2).sigmoid_().mul_(2).sub_(1)
