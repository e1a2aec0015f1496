"""p(word | tag) of a language model: for every tag it sums to 1 over all words that there can be.

Of a learned lexicon it is the parser's p(tag | word) turned round. What can stand at a place are events: the known
words, and the classes of unknown ones, each as one word. With p(event) for all of them,

    p(event | tag) = p(event) p(tag | event) / p(tag),    p(tag) = sum over events of p(event) p(tag | event),

sums to 1 for each tag whatever p(event) is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .lexicon import LEAST, RARE, Floats, Lexicon, beginnings, classes_of


@dataclass(frozen=True)
class WordTable:
    """p(event | tag) at the beginning of a sentence, or inside it."""

    at: dict[str, int]
    """The rows of known words."""
    probabilities: Floats
    """Events × tags, each column sums to 1: known words, then what stands for unknown ones."""
    unknown: Callable[[str], int]
    """Which of the rows after those of known words an unknown one has."""

    def row(self, word: str) -> Floats:
        at = self.at.get(word)
        row: Floats = self.probabilities[len(self.at) + self.unknown(word) if at is None else at]
        return row


@dataclass(frozen=True)
class Vocabulary:
    """The words of a grammar in both places."""

    tags: list[str]
    tables: Mapping[bool, WordTable]
    """By whether the sentence begins."""

    def probabilities(self, sentence: Sequence[str]) -> Floats:
        """p(word | tag), a row per token."""
        rows = [self.tables[begins].row(word) for word, begins in _written(sentence)]
        return np.array(rows).reshape(len(rows), len(self.tags))

    def known(self, sentence: Sequence[str]) -> NDArray[np.bool_]:
        return np.array([word in self.tables[begins].at for word, begins in _written(sentence)], bool)

    def scores(self, sentence: Sequence[str]) -> Floats:
        """log p(word | tag), as a chart wants it."""
        with np.errstate(divide="ignore"):
            scores: Floats = np.log(self.probabilities(sentence))
        return scores


def closed_vocabulary(tags: Sequence[str], words: Mapping[tuple[str, str], float]) -> Vocabulary:
    """Of p(word | tag) by (tag, word): no other word can be."""
    place = {tag: number for number, tag in enumerate(tags)}
    tables = {}
    for begins in (False, True):
        at: dict[str, int] = {}
        for _, word in words:
            at.setdefault(_capital(word, begins), len(at))
        probabilities = np.zeros((len(at) + 1, len(tags)))
        for (tag, word), probability in words.items():
            probabilities[at[_capital(word, begins)], place[tag]] += probability
        tables[begins] = WordTable(at, probabilities, lambda word: 0)
    return Vocabulary(list(tags), tables)


def open_vocabulary(lexicon: Lexicon) -> Vocabulary:
    """Of a lexicon that was learned: any word can be."""
    return Vocabulary(lexicon.tags, {begins: _open_table(lexicon, begins) for begins in (False, True)})


def _open_table(lexicon: Lexicon, begins: bool) -> WordTable:
    counts: Counter[str] = Counter()
    for word, count in zip(lexicon.words, lexicon.word_totals.tolist(), strict=True):
        counts[_capital(word, begins)] += count
    known, unknown = np.fromiter(counts.values(), np.float64), _unknown_classes(lexicon, counts, begins)
    # Unknown words are as likely as those seen once: method AX of Moffat, Neal and Witten (1998), which is never 0.
    once = np.count_nonzero(known == 1) + 1
    events = np.concatenate([known, once * unknown]) / (known.sum() + once)
    shares = np.array([*(lexicon.tag_shares(word, begins) for word in counts), *lexicon.class_tags])
    tried = np.where(shares < LEAST, 0.0, shares)
    tried = np.where(tried.any(axis=0), tried, shares)  # a tag that no word is likely to have is still some word's
    joint = events[:, None] * tried  # events × tags: p(event, tag)
    tags = joint.sum(axis=0)
    probabilities = np.divide(joint, tags, out=np.zeros_like(joint), where=tags > 0)
    at = {word: number for number, word in enumerate(counts)}
    return WordTable(at, probabilities, lambda word: lexicon.class_of(word, begins))


def _unknown_classes(lexicon: Lexicon, counts: Counter[str], begins: bool) -> Floats:
    """p(class | the word is unknown): words seen once stand for unknown ones, each in the finest class that it shares
    with another rare word; classes without any have a share by Witten and Bell."""
    place = {name: number for number, name in enumerate(lexicon.classes)}
    ladders = {
        word: [name for name in classes_of(word, begins) if name in place]
        for word, count in counts.items()
        if count <= RARE
    }
    members = Counter(name for ladder in ladders.values() for name in ladder)
    seen = np.zeros(len(place))
    for word, ladder in ladders.items():
        if counts[word] == 1:
            seen[next((place[name] for name in reversed(ladder) if members[name] > 1), 0)] += 1
    kinds = max(1, int(np.count_nonzero(seen)))
    shares: Floats = (seen + kinds / len(seen)) / (seen.sum() + kinds)
    return shares


def _written(sentence: Sequence[str]) -> list[tuple[str, bool]]:
    """The words as tables have them, and whether the sentence begins with them."""
    return [(_capital(word, begins), begins) for word, begins in zip(sentence, beginnings(sentence), strict=True)]


def _capital(word: str, begins: bool) -> str:
    """At the beginning of a sentence every word is taken with a capital: so written or not, it is the same word."""
    return word[:1].upper() + word[1:] if begins else word
