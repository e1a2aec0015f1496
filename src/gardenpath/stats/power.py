"""Power: how likely a paired test finds a difference of a given size, and how many pairs it needs."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, isnan, sqrt

from ..errors import UsageError

MOST = 10**9
"""More pairs than this are said to be out of reach."""


def power_of_paired_means(dz: float, n: int, *, alpha: float = 0.05) -> float:
    """Of the two-sided t test on n pairs for a true effect of `dz` (Cohen): by the noncentral t distribution."""
    from scipy.special import nctdtr, ndtr, stdtrit

    _check(alpha)
    if n < 2:
        raise UsageError(f"no power of {n} pairs", todo="at least 2 are needed")
    critical, shift = float(stdtrit(n - 1, 1 - alpha / 2)), abs(dz) * sqrt(n)
    below, other_side = float(nctdtr(n - 1, shift, critical)), float(nctdtr(n - 1, shift, -critical))
    if isnan(below):  # SciPy gives up far out in the tail, where the normal approximation is as good
        below = float(ndtr((critical * (1 - 0.25 / (n - 1)) - shift) / sqrt(1 + critical**2 / (2 * (n - 1)))))
    return 1 - below + (0.0 if isnan(other_side) else other_side)


def pairs_for_means(dz: float, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The fewest pairs with which a t test finds `dz` with this power; None where no number does."""
    _check(alpha, power)
    if dz == 0:
        return None
    return _fewest(lambda n: power_of_paired_means(dz, n, alpha=alpha), power)


def power_of_paired_shares(first_only: float, second_only: float, n: int, *, alpha: float = 0.05) -> float:
    """Of McNemar's test on n pairs, from the shares of pairs that only one gets right (Connor 1987)."""
    from scipy.special import ndtr, ndtri

    _check(alpha)
    differ, gap = _shares(first_only, second_only)
    if n < 1:
        raise UsageError(f"no power of {n} pairs", todo="at least 1 is needed")
    if gap == 0:
        return alpha
    rest = sqrt(max(differ - gap * gap, 0.0))
    reach = gap * sqrt(n) - float(ndtri(1 - alpha / 2)) * sqrt(differ)
    if rest == 0:
        return 1.0 if reach >= 0 else 0.0
    return float(ndtr(reach / rest))


def pairs_for_shares(first_only: float, second_only: float, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The fewest pairs with which McNemar's test finds this difference; None where there is none to find."""
    from scipy.special import ndtri

    _check(alpha, power)
    differ, gap = _shares(first_only, second_only)
    if gap == 0:
        return None
    reach = float(ndtri(1 - alpha / 2)) * sqrt(differ) + float(ndtri(power)) * sqrt(max(differ - gap * gap, 0.0))
    needed = ceil((reach / gap) ** 2 - 1e-9)
    return max(needed, 1) if needed <= MOST else None


def _fewest(power_of: Callable[[int], float], wanted: float) -> int | None:
    high = 2
    while power_of(high) < wanted:
        high *= 2
        if high > MOST:
            return None
    low = max(high // 2, 2)
    while low < high:
        middle = (low + high) // 2
        if power_of(middle) >= wanted:
            high = middle
        else:
            low = middle + 1
    return high


def _shares(first_only: float, second_only: float) -> tuple[float, float]:
    if first_only < 0 or second_only < 0 or first_only + second_only > 1 + 1e-12:
        raise UsageError(
            f"{first_only:g} and {second_only:g} are not shares of pairs", todo="shares are 0 or more and add up to ≤ 1"
        )
    return first_only + second_only, abs(second_only - first_only)


def _check(alpha: float, power: float = 0.5) -> None:
    if not 0 < alpha < 1 or not 0 < power < 1:
        raise UsageError("level and power of a test are between 0 and 1", todo="such as alpha 0.05, power 0.8")
