"""Correlations by ranks (Spearman) and by values (Pearson), plain and partial, with all that EDV's tables report.

The numbers are those of pingouin: p by Student's t, the interval by Fisher's z, ρ² adjusted for the number of
variables, and the power that a test of this size has for a correlation as large as the one found. How a correlation
depends on the sample is seen from observations drawn anew, or left out one at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atanh, inf, sqrt, tanh

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .distributions import draw_weights, numbers, percentile_interval, ranks
from .sampling import Clusters, Difference, spread_of

Floats = NDArray[np.float64]

_SINGULAR = 1e-10
"""Below this share of its variance, what covariates leave of a variable is rounding, not data."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation with its interval, two-sided p and power."""

    value: float
    low: float
    high: float
    p: float
    n: int
    power: float
    """Of a two-sided test at 1 - level for a true correlation of this size."""
    adjusted: float
    """ρ² less what chance alone explains; below zero when there is less than that."""
    covariates: int = 0

    @property
    def squared(self) -> float:
        return self.value**2


def spearman(x: ArrayLike, y: ArrayLike, *, level: float = 0.95) -> Correlation:
    """Spearman's ρ of two variables."""
    return partial_spearman(x, y, (), level=level)


def partial_spearman(
    x: ArrayLike, y: ArrayLike, covariates: Sequence[ArrayLike], *, level: float = 0.95
) -> Correlation:
    """Spearman's ρ of what a linear fit of the covariates' ranks leaves of both variables' ranks."""
    columns = [numbers(variable) for variable in (x, y, *covariates)]
    n, k = len(columns[0]), len(columns) - 2
    if any(len(column) != n for column in columns):
        raise UsageError(f"variables of different lengths: {', '.join(str(len(column)) for column in columns)}")
    if n < k + 4:
        raise UsageError(
            f"{n} observations are too few for a correlation with {k} covariates", todo=f"at least {k + 4} are needed"
        )
    for number, column in enumerate(columns):
        if (column == column[0]).all():
            name = ("the first variable", "the second variable")[number] if number < 2 else f"covariate {number - 1}"
            raise UsageError(f"no correlation: {name} has the same value everywhere ({column[0]:g})")
    ranked = [ranks(column) for column in columns]
    value = pearson(*residuals(ranked[:2], ranked[2:]))
    low, high = fisher_interval(value, n - k, level)
    adjusted = 1 - (1 - value**2) * (n - 1) / (n - k - 2)
    return Correlation(
        value, low, high, correlation_p(value, n - k), n, correlation_power(value, n - k, 1 - level), adjusted, k
    )


def pearson(x: Floats, y: Floats) -> float:
    """Product-moment correlation of two variables that are not constant."""
    x, y = x - x.mean(), y - y.mean()
    value = float(x @ y / sqrt(float(x @ x) * float(y @ y)))
    return min(1.0, max(-1.0, value))


def clustered_pearson(x: ArrayLike, y: ArrayLike, clusters: Clusters) -> Difference:
    """Return Pearson's r with its interval and p over clusters, by what every observation adds to r."""
    first, second = ((column - column.mean()) / column.std() for column in map(numbers, (x, y)))
    value, n = float((first * second).mean()), len(first)
    changes = (first * second - value * (first**2 + second**2) / 2) / n
    return spread_of(value, changes, np.full(n, 1 / n), clusters).difference(-1.0, 1.0)


def correlation_p(value: float, n: int) -> float:
    """Two-sided p of a correlation of n observations (less one for each covariate)."""
    from scipy.special import stdtr

    if abs(value) >= 1:
        return 0.0
    freedom = n - 2
    return 2 * float(stdtr(freedom, -abs(value) * sqrt(freedom / ((1 - value) * (1 + value)))))


def fisher_interval(value: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of a correlation by Fisher's z, whose standard error is 1 / √(n - 3)."""
    from scipy.special import ndtri

    if n <= 3:
        raise UsageError(f"no interval for a correlation of {n} observations", todo="at least 4 are needed")
    if abs(value) >= 1:
        return value, value
    half = float(ndtri((1 + level) / 2)) / sqrt(n - 3)
    return tanh(atanh(value) - half), tanh(atanh(value) + half)


def correlation_power(value: float, n: int, alpha: float = 0.05) -> float:
    """How likely a two-sided test of n observations finds a true correlation of this size (Cohen; R's pwr.r.test)."""
    from scipy.special import ndtr, stdtrit

    freedom = n - 2
    if freedom < 2:
        raise UsageError(f"no power for a correlation of {n} observations", todo="at least 4 are needed")
    critical = float(stdtrit(freedom, 1 - alpha / 2))
    threshold = atanh(sqrt(critical**2 / (critical**2 + freedom)))
    size = abs(value)
    z = atanh(size) + size / (2 * (n - 1)) if size < 1 else inf
    scale = sqrt(n - 3)
    return float(ndtr((z - threshold) * scale) + ndtr((-z - threshold) * scale))


def residuals(targets: Sequence[Floats], covariates: Sequence[Floats]) -> list[Floats]:
    """What a least squares fit of the covariates leaves of each target."""
    if not covariates:
        return list(targets)
    design = np.stack([np.ones(len(targets[0])), *covariates], axis=1)
    left = []
    for number, target in enumerate(targets, 1):
        rest = target - design @ np.linalg.lstsq(design, target, rcond=None)[0]
        spread = target - target.mean()
        if float(rest @ rest) <= _SINGULAR * float(spread @ spread):
            todo = "leave out covariates that say the same"
            raise UsageError(f"no partial correlation: the covariates determine variable {number} wholly", todo=todo)
        left.append(rest)
    return left


_SINGULAR_MATRIX = 1e-10
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
    usable = np.linalg.det(matrix) > _SINGULAR_MATRIX if len(columns) > 2 else np.ones(len(matrix), dtype=bool)
    places = np.flatnonzero(varied)[usable]
    if len(columns) == 2:
        correlations[places] = matrix[:, 0, 1]
    else:
        inverse = np.linalg.inv(matrix[usable])
        correlations[places] = -inverse[:, 0, 1] / np.sqrt(inverse[:, 0, 0] * inverse[:, 1, 1])
    bounded: Floats = np.clip(correlations, -1, 1)
    return bounded
