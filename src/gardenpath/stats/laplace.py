"""Logistic models with random effects by Laplace's approximation, as lme4's glmer fits them.

The random effects u are standard normal and scaled by Λ(θ); for given θ and β their mode is found by Newton steps,
and the deviance is that of the mode plus the logarithm of the curvature there. θ and β are optimised together. mixedlm
1.3 builds the matrices; its own optimiser stops short where an item is nearly always right (docs/statistics.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_DENSE = 1500
"""Up to so many random effects the curvature is decomposed as a full matrix."""


@dataclass(frozen=True, slots=True)
class Block:
    """The random effects of one grouping: `terms` effects for each of its levels."""

    levels: int
    terms: int
    correlated: bool

    @property
    def parameters(self) -> int:
        return self.terms * (self.terms + 1) // 2 if self.correlated else self.terms

    def factor(self, theta: Floats) -> Floats:
        """The lower triangle whose square is the covariance of the terms."""
        lower = np.zeros((self.terms, self.terms))
        lower[self._places()] = theta
        return lower

    def diagonal(self) -> NDArray[np.bool_]:
        """Which parameters stand on the diagonal, and so may not be negative."""
        rows, columns = self._places()
        return np.asarray(rows == columns)

    def _places(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        return np.tril_indices(self.terms) if self.correlated else (np.arange(self.terms), np.arange(self.terms))


@dataclass(frozen=True, slots=True, eq=False)
class LaplaceFit:
    theta: Floats
    beta: Floats
    errors: Floats
    loglik: float
    converged: bool
    message: str


class Deviance:
    """-2 log likelihood of (θ, β), by Laplace's approximation.

    The mode is sought from zero every time: a start that depends on the last call would make the deviance rough,
    and its derivatives are numerical.
    """

    def __init__(self, y: Floats, x: Floats, z: Any, blocks: Sequence[Block]) -> None:
        from scipy import sparse

        self.y, self.x, self.blocks = y, x, tuple(blocks)
        self.count = sum(block.parameters for block in blocks)
        self.z = sparse.csr_matrix(z)
        self.turned = self.z.T.tocsr()
        self.size = int(self.z.shape[1])
        if self.size <= _DENSE:
            self._pairs, self._rows, self._products = _row_pairs(self.z)

    def __call__(self, parameters: Floats) -> float:
        return self.at(parameters)[0]

    def at(self, parameters: Floats) -> tuple[float, Any, Floats]:
        """The deviance, how to solve with the curvature at the mode, and the weights of the observations there."""
        scale = Scale(self.blocks, parameters[: self.count])
        fixed = self.x @ parameters[self.count :]
        mode, eta = np.zeros(self.size), fixed
        current = self._penalised(eta, mode)
        for _ in range(100):
            share, weights = _shares(eta)
            solve, _ = self._curvature(scale, weights)
            step = solve(scale.turned(self.turned @ (self.y - share)) - mode)
            size, gain = 1.0, 0.0
            while size > 1e-9:
                tried = mode + size * step
                eta_tried = fixed + self.z @ scale.times(tried)
                gain = current - self._penalised(eta_tried, tried)
                if gain >= 0:
                    mode, eta, current = tried, eta_tried, current - gain
                    break
                size /= 2
            if gain <= 1e-11 * (1 + abs(current)):
                break
        _, weights = _shares(eta)
        solve, logarithm = self._curvature(scale, weights)
        return current + logarithm, solve, weights

    def lagged(self, parameters: Floats, start: Floats) -> float:
        """The deviance as lme4 evaluates it: its determinant is that of the last step's beginning, not of its end.

        lme4 steps from a fixed linear predictor until the penalised deviance changes by less than 1e-7 of it. Its
        standard errors are the curvature of this function, 1 to 4 % away from that of the exact one.
        """
        scale = Scale(self.blocks, parameters[: self.count])
        fixed = self.x @ parameters[self.count :]
        eta, mode, last, logarithm = start, np.zeros(self.size), np.inf, 0.0
        for _ in range(60):
            share, weights = _shares(eta)
            solve, logarithm = self._curvature(scale, weights)
            goal = solve(scale.turned(self.turned @ (weights * (eta - fixed) + self.y - share)))
            size = 1.0
            while True:
                tried = mode + size * (goal - mode)
                eta_tried = fixed + self.z @ scale.times(tried)
                value = self._penalised(eta_tried, tried)
                if value <= last or size < 1e-3:
                    break
                size /= 2
            mode, eta = tried, eta_tried
            if abs(last - value) < 1e-7 * value:
                break
            last = value
        return value + logarithm

    def joint(self, theta: Floats) -> tuple[float, Floats]:
        """Deviance and linear predictor where β is found together with the mode (lme4's nAGQ = 0)."""
        scale = Scale(self.blocks, theta)
        mode, beta = np.zeros(self.size), np.zeros(self.x.shape[1])
        eta = self.x @ beta
        current = self._penalised(eta, mode)
        for _ in range(100):
            share, weights = _shares(eta)
            solve, _ = self._curvature(scale, weights)
            across, inner = self._normal_equations(scale, solve, weights)
            up = scale.turned(self.turned @ (self.y - share)) - mode
            solved = solve(up)
            turn = np.linalg.lstsq(inner, self.x.T @ (self.y - share) - across.T @ solved, rcond=1e-12)[0]
            step = solved - solve(across @ turn)
            size, gain = 1.0, 0.0
            while size > 1e-9:
                eta_tried = self.x @ (beta + size * turn) + self.z @ scale.times(mode + size * step)
                gain = current - self._penalised(eta_tried, mode + size * step)
                if gain >= 0:
                    beta, mode, eta, current = beta + size * turn, mode + size * step, eta_tried, current - gain
                    break
                size /= 2
            if gain <= 1e-10 * (1 + abs(current)):
                break
        _, logarithm = self._curvature(scale, _shares(eta)[1])
        return current + logarithm, eta

    def conditional_errors(self, parameters: Floats) -> Floats:
        """Standard errors of β if θ were known (lme4's vcov(use.hessian = FALSE))."""
        _, solve, weights = self.at(parameters)
        _, inner = self._normal_equations(Scale(self.blocks, parameters[: self.count]), solve, weights)
        return np.asarray(np.sqrt(np.abs(np.diag(np.linalg.pinv(inner, rcond=1e-14)))), dtype=np.float64)

    def _normal_equations(self, scale: Scale, solve: Any, weights: Floats) -> tuple[Floats, Floats]:
        """Λ'Z'WX, and what the random effects leave of X'WX."""
        weighted = self.x * weights[:, None]
        across = np.stack([scale.turned(self.turned @ column) for column in weighted.T], axis=1)
        return across, self.x.T @ weighted - across.T @ solve(across)

    def _penalised(self, eta: Floats, mode: Floats) -> float:
        return float(2 * (np.logaddexp(0, eta) - self.y * eta).sum() + mode @ mode)

    def _curvature(self, scale: Scale, weights: Floats) -> tuple[Any, float]:
        """How to solve with Λ'Z'WZΛ + 1, and the logarithm of its determinant."""
        if self.size > _DENSE:
            from scipy import sparse
            from scipy.sparse.linalg import splu

            zl = self.z @ scale.sparse()
            lu = splu((zl.T @ sparse.diags(weights) @ zl + sparse.identity(self.size)).tocsc())
            return lu.solve, float(np.log(np.abs(lu.U.diagonal())).sum())
        from scipy.linalg import cho_factor, cho_solve

        # A row has few random effects: Z'WZ is added up from the products of each row's own.
        inner: Floats = np.bincount(self._pairs, self._products * weights[self._rows], minlength=self.size**2).astype(
            float
        )
        whole = scale.turned(scale.turned(inner.reshape(self.size, -1)).T)
        whole.flat[:: self.size + 1] += 1
        factor = cho_factor(whole, lower=True, check_finite=False)
        logarithm = 2 * float(np.log(np.diag(factor[0])).sum())
        return lambda right: cho_solve(factor, right, check_finite=False), logarithm


class Scale:
    """Λ(θ): for each level of each grouping the same lower triangle."""

    def __init__(self, blocks: Sequence[Block], theta: Floats) -> None:
        self.parts: list[tuple[slice, Block, Floats]] = []
        begin = column = 0
        for block in blocks:
            width = block.levels * block.terms
            own = block.factor(theta[begin : begin + block.parameters])
            self.parts.append((slice(column, column + width), block, own))
            begin, column = begin + block.parameters, column + width

    def times(self, values: Floats) -> Floats:
        """Λ v."""
        return np.concatenate(
            [(values[place].reshape(-1, block.terms) @ own.T).reshape(-1) for place, block, own in self.parts]
        )

    def turned(self, values: Floats) -> Floats:
        """Λ' v, of a vector or of each column of a matrix."""
        turned = np.empty_like(values)
        for place, block, own in self.parts:
            if block.terms == 1:
                np.multiply(values[place], own[0, 0], out=turned[place])
                continue
            part = values[place].reshape(block.levels, block.terms, -1)
            turned[place] = np.einsum("ji,ljc->lic", own, part).reshape(values[place].shape)
        return turned

    def sparse(self) -> Any:
        from scipy import sparse

        kinds = [sparse.kron(sparse.identity(block.levels), own) for _, block, own in self.parts]
        return sparse.block_diag(kinds, format="csr")


def _shares(eta: Floats) -> tuple[Floats, Floats]:
    share = 1 / (1 + np.exp(-np.clip(eta, -700, 700)))
    return share, share * (1 - share)


def _row_pairs(z: Any) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """For all pairs of entries of a row: the place of their product in Z'Z, the row, and the product."""
    counts = np.diff(z.indptr).astype(np.int64)
    rows = np.repeat(np.arange(z.shape[0]), counts)
    repeats = counts[rows]
    first = np.repeat(np.arange(len(rows)), repeats)
    within = np.arange(len(first)) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    second = z.indptr[rows[first]] + within
    places = z.indices[first].astype(np.int64) * z.shape[1] + z.indices[second]
    return places, rows[first], z.data[first] * z.data[second]


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
