"""Sums, means and ratios between borders: of the words of sentences, or of the sentences of groups."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[Any]


def running(values: Ints) -> Ints:
    """(n + 1,): how much there is before each place, and in all."""
    return np.concatenate([[0], np.cumsum(values, dtype=np.int64)])


def sums(values: Ints, borders: Ints) -> NDArray[np.int64]:
    """Whole numbers, summed up between borders."""
    total = running(values)
    result: NDArray[np.int64] = total[borders[1:]] - total[borders[:-1]]
    return result


def slices(values: Ints, borders: Ints) -> list[Ints]:
    """The values between borders: sums of fractions are taken in each alone, to the last digit as in one group."""
    return [values[begin:end] for begin, end in pairwise(borders.tolist())]


def means(values: Ints, borders: Ints) -> list[float | None]:
    """The mean between borders; None where nothing is."""
    return [float(np.add.reduce(part)) / len(part) if len(part) else None for part in slices(values, borders)]


def ratios(tops: Ints, bottoms: Ints) -> list[float | None]:
    """Quotients of whole numbers; None where the second is 0."""
    return [top / bottom if bottom else None for top, bottom in zip(tops.tolist(), bottoms.tolist(), strict=True)]
