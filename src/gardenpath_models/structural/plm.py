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
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ..neural.networks import Block, initialise, tensor
from .actions import FIRST_NT, GEN_ID, REDUCE_ID, Derivation, Ids, Inventory
from .beam import Generative, Saying, rows_of

if TYPE_CHECKING:
    from .system import Shape

MOST_CHILDREN = 15
"""More children of an open phrase are read as so many."""


@dataclass(frozen=True)
class Guides:
    """Beside a symbol: the phrase that it closes, the one that is open after it, and how many children that has.

    Phrases are the numbers of the actions that open them; 0: there is none.
    """

    closed: Ids
    inside: Ids
    children: Ids


@dataclass(frozen=True)
class Phrases:
    """Of each hypothesis a row: its open phrases from the outermost on, and how many children each has."""

    opened: Ids
    children: Ids

    def at(self, rows: Ids) -> Phrases:
        return Phrases(self.opened[rows], self.children[rows])

    def joined(self, others: Sequence[Phrases]) -> Phrases:
        every = [self, *others]
        return Phrases(
            np.concatenate([phrases.opened for phrases in every]),
            np.concatenate([phrases.children for phrases in every]),
        )

    def after(self, actions: Ids, open_before: Ids) -> tuple[Phrases, Guides]:
        """One action later; `open_before` says how many phrases were open."""
        opened, children = self.opened.copy(), self.children.copy()
        rows = np.arange(len(actions))
        opens, closes = actions >= FIRST_NT, actions == REDUCE_ID
        closed = np.where(closes, opened[rows, open_before - 1], 0)
        opened[rows[opens], open_before[opens]] = actions[opens]
        children[rows[opens], open_before[opens]] = 0
        still_open = open_before + opens - closes
        grown = rows[~opens & (still_open > 0)]  # a word or a closed phrase is a child of what is open now
        children[grown, still_open[grown] - 1] += 1
        some = still_open > 0
        inside = np.where(some, opened[rows, still_open - 1], 0)
        count = np.where(some, children[rows, still_open - 1], 0)
        return Phrases(opened, children), Guides(closed, inside, np.minimum(count, MOST_CHILDREN))


ROOM = 96
"""Slots for symbols that are added to those needed."""
BLOCK = 28
"""Hypotheses, about, whose attention is one product."""
PART = 600
"""Hypotheses, about, that are read at once: what is computed of them stays in the cache of the processor."""


class Text:
    """The symbols that the hypotheses of one event have read: keys and values in slots, in any order."""

    def __init__(self, kept: torch.Tensor) -> None:
        """`kept`: key or value x layer x head x slot x size."""
        self.size = kept.shape[3]
        self._slots = kept
        self._grow(0)

    def _grow(self, count: int) -> None:
        """Makes room for so many symbols, and for more."""
        kept = self._slots[:, :, :, : self.size]
        self._slots = kept.new_empty((*kept.shape[:3], self.size + count + ROOM, kept.shape[4]))
        self._slots[:, :, :, : self.size] = kept

    def add(self, symbols: torch.Tensor) -> Ids:
        """Puts symbols (layer x symbol x keys and values of all heads) into slots; which."""
        layers, count, _ = symbols.shape
        if self.size + count > self._slots.shape[3]:
            self._grow(count)
        _, _, heads, _, size = self._slots.shape
        into = self._slots[:, :, :, self.size : self.size + count]
        into.copy_(symbols.view(layers, count, 2, heads, size).permute(2, 0, 3, 1, 4))
        self.size += count
        return np.arange(self.size - count, self.size)

    def only(self, slots: Ids) -> Text:
        """A copy of these slots alone."""
        return Text(torch.index_select(self._slots, 3, torch.from_numpy(slots)))

    def at(self, slots: Ids) -> tuple[torch.Tensor, torch.Tensor]:
        """Keys (layer x head x size x slot) and values (layer x head x slot x size) of these and of any one more."""
        keys, values = torch.index_select(self._slots, 3, torch.from_numpy(np.append(slots, 0)))
        return keys.transpose(2, 3), values


