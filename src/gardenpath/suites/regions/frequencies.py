"""Frequency, in a corpus such as training data, of the words in which compared conditions differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from statistics import median
from typing import NamedTuple

from ...runs.result.result import Table, Value
from ..registry import Hit, check_of_corpus
from .formula import atoms_of, comparisons_of
from .model import RegionSuite

LARGEST = 10
"""How many times as frequent the words of one alternative may be."""
Counts = Mapping[str, int]


class Alternatives(NamedTuple):
    """The words that only the better or only the worse of two compared conditions of an item has."""

    item: int
    better: tuple[str, ...]
    worse: tuple[str, ...]


def alternatives(suite: RegionSuite) -> Iterator[Alternatives]:
    """Yield the differing words of every item and pair of conditions, the one that should be less surprising first."""
    pairs = set[tuple[str, str]]()
    for prediction in suite.predictions:
        for one in comparisons_of(prediction.tree):
            sides = one.left, one.right
            less, more = sides if one.sign == "<" else sides[::-1]
            pairs |= {(a.condition, b.condition) for a in atoms_of(less) for b in atoms_of(more)}
    for better, worse in sorted(pairs):
        for place, item in enumerate(suite.items):
            first, second = item.condition(better), item.condition(worse)
            if first is not None and second is not None and better != worse:
                words = Counter(first.words), Counter(second.words)
                if (words[0] - words[1]) and (words[1] - words[0]):
                    yield Alternatives(place, tuple(words[0] - words[1]), tuple(words[1] - words[0]))


def _rarest(words: tuple[str, ...], counts: Counts) -> int:
    return min(counts.get(word, 0) for word in words)


@check_of_corpus(
    "not-in-corpus", "a word in which alternatives differ that the corpus does not have",
    "a model of it must guess; take another word", level="warning",
)  # fmt: skip
def unknown_words(suite: RegionSuite, counts: Counts) -> Iterator[Hit]:
    seen = set[tuple[int, str]]()
    for one in alternatives(suite):
        for word in (*one.better, *one.worse):
            if not counts.get(word, 0) and (one.item, word) not in seen:
                seen.add((one.item, word))
                yield Hit(one.item, f"{word} is not in the corpus")


@check_of_corpus(
    "frequency-differs", f"alternatives of which one is {LARGEST} times as frequent in the corpus, by its rarest word",
    "take words of similar frequency", level="warning",
)  # fmt: skip
def frequencies_differ(suite: RegionSuite, counts: Counts) -> Iterator[Hit]:
    for one in dict.fromkeys(alternatives(suite)):
        fewer, more = sorted((_rarest(one.better, counts), _rarest(one.worse, counts)))
        if fewer and more >= LARGEST * fewer:
            shown = " against ".join(
                ", ".join(f"{word} {counts.get(word, 0):,}" for word in side) for side in (one.better, one.worse)
            )
            yield Hit(one.item, shown)


def frequency_table(suites: list[RegionSuite], counts: Counts) -> Table:
    """Lay out, for each suite, how often the words occur in which its alternatives differ."""
    rows: list[list[Value]] = []
    for suite in suites:
        pairs = [(_rarest(one.better, counts), _rarest(one.worse, counts)) for one in alternatives(suite)]
        if pairs:
            apart = sum(min(pair) > 0 and max(pair) >= LARGEST * min(pair) for pair in pairs)
            medians = [median(side) for side in zip(*pairs, strict=True)]
            rows.append([suite.title, len(pairs), sum(min(pair) == 0 for pair in pairs), apart, *medians])
    columns = ("suite", "alternatives", "not in corpus", f"×{LARGEST}", "median better", "median worse")
    note = f"{sum(counts.values()):,} words in the corpus; of several words, the rarest counts."
    return Table("Frequency of the words in which alternatives differ", columns, rows, 1, note)
