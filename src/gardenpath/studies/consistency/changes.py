"""What changes from one cluster to the other: which words, in which column, how far from the edit and the root."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ...treebank.tree import depths

if TYPE_CHECKING:
    from .clusters import BatchParses

PARTS = ("head", "deprel", "upos", "feats")


@dataclass(frozen=True, slots=True)
class Change:
    """A word: what of it is different, and where it stands in the parse of the largest cluster."""

    word: int
    """Its ID."""
    parts: tuple[str, ...]
    words_away: int
    """Words between it and the edited word, 0 for that itself, 1 for its neighbours."""
    edges_away: int
    """Edges on the way to the edited word; -1 where there is none."""
    depth: int
    """1 for the root; -1 where no root is above."""
    labels: tuple[str, str] = ("", "")
    """Its label there, and in the other cluster."""


@dataclass(frozen=True, slots=True)
class Changes:
    """All words of one cluster beside those of the largest one."""

    variants: int
    """How many trees the cluster has."""
    changed: tuple[Change, ...]
    places: tuple[tuple[int, int, int], ...]
    """Words away, edges away and depth of every word, changed or not."""
    root: bool = False
    """Is another word the root?"""
    comparable: bool = True
    """False where the words themselves are others (in the modes sentences and text)."""


def changes_between(
    parses: BatchParses, first: Sequence[int], sizes: Sequence[int], edited: Sequence[int]
) -> list[Changes]:
    """The largest cluster against each of the others; `first` names a sentence of each, the largest first."""
    treebank, offsets = parses.treebank, parses.treebank.offsets.tolist()
    labels = treebank.column("deprel")
    columns = {
        "head": treebank.heads,
        **{name: treebank.column(name).codes for name in PARTS[1:]},
    }
    sentences = [parses.spans[number] for number in first]
    spans = [slice(offsets[some.start], offsets[some.stop]) for some in sentences]
    gold_length = int(treebank.lengths[0])
    alike = [len(some) == 1 and treebank.lengths[some.start] == gold_length for some in sentences]
    away: list[tuple[int, int, int]] = []
    all_changes = []
    for place, span in enumerate(spans[1:], 1):
        if not (alike[0] and alike[place]):
            all_changes.append(Changes(sizes[place], (), (), comparable=False))
            continue
        away = away or _places(treebank.heads[spans[0]].tolist(), edited)
        different = {name: columns[name][spans[0]] != columns[name][span] for name in PARTS}
        touched = np.flatnonzero(np.any(list(different.values()), axis=0)).tolist()
        changed = tuple(
            Change(
                word + 1, tuple(name for name in PARTS if different[name][word]), *away[word],
                (labels[spans[0].start + word], labels[span.start + word]),
            )
            for word in touched
        )  # fmt: skip
        roots = [np.flatnonzero(treebank.heads[some] == 0).tolist() for some in (spans[0], span)]
        all_changes.append(Changes(sizes[place], changed, tuple(away), roots[0] != roots[1]))
    return all_changes


def _places(heads: Sequence[int], edited: Sequence[int]) -> list[tuple[int, int, int]]:
    """For each word: words and edges to the nearest edited word, and its depth."""
    length = len(heads)
    deep = depths(np.array(heads), np.array([0, length])).tolist()
    near = [min(abs(word - neighbour) for neighbour in edited) for word in range(1, length + 1)]
    beside: list[list[int]] = [[] for _ in heads]
    for word, head in enumerate(heads):
        if head > 0:
            beside[word].append(head - 1)
            beside[head - 1].append(word)
    steps = {word - 1: 0 for word in edited}
    waiting = list(steps)
    for word in waiting:
        for neighbour in beside[word]:
            if neighbour not in steps:
                steps[neighbour] = steps[word] + 1
                waiting.append(neighbour)
    return [(near[word], steps.get(word, -1), deep[word]) for word in range(length)]
