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

_VECTORS, _GATES, _READ = range(3)


class Contents:
    """Vectors by number: first the categories, then words and phrases as they come.

    Beside each vector x lies its part of the gates, W_ih x + b (see `Cell`), of the stack's first layer, and of the
    readers that compose phrases, one after the other.
    """

    def __init__(self, grammar: RNNG) -> None:
        self._grammar = grammar
        self._phrases: dict[tuple[int, ...], int] = {}
        self._words: dict[int, int] = {}
        self.stack = [Cell.of(layer) for layer in grammar.stack]
        self._readers = [Cell.of_reader(reader) for reader in (grammar.from_left, grammar.from_right)]
        self._again = torch.stack([reader.weight_hh.t() for reader in self._readers])
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
        return [vectors, self.stack[0].read(vectors), torch.cat([reader.read(vectors) for reader in self._readers], 1)]

    def _composed(self, phrases: list[tuple[int, ...]]) -> torch.Tensor:
        """As `RNNG._compose`: category and children, read from the left and from the right, longest phrases first.

        Both readers step at once. inputs: (content, reader) x 4 hidden; orders: reader x phrase x place.
        """
        lengths = np.array([len(phrase) for phrase in phrases])
        order = np.argsort(-lengths, kind="stable")
        lengths = lengths[order]
        orders = np.zeros((2, len(phrases), int(lengths[0])), np.int64)
        for row, number in enumerate(order.tolist()):
            category, *children = phrases[number]
            orders[0, row, : lengths[row]] = (category, *children)
            orders[1, row, : lengths[row]] = (category, *children[::-1])
        size = self._again.shape[1]
        inputs = self._known.columns[_READ].view(-1, 4 * size)
        places = 2 * orders + np.arange(2)[:, None, None]
        here = (lengths[:, None] > np.arange(orders.shape[2])).sum(0).tolist()  # phrases with something at a place
        hidden, state = torch.zeros(2, 2, len(phrases), size)
        for place, count in enumerate(here):
            gates = rows_of(inputs, places[:, :count, place])
            if place:
                gates.baddbmm_(hidden[:, :count], self._again)
            stepped(gates, state[:, :count], hidden[:, :count], state[:, :count])
        made = squashed(self._grammar.composed(torch.cat([hidden[0], hidden[1]], 1)))
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return rows_of(made, back)


class Cell:
    """An LSTM cell that is only read with: its weights, so laid out that one logistic function makes all gates.

    tanh x is 2 / (1 + e^-2x) - 1, and the logistic function is computed three times as fast: the rows of the
    weights that make the candidate g (third of the four gates) are doubled beforehand, so that s(2x) gives g below.
    """

    def __init__(self, weight_ih: torch.Tensor, weight_hh: torch.Tensor, bias: torch.Tensor) -> None:
        size = weight_hh.shape[1]
        doubled = torch.ones(4 * size, 1)
        doubled[2 * size : 3 * size] = 2
        self.weight_ih, self.weight_hh = weight_ih.detach() * doubled, weight_hh.detach() * doubled
        self.bias = bias.detach() * doubled[:, 0]

    @classmethod
    def of(cls, cell: nn.LSTMCell) -> Cell:
        """Of one layer of a stack."""
        return cls(cell.weight_ih, cell.weight_hh, cell.bias_ih + cell.bias_hh)

    @classmethod
    def of_reader(cls, reader: nn.LSTM) -> Cell:
        """Of an LSTM with one layer."""
        return cls(reader.weight_ih_l0, reader.weight_hh_l0, reader.bias_ih_l0 + reader.bias_hh_l0)

    def read(self, inputs: torch.Tensor) -> torch.Tensor:
        """The part of the gates that comes from inputs, with the bias: rows x 4 hidden."""
        return functional.linear(inputs, self.weight_ih, self.bias)

    def add_read(self, gates: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
        """Adds the part that comes from inputs, with the bias, to gates."""
        return gates.add_(self.bias).addmm_(inputs, self.weight_ih.t())

    def remembered(self, hidden: torch.Tensor) -> torch.Tensor:
        """The part of the gates that comes from the last hidden state."""
        return functional.linear(hidden, self.weight_hh)


def stepped(
    gates: torch.Tensor, state: torch.Tensor, hidden: torch.Tensor | None = None, new: torch.Tensor | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Hidden and cell state from the gates of a `Cell` (… x 4 hidden; overwritten) and the last cell state c.

    c' = f c + i (2g - 1) and h = o (2 s(2c') - 1), where i, f, g, o are the logistic functions s of the gates. They
    are written to `hidden` and `new`, where these are given.
    """
    enter, keep, fresh, leave = gates.sigmoid_().chunk(4, -1)
    new = torch.mul(keep, state, out=new).addcmul_(enter, fresh, value=2).sub_(enter)
    return torch.mul(new, 2, out=hidden).sigmoid_().mul_(2).sub_(1).mul_(leave), new


def squashed(values: torch.Tensor) -> torch.Tensor:
    """tanh in place, by the logistic function."""
    return values.mul_(2).sigmoid_().mul_(2).sub_(1)