@dataclass(frozen=True)
class Symbols:
    """Hypotheses, sorted by event: what each has read of its event's text, and the last symbol, not yet in the text."""

    texts: list[Text]
    event: Ids
    absent: NDArray[np.float32]
    """Hypothesis x slot: 0, and -inf where it has not read the symbol."""
    last: torch.Tensor
    """Layer x hypothesis x keys and values of the last symbol."""
    hidden: torch.Tensor
    """The last state of each."""
    lengths: Ids
    """How many symbols each has read."""
    open: Ids
    run: Ids
    phrases: Phrases

    def __len__(self) -> int:
        return len(self.event)

    def at(self, rows: Ids) -> Symbols:
        """Some of them, or some of them more than once."""
        return Symbols(
            self.texts, self.event[rows], self.absent[rows], torch.index_select(self.last, 1, torch.from_numpy(rows)),
            rows_of(self.hidden, rows), self.lengths[rows], self.open[rows], self.run[rows], self.phrases.at(rows),
        )  # fmt: skip

    def of_events(self, rows: Ids, of_event: Ids) -> Symbols:
        """Some of them, one event after the other; each event has a text of its own, with what its hypotheses need."""
        chosen = self.at(rows)
        texts = []
        absent = np.full(chosen.absent.shape, -np.inf, np.float32)
        for begin, end in _runs(of_event):
            there = chosen.absent[begin:end] == 0
            slots = np.flatnonzero(there.any(0))
            texts.append(self.texts[chosen.event[begin]].only(slots))
            absent[begin:end, : len(slots)] = chosen.absent[begin:end, slots]
        width = max(text.size for text in texts)
        return replace(chosen, texts=texts, event=of_event, absent=absent[:, :width])

    def joined(self, others: Sequence[Symbols]) -> Symbols:
        """These and others of the same texts, one after the other."""
        every = [self, *others]
        width = max(one.absent.shape[1] for one in every)
        return Symbols(
            self.texts,
            np.concatenate([one.event for one in every]),
            np.concatenate([_widened(one.absent, width) for one in every]),
            torch.cat([one.last for one in every], 1),
            torch.cat([one.hidden for one in every]),
            np.concatenate([one.lengths for one in every]),
            np.concatenate([one.open for one in every]),
            np.concatenate([one.run for one in every]),
            self.phrases.joined([one.phrases for one in others]),
        )

    def written(self, rows: Ids) -> tuple[Ids, NDArray[np.float32]]:
        """Puts the last symbols of these rows into the texts; of each row its event and what is absent to it now.

        The rows are sorted by event. Rows that come more than once, since several hypotheses come from one, are put
        there once; what no hypothesis comes from never gets there.
        """
        different, back = np.unique(rows, return_inverse=True)
        slots = np.empty(len(different), np.int64)
        events = self.event[different]
        order = np.argsort(events, kind="stable")
        for begin, end in _runs(events[order]):
            mine = order[begin:end]
            symbols = torch.index_select(self.last, 1, torch.from_numpy(different[mine]))
            slots[mine] = self.texts[events[mine[0]]].add(symbols)
        absent = _widened(self.absent[rows], int(slots.max(initial=-1)) + 1)
        absent[np.arange(len(rows)), slots[back]] = 0
        return self.event[rows], absent


