"""A dependency tree as it is drawn: words with head and label, and what differs from another analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..sentence import Sentence


@dataclass(frozen=True, slots=True)
class Word:
    """`head` counts from 1; 0 is the root, None where there is none (partial gold)."""

    form: str
    upos: str
    head: int | None
    label: str


@dataclass(frozen=True)
class Tree:
    """One sentence with one analysis."""

    sent_id: str
    text: str
    words: tuple[Word, ...]

    @classmethod
    def of(cls, sentence: Sentence) -> Tree:
        words = tuple(Word(node.form, node.upos, node.head, node.deprel) for node in sentence.words)
        return cls(sentence.sent_id or str(sentence.number + 1), sentence.text, words)

    @property
    def forms(self) -> tuple[str, ...]:
        return tuple(word.form for word in self.words)

    @cached_property
    def arcs(self) -> list[tuple[int, int]]:
        """(head, dependent) of every edge between two words, by dependent."""
        return [(word.head, place) for place, word in enumerate(self.words, 1) if word.head]

    def different(self, other: Tree) -> list[str]:
        """For each word: nothing, `head`, `label` or `head and label`, by what the other analysis has instead."""
        return [
            " and ".join([*(["head"] if a.head != b.head else []), *(["label"] if a.label != b.label else [])])
            for a, b in zip(self.words, other.words, strict=True)
        ]


def levels(arcs: Sequence[tuple[int, int]]) -> list[int]:
    """How high each arc is drawn, from 1: above every arc that it spans or crosses and that is shorter."""
    order = sorted(range(len(arcs)), key=lambda number: (abs(arcs[number][0] - arcs[number][1]), min(arcs[number])))
    heights = [0] * len(arcs)
    highest: list[int] = [0] * (max(map(max, arcs), default=0) + 1)
    for number in order:
        low, high = sorted(arcs[number])
        # Gaps between neighbouring words carry the arcs over them: the new one goes on top of the highest.
        heights[number] = 1 + max(highest[low:high])
        highest[low:high] = [heights[number]] * (high - low)
    return heights
