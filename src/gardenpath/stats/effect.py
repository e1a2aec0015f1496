"""Effect sizes: how large a difference is, apart from how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, exp, log, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ..errors import UsageError
from .correlation import numbers, ranks
from .tests import check_level, differences


@dataclass(frozen=True, slots=True)
class OddsRatio:
    """With its interval; where there is none, or a cell was empty, `note` says so."""

    value: float
    low: float | None
    high: float | None
    note: str = ""


def cohen_d(first: ArrayLike, second: ArrayLike) -> float:
    """Difference of two independent means (second minus first) in pooled standard deviations."""
    a, b = numbers(first), numbers(second)
    if min(len(a), len(b)) < 2:
        raise UsageError("Cohen's d needs at least 2 values on each side")
    squares = float(((a - a.mean()) ** 2).sum() + ((b - b.mean()) ** 2).sum())
    return _standardised(float(b.mean() - a.mean()), sqrt(squares / (len(a) + len(b) - 2)))


def cohen_dz(first: ArrayLike, second: ArrayLike | None = None) -> float:
    """Mean difference of pairs (or mean of differences) in standard deviations of the differences."""
    gaps = numbers(first) if second is None else differences(first, second)
    if len(gaps) < 2:
        raise UsageError("Cohen's dz needs at least 2 pairs")
    return _standardised(float(gaps.mean()), float(gaps.std(ddof=1)))


def cohen_h(first: float, second: float) -> float:
    """Difference of two shares on the arcsine scale, where it is equally hard to see everywhere."""
    for share in (first, second):
        if not 0 <= share <= 1:
            raise UsageError(f"{share:g} is not a share", todo="shares are between 0 and 1")
    return 2 * asin(sqrt(second)) - 2 * asin(sqrt(first))


def odds_ratio(first_yes: int, first_no: int, second_yes: int, second_no: int, *, level: float = 0.95) -> OddsRatio:
    """Odds of the second by odds of the first, independent samples, interval by Woolf's logit.

    Where a cell is empty ½ is added to all four (Haldane and Anscombe), and the note says so.
    """
    cells = [float(count) for count in (first_yes, first_no, second_yes, second_no)]
    if min(cells) < 0 or cells[0] + cells[1] == 0 or cells[2] + cells[3] == 0:
        raise UsageError("odds need at least one observation on each side")
    note = "a cell is empty: ½ was added to each" if 0 in cells else ""
    a, b, c, d = (cell + 0.5 for cell in cells) if note else cells
    return _odds(log(c * b / (d * a)), sqrt(1 / a + 1 / b + 1 / c + 1 / d), level, note)


def matched_odds_ratio(first_only: int, second_only: int, *, level: float = 0.95) -> OddsRatio:
    """Odds ratio of pairs: those that only the second got right by those that only the first did."""
    if first_only < 0 or second_only < 0:
        raise UsageError(f"counts cannot be negative: {first_only} and {second_only}")
    if first_only + second_only == 0:
        return OddsRatio(1.0, None, None, "no pair differs")
    note = "a cell is empty: ½ was added to each" if 0 in (first_only, second_only) else ""
    b, c = (first_only + 0.5, second_only + 0.5) if note else (float(first_only), float(second_only))
    return _odds(log(c / b), sqrt(1 / b + 1 / c), level, note)


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    """How much more often a value of the second is above one of the first than below it, of all pairs."""
    a, b = numbers(first), numbers(second)
    if not len(a) or not len(b):
        raise UsageError("Cliff's delta needs values on both sides")
    placed = ranks(np.concatenate([a, b]))[len(a) :]
    wins = float(placed.sum()) - len(b) * (len(b) + 1) / 2  # Mann and Whitney's U; ties are half a win
    return 2 * wins / (len(a) * len(b)) - 1


def rank_biserial(first: ArrayLike, second: ArrayLike | None = None) -> float:
    """The effect of Wilcoxon's test: share of signed ranks for the second minus that for the first."""
    gaps = numbers(first) if second is None else differences(first, second)
    kept = gaps[gaps != 0]
    if not len(kept):
        return 0.0
    placed = ranks(np.abs(kept))
    return float((placed * np.sign(kept)).sum() / placed.sum())


def _standardised(mean: float, spread: float) -> float:
    if spread <= 1e-14 * abs(mean):
        if mean == 0:
            return 0.0
        raise UsageError("no standardised difference: the values do not vary", todo="report the difference itself")
    return mean / spread


def _odds(logarithm: float, error: float, level: float, note: str) -> OddsRatio:
    from scipy.special import ndtri

    check_level(level)
    half = float(ndtri((1 + level) / 2)) * error
    return OddsRatio(exp(logarithm), exp(logarithm - half), exp(logarithm + half), note)
