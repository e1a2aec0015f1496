"""Corrections for asking many questions of the same data."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float], least: Sequence[float] = ()) -> list[float]:
    """Holm's step-down correction: p values that hold the family-wise error rate.

    `least` are the smallest p values that the tests could have come to. A test that cannot reach the p of another is
    not counted when that one is corrected (Tarone 1990; in steps: Hommel and Krummenauer 1998).
    """
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, worst = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        left = order[rank + 1 :]
        rivals = sum(least[j] <= p_values[i] for j in left) if least else len(left)
        worst = max(worst, min(1.0, (1 + rivals) * p_values[i]))
        corrected[i] = worst
    return corrected


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's step-up correction: p values that hold the share of false discoveries."""
    count = len(p_values)
    order = sorted(range(count), key=lambda i: p_values[i], reverse=True)
    corrected, best = [0.0] * count, 1.0
    for place, i in enumerate(order):
        best = min(best, count / (count - place) * p_values[i])
        corrected[i] = best
    return corrected
