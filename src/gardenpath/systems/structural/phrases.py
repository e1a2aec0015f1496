"""The open phrases of partial derivations: what a guided PLM reads beside each symbol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .actions import FIRST_NT, REDUCE_ID, Ids

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
