"""Words and tags: p(word | tag) of known words, and of unknown words by shape and suffix (as in TnT).

For a language model, p(word | tag) sums to 1 over all words that there can be."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .chart import Floats

RARE = 5
"""Words seen so often or less teach what unknown words are like."""
SUFFIX = 5
"""Letters of the longest ending."""
SHAPE_WEIGHT, WORD_WEIGHT = 2.0, 0.5
"""How many sightings the coarser class is worth: of an ending, and of a known word."""
LEAST = 1e-4
"""A tag less likely than this for a word is not tried."""

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
    values = [count for _, count in cells]
    whole = all(isinstance(count, int) for count in values)
    starts = np.zeros(len(forms) + 1, np.int32)
    np.cumsum([len(by_word[word]) for word in forms], out=starts[1:])
    return Lexicon(
        list(tags),
        forms,
        starts,
        np.array([tag for tag, _ in cells], np.int32),
        np.array(values, np.int32) if whole else np.array(values, np.float64),
        list(rows),
        np.array(list(rows.values())),
    )


def scores_of_tags(scores: Floats, labels: Sequence[str], tags: Sequence[str] | None) -> Floats:
    """log p(word | tag), tokens × preterminals, where each token has its tag alone; one that the grammar does not know
    decides nothing. A word that was never seen with its tag is as likely as any other."""
    if tags is None:
        return scores
    restricted = np.array(scores)
    names = np.array(labels)
    for place, tag in enumerate(tags):
        own = names == tag
        if own.any():
            restricted[place, ~own] = -np.inf
            if (restricted[place, own] == -np.inf).all():
                restricted[place, own] = 0.0
    return restricted


def shares_of_tags(
    shares: Floats, priors: Floats, belongs: Floats, labels: Sequence[str], tags: Sequence[str] | None
) -> Floats:
    """The same of p(subtag | word), tokens × subtags; `belongs` is 1 where a subtag is of a preterminal's tag."""
    if tags is None:
        return shares
    restricted = np.array(shares)
    names = np.array(labels)
    for place, tag in enumerate(tags):
        own = belongs[:, names == tag].any(axis=1)
        if own.any():
            restricted[place, ~own] = 0.0
            left = restricted[place].sum()
            restricted[place] = restricted[place] / left if left > 0 else np.where(own, priors, 0.0) / priors[own].sum()
    return restricted


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
