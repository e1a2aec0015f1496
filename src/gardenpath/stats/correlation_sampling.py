"""How a rank correlation depends on the sample: observations drawn anew, or left out one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .correlation import correlation_p, numbers
from .resample import draw_weights, percentile_interval

Floats = NDArray[np.float64]

_SINGULAR = 1e-10
"""Below this determinant of a correlation matrix, a draw has too few different observations."""


@dataclass(frozen=True, slots=True, eq=False)
class SampledCorrelation:
    """A (partial) Spearman correlation over other samples of the same observations."""

    value: float
    left_out: Floats
    """(n): the correlation without each observation; NaN where it is not defined."""
    p: Floats
    """(n): the two-sided p of each."""
    low: float | None = None
    high: float | None = None
    """The percentile interval over draws with replacement; None without draws."""
    same_sign: float | None = None
    """The share of draws in which the correlation has the sign that it has in the whole sample."""


def sampled_spearman(
    x: ArrayLike, y: ArrayLike, covariates: Sequence[ArrayLike] = (), *, draws: int = 1000, seed: int = 0,
    level: float = 0.95,
) -> SampledCorrelation:  # fmt: skip
    """The correlation of `stats.correlation`, over `draws` bootstrap samples and over all samples that lack one."""
    columns = [numbers(column) for column in (x, y, *covariates)]
    n = len(columns[0])
    if n < 5 + len(covariates):
        raise UsageError(f"{n} observations are too few to leave one out", todo=f"{5 + len(covariates)} are needed")
    value = float(weighted_spearman(columns, np.ones((1, n)))[0])
    if np.isnan(value):
        raise UsageError("no correlation: a variable is constant, or the covariates determine it wholly")
    left_out = weighted_spearman(columns, 1 - np.eye(n))
    p = [float("nan") if np.isnan(one) else correlation_p(one, n - 1 - len(covariates)) for one in left_out.tolist()]
    if not draws:
        return SampledCorrelation(value, left_out, np.array(p))
    drawn = np.concatenate([weighted_spearman(columns, weights) for weights in draw_weights(n, draws, seed)])
    drawn = drawn[~np.isnan(drawn)]
    low, high = percentile_interval(drawn, level)
    same_sign = float((drawn * value > 0).mean())
    return SampledCorrelation(value, left_out, np.array(p), min(low, value), max(high, value), same_sign)


def weighted_spearman(columns: Sequence[Floats], weights: NDArray[np.float64] | NDArray[np.float32]) -> Floats:
    """Partial Spearman's ρ of the first two columns for each row of `weights`: how often each observation is there.

    columns: k of length n, the first two correlated, the others held constant; weights: (draws × n).
    Mean rank of observation i in a draw: Σ_j w_j [x_j < x_i] + (Σ_j w_j [x_j = x_i] + 1) / 2, one product of
    matrices. From the weighted correlations of the ranks, R (draws × k × k), with P = R⁻¹: ρ = -P₀₁ / √(P₀₀ P₁₁).
    """
    given = np.asarray(weights, dtype=np.float64)
    total = given.sum(axis=1)
    centred = []
    for column in columns:
        less = (column[:, None] < column[None, :]).astype(np.float64)  # (j, i): is j below i?
        equal = (column[:, None] == column[None, :]).astype(np.float64)
        ranks = given @ less + (given @ equal + 1) / 2
        centred.append(ranks - ((given * ranks).sum(axis=1) / total)[:, None])
    table = np.stack(centred, axis=1)  # draws × k × n
    products = np.einsum("din,djn,dn->dij", table, table, given)
    spread = np.sqrt(np.einsum("dii->di", products))
    correlations = np.full(len(given), np.nan)
    varied = (spread > 0).all(axis=1)
    matrix = products[varied] / (spread[varied, :, None] * spread[varied, None, :])
    usable = np.linalg.det(matrix) > _SINGULAR if len(columns) > 2 else np.ones(len(matrix), dtype=bool)
    places = np.flatnonzero(varied)[usable]
    if len(columns) == 2:
        correlations[places] = matrix[:, 0, 1]
    else:
        inverse = np.linalg.inv(matrix[usable])
        correlations[places] = -inverse[:, 0, 1] / np.sqrt(inverse[:, 0, 0] * inverse[:, 1, 1])
    bounded: Floats = np.clip(correlations, -1, 1)
    return bounded
