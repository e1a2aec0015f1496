"""What can be wrong in pairs: sentences in the wrong column, and targets that are not where they should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..registry import Hit, check_of_regions
from .model import Item, RegionSuite
from .pair import columns_of, is_pairs_file, pair_of
from .pair_columns import cell_text, paired_columns
from .targets import folded, has_target, names_target, target_words

_ONE_WAY, _OFTEN = 0.95, 20
"""Where a word stands for another in this share of the pairs that differ in the two, and in so many, it is a rule."""


@check_of_regions(
    "swapped-pair", "a pair whose sentences are in each other's column: its targets, or another pair, say so",
    "swap the two sentences, or see which one is good",
)  # fmt: skip
def swapped_pairs(suite: RegionSuite) -> Iterator[Hit]:
    if not is_pairs_file(suite):
        return
    pairs = [pair_of(suite, item) for item in suite.items]
    seen = {pair: place for place, pair in reversed(list(enumerate(pairs)))}
    for place, (item, (good, bad)) in enumerate(zip(suite.items, pairs, strict=True)):
        other = seen.get((bad, good))
        if good != bad and other is not None:
            yield Hit(place, f"item {suite.items[other].id} has the same two sentences the other way round")
            continue
        for mine, its in _marked_words(item):
            swapped = _holds(good, its) and _holds(bad, mine)
            if swapped and not _holds(good, mine) and not _holds(bad, its):
                yield Hit(place, f"{mine}, of the good sentence, is in the bad one, and {its} in the good one")
                break


def _marked_words(item: Item) -> Iterator[tuple[str, str]]:
    """What the file says of a word of the good sentence and of its counterpart in the bad one, where they differ."""
    columns = item.columns
    for good_column, bad_column in paired_columns(columns):
        words = cell_text(columns[good_column]), cell_text(columns[bad_column])
        if all(words) and words[0] != words[1]:
            yield words


@check_of_regions(
    "against-the-rule", "a pair that differs in two words the other way round than nearly all pairs that do so",
    "see whether its sentences are swapped", level="note",
)  # fmt: skip
def against_the_rule(suite: RegionSuite) -> Iterator[Hit]:
    changes = [_change(suite, item) for item in suite.items] if is_pairs_file(suite) else []
    count = Counter(change for change in changes if change)
    for place, change in enumerate(changes):
        if not change:
            continue
        own, other = count[change], count[change[1], change[0]]
        if other >= _OFTEN and other >= _ONE_WAY * (own + other):
            yield Hit(
                place, f"{change[0]} is good and {change[1]} bad here; it is the other way round in {other} pairs"
            )


@check_of_regions(
    "lost-target", "a target that a file names and that is not in the sentence, or in several places", "correct it",
    level="warning",
)  # fmt: skip
def lost_targets(suite: RegionSuite) -> Iterator[Hit]:
    columns = columns_of(suite) if is_pairs_file(suite) else None
    if columns is None or not columns.good_target:
        return
    for place, item in enumerate(suite.items):
        if names_target(item, columns) and not has_target(suite, item, columns):
            named = " and ".join(dict.fromkeys(target_words(item, columns)))
            yield Hit(place, f"{named}: not in both sentences, or in several places of one")


def _holds(sentence: str, target: str) -> bool:
    return f" {_words(target)} " in f" {_words(sentence)} "


def _words(text: str) -> str:
    return " ".join(map(folded, text.split()))


def _change(suite: RegionSuite, item: Item) -> tuple[str, str] | None:
    """The word of the good sentence and that of the bad one, where the two differ in one word alone."""
    good, bad = (text.split() for text in pair_of(suite, item))
    differ = [(good_word, bad_word) for good_word, bad_word in zip(good, bad, strict=False) if good_word != bad_word]
    return differ[0] if len(good) == len(bad) and len(differ) == 1 else None
