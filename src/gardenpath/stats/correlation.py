"""Correlations by ranks (Spearman) and by values (Pearson), plain and partial, with all that EDV's tables report.

The numbers are those of pingouin: p by Student's t, the interval by Fisher's z, ρ² adjusted for the number of
variables, and the power that a test of this size has for a correlation as large as the one found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import atanh, inf, isfinite, sqrt, tanh

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError

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
    return _correlated([x, y, *covariates], level, ranks)


def product_moment(
    x: ArrayLike, y: ArrayLike, covariates: Sequence[ArrayLike] = (), *, level: float = 0.95
) -> Correlation:
    """Pearson's r of two variables, or of what a linear fit of the covariates leaves of both."""
    return _correlated([x, y, *covariates], level, lambda column: column)


def _correlated(variables: Sequence[ArrayLike], level: float, scale: Callable[[Floats], Floats]) -> Correlation:
    """Of two variables and their covariates, each on a scale: that of its ranks, or its own."""
    columns = [numbers(variable) for variable in variables]
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
    scaled = [scale(column) for column in columns]
    value = pearson(*residuals(scaled[:2], scaled[2:]))
    low, high = fisher_interval(value, n - k, level)
    adjusted = 1 - (1 - value**2) * (n - 1) / (n - k - 2)
    return Correlation(value, low, high, correlation_p(value, n - k), n, power(value, n - k, 1 - level), adjusted, k)


def ranks(values: ArrayLike) -> Floats:
    """1 for the smallest; equal values share the mean of their ranks (as scipy.stats.rankdata)."""
    given = np.asarray(values, dtype=np.float64)
    _, inverse, counts = np.unique(given, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse.reshape(-1)]


def pearson(x: Floats, y: Floats) -> float:
    """Product-moment correlation of two variables that are not constant."""
    x, y = x - x.mean(), y - y.mean()
    value = float(x @ y / sqrt(float(x @ x) * float(y @ y)))
    return min(1.0, max(-1.0, value))


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


def power(value: float, n: int, alpha: float = 0.05) -> float:
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


def numbers(values: ArrayLike) -> Floats:
    """The values as floats; a missing or infinite one is an error, since every result would be silently NaN."""
    array = np.asarray(values, dtype=np.float64).reshape(-1)
    bad = np.flatnonzero(~np.isfinite(array))
    if len(bad):
        kind = "infinite" if not isfinite(array[bad[0]]) and not np.isnan(array[bad[0]]) else "missing"
        raise UsageError(f"value {bad[0] + 1} of {len(array)} is {kind}", todo="leave out observations without values")
    return array


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
            raise UsageError(
                f"no partial correlation: the covariates determine variable {number} wholly",
                todo="leave out covariates that say the same",
            )
        left.append(rest)
    return left
