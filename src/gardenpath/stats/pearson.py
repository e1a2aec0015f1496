"""Pearson's product-moment correlation, plain and partial, with interval, p and power as for Spearman's."""

from __future__ import annotations

from collections.abc import Sequence

from numpy.typing import ArrayLike

from ..errors import UsageError
from .correlation import Correlation, correlation_p, fisher_interval, numbers, power, residuals
from .correlation import pearson as correlation_of


def product_moment(
    x: ArrayLike, y: ArrayLike, covariates: Sequence[ArrayLike] = (), *, level: float = 0.95
) -> Correlation:
    """Pearson's r of two variables, or of what a linear fit of the covariates leaves of both."""
    columns = [numbers(one) for one in (x, y, *covariates)]
    n, k = len(columns[0]), len(columns) - 2
    if any(len(one) != n for one in columns):
        raise UsageError(f"variables of different lengths: {', '.join(str(len(one)) for one in columns)}")
    if n < k + 4:
        raise UsageError(
            f"{n} observations are too few for a correlation with {k} covariates", todo=f"at least {k + 4} are needed"
        )
    for number, one in enumerate(columns):
        if (one == one[0]).all():
            name = ("the first variable", "the second variable")[number] if number < 2 else f"covariate {number - 1}"
            raise UsageError(f"no correlation: {name} has the same value everywhere ({one[0]:g})")
    value = correlation_of(*residuals(columns[:2], columns[2:]))
    low, high = fisher_interval(value, n - k, level)
    adjusted = 1 - (1 - value**2) * (n - 1) / (n - k - 2)
    return Correlation(value, low, high, correlation_p(value, n - k), n, power(value, n - k, 1 - level), adjusted, k)