def nothing_read(shape: Shape, most_open: int) -> Symbols:
    """One hypothesis that has read nothing, of one event."""
    zero, nowhere = np.zeros(1, np.int64), np.zeros((1, most_open), np.int64)
    text = Text(torch.empty(2, shape.layers, shape.heads, 0, shape.hidden // shape.heads))
    last, hidden = torch.empty(shape.layers, 1, 2 * shape.hidden), torch.empty(1, shape.hidden)
    absent = np.zeros((1, 0), np.float32)
    return Symbols([text], zero, absent, last, hidden, zero, zero, zero, Phrases(nowhere, nowhere))


class Attention:
    """Of one more symbol of each hypothesis to all before it and itself; for some hypotheses, sorted by event.

    Hypotheses that come from one another lie side by side, so those of an event are cut into blocks, each of which
    attends to what at least one of it has read.
    """

    def __init__(self, texts: Sequence[Text], event: Ids, absent: NDArray[np.float32]) -> None:
        self._blocks = [_Block(texts[event[begin]], absent, begin, end) for begin, end in _blocks(event)]

    def __call__(self, layer: int, asked: torch.Tensor, heads: int) -> torch.Tensor:
        """`asked`: hypothesis x queries, keys and values of all heads. What is seen, hypothesis x heads."""
        query, key, value = asked.view(len(asked), 3, heads, -1).permute(1, 2, 0, 3)
        query = query / math.sqrt(query.shape[2])
        own = (query * key).sum(2)
        seen, own_weights = [], []
        for block in self._blocks:
            scores = torch.baddbmm(block.absent, query[:, block.rows], block.keys[layer])
            scores[:, :, -1] = own[:, block.rows]  # the slot that is one more stands for the symbol itself
            weights = scores.softmax(2)
            seen.append(torch.bmm(weights[:, :, :-1], block.values[layer]))
            own_weights.append(weights[:, :, -1])
        whole = torch.cat(seen, 1).addcmul_(torch.cat(own_weights, 1)[..., None], value)
        return whole.transpose(0, 1).reshape(len(asked), -1)


class _Block:
    """Some hypotheses of one event, and what they have read."""

    def __init__(self, text: Text, absent: NDArray[np.float32], begin: int, end: int) -> None:
        self.rows = slice(begin, end)
        slots = np.flatnonzero((absent[begin:end] == 0).any(0))
        keys, values = text.at(slots)
        self.keys, self.values = keys.unbind(0), values[:, :, :-1].unbind(0)
        mine = np.zeros((1, end - begin, len(slots) + 1), np.float32)
        mine[0, :, :-1] = absent[begin:end, slots]
        self.absent = torch.from_numpy(mine)


def _blocks(event: Ids) -> list[tuple[int, int]]:
    """Where blocks begin and end: those of an event are equally large."""
    made = []
    for begin, end in _runs(event):
        borders = np.linspace(begin, end, max(1, round((end - begin) / BLOCK)) + 1).round().astype(int).tolist()
        made += list(pairwise(borders))
    return made


def parts(event: Ids) -> list[slice]:
    """Hypotheses, sorted by event, in parts that end with an event."""
    made, first = [], 0
    for _, end in _runs(event):
        if end - first >= PART or end == len(event):
            made.append(slice(first, end))
            first = end
    return made


def _runs(event: Ids) -> list[tuple[int, int]]:
    """Where the rows of each event begin and end."""
    borders = [0, *(np.flatnonzero(np.diff(event)) + 1).tolist(), len(event)]
    return list(pairwise(borders))


def _widened(absent: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    """With at least so many slots."""
    if width <= absent.shape[1]:
        return absent
    wider = np.full((len(absent), width), -np.inf, np.float32)
    wider[:, : absent.shape[1]] = absent
    return wider


class PLM(Generative):
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
        initialise(self, shape.layers, size)

    def _predicted(self, items: Sequence[Derivation]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
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
        states = self._read(tensor(actions), tensor(words), guides) + self.positions[:width]
        states = self.dropout(states)
        for block in self.blocks:
            states = block(states)
        hidden = self.last(states)[tensor(there)]
        done = tensor(np.concatenate([item.actions for item in items]))
        all_words = tensor(np.concatenate([item.words for item in items]))
        possible = tensor(np.concatenate([item.possible for item in items]))
        chosen = self._act(hidden, possible).gather(1, done[:, None])[:, 0]
        spoken = torch.nonzero(done == GEN_ID)[:, 0]
        return chosen, hidden[spoken], all_words[spoken]

    def _read(self, actions: torch.Tensor, words: torch.Tensor, guides: Guides) -> torch.Tensor:
        """Vectors of symbols: of the word where there is one, else of the bracket; guided, with their phrases."""
        symbols = torch.where((words > 0)[..., None], self.words(words), self.brackets(actions))
        if self.shape.guided:
            symbols = symbols + self.closed(tensor(guides.closed))
            symbols = symbols + self.inside(tensor(guides.inside))
            symbols = symbols + self.counted(tensor(guides.children))
        return symbols

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
