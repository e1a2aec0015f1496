"""Intervals of shares and means by clusters, written out with whole matrices: slow, and nothing like the code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

Floats = NDArray[np.float64]
Z = float(norm.ppf(0.975))


def degrees_of_freedom(weights: Floats, variances: Floats) -> float:
    """Return Satterthwaite's degrees of freedom of V = Σ c e², c = w²/(1 - w), e = x - Σ w x, Var x = diag(variances).

    V is the quadratic form x'Ax, of which the mean is tr(AD), and the variance 2 tr(ADAD).
    """
    size = len(weights)
    residuals = np.eye(size) - np.outer(np.ones(size), weights)
    form = residuals.T @ np.diag(weights**2 / (1 - weights)) @ residuals @ np.diag(variances)
    return float(np.trace(form) ** 2 / np.trace(form @ form))


def wilson(share: float, n: float) -> tuple[float, float]:
    """Return Wilson's interval of a share of n."""
    centre, scale = share + Z**2 / (2 * n), 1 + Z**2 / n
    half = Z * np.sqrt(share * (1 - share) / n + Z**2 / (4 * n**2))
    return float((centre - half) / scale), float((centre + half) / scale)


def share_interval(right: Sequence[float], asked: Sequence[float], names: Sequence[object]) -> tuple[float, float]:
    """Return the interval of a share of items in clusters with these names."""
    clusters = sorted(set(names), key=str)
    tops = np.array([sum(x for x, name in zip(right, names, strict=True) if name == own) for own in clusters], float)
    sizes = np.array([sum(n for n, name in zip(asked, names, strict=True) if name == own) for own in clusters], float)
    total = sizes.sum()
    share, weights = tops.sum() / total, sizes / total
    together = float((sizes**2).sum() / total)
    if share in (0, 1):
        low, high = wilson(share, total / (1 + (together - 1) * 0.2))
        return (0.0, high) if share == 0 else (low, 1.0)
    left_out = [(tops.sum() - top) / (total - size) for top, size in zip(tops, sizes, strict=True)]
    variance = float(((1 - weights) * (np.array(left_out) - share) ** 2).sum())
    rare = min(tops.sum(), total - tops.sum())
    alike = 0.0
    if together > 1:
        alike = min(1.0, max(0.0, (total * variance / (share * (1 - share)) - 1) / (together - 1)))
    alike = max(alike, (rare * alike + 0.2) / (rare + 1))
    freedom = degrees_of_freedom(weights, alike + (1 - alike) / sizes)
    worth = total / (1 + (together - 1) * alike) * (Z / t.ppf(0.975, freedom)) ** 2
    return wilson(share, max(worth, total / together))


def mean_interval(values: Sequence[float], names: Sequence[object]) -> tuple[float, float]:
    """Return the interval of the mean of values in clusters with these names."""
    given, clusters = np.asarray(values, float), sorted(set(names), key=str)
    inside = np.array([[name == own for name in names] for own in clusters])
    weights = inside.mean(axis=1)
    left_out = np.array([given[~own].mean() for own in inside])
    error = np.sqrt(((1 - weights) * (left_out - given.mean()) ** 2).sum())
    half = t.ppf(0.975, degrees_of_freedom(weights, 1 / inside.sum(axis=1))) * error
    return float(given.mean() - half), float(given.mean() + half)
