"""Student's t without SciPy, whose import takes longer than most evaluations."""

from __future__ import annotations

from functools import cache
from math import exp, inf, lgamma, log, log1p, pi, sqrt

_TERMS = 60


def student_p(value: float, freedom: int) -> float:
    """The two-sided p of a t value: I(n / (n + t²); n/2, 1/2), Abramowitz and Stegun 26.7.1 and 26.5.27."""
    square = value * value
    if freedom <= 0 or square == 0:
        return 1.0
    if square == inf:
        return 0.0
    x, rest = freedom / (freedom + square), square / (freedom + square)
    a, b = freedom / 2, 0.5
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) - a * log1p(square / freedom) + b * log(rest))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, rest) / b


@cache
def student_bound(freedom: int) -> float:
    """97.5 % of Student's t lie below: Newton's method on p, from the normal bound (A. and S. 26.7.5)."""
    if freedom <= 0:
        return inf
    z = 1.959963984540054
    bound = z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    for _ in range(50):
        density = exp(
            lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - (freedom + 1) / 2 * log1p(bound * bound / freedom)
        ) / sqrt(freedom * pi)
        step = (student_p(bound, freedom) - 0.05) / (2 * density)
        bound += step
        if abs(step) < 1e-14 * bound:
            break
    return bound


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function (A. and S. 26.5.8), from its end to its beginning.

    1 / (1 + d1 / (1 + d2 / (1 + …))), d(2m+1) = -(a+m)(a+b+m)x / ((a+2m)(a+2m+1)), d(2m) = m(b-m)x / ((a+2m-1)(a+2m)).
    """
    value = 1.0
    for m in range(_TERMS, 0, -1):
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        value = 1 + even / (1 + odd / value)
    return 1 / (1 - (a + b) * x / (a + 1) / value)
