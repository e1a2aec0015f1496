"""Wilson's interval for a share of independent trials, at any level."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from ..errors import UsageError


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval; where there is none, `note` says why."""

    value: float
    low: float | None
    high: float | None
    note: str = ""


def wilson(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """A share with Wilson's interval (1927), which stays within 0 and 1 and is right for few trials."""
    from scipy.special import ndtri

    check_level(level)
    if n < 1 or not 0 <= successes <= n:
        raise UsageError(f"no share of {successes} in {n}", todo="count at least one trial, and no more successes")
    z = float(ndtri((1 + level) / 2))
    share, scale = successes / n, 1 + z * z / n
    centre = (share + z * z / (2 * n)) / scale
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / scale
    note = f"all {n} are the same" if successes in (0, n) else ""
    # At the ends the interval touches 0 or 1 exactly; rounding must not leave a crumb.
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Estimate(share, low, high, note)


def check_level(level: float) -> None:
    if not 0 < level < 1:
        raise UsageError(f"no interval of level {level:g}", todo="a level is between 0 and 1, such as 0.95")
