"""Partial derivations of a PLM, and attention to what they have read. Imported only with torch.

Hypotheses that compete for a word have most of what they have read in common. It lies in one place, once, and each
attends to all of it with a mask that says what it has read itself: the products are of large matrices then, and nothing
is copied for a hypothesis.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray

from .actions import Ids
from .memory import rows_of
from .phrases import Phrases
from .settings import Shape

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
