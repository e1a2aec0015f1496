"""The target of a pair: the word or words that its file names, as a region of its own.

Words are compared without capitals and without the signs at their ends, so that `bayıldı` is found in `bayıldı.`; the
region is all of the words that hold it. Of several places the one in the stretch that differs is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from .model import Condition, Item, Prediction, Region, RegionSuite
from .pair import columns_of, pair_of
from .pair_columns import PairColumns, cell_text

NAMES = {1: "before", 2: "target", 3: "after"}
FORMULA = "(2;%bad%) > (2;%good%)"
_NONE = frozenset(("", "-", "∅", "none", "nan", "null"))


def on_targets(suite: RegionSuite) -> RegionSuite:
    """The pairs whose target is known, in three regions, and the prediction on the second."""
    columns = columns_of(suite)
    items = [cut for item in suite.items if (cut := _cut(suite, item, columns)) is not None]
    prediction = Prediction(FORMULA, f"{suite.name} (prediction 1)")
    return replace(suite, items=items, predictions=[prediction], region_names=NAMES)


def has_target(suite: RegionSuite, item: Item, columns: PairColumns) -> bool:
    """Is the target of this pair named, and found in both sentences?"""
    return _cut(suite, item, columns) is not None


def names_target(item: Item, columns: PairColumns) -> bool:
    """Does the file name a target for this pair?"""
    return all(folded(target) not in _NONE for target in target_words(item, columns))


def target_words(item: Item, columns: PairColumns) -> tuple[str, str]:
    """What the file names as the target of the good and of the bad sentence; empty where it names none."""
    row = item.columns
    bad = row.get(f"{columns.bad_target} (bad)", row.get(columns.bad_target))
    return cell_text(row.get(columns.good_target)), cell_text(bad)


def _cut(suite: RegionSuite, item: Item, columns: PairColumns) -> Item | None:
    if not columns.good_target or not names_target(item, columns):
        return None
    pieces = [list(text.split() if suite.segmented else "".join(text.split())) for text in pair_of(suite, item)]
    conditions = []
    for own, other, target, condition in zip(
        pieces, reversed(pieces), target_words(item, columns), item.conditions, strict=True
    ):
        wanted = target.split() if suite.segmented else list("".join(target.split()))
        begin = _place(own, other, wanted)
        if begin is None:
            return None
        end = begin + len(wanted)
        joiner = " " if suite.segmented else ""
        parts = (own[:begin], own[begin:end], own[end:])
        regions = tuple(Region(number, joiner.join(part)) for number, part in enumerate(parts, 1))
        conditions.append(Condition(condition.name, regions, condition.extra))
    return replace(item, conditions=tuple(conditions))


def _place(words: Sequence[str], other: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where the wanted words begin; None where they are not there, or in several places that differ alike."""
    here, sought = [folded(word) for word in words], [folded(word) for word in wanted]
    size = len(sought)
    places = [begin for begin in range(len(words) - size + 1) if here[begin : begin + size] == sought]
    if len(places) > 1:
        ahead = common_start(words, other)
        behind = min(common_start(words[::-1], other[::-1]), len(words) - ahead, len(other) - ahead)
        places = [begin for begin in places if begin < len(words) - behind and begin + size > ahead]
    return places[0] if len(places) == 1 else None


def common_start(first: Sequence[str], second: Sequence[str]) -> int:
    """How many words two sentences begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def folded(word: str) -> str:
    """Small letters without signs at the ends; the dotted and the dotless i of Turkish are one."""
    small = word.casefold().replace("\u0307", "").replace("ı", "i")
    bare = small.strip("".join({char for char in small if not char.isalnum()}))
    return bare or small
