"""The greatest likelihood of a logistic model with random effects, and the errors of its estimates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .laplace import Block, Deviance, Floats, LaplaceFit

_FAR = 40.0
"""Log odds beyond this are certainty: no estimate is looked for there."""


def fit_binomial(y: Floats, x: Floats, z: Any, blocks: Sequence[Block]) -> LaplaceFit:
    """θ and β of the greatest likelihood."""
    from scipy.optimize import minimize

    deviance = Deviance(y, x, z, blocks)
    on_diagonal = np.concatenate([block.diagonal() for block in blocks])
    size = np.maximum(np.abs(x).max(axis=0), 1e-12)
    bounds = [(0.0, None) if diagonal else (None, None) for diagonal in on_diagonal]
    bounds += [(-_FAR / one, _FAR / one) for one in size.tolist()]
    beta = _logistic(y, x)
    start = np.concatenate([on_diagonal * 1.0, beta])
    options = {"ftol": 1e-12, "gtol": 1e-5, "maxiter": 500}
    near = minimize(deviance, start, method="L-BFGS-B", bounds=bounds, options={**options, "eps": 1e-6})
    # Once more from there, with better derivatives and without what the search had learnt on its way.
    best = minimize(deviance, near.x, method="L-BFGS-B", jac="3-point", bounds=bounds, options=options)
    parameters, count = np.asarray(best.x, dtype=np.float64), deviance.count
    # The search calls it abnormal when no step brings anything more: then the slope decides.
    flat = float(np.abs(_projected(np.asarray(best.jac), parameters, bounds)).max()) < 0.01
    return LaplaceFit(
        parameters[:count], parameters[count:], standard_errors(deviance, parameters), -float(best.fun) / 2,
        bool(best.success or flat), str(best.message),
    )  # fmt: skip


def standard_errors(deviance: Deviance, parameters: Floats) -> Floats:
    """Of β, from the curvature of the deviance over θ and β, as lme4 finds them; where there is none, for known θ."""
    from scipy.optimize import minimize

    on_diagonal = np.concatenate([block.diagonal() for block in deviance.blocks])
    bounds = [(0.0, None) if diagonal else (None, None) for diagonal in on_diagonal]
    rough = minimize(
        lambda theta: deviance.joint(theta)[0], on_diagonal * 1.0, method="L-BFGS-B", bounds=bounds,
        options={"eps": 1e-5, "ftol": 1e-9},
    )  # fmt: skip
    _, start = deviance.joint(np.asarray(rough.x))
    step, count, size = 1e-4, deviance.count, len(parameters)
    middle = parameters.copy()
    middle[:count] = np.where(on_diagonal, np.maximum(middle[:count], step), middle[:count])  # not beyond the bound
    moves = step * np.eye(size)
    here = deviance.lagged(middle, start)
    hessian = np.empty((size, size))
    for i in range(size):
        move = moves[i]
        second = deviance.lagged(middle + move, start) - 2 * here + deviance.lagged(middle - move, start)
        hessian[i, i] = second / step**2
        for j in range(i + 1, size):
            same, across = (
                deviance.lagged(middle + move + sign * moves[j], start)
                + deviance.lagged(middle - move - sign * moves[j], start)
                for sign in (1, -1)
            )
            hessian[i, j] = hessian[j, i] = (same - across) / (4 * step**2)
    values = np.linalg.eigvalsh(hessian)
    if not np.isfinite(values).all() or values[0] <= 1e-8 * values[-1]:
        return deviance.conditional_errors(parameters)
    return np.asarray(np.sqrt(np.diag(2 * np.linalg.inv(hessian))[count:]), dtype=np.float64)


def _logistic(y: Floats, x: Floats, steps: int = 8) -> Floats:
    """A start for β: a few steps towards the fit without random effects, held back where it runs away."""
    beta = np.zeros(x.shape[1])
    for _ in range(steps):
        share = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        weights = share * (1 - share) + 1e-6
        beta = beta + np.linalg.lstsq(x.T @ (x * weights[:, None]), x.T @ (y - share), rcond=None)[0]
        largest = float(np.abs(x @ beta).max())
        if largest > 6:
            return np.asarray(beta * 6 / largest)
    return beta


def _projected(slope: Floats, parameters: Floats, bounds: Sequence[tuple[float | None, float | None]]) -> Floats:
    """The slope without the part that a bound stops."""
    left = slope.copy()
    for number, (low, high) in enumerate(bounds):
        if (low is not None and parameters[number] <= low and slope[number] > 0) or (
            high is not None and parameters[number] >= high and slope[number] < 0
        ):
            left[number] = 0.0
    return left
