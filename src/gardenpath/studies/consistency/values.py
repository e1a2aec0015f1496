"""Which values break the parser: for each value and group of values, how often its tree is another one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .judging import RIGHT, JudgedBatch
from .questions import BatchSampling

MEASURES = {
    "differs_from_majority": "the parse is not that of the batch's largest cluster",
    "differs_from_original": "the parse is not that of the original sentence, right or wrong",
    "value_right": "the tree is the gold tree",
}


@dataclass(frozen=True, slots=True)
class ValueShare:
    """A measure of one value, or of a group of values, in per cent of the batches (of the variants for a group)."""

    key: str
    measure: str
    value: float
    n: int
    low: float | None
    high: float | None


def group_of(value: str, group: str) -> str:
    """The group that the perturbation names; for four-digit numbers without one, the century."""
    return group or (f"{value[:2]}00s" if re.fullmatch(r"[1-9]\d{3}", value) else "")


def by_value(batches: Sequence[JudgedBatch], how: BatchSampling) -> list[ValueShare]:
    """One entry for each value and measure; a value that is repeated in a batch counts once."""
    return _shares(batches, [list(batch.case.values) for batch in batches], how)


def by_group(batches: Sequence[JudgedBatch], how: BatchSampling) -> list[ValueShare]:
    """The same by group of values, such as centuries; nothing where there are no groups."""
    named = [
        [group_of(value, group) for value, group in zip(batch.case.values, batch.case.groups, strict=True)]
        for batch in batches
    ]
    return [share for share in _shares(batches, named, how) if share.key]


def _shares(batches: Sequence[JudgedBatch], keys: Sequence[Sequence[str]], how: BatchSampling) -> list[ValueShare]:
    places: dict[str, int] = {}
    for some in keys:
        for key in some:
            places.setdefault(key, len(places))
    if not places:
        return []
    totals: NDArray[Any] = np.zeros((len(batches), len(places)), dtype=np.int64)
    counts = {measure: np.zeros_like(totals) for measure in MEASURES}
    for row, (batch, some) in enumerate(zip(batches, keys, strict=True)):
        for key, cluster, outcome in zip(some, batch.cluster_of, batch.outcomes, strict=True):
            place = places[key]
            totals[row, place] += 1
            counts["differs_from_majority"][row, place] += cluster != 0
            counts["differs_from_original"][row, place] += cluster < 0 or cluster != batch.original_cluster
            counts["value_right"][row, place] += outcome == RIGHT
    shares = []
    for measure, table in counts.items():
        for key, place in places.items():
            share = how.share(table[:, place].tolist(), totals[:, place].tolist())
            if share.value is not None:
                shares.append(ValueShare(key, measure, share.value, share.total, share.low, share.high))
    return shares
