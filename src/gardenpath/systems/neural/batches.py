"""Batches of sentences: none too long, those of like length together, in an order that the seed decides."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..trainer import Tell

LONGEST = 100
"""Words of a sentence to learn from (Section 3.4 of the Mandarin paper)."""
Ids = NDArray[np.int64]


def within(lengths: Sequence[int] | Ids, tell: Tell, what: str = "training", longest: int = LONGEST) -> Ids:
    """The numbers of the sentences that are not too long. How many are left out, and their words, is told."""
    sizes = np.asarray(lengths, np.int64)
    kept = np.flatnonzero((sizes <= longest) & (sizes > 0))
    out = sizes[sizes > longest]
    if len(out):
        single = len(out) == 1
        tell(
            f"warning: {len(out)} {what} sentence{'s' * (not single)} of more than {longest} words "
            f"({int(out.sum())} words) {'is' if single else 'are'} left out"
        )
    if not len(kept):
        raise InputError(f"no {what} sentence has {longest} words or less", todo="cut them at the ends of sentences")
    return kept


def bucketed(lengths: Sequence[int] | Ids, size: int, seed: int | None = None, epoch: int = 0) -> list[Ids]:
    """Batches as numbers of sentences, each of at most `size` words with its padding, and one sentence at least.

    Sentences of like length go together, so that little is padding. With a seed, which ones and the order of the
    batches differ from epoch to epoch, and are the same for the same seed and epoch; without, long ones come last.
    """
    sizes = np.asarray(lengths, np.int64)
    if seed is None:
        order = np.argsort(sizes, kind="stable")
    else:
        random = np.random.default_rng([seed, epoch])
        order = random.permutation(len(sizes))
        order = order[np.argsort(sizes[order], kind="stable")]
    batches: list[Ids] = []
    begin = 0
    for at in range(len(order)):
        # Sorted by length: the newest is the longest, and says how wide the batch is.
        if at > begin and int(sizes[order[at]]) * (at - begin + 1) > size:
            batches.append(order[begin:at])
            begin = at
    if begin < len(order):
        batches.append(order[begin:])
    if seed is not None:
        batches = [batches[number] for number in random.permutation(len(batches))]
    return batches


def padded(rows: Sequence[Sequence[int] | Ids], fill: int) -> Ids:
    """Rows of different lengths as one matrix, filled up at the right."""
    width = max((len(row) for row in rows), default=0)
    matrix = np.full((len(rows), width), fill, np.int64)
    for number, row in enumerate(rows):
        matrix[number, : len(row)] = row
    return matrix
