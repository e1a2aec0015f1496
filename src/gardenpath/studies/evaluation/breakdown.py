"""Where the errors are: scores of groups of gold words, and which labels are taken for which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...stats.sampling import Clusters, Estimate, shares
from ...treebank.scores import Scores
from ...treebank.treebank import Treebank
from .dimensions import Grouping

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class WordGroup:
    """UAS, LAS and label accuracy over the gold words of one group, per cent, LAS with its interval; None of none."""

    by: Mapping[str, str]
    """The value of each dimension."""
    words: int
    uas: float | None
    las: float | None
    label: float | None
    low: float | None
    high: float | None
    precision: float | None = None
    """Of a label: of the words the system called so, how many are right in head and label."""
    f1: float | None = None


def by_group(scores: Scores, grouping: Grouping, clusters: Clusters) -> list[WordGroup]:
    """The scores of each group that has words, as gold groups them; `clusters` are those of the sentences."""
    numbers, names = grouping.of_words(scores)
    groups = _word_groups(scores, [dict(zip(grouping.names, name, strict=True)) for name in names], numbers, clusters)
    if grouping.names != ("label",):
        return groups
    deprels = scores.words.deprels
    called = dict(zip(deprels, np.bincount(scores.words.called, minlength=len(deprels)).tolist(), strict=True))
    groups = [_with_precision(group, called[group.by["label"]]) for group in groups]
    return sorted(groups, key=lambda group: (-group.words, group.by["label"]))


def of_words(scores: Scores, by: Mapping[str, str], chosen: NDArray[np.bool_], clusters: Clusters) -> WordGroup:
    """The scores of the gold words that are chosen, as one group."""
    groups = _word_groups(scores, [by, {}], np.where(chosen, 0, 1), clusters)
    return next((group for group in groups if group.by), WordGroup(by, 0, *[None] * 5))


def _with_precision(group: WordGroup, called: int) -> WordGroup:
    """Precision and F1 of a label, which `called` words have in the system."""
    right = round((group.las or 0) * group.words / 100)
    return replace(group, precision=100 * right / called if called else None, f1=200 * right / (group.words + called))


def _word_groups(
    scores: Scores, names: Sequence[Mapping[str, str]], numbers: Ints, clusters: Clusters
) -> list[WordGroup]:
    words, gold = scores.words, scores.alignment.gold
    count = len(names)
    scored = words.scored

    def totals(which: NDArray[np.bool_]) -> Ints:
        return np.bincount(numbers[which & scored], minlength=count)

    words_in, uas, las, label = totals(scored), totals(words.uas), totals(words.las), totals(words.label)
    intervals = _intervals(gold, numbers, count, scored, words.las, clusters)
    groups = []
    for i, by in enumerate(names):
        n = int(words_in[i])
        if n == 0:
            continue
        interval = intervals[i]
        low, high = interval.percent if interval else (None, None)
        u, a, b = (100 * int(total[i]) / n for total in (uas, las, label))
        groups.append(WordGroup(by, n, u, a, b, low, high))
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
