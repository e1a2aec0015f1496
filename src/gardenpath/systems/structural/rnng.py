"""Recurrent neural network grammars (Dyer et al. 2016), generative, with the stack alone (Kuncoro et al. 2017) or all.

The stack is an LSTM over words, open categories and composed phrases; a phrase is composed by two LSTMs that read
its category and then its children, one from the left and one from the right. Imported only with torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ..neural.lstm import EMBEDDING
from .actions import FIRST_NT, GEN_ID, REDUCE_ID, Ids, Inventory
from .contents import Contents, squashed, stepped
from .memory import Memory, rows_of
from .output_layer import NEVER, Saying
from .schedule import Batch, Derivation, batched
from .settings import Shape
from .stacks import Elements, Hypotheses


class RNNG(nn.Module):  # type: ignore[misc]
    """p(action | stack) over the possible actions, and p(word | stack, GEN) over the vocabulary."""

    def __init__(self, inventory: Inventory, vocabulary: int, shape: Shape) -> None:
        super().__init__()
        self.inventory, self.shape = inventory, shape
        size, layers = shape.hidden, shape.layers
        self.words = nn.Embedding(vocabulary, size)
        self.categories = nn.Embedding(len(inventory.labels), size)
        self.bottom = nn.Parameter(torch.zeros(1, size))
        self.stack = nn.ModuleList(nn.LSTMCell(size, size) for _ in range(layers))
        self.from_left, self.from_right = (nn.LSTM(size, size, batch_first=True) for _ in range(2))
        self.composed = nn.Linear(2 * size, size)
        self.dropout = nn.Dropout(shape.dropout)
        if shape.history:
            self.said = nn.LSTM(size, size, layers, batch_first=True)
            self.done = nn.LSTM(size, size, batch_first=True)
            self.deeds = nn.Embedding(len(inventory) + 1, size)
            self.summary = nn.Linear(3 * size, size)
        else:
            self.summary = nn.Linear(size, size)
        self.act = nn.Linear(size, len(inventory))
        self.say = Saying(size, self.words, tied=shape.tied)
        nn.init.normal_(self.words.weight, std=EMBEDDING)  # categories have no output: they keep the spread 1

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
        batch = batched(items)
        contents = self._contents(batch)
        tops = self._stack_states(batch, contents)
        features = tops[torch.from_numpy(batch.states)]
        if self.shape.history:
            features = torch.cat([features, self._histories(batch)], 1)
        features = self.dropout(torch.tanh(self.summary(features)))
        acts = self._act(features, torch.from_numpy(batch.possible))
        chosen = acts.gather(1, torch.from_numpy(batch.actions)[:, None])[:, 0]
        speaking = features[torch.from_numpy(batch.generated)]
        return chosen, speaking, torch.from_numpy(batch.targets)

    def _act(self, features: torch.Tensor, possible: torch.Tensor) -> torch.Tensor:
        return functional.log_softmax(self.act(features).masked_fill(~possible, NEVER), 1)

    def _contents(self, batch: Batch) -> torch.Tensor:
        """Vectors of words, categories and composed phrases."""
        words, labels = torch.from_numpy(batch.words), torch.from_numpy(batch.labels)
        contents = self.dropout(torch.cat([self.words(words), self.categories(labels)]))
        for level in batch.compositions:
            children = contents[torch.from_numpy(level.children)]
            made = self._compose(torch.from_numpy(level.labels), children, torch.from_numpy(level.lengths))
            contents = torch.cat([contents, made])
        return contents

    def _compose(self, labels: torch.Tensor, children: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Phrases from their categories and children, of which there are `lengths`."""
        places = torch.arange(children.shape[1])[None]
        turned = (lengths[:, None] - 1 - places).clamp(min=0)
        reverse = children.gather(1, turned[..., None].expand_as(children))
        category = self.categories(labels)[:, None]
        ends = []
        for reader, read in ((self.from_left, children), (self.from_right, reverse)):
            packed = nn.utils.rnn.pack_padded_sequence(
                torch.cat([category, read], 1), lengths + 1, batch_first=True, enforce_sorted=False
            )
            ends.append(reader(packed)[1][0][0])
        return self.dropout(torch.tanh(self.composed(torch.cat(ends, 1))))

    def _push(
        self, contents: torch.Tensor, below: Sequence[tuple[torch.Tensor, torch.Tensor]]
    ) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """States of the layers after elements are put on others."""
        made = []
        for number, (cell, state) in enumerate(zip(self.stack, below, strict=True)):
            made.append(cell(self.dropout(contents) if number else contents, state))
            contents = made[-1][0]
        return made

    def _empty(self) -> list[tuple[torch.Tensor, torch.Tensor]]:
        zero = torch.zeros(1, self.shape.hidden)
        return self._push(self.bottom, [(zero, zero)] * self.shape.layers)

    def _stack_states(self, batch: Batch, contents: torch.Tensor) -> torch.Tensor:
        """The top layer's state of the empty stack and of all elements, level by level."""
        states = self._empty()
        tops = [states[-1][0]]
        for level in batch.levels:
            below = torch.from_numpy(level.below)
            under = [(hidden[below], cell[below]) for hidden, cell in states]
            states = self._push(contents[torch.from_numpy(level.contents)], under)
            tops.append(states[-1][0])
        return torch.cat(tops)

    def _histories(self, batch: Batch) -> torch.Tensor:
        """What was said and what was done before each prediction."""
        starts = np.concatenate([[0], np.cumsum(batch.lengths)])
        begin = len(self.inventory)
        deeds = np.full((len(batch.lengths), max(batch.lengths)), begin, np.int64)
        spoken = np.zeros((len(batch.lengths), max(batch.lengths)), np.int64)
        words = np.zeros((len(batch.lengths), max(batch.lengths) + 1), np.int64)  # word 0 stands for the begin
        texts = np.split(batch.targets, np.searchsorted(batch.generated, starts[1:-1]))
        for row, (start, length, text) in enumerate(zip(starts, batch.lengths, texts, strict=False)):
            actions = batch.actions[start : start + length]
            deeds[row, 1:length] = actions[:-1]
            spoken[row, 1:length] = np.cumsum(actions == GEN_ID)[:-1]
            words[row, 1 : len(text) + 1] = text
        done = self.done(self.dropout(self.deeds(torch.from_numpy(deeds))))[0]
        word_states = self.said(self.dropout(self.words(torch.from_numpy(words))))[0]
        word_states = word_states.gather(1, torch.from_numpy(spoken)[..., None].expand_as(done))
        there = torch.from_numpy(np.arange(max(batch.lengths))[None] < np.array(batch.lengths)[:, None])
        return torch.cat([word_states, done], 2)[there]

    # ---- hypotheses, for the beam

    def start(self) -> Hypotheses:
        """One hypothesis with nothing in it."""
        bottom = [part.detach() for state in self._empty() for part in state]
        histories: tuple[torch.Tensor, ...] = ()
        if self.shape.history:
            begin = torch.tensor([[len(self.inventory)]])
            word_states = self.said(self.words(torch.zeros(1, 1, dtype=torch.long)))[1]
            done = self.done(self.deeds(begin))[1]
            histories = tuple(part.transpose(0, 1) for part in (*word_states, *done))
        zero = np.zeros(1, np.int64)
        return Hypotheses(Elements(bottom), Contents(self), zero, zero, zero, histories)

    def predict(self, now: Hypotheses) -> tuple[torch.Tensor, torch.Tensor]:
        """ln p of each action, and what GEN would choose its word by."""
        features = now.elements.states.rows(2 * self.shape.layers - 2, now.top)
        if self.shape.history:
            features = torch.cat([features, now.histories[0][:, -1], now.histories[2][:, -1]], 1)
        features = squashed(self.summary(features))
        return self._act(features, torch.from_numpy(self.inventory.possible(now.open, now.run))), features

    def extend(self, now: Hypotheses, rows: Ids, actions: Ids, words: Ids) -> Hypotheses:
        """The hypotheses of these rows after one action each; `words` are said by GEN."""
        new = now.at(rows)
        numbers, below = actions - FIRST_NT, new.top.copy()  # of an opening: the number of its category
        spoken, closed = actions == GEN_ID, np.flatnonzero(actions == REDUCE_ID)
        if spoken.any():
            numbers[spoken] = new.contents.words(words[spoken])
        if len(closed):
            phrases, below[closed] = new.elements.phrases(new.top[closed])
            numbers[closed] = new.contents.phrases(phrases)
        top, room = new.elements.add(numbers, below, actions >= FIRST_NT)
        self._put(new.contents, numbers, new.elements.states, below, room)
        return replace(new.put(top, actions), histories=self._remembered(new, actions, words))

    def _put(self, contents: Contents, numbers: Ids, states: Memory, below: Ids, room: list[torch.Tensor]) -> None:
        """Fills in the states of new elements, hidden and cell of each layer, after contents are put on those below.

        As `_push`, but the products of different contents, and of different elements below, are computed once:
        gates = W_ih x + W_hh h + b, rows x 4 hidden.
        """
        under, back = np.unique(below, return_inverse=True)
        for layer, cell in enumerate(contents.stack):
            recalled = rows_of(cell.remembered(states.rows(2 * layer, under)), back)
            gates = cell.add_read(recalled, room[2 * layer - 2]) if layer else recalled.add_(contents.gates(numbers))
            stepped(gates, states.rows(2 * layer + 1, below), room[2 * layer], room[2 * layer + 1])

    def _remembered(self, new: Hypotheses, actions: Ids, words: Ids) -> tuple[torch.Tensor, ...]:
        if not self.shape.history:
            return ()
        parts = [part.transpose(0, 1).contiguous() for part in new.histories]
        done = self.done(self.deeds(torch.from_numpy(actions))[:, None], (parts[2], parts[3]))[1]
        word_states = [parts[0], parts[1]]
        spoken = torch.from_numpy(actions == GEN_ID)
        if spoken.any():
            heard = self.words(torch.from_numpy(words)[spoken])[:, None]
            after = self.said(heard, (parts[0][:, spoken].contiguous(), parts[1][:, spoken].contiguous()))[1]
            for part, fresh in zip(word_states, after, strict=True):
                part[:, spoken] = fresh
        return tuple(part.transpose(0, 1) for part in (*word_states, *done))
