"""Where the errors are: brackets by category, by function, by the length of the sentence, and by kind of gap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...errors import unknown_name
from ...phrase.evalb import Parameters
from ...phrase.parseval import Bracket, brackets, gap_brackets, kept_tokens
from ...phrase.tree import PhraseTree
from ...stats.sampling import shares
from .scores import BracketScores
from .settings import GROUPINGS

_LENGTHS = (5, 10, 20, 30, 40, 60)


@dataclass(frozen=True, slots=True)
class BracketGroup:
    """Precision, recall and F1 over the brackets of one group, per cent, F1 with its interval."""

    grouping: str
    name: str
    gold: int
    precision: float | None
    recall: float | None
    f1: float | None
    low: float | None = None
    high: float | None = None


def by_group(
    gold: Sequence[PhraseTree],
    system: Sequence[PhraseTree | None],
    scores: BracketScores,
    parameters: Parameters,
    grouping: str,
    scheme: str = "",
) -> list[BracketGroup]:
    """The scores of each group; but for lengths the most frequent first. The scheme tells the heads of gaps."""
    if grouping == "length":
        return _by_length(scores)
    if grouping not in GROUPINGS:
        raise unknown_name("grouping", grouping, GROUPINGS)
    if grouping == "gap":
        counts, names = _tabled(_by_gap(gold, system, parameters, scheme), 2)
    else:
        column = 1 if grouping == "label" else 2
        counts, names = _tabled(_by_name(gold, system, parameters, column), column)
    intervals = shares(counts[:, :, 0], (counts[:, :, 1] + counts[:, :, 2]) / 2)  # sentences × groups
    groups = []
    for place, (name, interval) in enumerate(zip(names, intervals, strict=True)):
        right, wanted, proposed = counts[:, place].sum(axis=0).tolist()
        ends = interval.percent if interval else (None, None)
        groups.append(_group(grouping, name, right, wanted, proposed, *ends))
    return sorted(groups, key=lambda group: (-group.gold, group.name))


Parts = tuple[Counter[Bracket], Counter[Bracket], Counter[Bracket]]
"""The brackets of a sentence that are right, those of gold, and those of the system."""


def _tabled(
    by_tree: Sequence[Parts], column: int
) -> tuple[np.ndarray[tuple[int, int, int], np.dtype[np.int64]], list[str]]:
    """(sentences × groups × right, gold, system), and the groups, which this column of the brackets names."""
    names = sorted({str(bracket[column]) for part in by_tree for counter in part for bracket in counter} - {""})
    places = {name: place for place, name in enumerate(names)}
    counts = np.zeros((len(by_tree), len(names), 3), dtype=np.int64)
    for number, parts in enumerate(by_tree):
        for which, counter in enumerate(parts):
            for bracket, times in counter.items():
                if (name := str(bracket[column])) in places:
                    counts[number, places[name], which] += times
    return counts, names


def _by_name(
    gold: Sequence[PhraseTree], system: Sequence[PhraseTree | None], parameters: Parameters, column: int
) -> list[Parts]:
    """By category, or by functions of labelled brackets."""
    by_tree = []
    for gold_tree, system_tree in zip(gold, system, strict=True):
        kept = kept_tokens(gold_tree, parameters)
        wanted = _counted(brackets(gold_tree, parameters, kept), column)
        there = (
            _counted(brackets(system_tree, parameters, kept), column) if system_tree is not None else Counter[Bracket]()
        )
        by_tree.append((wanted & there, wanted, there))
    return by_tree


def _by_gap(
    gold: Sequence[PhraseTree], system: Sequence[PhraseTree | None], parameters: Parameters, scheme: str
) -> list[Parts]:
    """Brackets with gaps by what stands apart in them. A right one is of the kind that it is in gold."""
    by_tree = []
    for gold_tree, system_tree in zip(gold, system, strict=True):
        kept = kept_tokens(gold_tree, parameters)
        wanted = gap_brackets(gold_tree, parameters, kept, scheme)
        own = gap_brackets(system_tree, parameters, kept, scheme) if system_tree is not None else []
        waiting = list(wanted)
        right, there = Counter[Bracket](), Counter[Bracket]()
        for bracket in own:
            match = next((each for each in waiting if each[:2] == bracket[:2]), None)
            if match is not None:
                waiting.remove(match)
                right[match] += 1
            there[match or bracket] += 1
        by_tree.append((right, Counter(wanted), there))
    return by_tree


def _counted(listed: Sequence[Bracket], column: int) -> Counter[Bracket]:
    """By category the function does not count; by function the category counts too."""
    return Counter((mask, label, function if column == 2 else "") for mask, label, function in listed)


def _by_length(scores: BracketScores) -> list[BracketGroup]:
    groups, low = [], 1
    lengths = [sentence.length for sentence in scores.sentences]
    for bound in (*_LENGTHS, None):
        part = scores.only([length >= low and (bound is None or length <= bound) for length in lengths])
        if part.sentences:
            name = f"{low}–{bound}" if bound is not None else f"{low}+"
            right, wanted, proposed = (
                sum(getattr(sentence.labelled, column) for sentence in part.sentences)
                for column in ("right", "gold", "system")
            )
            groups.append(_group("length", name, right, wanted, proposed, *part.intervals().get("f1", (None, None))))
        low = (bound or 0) + 1
    return groups


def _group(
    grouping: str, name: str, right: int, gold: int, system: int, low: float | None, high: float | None
) -> BracketGroup:
    precision = 100 * right / system if system else None
    recall = 100 * right / gold if gold else None
    f1 = 200 * right / (gold + system) if gold + system else None
    return BracketGroup(grouping, name, gold, precision, recall, f1, low, high)
