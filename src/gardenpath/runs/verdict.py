"""A verdict: a sentence that says what was found, with the findings it rests on and how sure it is.

Verdicts are made by rule from findings. A difference is *shown* where its p, corrected for all differences that were
tested together, is below 5 %; *suggested* where only the p before correction is; else it is *not shown*.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

from .result import Finding, Verdict

SHOWN, SUGGESTED, NOT_SHOWN, MEASURED = "shown", "suggested", "not shown", "measured"
"""How sure: of a difference the first three; a score with its interval is measured."""
LEVEL = 0.05
MOST = 7
"""Verdicts that a result opens with."""
_RANK = {SHOWN: 3, SUGGESTED: 2, MEASURED: 1, NOT_SHOWN: 0}


def ranked(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """The weightiest first, no more than a person reads at once; of equal ones the first."""
    return tuple(sorted(verdicts, key=lambda verdict: (-_RANK[verdict.sure], -verdict.weight))[:MOST])


def sureness(p: float, corrected: float) -> str:
    """Of a difference, from its p alone and after correction."""
    return SHOWN if corrected < LEVEL else SUGGESTED if p < LEVEL else NOT_SHOWN


def needed(difference: Finding, clusters: int | None) -> int | None:
    """How many clusters would show a difference of this size with a power of .8, from its interval."""
    if not isinstance(difference.value, int | float) or not difference.value or not clusters:
        return None
    if difference.low is None or difference.high is None:
        return None
    error = (difference.high - difference.low) / (2 * 1.96)
    return ceil(clusters * ((1.96 + 0.8416) * error / difference.value) ** 2)


def score_text(finding: Finding) -> str:
    """`55.8 [51.4, 60.0]`: one place, as much as an interval of some points bears."""
    return f"{_number(finding.value)}{_ends(finding)}"


def difference_text(finding: Finding) -> str:
    """`+55.4 [50.6, 60.2]`."""
    assert isinstance(finding.value, int | float)
    return f"{finding.value:+.{_places(finding.value)}f}{_ends(finding, _places(finding.value))}"


def loss_text(finding: Finding) -> str:
    """A difference in words: `loses 53.0 points [49.0, 57.0]`, `gains 0.40 points [0.10, 0.70]`."""
    assert isinstance(finding.value, int | float)
    places, word = _places(finding.value), "loses" if finding.value < 0 else "gains"
    ends = sorted(abs(end) for end in (finding.low, finding.high) if end is not None)
    one_side = finding.low is not None and finding.high is not None and finding.low * finding.high >= 0
    interval = f" [{ends[0]:.{places}f}, {ends[1]:.{places}f}]" if one_side else _ends(finding, places)
    return f"{word} {abs(finding.value):.{places}f} points{interval}"


def count_text(n: int | None, unit: str) -> str:
    """`1 document`, `11 documents`."""
    return f"{n or 0:,} {unit}" + ("" if n == 1 else "s")


def clusters_text(n: int | None, unit: str) -> str:
    """`11 documents`; `47 clusters (base sentence×subject noun)` where two kinds cross."""
    return f"{n or 0:,} clusters ({unit})" if "×" in unit else count_text(n, unit)


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _number(value: object, places: int = 1) -> str:
    return f"{value:.{places}f}" if isinstance(value, int | float) else str(value)


def _places(value: float) -> int:
    return 1 if abs(value) >= 1 else 2


def _ends(finding: Finding, places: int = 1) -> str:
    if finding.low is None or finding.high is None:
        return ""
    return f" [{_number(finding.low, places)}, {_number(finding.high, places)}]"
