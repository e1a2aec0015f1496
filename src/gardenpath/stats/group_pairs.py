"""How much more one group of items has than another, over all pairs of an item of each.

Pairs may be kept to items of one stratum (a construction), so that a difference between strata is no difference
between groups. The mean over pairs without strata is the difference of the two means; the share of pairs in which the
first has more, less the share in which it has less, is Cliff's delta, or the rank-biserial correlation. Standard errors
leave out one cluster after the other; t has the degrees of freedom of the group with fewer clusters.

    >>> import numpy as np
    >>> bits, astray = np.array([5.0, 7.0, 1.0, 2.0, 3.0]), np.array([True, True, False, False, False])
    >>> compared = compare_groups(bits, astray)
    >>> compared.gap.value, compared.dominance.value, compared.items
    (4.0, 1.0, 5)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .sampling import Clusters, Difference, Floats, Ints, StandardError, over_ways


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """The first group against the second; both differences have no interval where a group is one cluster."""

    gap: Difference
    """Mean over pairs of the first value minus the second."""
    dominance: Difference
    """Pairs in which the first value is greater minus those in which it is less, of all pairs."""
    items: int
    """How many are in a pair."""


def compare_groups(
    values: ArrayLike, in_first: ArrayLike, clusters: Clusters | None = None, strata: ArrayLike | None = None
) -> GroupComparison | None:
    """Compares the items of the first group with all others; None where no pair can be made."""
    numbers, chosen = np.asarray(values, dtype=np.float64), np.asarray(in_first, dtype=bool)
    groups = clusters or Clusters.independent(len(numbers))
    layers = np.zeros(len(numbers), dtype=int) if strata is None else np.unique(strata, return_inverse=True)[1]
    first, second = np.flatnonzero(chosen), np.flatnonzero(~chosen)
    kept = layers[first][:, None] == layers[second][None, :]  # first group × second group
    if not kept.any():
        return None
    # Items in no pair say nothing, and are no clusters either.
    rows, columns = kept.any(axis=1), kept.any(axis=0)
    first, second, kept = first[rows], second[columns], kept[rows][:, columns]
    gaps = np.where(kept, numbers[first][:, None] - numbers[second][None, :], 0.0)
    count = min(groups.at(first).count, groups.at(second).count)
    means = [_over_pairs(table, kept, groups, first, second, count) for table in (gaps, np.sign(gaps))]
    return GroupComparison(means[0].difference(), means[1].difference(-1.0, 1.0), len(first) + len(second))


def _over_pairs(
    table: Floats, kept: NDArray[np.bool_], clusters: Clusters, first: Ints, second: Ints, count: int
) -> StandardError:
    """The mean of `table` (first × second) over the pairs that are kept, θ = Σ t / Σ k, with its standard error.

    Without cluster g both sums lose its rows and its columns, and get back the cells in which these cross.
    """
    value = float(table.sum() / kept.sum())

    def left_out(codes: Ints) -> tuple[float, int]:
        size = int(codes.max()) + 1
        sums = [
            _without(np.asarray(cells, dtype=np.float64), codes[first], codes[second], size) for cells in (table, kept)
        ]
        present = np.unique(np.concatenate([codes[first], codes[second]]))
        tops, bottoms = (values[present] for values in sums)
        if (bottoms == 0).any() or len(present) < 2:
            return np.nan, count
        changes = tops / bottoms - value
        return (len(present) - 1) / len(present) * float(changes @ changes), count

    variance, _ = over_ways(clusters, left_out)
    return StandardError(value, sqrt(variance), count)


def _without(cells: Floats, rows: Ints, columns: Ints, size: int) -> Floats:
    """For each cluster the sum of the cells without its rows and columns."""
    crossing = np.where(rows[:, None] == columns[None, :], cells, 0.0)
    by_row = np.bincount(rows, cells.sum(axis=1) - crossing.sum(axis=1), minlength=size)
    left: Floats = cells.sum() - by_row - np.bincount(columns, cells.sum(axis=0), minlength=size)
    return left
