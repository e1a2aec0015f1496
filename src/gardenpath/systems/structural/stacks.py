"""The stacks of an RNNG's hypotheses in a search. Imported only with torch.

An element of a stack knows the one below it, so a stack is the number of its top, and hypotheses share all below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from .actions import FIRST_NT, REDUCE_ID, Ids, Mask
from .contents import Contents
from .memory import Memory

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
