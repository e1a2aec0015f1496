"""Rows of a join: which words or nodes stand for the nodes of a pattern, and how rows are extended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import UsageError
from .nodes import Ints

MOST = 20_000_000
"""Rows of a join: beyond, the request is refused before memory is."""


@dataclass(frozen=True)
class Bindings:
    """Rows of a join: for each bound node its words, and which match of the pattern a row extends."""

    columns: Mapping[str, Ints]
    rows: Ints
    loose: frozenset[str] = frozenset()
    """Nodes that may be the same as others."""

    def __len__(self) -> int:
        return len(self.rows)

    def kept(self, which: Any) -> Bindings:
        return Bindings({name: words[which] for name, words in self.columns.items()}, self.rows[which], self.loose)

    def extended(self, which: Ints, name: str, words: Ints) -> Bindings:
        """Rows `which`, each with a word for one more node; two nodes are never the same word, but for loose ones."""
        different = np.ones(len(words), dtype=bool)
        for node, bound in self.columns.items():
            if name not in self.loose and node not in self.loose:
                different &= bound[which] != words
        which, words = which[different], words[different]
        columns = {node: bound[which] for node, bound in self.columns.items()}
        return Bindings({**columns, name: words}, self.rows[which], self.loose)


def ranges(items: Ints, begins: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """For each row the items from begin to end: the row's number and the item, row by row."""
    counts = ends - begins
    total = int(counts.sum())
    if total > MOST:
        what = f"the pattern has more than {MOST:,} partial matches"
        raise UsageError(what, todo="join its nodes by edges, say more about them, or ask fewer sentences at a time")
    which = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    return which, items[begins[which] + within]
