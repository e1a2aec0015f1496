"""The difference of two shares from independent samples, such as parsers that were judged on different sentences.

>>> first, second = [1, 0, 0, 1, 0, 0, 0, 1], [1, 1, 1, 0, 1, 1, 1, 1, 1, 1]
>>> independent_share_difference(first, second)
Difference(value=0.525, low=0.0662..., high=0.983..., clusters=18, effective=12.0..., p=0.0285...)
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .sampling import Clusters, Difference, Floats, Ints, StandardError, spread_of


def independent_share_difference(
    first: ArrayLike, second: ArrayLike, clusters: tuple[Clusters, Clusters] | None = None,
    strata: tuple[ArrayLike, ArrayLike] | None = None,
) -> Difference:  # fmt: skip
    """Return the share of the second sample minus the share of the first, by Welch's t (1947) over clusters.

    The samples have 1 or 0 for each item. The variance of each share is CR2, as in `share_difference`. Where all items
    of a stratum are alike, it is the variance with one more cluster that is not. With `strata`, which both samples
    have, each stratum counts as much in one sample as in the other: the mean of its shares of both.
    """
    sides: list[Floats] = [np.asarray(side, dtype=np.float64) for side in (first, second)]
    if not all(map(len, sides)):
        raise UsageError("cannot compare shares: a sample has no items", todo="remove groups without items")
    groups = clusters or tuple(Clusters.independent(len(side)) for side in sides)
    named = np.concatenate([np.asarray(side) for side in strata]) if strata else np.zeros(sum(map(len, sides)))
    codes: NDArray[Any] = np.unique(named, return_inverse=True)[1].reshape(-1)
    layers: list[Ints] = np.split(codes, [len(sides[0])])
    sizes = [np.bincount(layer, minlength=int(codes.max()) + 1) for layer in layers]
    if not all(size.all() for size in sizes):
        raise UsageError("cannot compare shares: a sample lacks a stratum", todo="remove strata of one sample only")
    weights: Floats = (sizes[0] / sizes[0].sum() + sizes[1] / sizes[1].sum()) / 2
    one, two = (_share_error(*side, weights) for side in zip(sides, groups, layers, sizes, strict=True))
    value, count = two.value - one.value, one.clusters + two.clusters
    if min(one.clusters, two.clusters) < 2:
        return Difference(value, -1.0, 1.0, count, 1.0)
    variances = one.error**2, two.error**2
    freedom = sum(variances) ** 2 / (variances[0] ** 2 / one.freedom + variances[1] ** 2 / two.freedom)
    return StandardError(value, sqrt(sum(variances)), count, freedom).difference(-1.0, 1.0)


def _share_error(right: Floats, clusters: Clusters, layer: Ints, sizes: Ints, weights: Floats) -> StandardError:
    """Return the share of one sample with its error; strata are fixed."""
    means = np.bincount(layer, right) / sizes
    share = (weights / sizes)[layer]
    spread = spread_of(float(means @ weights), (right - means[layer]) * share, share, clusters, layer)
    if spread.clusters < 2:
        return spread
    alike = np.flatnonzero((means == 0) | (means == 1))
    numbers = [len(np.unique(clusters.codes[0][layer == stratum])) for stratum in alike]
    unseen = ((weights[alike] / (np.array(numbers) + 1)) ** 2).sum()
    return StandardError(spread.value, sqrt(spread.error**2 + float(unseen)), spread.clusters, spread.freedom)
