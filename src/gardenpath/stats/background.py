"""Background removal: a variable is divided by what another one predicts of it (EDV, Section 4.2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import UsageError
from .correlation import numbers
from .regression import regression

Floats = NDArray[np.float64]
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
            raise UsageError(
                f"the {shape} fit of {name} predicts {background.fitted.min():g}, which nothing can be divided by",
                todo="background removal needs fits that stay above zero",
            )
        left = left / background.fitted
        steps.append((background, left))
    return steps
