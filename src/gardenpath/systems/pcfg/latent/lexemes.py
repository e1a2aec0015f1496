"""Words as EM sees them: frequent ones as themselves, rare ones as their class, lest they be learned by heart.

When EM is done, the counts of all words with subtags make an ordinary lexicon, whose tags are the subtags.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ....phrase.tree import PhraseTree
from ..grammar import Floats, Integers
from ..lexicon import beginnings, classes_of

RARE = 2
"""Words seen so often or less are seen as their class."""
SUBTAG_WEIGHT = 8.0
"""So many tokens are the subtags of the tag worth beside those of a word."""
LEAST = 1e-6
MEMBERS = 8
"""A class has at least so many rare tokens; else the next coarser one is taken."""


@dataclass
class Lexemes:
    """Pairs of a tag and a word (or class), numbered as they are met."""

    tags: list[str]
    rare: int = RARE
    numbers: dict[tuple[int, str], int] = field(default_factory=dict)
    counts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.tag_at = {tag: number for number, tag in enumerate(self.tags)}
        self._words: Counter[str] = Counter()
        self._members: Counter[str] = Counter()

    def look_at(self, trees: Sequence[PhraseTree]) -> None:
        """Counts words, and how many rare tokens each class has."""
        self._words = Counter(word for tree in trees for word in tree.words)
        for tree in trees:
            for word, begins in zip(tree.words, beginnings(tree.words), strict=True):
                if self._words[word] <= self.rare:
                    self._members.update(classes_of(word, begins))

    def of(self, tree: PhraseTree) -> list[int]:
        """The lexeme of each token."""
        lexemes = []
        for word, tag, begins in zip(tree.words, tree.tags, beginnings(tree.words), strict=True):
            key = self.tag_at[tag], self._seen_as(word, begins)
            number = self.numbers.setdefault(key, len(self.numbers))
            if number == len(self.counts):
                self.counts.append(0)
            self.counts[number] += 1
            lexemes.append(number)
        return lexemes

    def _seen_as(self, word: str, begins: bool) -> str:
        if self._words[word] > self.rare:
            return word
        shape, *finer = classes_of(word, begins)
        fitting = [name for name in finer if self._members[name] >= MEMBERS]
        return f"<{fitting[-1] if fitting else shape}>"

    @property
    def columns(self) -> tuple[Integers, Floats]:
        """The tag of each lexeme, and p(lexeme | tag)."""
        tags = np.array([tag for tag, _ in self.numbers], np.int32)
        counts = np.array(self.counts, np.float64)
        totals = np.bincount(tags, counts, len(self.tags))
        return tags, counts / totals[tags]


def subtag_counts(
    trees: Sequence[PhraseTree], posteriors: Sequence[Floats], starts: Sequence[int], weight: float = SUBTAG_WEIGHT
) -> dict[tuple[str, int, bool], float]:
    """Of each word, subtag (numbered from the `starts` of its tags on), and whether it begins a sentence: how often it
    is expected. A row of posteriors is a token. With few tokens a word's subtags are much as its tag's:

        p(subtag | word, tag) = (expected + weight * p(subtag | tag)) / (count + weight)
    """
    shares: dict[int, Floats] = {}  # by the start of the tag
    by_word: dict[tuple[str, int], Floats] = {}
    cases: Counter[tuple[str, int, bool]] = Counter()
    row = 0
    for tree in trees:
        for word, begins in zip(tree.words, beginnings(tree.words), strict=True):
            start = starts[row]
            shares[start] = shares.get(start, 0.0) + posteriors[row]
            by_word[word, start] = by_word.get((word, start), 0.0) + posteriors[row]
            cases[word, start, begins] += 1
            row += 1
    counts: dict[tuple[str, int, bool], float] = {}
    for (word, start, begins), count in cases.items():
        own, whole = by_word[word, start], shares[start]
        smoothed = count * (own + weight * whole / whole.sum()) / (own.sum() + weight)
        for number, share in enumerate(smoothed.tolist()):
            if share > LEAST:
                counts[word, start + number, begins] = share
    return counts
