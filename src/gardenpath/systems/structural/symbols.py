"""Partial derivations of a PLM, and attention to what they have read. Imported only with torch.

Hypotheses that grow towards a word come from few that had said the word before. What those had read lies there once,
however many come from it; only the symbols since then are gathered for each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from .actions import Ids
from .memory import Memory, rows_of, widened
from .phrases import Phrases
from .settings import Shape

TILE = 16
"""Hypotheses of one origin whose attention is one product."""


@dataclass(frozen=True)
class Past:
    """What was read up to the last word: for each layer keys and values, origin x head x place x size."""

    keys: list[torch.Tensor]
    values: list[torch.Tensor]
    lengths: Ids


@dataclass(frozen=True)
class Symbols:
    """Hypotheses: from which past each comes, and what it has read since, as rows of a shared memory."""

    past: Past
    memory: Memory
    """For each layer a column: the key and the value of a symbol side by side."""
    origin: Ids
    recent: Ids
    since: Ids
    """How many of the row of `recent` are its own."""
    hidden: torch.Tensor
    """The last state of each."""
    open: Ids
    run: Ids
    phrases: Phrases

    def __len__(self) -> int:
        return len(self.origin)

    @property
    def lengths(self) -> Ids:
        """How many symbols each has read."""
        return self.past.lengths[self.origin] + self.since

    def at(self, rows: Ids) -> Symbols:
        """Some of them, or some of them more than once."""
        hidden = rows_of(self.hidden, rows)
        return Symbols(
            self.past, self.memory, self.origin[rows], self.recent[rows], self.since[rows], hidden, self.open[rows],
            self.run[rows], self.phrases.at(rows),
        )  # fmt: skip

    def of_events(self, rows: Ids, of_event: Ids) -> Symbols:
        return self.at(rows).tidied()

    def joined(self, others: Sequence[Symbols]) -> Symbols:
        """These and others of the same past and memory, one after the other."""
        every = [self, *others]
        width = max(one.recent.shape[1] for one in every)
        return Symbols(
            self.past,
            self.memory,
            np.concatenate([one.origin for one in every]),
            np.concatenate([widened(one.recent, width) for one in every]),
            np.concatenate([one.since for one in every]),
            torch.cat([one.hidden for one in every]),
            np.concatenate([one.open for one in every]),
            np.concatenate([one.run for one in every]),
            self.phrases.joined([one.phrases for one in others]),
        )

    def read(self, kept: Sequence[torch.Tensor], hidden: torch.Tensor) -> Symbols:
        """These after one symbol more: its keys and values, and the states after it."""
        recent = widened(self.recent, int(self.since.max(initial=0)) + 1)
        recent[np.arange(len(self)), self.since] = self.memory.append(kept)
        return replace(self, recent=recent, since=self.since + 1, hidden=hidden)

    def tidied(self) -> Symbols:
        """All that these have read is their past."""
        lengths = self.lengths
        owner, place = np.nonzero(np.arange(self.recent.shape[1])[None] < self.since[:, None])
        rows, into = self.recent[owner, place], torch.from_numpy(self.past.lengths[self.origin[owner]] + place)
        owners = torch.from_numpy(owner)
        keys: list[torch.Tensor] = []
        values: list[torch.Tensor] = []
        for layer, (old_keys, old_values) in enumerate(zip(self.past.keys, self.past.values, strict=True)):
            heads, size = old_keys.shape[1], old_keys.shape[3]
            new = self.memory.rows(layer, rows).view(len(rows), 2, heads, size)
            for part, old, made in ((0, old_keys, keys), (1, old_values, values)):
                whole = torch.zeros(len(self), heads, int(lengths.max()), size)
                kept = min(old.shape[2], whole.shape[2])
                whole[:, :, :kept] = rows_of(old[:, :, :kept], self.origin)
                whole[owners, :, into] = new[:, part]
                made.append(whole)
        memory = Memory([column[:0] for column in self.memory.columns])
        recent, zero = np.zeros((len(self), 0), np.int64), np.zeros(len(self), np.int64)
        past = Past(keys, values, lengths)
        return replace(self, past=past, memory=memory, origin=np.arange(len(self)), recent=recent, since=zero)


def nothing_read(shape: Shape, most_open: int) -> Symbols:
    """One hypothesis that has read nothing."""
    zero = np.zeros(1, np.int64)
    empty = [torch.zeros(1, shape.heads, 0, shape.hidden // shape.heads) for _ in range(shape.layers)]
    memory = Memory([torch.zeros(0, 2 * shape.hidden) for _ in range(shape.layers)])
    nowhere = np.zeros((1, 0), np.int64)
    phrases = Phrases(np.zeros((1, most_open), np.int64), np.zeros((1, most_open), np.int64))
    hidden = torch.empty(1, shape.hidden)
    return Symbols(Past(empty, empty, zero), memory, zero, nowhere, zero, hidden, zero, zero, phrases)


class Attention:
    """Of one more symbol of each hypothesis to all before it and itself.

    The queries are laid out in tiles of one origin, so that those of a tile meet their past in one product of matrices.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols
        order = np.argsort(symbols.origin, kind="stable")
        origins, counts = np.unique(symbols.origin, return_counts=True)
        tiles = -(-counts // TILE)
        inside = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        tile, slot = np.empty((2, len(order)), np.int64)
        tile[order] = np.repeat(np.cumsum(tiles) - tiles, counts) + inside // TILE
        slot[order] = inside % TILE
        self.of_tile = np.repeat(origins, tiles)
        self.place = tile * TILE + slot
        before = np.arange(symbols.past.keys[0].shape[2])[None] < symbols.past.lengths[symbols.origin][:, None]
        since = np.arange(symbols.recent.shape[1])[None] < symbols.since[:, None]
        itself = np.ones((len(symbols), 1), np.bool_)
        self.absent = ~torch.from_numpy(np.hstack([before, since, itself]))[:, None]

    def __call__(self, layer: int, query: torch.Tensor, key_and_value: torch.Tensor) -> torch.Tensor:
        past = self.symbols.past
        _, heads, places, size = past.keys[layer].shape
        asked = query.view(-1, heads, size) / math.sqrt(size)
        recent = torch.cat([self.symbols.memory.rows(layer, self.symbols.recent), key_and_value[:, None]], 1)
        keys, values = recent.view(len(query), -1, 2, heads, size).unbind(2)
        near = (asked[:, None] * keys).sum(3).transpose(1, 2)
        far = self._taken(self._laid(asked) @ rows_of(past.keys[layer], self.of_tile).transpose(2, 3))
        weights = torch.cat([far, near], 2).masked_fill(self.absent, -math.inf).softmax(2)
        seen = self._taken(self._laid(weights[:, :, :places]) @ rows_of(past.values[layer], self.of_tile))
        seen = seen + (weights[:, :, places:].transpose(1, 2)[..., None] * values).sum(1)
        return seen.reshape(len(query), heads * size)

    def _laid(self, rows: torch.Tensor) -> torch.Tensor:
        """Hypothesis x head x … as tile x head x slot x …"""
        laid = torch.zeros(len(self.of_tile) * TILE, *rows.shape[1:])
        laid.index_copy_(0, torch.from_numpy(self.place), rows)
        return laid.view(len(self.of_tile), TILE, *rows.shape[1:]).transpose(1, 2)

    def _taken(self, laid: torch.Tensor) -> torch.Tensor:
        return rows_of(laid.transpose(1, 2).flatten(0, 1), self.place)
