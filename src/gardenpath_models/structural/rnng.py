"""Recurrent neural network grammars (Dyer et al. 2016), generative, with the stack alone (Kuncoro et al. 2017) or all.

The stack is an LSTM over words, open categories and composed phrases; a phrase is composed by two LSTMs that read
its category and then its children, one from the left and one from the right. Imported only with torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ..neural.networks import EMBEDDING, tensor
from .actions import FIRST_NT, GEN_ID, REDUCE_ID, Batch, Derivation, Ids, Inventory, Mask, batched
from .beam import Generative, Memory, Saying, rows_of

if TYPE_CHECKING:
    from .system import Shape

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


_CONTENT, _BELOW, _PHRASE = range(3)


class Elements:
    """An append-only store of elements; number 0 is the bottom of all stacks.

    Of each: the number of its content, the element below it, and the element that opened the phrase in which
    whatever is put on it will be (0: none). Its `states` are hidden and cell state of each layer.
    """

    def __init__(self, bottom: Sequence[torch.Tensor]) -> None:
        self.states = Memory(bottom)
        self._links = np.zeros((3, 1), np.int64)  # no phrase reaches down to the bottom, so its content may be any

    def add(self, contents: Ids, below: Ids, opening: Mask) -> tuple[Ids, list[torch.Tensor]]:
        """Puts contents on elements; the numbers of the new ones, and the room for their states, to be filled."""
        room = self.states.room(len(contents))
        numbers = np.arange(self.states.size - len(contents), self.states.size)
        if self.states.size > self._links.shape[1]:
            grown = np.zeros((3, 2 * self.states.size), np.int64)
            grown[:, : self._links.shape[1]] = self._links
            self._links = grown
        self._links[_CONTENT, numbers] = contents
        self._links[_BELOW, numbers] = below
        self._links[_PHRASE, numbers] = np.where(opening, numbers, self._links[_PHRASE, below])
        return numbers, room

    def phrases(self, tops: Ids) -> tuple[list[tuple[int, ...]], Ids]:
        """The phrases open on top: contents from the category on, and the element below each."""
        content, below, phrase = self._links
        begins, place = phrase[tops], tops
        columns = []
        inside = place != begins
        while inside.any():
            columns.append(np.where(inside, content[place], -1))
            place = np.where(inside, below[place], place)
            inside = place != begins
        children = np.stack(columns[::-1], 1)
        first = (children < 0).sum(1).tolist()  # what is missing is in front
        rows = zip(content[begins].tolist(), children.tolist(), first, strict=True)
        return [(category, *row[begin:]) for category, row, begin in rows], below[begins]

    def kept(self, tops: Ids) -> Ids:
        """Keeps these and what is below them alone; the new numbers of these."""
        needed = np.zeros(self.states.size, np.bool_)
        needed[0] = True
        level = tops
        while len(level):
            needed[level] = True
            level = np.unique(self._links[_BELOW, level])
            level = level[~needed[level]]
        left = np.flatnonzero(needed)
        renamed = self.states.kept(left)
        self._links[:, : len(left)] = self._links[:, left]
        self._links[_BELOW:, : len(left)] = renamed[self._links[_BELOW:, : len(left)]]
        return renamed[tops]


@dataclass(frozen=True)
class Hypotheses:
    """Partial derivations: the tops of their stacks, how many phrases are open, and how many opened in a row."""

    elements: Elements
    contents: Contents
    top: Ids
    open: Ids
    run: Ids
    histories: tuple[torch.Tensor, ...] = ()

    def __len__(self) -> int:
        return len(self.top)

    def at(self, rows: Ids) -> Hypotheses:
        """Some of them, or some of them more than once."""
        chosen = torch.from_numpy(rows)
        histories = tuple(part[chosen] for part in self.histories)
        return Hypotheses(
            self.elements, self.contents, self.top[rows], self.open[rows], self.run[rows], histories
        )  # fmt: skip

    def of_events(self, rows: Ids, of_event: Ids) -> Hypotheses:
        """Some of them; the store holds nothing any more but what these need."""
        chosen = self.at(rows)
        return replace(chosen, top=self.elements.kept(chosen.top))

    def put(self, top: Ids, actions: Ids) -> Hypotheses:
        """With new elements on their stacks."""
        opened = actions >= FIRST_NT
        still_open = self.open + opened - (actions == REDUCE_ID)
        return replace(self, top=top, open=still_open, run=np.where(opened, self.run + 1, 0))

    def joined(self, others: Sequence[Hypotheses]) -> Hypotheses:
        """These and others of the same store, one after the other."""
        every = [self, *others]
        return replace(
            self,
            top=np.concatenate([one.top for one in every]),
            open=np.concatenate([one.open for one in every]),
            run=np.concatenate([one.run for one in every]),
            histories=tuple(torch.cat([one.histories[at] for one in every]) for at in range(len(self.histories))),
        )


class RNNG(Generative):
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

    def _predicted(self, items: Sequence[Derivation]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        batch = batched(items)
        contents = self._contents(batch)
        tops = self._stack_states(batch, contents)
        features = tops[tensor(batch.states)]
        if self.shape.history:
            features = torch.cat([features, self._histories(batch)], 1)
        features = self.dropout(torch.tanh(self.summary(features)))
        acts = self._act(features, tensor(batch.possible))
        chosen = acts.gather(1, tensor(batch.actions)[:, None])[:, 0]
        speaking = features[tensor(batch.generated)]
        return chosen, speaking, tensor(batch.targets)

    def _contents(self, batch: Batch) -> torch.Tensor:
        """Vectors of words, categories and composed phrases."""
        words, labels = tensor(batch.words), tensor(batch.labels)
        contents = self.dropout(torch.cat([self.words(words), self.categories(labels)]))
        for level in batch.compositions:
            children = contents[tensor(level.children)]
            made = self._compose(tensor(level.labels), children, tensor(level.lengths))
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
                torch.cat([category, read], 1), (lengths + 1).cpu(), batch_first=True, enforce_sorted=False
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
            below = tensor(level.below)
            under = [(hidden[below], cell[below]) for hidden, cell in states]
            states = self._push(contents[tensor(level.contents)], under)
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
        done = self.done(self.dropout(self.deeds(tensor(deeds))))[0]
        word_states = self.said(self.dropout(self.words(tensor(words))))[0]
        word_states = word_states.gather(1, tensor(spoken)[..., None].expand_as(done))
        there = tensor(np.arange(max(batch.lengths))[None] < np.array(batch.lengths)[:, None])
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
