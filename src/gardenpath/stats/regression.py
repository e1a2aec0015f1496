"""Least squares as EDV uses it: adjusted R², p, relative importance, prediction, background removal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import factorial, log, sqrt
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .distributions import numbers

Floats = NDArray[np.float64]

_MOST = 12
"""Predictors whose importance can be shared out: every subset of them is fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class Regression:
    """A linear model of `target` from named predictors; coefficients begin with the intercept."""

    predictors: tuple[str, ...]
    coefficients: Floats
    errors: Floats
    """Standard errors of the coefficients."""
    p: Floats
    """Two-sided, by Student's t."""
    r2: float
    adjusted: float
    n: int
    spread: float
    """Standard deviation of the residuals, with the degrees of freedom that are left."""
    fitted: Floats
    left_out: Floats
    """What the model that was fitted without an observation predicts for it."""
    _inverse: Floats

    def predict(self, values: Mapping[str, float], level: float = 0.95) -> tuple[float, float, float]:
        """The predicted value for a new observation, and the interval that it should lie in."""
        from scipy.special import stdtrit

        row = np.array([1.0, *(values[name] for name in self.predictors)])
        value = float(row @ self.coefficients)
        freedom = self.n - len(row)
        error = self.spread * sqrt(1 + float(row @ self._inverse @ row))
        half = float(stdtrit(freedom, (1 + level) / 2)) * error
        return value, value - half, value + half


def regression(target: ArrayLike, predictors: Mapping[str, ArrayLike]) -> Regression:
    """Ordinary least squares with an intercept."""
    from scipy.special import stdtr

    y, design = _design(target, predictors)
    n, columns = design.shape
    # Columns of very different size (tokens and EDV) are brought to one, or the normal equations lose digits.
    scale = np.linalg.norm(design, axis=0)
    orthogonal, triangle = np.linalg.qr(design / scale)
    diagonal = np.abs(np.diag(triangle))
    if diagonal.min() <= 1e-10 * diagonal.max():
        todo = "leave out predictors that are constant or follow from others"
        raise UsageError(f"no regression: the predictors {', '.join(predictors)} say the same", todo=todo)
    coefficients = np.linalg.solve(triangle, orthogonal.T @ y) / scale
    fitted = design @ coefficients
    rest = y - fitted
    freedom = n - columns
    unexplained, total = float(rest @ rest), float(((y - y.mean()) ** 2).sum())
    if total == 0:
        raise UsageError(f"no regression: the target has the same value everywhere ({y[0]:g})")
    unscaled = np.linalg.inv(triangle) / scale[:, None]
    inverse = unscaled @ unscaled.T
    spread = sqrt(unexplained / freedom)
    errors = spread * np.sqrt(np.diag(inverse))
    # Without residuals there is no error: a coefficient is then surely zero or surely not.
    sure = np.where(coefficients == 0, 0.0, np.inf)
    t = np.divide(np.abs(coefficients), errors, out=sure, where=errors > 0)
    p = 2 * stdtr(freedom, -t)
    r2 = 1 - unexplained / total
    leverage = (orthogonal**2).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        # An observation that alone determines a coefficient cannot be predicted from the others.
        left_out = np.where(leverage < 1 - 1e-12, y - rest / (1 - leverage), np.nan)
    adjusted = 1 - (1 - r2) * (n - 1) / freedom
    return Regression(
        tuple(predictors), coefficients, errors, np.asarray(p), r2, adjusted, n, spread, fitted, left_out, inverse
    )


def relative_importance(target: ArrayLike, predictors: Mapping[str, ArrayLike]) -> dict[str, float]:
    """Each predictor's part of R²: what it adds, averaged over all orders of adding them (LMG; Groemping 2006).

    The average over orders is one over subsets, weighted by how many orders begin with the subset.
    """
    names = tuple(predictors)
    if len(names) > _MOST:
        raise UsageError(
            f"the importance of {len(names)} predictors takes too many models", todo=f"use up to {_MOST} predictors"
        )
    y, _ = _design(target, predictors)
    explained: dict[frozenset[str], float] = {frozenset(): 0.0}
    for size in range(1, len(names) + 1):
        for subset in combinations(names, size):
            explained[frozenset(subset)] = regression(y, {name: predictors[name] for name in subset}).r2
    every = factorial(len(names))
    parts = dict.fromkeys(names, 0.0)
    for subset_before, r2 in explained.items():
        before, after = len(subset_before), len(names) - len(subset_before) - 1
        for name in names:
            if name not in subset_before:
                weight = factorial(before) * factorial(after) / every
                parts[name] += weight * (explained[subset_before | {name}] - r2)
    return parts


def _design(target: ArrayLike, predictors: Mapping[str, ArrayLike]) -> tuple[Floats, Floats]:
    y, columns = numbers(target), [numbers(one) for one in predictors.values()]
    if not columns:
        raise UsageError("no regression without a predictor")
    if any(len(column) != len(y) for column in columns):
        raise UsageError("predictors and target differ in length")
    if len(y) < len(columns) + 2:
        what = f"{len(y)} observations are too few for a regression with {len(columns)} predictors"
        raise UsageError(what, todo=f"at least {len(columns) + 2} are needed")
    return y, np.stack([np.ones(len(y)), *columns], axis=1)


Shape = Literal["linear", "logarithmic"]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """target = intercept + slope · x, or · ln x."""

    shape: Shape
    intercept: float
    slope: float
    fitted: Floats

    def at(self, x: float) -> float:
        return self.intercept + self.slope * (log(x) if self.shape == "logarithmic" else x)


def fit(x: ArrayLike, y: ArrayLike, shape: Shape = "linear") -> Fit:
    """The line (or logarithmic curve) of least squares."""
    values = numbers(x)
    if shape == "logarithmic":
        if (values <= 0).any():
            raise UsageError(f"no logarithm of {values.min():g}", todo="fit a line instead")
        values = np.log(values)
    line = regression(y, {"x": values})
    return Fit(shape, float(line.coefficients[0]), float(line.coefficients[1]), line.fitted)


def without_background(
    target: ArrayLike, backgrounds: Mapping[str, tuple[ArrayLike, Shape]]
) -> list[tuple[Fit, Floats]]:
    """One background after the other: its fit to what is left, and what is left when divided by that."""
    left, steps = numbers(target), []
    for name, (x, shape) in backgrounds.items():
        background = fit(x, left, shape)
        if (background.fitted <= 0).any():
            what = f"the {shape} fit of {name} predicts {background.fitted.min():g}, which nothing can be divided by"
            raise UsageError(what, todo="background removal needs fits that stay above zero")
        left = left / background.fitted
        steps.append((background, left))
    return steps
