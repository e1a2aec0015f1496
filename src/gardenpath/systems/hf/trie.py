"""Sequences of tokens as a trie: each beginning that several share is read once, in packs with a tree of positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """What a network reads at once, and which predictions are wanted of it."""

    ids: Ids
    """Tokens, sequences × positions; a pack is one sequence."""
    parents: Ids | None
    """Of a pack: the place before each place, -1 of a first one. None: each place follows the one before it."""
    rows: Ids
    """Places (counted through all sequences) whose distribution is wanted, each once."""
    row_of: Ids
    """For each event the number of its row."""
    tokens: Ids
    """For each event what comes next."""
    events: Ids
    """For each event its number."""

    @property
    def depths(self) -> Ids:
        """How many places stand before each place of a pack."""
        assert self.parents is not None
        depths = np.zeros(len(self.parents), dtype=np.int64)
        for place, parent in enumerate(self.parents.tolist()):
            depths[place] = depths[parent] + 1 if parent >= 0 else 0
        return depths

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Which places each place of a pack may look at: itself and those on its way to the root."""
        assert self.parents is not None
        size = len(self.parents)
        visible = np.zeros((size, size), dtype=bool)
        for place, parent in enumerate(self.parents.tolist()):
            if parent >= 0:
                visible[place] = visible[parent]
            visible[place, place] = True
        return visible


@dataclass(frozen=True, slots=True, eq=False)
class Trie:
    """The events of all sequences: token after beginning, the same event once."""

    of_sequence: list[Ids]
    """The events of each sequence: of all its tokens but the first."""
    order: list[int]
    shared: list[int]
    """In that order: how many first tokens a sequence has in common with the one before it."""
    needed: NDArray[np.bool_]
    """Of each event: does any sequence want it?"""

    @property
    def count(self) -> int:
        return len(self.needed)


def trie(sequences: Sequence[Sequence[int]], wanted: Sequence[NDArray[np.bool_]] | None = None) -> Trie:
    """Sorted, a sequence shares most with its neighbour before. `wanted` are tokens of each, from the second on."""
    order = sorted(range(len(sequences)), key=lambda number: tuple(sequences[number]))
    of_sequence: list[Ids] = [np.empty(0, np.int64)] * len(sequences)
    shared: list[int] = []
    before: Sequence[int] = ()
    events = np.empty(0, np.int64)
    count = 0
    for number in order:
        sequence = sequences[number]
        same = 0
        for last_token, token in zip(before, sequence, strict=False):
            if last_token != token:
                break
            same += 1
        kept = max(0, same - 1)
        new = max(0, len(sequence) - 1 - kept)
        events = np.concatenate((events[:kept], np.arange(count, count + new)))
        of_sequence[number] = events
        shared.append(same)
        before, count = sequence, count + new
    needed = np.full(count, wanted is None)
    for numbers, tokens in zip(of_sequence, wanted or (), strict=False):
        needed[numbers[tokens]] = True
    return Trie(of_sequence, order, shared, needed)


def packs(sequences: Sequence[Sequence[int]], prefixes: Trie, size: int) -> Iterator[Batch]:
    """Packs of about `size` places. The last token of a sequence predicts nothing and has no place, unless another
    sequence goes on after it; a beginning is read again where a new pack begins, but predicts nothing anew."""
    pack = _Pack()
    for number, same in zip(prefixes.order, prefixes.shared, strict=True):
        sequence, events = sequences[number], prefixes.of_sequence[number]
        new = len(sequence) - 1 - min(same, len(pack.path))
        if pack.ids and len(pack.ids) + new > size:
            if pack.tokens:
                yield pack.batch()
            pack = _Pack()
        pack.add(sequence, same, events, prefixes.needed)
    if pack.tokens:
        yield pack.batch()


class _Pack:
    def __init__(self) -> None:
        self.ids: list[int] = []
        self.parents: list[int] = []
        self.path: list[int] = []
        """The places of the sequence that was added last."""
        self.places: list[int] = []
        self.tokens: list[int] = []
        self.events: list[int] = []

    def add(self, sequence: Sequence[int], same: int, events: Ids, needed: NDArray[np.bool_]) -> None:
        del self.path[same:]
        for token in sequence[len(self.path) : len(sequence) - 1]:
            self.parents.append(self.path[-1] if self.path else -1)
            self.path.append(len(self.ids))
            self.ids.append(token)
        for at in range(max(1, same), len(sequence)):
            if needed[events[at - 1]]:
                self.places.append(self.path[at - 1])
                self.tokens.append(sequence[at])
                self.events.append(int(events[at - 1]))

    def batch(self) -> Batch:
        rows, row_of = np.unique(np.array(self.places, np.int64), return_inverse=True)
        ids, parents = np.array([self.ids], np.int64), np.array(self.parents, np.int64)
        return Batch(ids, parents, rows, row_of.astype(np.int64), np.array(self.tokens), np.array(self.events))


def buckets(sequences: Sequence[Sequence[int]], prefixes: Trie, size: int) -> Iterator[Batch]:
    """For networks that cannot read a tree: sequences of one length together, without padding."""
    by_length: dict[int, list[int]] = {}
    for number, same in zip(prefixes.order, prefixes.shared, strict=True):
        if same < len(sequences[number]) and len(sequences[number]) > 1:
            by_length.setdefault(len(sequences[number]) - 1, []).append(number)
    known = ~prefixes.needed
    for length, numbers in sorted(by_length.items()):
        step = max(1, size // length)
        for begin in range(0, len(numbers), step):
            part = numbers[begin : begin + step]
            ids = np.array([sequences[number] for number in part], np.int64)
            events, first = np.unique(
                np.concatenate([prefixes.of_sequence[number] for number in part]), return_index=True
            )
            new = ~known[events]
            events, first = events[new], first[new]
            known[events] = True
            if not len(events):
                continue
            tokens = ids[:, 1:].reshape(-1)[first]
            rows, row_of = np.unique(first, return_inverse=True)
            yield Batch(ids[:, :-1], None, rows, row_of.astype(np.int64), tokens, events)
