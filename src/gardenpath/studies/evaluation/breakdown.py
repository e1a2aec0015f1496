"""Where the errors are: scores by label, sentence length, dependency length, direction, depth and projectivity."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...errors import unknown_name
from ...stats.sampling import Clusters, Estimate, shares
from ...treebank.scores import Scores
from ...treebank.tree import crossings, depths
from ...treebank.treebank import Treebank

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WordGroup:
    """UAS, LAS and label accuracy over the gold words of one group, per cent, LAS with its interval; None of none."""

    grouping: str
    name: str
    words: int
    uas: float | None
    las: float | None
    label: float | None
    low: float | None
    high: float | None
    precision: float | None = None
    """Of the label (grouping "label" only): of the words the system called so, how many are right in head and label."""
    f1: float | None = None


def _by_bins(values: Ints, upper: Sequence[int], unit: str = "") -> tuple[Ints, list[str]]:
    """Numbers of bins with the given upper bounds, and one more for all above."""
    names, low = [], 1
    for bound in upper:
        names.append(f"{low}{unit}" if bound == low else f"{low}–{bound}{unit}")
        low = bound + 1
    return np.searchsorted(np.array(upper), values), [*names, f"{low}+{unit}"]


def _length(gold: Treebank) -> tuple[Ints, list[str]]:
    return _by_bins(gold.lengths[gold.sentence_of], (5, 10, 20, 30, 40, 60))


def _distance(gold: Treebank) -> tuple[Ints, list[str]]:
    """|ID - HEAD|; root edges have no length and are a group of their own."""
    size = np.abs(gold.ids - gold.heads)
    numbers, names = _by_bins(size, (1, 2, 3, 6, 10, 15))
    return np.where(gold.heads == 0, len(names), numbers), [*names, "root"]


def _direction(gold: Treebank) -> tuple[Ints, list[str]]:
    numbers = np.where(gold.heads == 0, 2, (gold.heads < gold.ids).astype(np.int64))
    return numbers, ["head to the right", "head to the left", "root"]


def _depth(gold: Treebank) -> tuple[Ints, list[str]]:
    """Edges up to the artificial root: 1 for the root word."""
    found = depths(gold.heads, gold.offsets)
    numbers, names = _by_bins(found, (1, 2, 3, 4, 5, 6))
    return np.where(found < 0, len(names), numbers), [*names, "no tree"]


def _projectivity(gold: Treebank) -> tuple[Ints, list[str]]:
    found = crossings(gold.heads, gold.offsets)
    numbers = found.nonprojective.astype(np.int64)
    return np.where(found.too_long[gold.sentence_of], 2, numbers), ["projective", "non-projective", "not decided"]


_GROUPS: dict[str, Callable[[Treebank], tuple[Ints, list[str]]]] = {
    "length": _length,
    "distance": _distance,
    "direction": _direction,
    "depth": _depth,
    "projectivity": _projectivity,
}


def groups_of_words(gold: Treebank) -> dict[str, list[str]]:
    """For each grouping but the label, the group of every word of gold."""
    found = {}
    for grouping, function in _GROUPS.items():
        numbers, names = function(gold)
        found[grouping] = [names[number] for number in numbers.tolist()]
    return found


def by_group(scores: Scores, grouping: str, clusters: Clusters) -> list[WordGroup]:
    """The scores of each group that has words, as gold groups them; `clusters` are those of the sentences."""
    if grouping == "label":
        numbers, names = scores.words.gold_deprels.astype(np.int64), list(scores.words.deprels)
    elif grouping in _GROUPS:
        numbers, names = _GROUPS[grouping](scores.alignment.gold)
    else:
        raise unknown_name("grouping", grouping, ("label", *_GROUPS))
    groups = _word_groups(scores, grouping, numbers, names, clusters)
    return sorted(groups, key=lambda group: (-group.words, group.name)) if grouping == "label" else groups


def of_words(scores: Scores, grouping: str, name: str, chosen: NDArray[np.bool_], clusters: Clusters) -> WordGroup:
    """The scores of the gold words that are chosen, as a group by its name."""
    numbers = np.where(chosen, 0, 1)
    groups = _word_groups(scores, grouping, numbers, [name, ""], clusters)
    return next((group for group in groups if group.name), WordGroup(grouping, name, 0, *[None] * 5))


def _word_groups(
    scores: Scores, grouping: str, numbers: Ints, names: Sequence[str], clusters: Clusters
) -> list[WordGroup]:
    words, gold = scores.words, scores.alignment.gold
    count = len(names)
    scored = words.scored

    def totals(which: NDArray[np.bool_]) -> Ints:
        return np.bincount(numbers[which & scored], minlength=count)

    words_in, uas, las, label = totals(scored), totals(words.uas), totals(words.las), totals(words.label)
    intervals = _intervals(gold, numbers, count, scored, words.las, clusters)
    called = np.bincount(words.called, minlength=len(words.deprels))
    groups = []
    for i, name in enumerate(names):
        n = int(words_in[i])
        if n == 0:
            continue
        interval = intervals[i]
        low, high = interval.percent if interval else (None, None)
        precision = f1 = None
        if grouping == "label":
            precision = 100 * int(las[i]) / int(called[i]) if called[i] else None
            f1 = 200 * int(las[i]) / (n + int(called[i]))
        u, a, b = (100 * int(total[i]) / n for total in (uas, las, label))
        groups.append(WordGroup(grouping, name, n, u, a, b, low, high, precision, f1))
    return groups


def _intervals(
    gold: Treebank,
    numbers: Ints,
    count: int,
    scored: NDArray[np.bool_],
    las: NDArray[np.bool_],
    clusters: Clusters,
) -> list[Estimate | None]:
    """The LAS of each group from counts per sentence (sentences × groups)."""
    cells = gold.sentence_of * count + numbers
    size = len(gold) * count
    right = np.bincount(cells[las & scored], minlength=size).reshape(-1, count)
    asked = np.bincount(cells[scored], minlength=size).reshape(-1, count)
    return shares(right, asked, clusters)


def confusions(scores: Scores) -> list[tuple[str, str, int]]:
    """(gold label, label of the system, words) for every pair of labels that occurs, most frequent first."""
    words = scores.words
    kept = words.scored & words.aligned
    size = len(words.deprels)
    table = np.bincount(words.gold_deprels[kept].astype(np.int64) * size + words.system_deprels[kept])
    cells = [(int(table[i]), *divmod(int(i), size)) for i in np.flatnonzero(table)]
    return [(words.deprels[g], words.deprels[s], n) for n, g, s in sorted(cells, key=lambda cell: (-cell[0], cell[1:]))]
