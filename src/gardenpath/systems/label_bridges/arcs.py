"""A dependency tree whose arcs can be redrawn, and the change by which schemes differ most: who heads whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence

ROOT = "root"
FINAL = "="
"""What a label begins with that is one of Universal Dependencies already."""
NOMINAL = frozenset("NOUN PROPN PRON NUM SYM DET X".split())


class ArcTree:
    """Words are counted from 1; position 0 of each list stands for the place above the root."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        """`rows` are the CoNLL-U columns of the words, which are a tree."""
        self.forms = ["", *(row[1].lower() for row in rows)]
        self.upos = ["", *(row[3] for row in rows)]
        self.xpos = ["", *(row[4] for row in rows)]
        self.feats = ["", *(row[5] for row in rows)]
        self.heads = [-1, *(int(row[6]) for row in rows)]
        self.labels = ["", *(row[7].lower() if row[6] != "0" else ROOT for row in rows)]

    @property
    def words(self) -> range:
        return range(1, len(self.heads))

    def labelled(self, *labels: str) -> list[int]:
        """The words with one of these labels."""
        return [word for word in self.words if self.labels[word] in labels]

    def children(self, head: int, *labels: str) -> list[int]:
        """The dependents of a word from left to right: all, or those with one of these labels."""
        return [word for word in self.words if self.heads[word] == head and (not labels or self.labels[word] in labels)]

    def attach(self, word: int, head: int, label: str = "") -> None:
        """Draws a new arc; without a label the word keeps its own."""
        self.heads[word] = head
        self.labels[word] = label or self.labels[word]

    def promote(
        self, word: int, label: str, *, place: str = "", moves: Callable[[int], bool] = lambda child: True
    ) -> None:
        """The word takes the place of its head, which becomes its dependent with this label.

        `place` is the word's new label (none: that of the old head). The old head's other dependents go to the word,
        if `moves` is true of them.
        """
        old = self.heads[word]
        for child in self.children(old):
            if child != word and moves(child):
                self.heads[child] = word
        self.attach(word, self.heads[old], place or self.labels[old])
        self.attach(old, word, label)

    def bottom_up(self) -> list[int]:
        """The words, each before its head."""
        depths = [0] * len(self.heads)
        for word in self.words:
            above = self.heads[word]
            while above > 0:
                depths[word] += 1
                above = self.heads[above]
        return sorted(self.words, key=lambda word: -depths[word])
