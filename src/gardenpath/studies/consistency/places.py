"""Where trees change: shares of words that change by column, by distance from the edit, and by depth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from .changes import PARTS, Changes
from .judging import JudgedBatch
from .questions import BatchSampling, Share

LIMITS = {"words_away": (0, 1, 2, 3, 4, 5, 10, 20), "edges_away": (0, 1, 2, 3, 4, 5, 6), "depth": (1, 2, 3, 4, 5, 6)}
"""Where the bins of a distance begin; the last one is open."""


@dataclass(frozen=True, slots=True)
class Altered:
    """What changes from the largest cluster of a batch to the others, over all batches."""

    clusters: int
    incomparable: int
    """Clusters whose words are others."""
    words: int
    """Changed words in all of them."""
    away: float | None
    """Words between a changed word and the edit, 1 for neighbours: the median."""
    root: Share
    """Clusters with another root."""
    edited: Share
    """Clusters in which the edited word itself changes."""
    beyond: Share
    """Clusters in which another word changes."""
    parts: dict[str, Share]
    """Clusters in which some word's head, label, UPOS or FEATS changes."""
    counts: dict[str, int]
    """Words whose head, label, UPOS or FEATS changes."""
    relabelled: Counter[tuple[str, str]]
    """Words by their label in the largest cluster and in the other one, where these differ."""
    places: dict[str, dict[str, Share]]
    """By distance: the share of the words there that change."""


def altered(batches: Sequence[JudgedBatch], how: BatchSampling) -> Altered:
    """Every cluster but the largest counts once, however many trees it has."""
    some = [[changes for changes in batch.changes if changes.comparable] for batch in batches]
    every = [cluster for few in some for cluster in few]

    def clusters(holds: list[list[bool]]) -> Share:
        return how.share([sum(few) for few in holds], [len(few) for few in holds])

    return Altered(
        clusters=len(every),
        incomparable=sum(not changes.comparable for batch in batches for changes in batch.changes),
        words=sum(len(cluster.changed) for cluster in every),
        away=float(median(away)) if (away := [word.words_away for one in every for word in one.changed]) else None,
        root=clusters([[cluster.root for cluster in few] for few in some]),
        edited=clusters([[any(not word.words_away for word in cluster.changed) for cluster in few] for few in some]),
        beyond=clusters([[any(word.words_away for word in cluster.changed) for cluster in few] for few in some]),
        parts={
            part: clusters([[any(part in word.parts for word in cluster.changed) for cluster in few] for few in some])
            for part in PARTS
        },
        counts={part: sum(part in word.parts for cluster in every for word in cluster.changed) for part in PARTS},
        relabelled=Counter(word.labels for cluster in every for word in cluster.changed if "deprel" in word.parts),
        places={kind: _by_distance(some, kind, number, how) for number, kind in enumerate(LIMITS)},
    )


def _by_distance(some: Sequence[Sequence[Changes]], kind: str, column: int, how: BatchSampling) -> dict[str, Share]:
    limits = LIMITS[kind]
    changed = [[0] * len(limits) for _ in some]
    there = [[0] * len(limits) for _ in some]
    for row, few in enumerate(some):
        for changes in few:
            for place in changes.places:
                if place[column] >= 0:  # a word that no root is above has no depth
                    there[row][_bin(limits, place[column])] += 1
            for word in changes.changed:
                if getattr(word, kind) >= 0:
                    changed[row][_bin(limits, getattr(word, kind))] += 1
    return {
        label: how.share([row[place] for row in changed], [row[place] for row in there])
        for place, label in enumerate(_labels(limits))
        if any(row[place] for row in there)
    }


def _bin(limits: Sequence[int], value: int) -> int:
    return max(place for place, limit in enumerate(limits) if limit <= max(value, limits[0]))


def _labels(limits: Sequence[int]) -> list[str]:
    ends = [str(low) if high == low + 1 else f"{low}-{high - 1}" for low, high in pairwise(limits)]
    return [*ends, f"{limits[-1]}+"]
