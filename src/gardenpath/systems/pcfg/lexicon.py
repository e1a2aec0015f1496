"""Words and tags: p(word | tag) of known words, smoothed, and of unknown ones by shape and suffix (as in TnT)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

RARE = 5
"""Words seen so often or less teach what unknown words are like."""
SUFFIX = 5
"""Letters of the longest ending."""
SHAPE_WEIGHT, WORD_WEIGHT = 2.0, 0.5
"""How many sightings the coarser class is worth: of an ending, and of a known word."""
LEAST = 1e-4
"""A tag less likely than this for a word is not tried."""

Floats = NDArray[np.float64]
Integers = NDArray[np.int32]


@dataclass(frozen=True)
class Lexicon:
    """Tags; known words with their counts of tags; classes of unknown words with their probabilities of tags."""

    tags: list[str]
    words: list[str]
    word_starts: Integers
    """The counts of word w stand from `word_starts[w]` to the next."""
    word_tags: Integers
    word_counts: Integers | Floats
    """Whole numbers, or what is expected where tags are not seen."""
    classes: list[str]
    class_tags: Floats
    """A row per class: p(tag | class); the first is of all rare words."""

    @property
    def word_totals(self) -> NDArray[np.int64]:
        """How often each word was seen."""
        sums = np.concatenate([[0.0], np.cumsum(self.word_counts, dtype=np.float64)])
        totals: NDArray[np.int64] = np.rint(sums[self.word_starts[1:]] - sums[self.word_starts[:-1]]).astype(np.int64)
        return totals

    @cached_property
    def priors(self) -> Floats:
        """p(tag) over all words; a tag without words has the share of one."""
        counts = np.bincount(self.word_tags, self.word_counts, len(self.tags))
        shares: Floats = np.maximum(counts, 1.0) / max(1.0, float(counts.sum()))
        return shares

    @cached_property
    def _word_at(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def _class_at(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.classes)}

    def scores(self, sentence: Sequence[str]) -> Floats:
        """log p(word | tag), a row per token; -inf for tags that are not tried. One factor of each row is free."""
        shares = np.empty((len(sentence), len(self.tags)))
        for place, (word, begins) in enumerate(zip(sentence, beginnings(sentence), strict=True)):
            shares[place] = self.tag_shares(word, begins)
        shares[shares < LEAST] = 0.0
        with np.errstate(divide="ignore"):
            scores: Floats = np.log(shares) - np.log(self.priors)
        return scores

    def tag_shares(self, word: str, begins: bool) -> Floats:
        """p(tag | word): counts of the word and, as a prior, what words of its class are."""
        counts = self._counts(word)
        if begins and word[:1].isupper() and word.lower() != word:
            counts = counts + self._counts(word.lower())  # the first word of a sentence is written large
        shares: Floats = (counts + WORD_WEIGHT * self.class_tags[self.class_of(word, begins)]) / (
            counts.sum() + WORD_WEIGHT
        )
        return shares

    def _counts(self, word: str) -> Floats:
        counts = np.zeros(len(self.tags))
        at = self._word_at.get(word)
        if at is not None:
            part = slice(int(self.word_starts[at]), int(self.word_starts[at + 1]))
            counts[self.word_tags[part]] = self.word_counts[part]
        return counts

    def class_of(self, word: str, begins: bool) -> int:
        """The finest class of a word that was seen."""
        finest = 0
        for name in classes_of(word, begins):
            at = self._class_at.get(name)
            if at is None:
                break
            finest = at
        return finest


def beginnings(sentence: Sequence[str]) -> Iterator[bool]:
    """Of each token: does the sentence begin here? It still does after an opening quotation mark."""
    begins = True
    for word in sentence:
        yield begins
        begins = begins and not any(sign.isalnum() for sign in word)


def classes_of(word: str, begins: bool) -> Iterator[str]:
    """The classes of a word from the coarsest on: its shape, and the shape with endings of growing length."""
    shape = shape_of(word, begins)
    yield shape
    if any(sign.isalpha() for sign in word):
        ending = word.lower()
        for length in range(1, min(SUFFIX, len(ending) - 1) + 1):
            yield f"{shape} {ending[-length:]}"


def shape_of(word: str, begins: bool) -> str:
    """Capitals, digits and hyphens."""
    letters = [sign for sign in word if sign.isalpha()]
    digits = any(sign.isdigit() for sign in word)
    if not letters:
        return ("number" if digits else "signs") + ("" if len(word) > 1 else "1")
    if len(letters) > 1 and all(sign.isupper() for sign in letters):
        case = "capitals"
    elif word[0].isupper():
        case = "First" if begins else "Capital"
    elif any(sign.isupper() for sign in letters):
        case = "mixed"
    else:
        case = "small"
    return case + ("-digit" if digits else "") + ("-hyphen" if "-" in word.strip("-") else "")


def learned(words: Mapping[tuple[str, str, bool], float], tags: Sequence[str]) -> Lexicon:
    """The lexicon of counts of (word, tag, whether it begins a sentence)."""
    place = {tag: number for number, tag in enumerate(tags)}
    by_word: defaultdict[str, defaultdict[int, float]] = defaultdict(lambda: defaultdict(int))
    for (word, tag, _), count in words.items():
        by_word[word][place[tag]] += count
    seen: defaultdict[str, Floats] = defaultdict(lambda: np.zeros(len(tags)))
    for (word, tag, begins), count in words.items():
        if round(sum(by_word[word].values())) <= RARE:
            seen[""][place[tag]] += count
            for name in classes_of(word, begins):
                seen[name][place[tag]] += count
    total = seen[""] if seen[""].any() else seen[""] + 1.0
    rows = {"": total / total.sum()}
    for name in sorted(seen, key=lambda name: (len(name.partition(" ")[2]), name)):  # the coarser class stands before
        if name:
            shape, _, ending = name.partition(" ")
            coarser = rows["" if not ending else shape if len(ending) == 1 else f"{shape} {ending[1:]}"]
            rows[name] = (seen[name] + SHAPE_WEIGHT * coarser) / (seen[name].sum() + SHAPE_WEIGHT)
    forms = sorted(by_word)
    cells = [(tag, count) for word in forms for tag, count in sorted(by_word[word].items())]
    starts = np.zeros(len(forms) + 1, np.int32)
    np.cumsum([len(by_word[word]) for word in forms], out=starts[1:])
    return Lexicon(
        list(tags),
        forms,
        starts,
        np.array([tag for tag, _ in cells], np.int32),
        _counts_column([count for _, count in cells]),
        list(rows),
        np.array(list(rows.values())),
    )


def _counts_column(counts: list[float]) -> Integers | Floats:
    if all(isinstance(count, int) for count in counts):
        return np.array(counts, np.int32)
    return np.array(counts, np.float64)
