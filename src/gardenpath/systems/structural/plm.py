"""Parsing as language modelling (Qian et al. 2021): a Transformer over words and the brackets of their tree.

The symbols are the openings of phrases, the words, and one closing bracket. As in the RNNG, a symbol is predicted in
two parts, the action and, if that is GEN, the word: one softmax over all symbols would have to be computed over the
whole vocabulary at every bracket as well.

The closing bracket says nothing of the phrase that it closes, and nothing says which one is open then: a network has to
find out by counting brackets, which takes it more trees than a treebank has. Guided, it is told both beside each
symbol. This adds no information, since all of it follows from the symbols before. Imported only with torch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ..neural.transformer import Block, begin
from .actions import FIRST_NT, GEN_ID, REDUCE_ID, Ids, Inventory
from .memory import rows_of
from .output_layer import NEVER, Saying
from .phrases import MOST_CHILDREN, Guides
from .schedule import Derivation
from .settings import Shape
from .symbols import Attention, Symbols, nothing_read, parts


class PLM(nn.Module):  # type: ignore[misc]
    """p(action | symbols before) over the possible actions, and p(word | symbols before, GEN)."""

    def __init__(self, inventory: Inventory, vocabulary: int, shape: Shape) -> None:
        super().__init__()
        self.inventory, self.shape = inventory, shape
        size = shape.hidden
        self.words = nn.Embedding(vocabulary, size)
        self.brackets = nn.Embedding(len(inventory), size)  # the number of GEN stands for the begin
        if shape.guided:
            self.closed, self.inside = nn.Embedding(len(inventory), size), nn.Embedding(len(inventory), size)
            self.counted = nn.Embedding(MOST_CHILDREN + 1, size)
        self.positions = nn.Parameter(torch.empty(shape.positions, size))
        self.blocks = nn.ModuleList(Block(size, shape.heads, shape.dropout) for _ in range(shape.layers))
        self.last = nn.LayerNorm(size)
        self.dropout = nn.Dropout(shape.dropout)
        self.act = nn.Linear(size, len(inventory))
        self.say = Saying(size, self.words, tied=shape.tied)
        begin(self, shape.layers, size)

    def loss(self, items: Sequence[Derivation]) -> torch.Tensor:
        """The sum of -ln p over all actions and words of these derivations."""
        acts, speaking, words = self._predicted(items)
        return self.say.loss(speaking, words) - acts.sum()

    def log_probabilities(self, items: Sequence[Derivation]) -> tuple[torch.Tensor, torch.Tensor]:
        """ln p of each action, and of each word given GEN."""
        acts, speaking, words = self._predicted(items)
        return acts, self.say.log_probability(speaking, words)

    def _predicted(self, items: Sequence[Derivation]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """ln p of each action, what each word is chosen by, and the words."""
        width = max(len(item) for item in items)
        actions, words = np.full((len(items), width), GEN_ID), np.zeros((len(items), width), np.int64)
        there = np.zeros((len(items), width), np.bool_)
        guides = Guides(*np.zeros((3, len(items), width), np.int64))
        for row, item in enumerate(items):  # what is read is one behind what is predicted
            actions[row, 1 : len(item)], words[row, 1 : len(item)] = item.actions[:-1], item.words[:-1]
            there[row, : len(item)] = True
            closes = item.actions[:-1] == REDUCE_ID
            guides.closed[row, 1 : len(item)] = np.where(closes, item.labels[:-1] + FIRST_NT, 0)
            guides.inside[row, 1 : len(item)] = np.where(item.inside[:-1] < 0, 0, item.inside[:-1] + FIRST_NT)
            guides.children[row, 1 : len(item)] = np.minimum(item.read[:-1], MOST_CHILDREN)
        states = self._read(torch.from_numpy(actions), torch.from_numpy(words), guides) + self.positions[:width]
        states = self.dropout(states)
        for block in self.blocks:
            states = block(states)
        hidden = self.last(states)[torch.from_numpy(there)]
        done = torch.from_numpy(np.concatenate([item.actions for item in items]))
        all_words = torch.from_numpy(np.concatenate([item.words for item in items]))
        possible = torch.from_numpy(np.concatenate([item.possible for item in items]))
        chosen = self._act(hidden, possible).gather(1, done[:, None])[:, 0]
        spoken = torch.nonzero(done == GEN_ID)[:, 0]
        return chosen, hidden[spoken], all_words[spoken]

    def _read(self, actions: torch.Tensor, words: torch.Tensor, guides: Guides) -> torch.Tensor:
        """Vectors of symbols: of the word where there is one, else of the bracket; guided, with their phrases."""
        symbols = torch.where((words > 0)[..., None], self.words(words), self.brackets(actions))
        if self.shape.guided:
            symbols = symbols + self.closed(torch.from_numpy(guides.closed))
            symbols = symbols + self.inside(torch.from_numpy(guides.inside))
            symbols = symbols + self.counted(torch.from_numpy(guides.children))
        return symbols

    def _act(self, hidden: torch.Tensor, possible: torch.Tensor) -> torch.Tensor:
        return functional.log_softmax(self.act(hidden).masked_fill(~possible, NEVER), 1)

    # ---- hypotheses, for the beam

    def start(self) -> Symbols:
        """One hypothesis with nothing in it."""
        nothing, zero = nothing_read(self.shape, self.inventory.max_open), np.zeros(1, np.int64)
        return self._appended(nothing, zero + GEN_ID, zero, Guides(zero, zero, zero))

    def predict(self, now: Symbols) -> tuple[torch.Tensor, torch.Tensor]:
        """ln p of each action, and what GEN would choose its word by."""
        possible = self.inventory.possible(now.open, now.run)
        full = now.lengths >= self.shape.positions  # such a hypothesis goes no further
        possible[full] = False
        acts = self._act(now.hidden, torch.from_numpy(possible))
        return acts.masked_fill(torch.from_numpy(full)[:, None], -math.inf), now.hidden

    def extend(self, now: Symbols, rows: Ids, actions: Ids, words: Ids) -> Symbols:
        """The hypotheses of these rows, sorted by event, after one action each; `words` are said by GEN."""
        event, absent = now.written(rows)
        opened, before = actions >= FIRST_NT, now.open[rows]
        phrases, guides = now.phrases.at(rows).after(actions, before)
        new = replace(
            now, event=event, absent=absent, lengths=now.lengths[rows], phrases=phrases,
            open=before + opened - (actions == REDUCE_ID), run=np.where(opened, now.run[rows] + 1, 0),
        )  # fmt: skip
        return self._appended(new, actions, np.where(actions == GEN_ID, words, 0), guides)

    def _appended(self, new: Symbols, actions: Ids, words: Ids, guides: Guides) -> Symbols:
        """Reads one symbol more; its keys and values and the states after it are those of these hypotheses."""
        symbols = self._read(torch.from_numpy(actions), torch.from_numpy(words), guides)
        symbols += rows_of(self.positions, new.lengths)
        last = torch.empty(self.shape.layers, len(new), 2 * self.shape.hidden)
        for part in parts(new.event):
            states, attention = symbols[part], Attention(new.texts, new.event[part], new.absent[part])
            for layer, block in enumerate(self.blocks):
                asked = block.attention(block.before_attention(states))
                last[layer, part] = asked[:, self.shape.hidden :]
                states += block.mixed(attention(layer, asked, self.shape.heads))
                states += block.narrow(gelu(block.wide(block.before_wide(states))))
        return replace(new, last=last, hidden=self.last(symbols), lengths=new.lengths + 1)


def gelu(values: torch.Tensor) -> torch.Tensor:
    """GELU by tanh, as x s(1.6 x + 0.07 x³): torch's own takes twice as long, since it computes tanh itself."""
    slope = 2 * math.sqrt(2 / math.pi)
    inner = (values * values).mul_(slope * 0.044715).add_(slope).mul_(values)
    return inner.sigmoid_().mul_(values)
