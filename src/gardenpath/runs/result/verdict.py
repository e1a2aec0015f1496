"""A verdict: a sentence that says what was found, with the findings it rests on and how sure it is.

Verdicts are made by rule from findings. A difference is *shown* where its p, corrected by Holm for all tests of its
family, is below 5% and comes from at least 20 effective clusters; *suggested* where p is below 5%, at most 10% of such
findings would be false (Benjamini and Hochberg), and there are at least 5 effective clusters; else it is *not shown*.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import erfc, hypot, sqrt

from .result import Finding, Verdict

SHOWN, SUGGESTED, NOT_SHOWN, MEASURED = "shown", "suggested", "not shown", "measured"
"""How sure: of a difference the first three; a score with its interval is measured."""
LEVEL = 0.05
FALSE = 0.1
"""Expected share of false findings among those that are suggested."""
FEWEST, LEAST = 20, 5
"""Effective clusters without which nothing is shown, and without which nothing is tested."""
SURENESS: Mapping[str, str] = {
    SHOWN: f"p < 5% after Holm's correction for all tests together, worth {FEWEST} clusters of equal size or more",
    SUGGESTED: f"p < 5%, and at most 10% of such findings are false; worth {LEAST} clusters of equal size or more",
    NOT_SHOWN: "the data show no difference, which is not to say that there is none",
    MEASURED: "a score or a count; no difference is claimed",
}
"""What each of them means, for the page and the glossary."""
MOST = 7
"""Verdicts that a result opens with."""
_NORMAL = 1.96
_RANK = {SHOWN: 3, SUGGESTED: 2, MEASURED: 1, NOT_SHOWN: 0}


def ranked(verdicts: Iterable[Verdict]) -> tuple[Verdict, ...]:
    """The weightiest first, no more than a person reads at once; of equal ones the first.

    Of differences that are not shown the weightiest has a place before the last of several scores: that two systems
    are not told apart is an answer too. What is no news (a weight below zero) comes last, however sure it is.
    """
    by_weight = sorted(verdicts, key=lambda verdict: (verdict.weight < 0, -_RANK[verdict.sure], -verdict.weight))
    first, rest = by_weight[:MOST], by_weight[MOST:]
    not_shown = [verdict for verdict in rest if verdict.sure == NOT_SHOWN]
    if not_shown and [verdict.sure for verdict in first[-2:]] == [MEASURED, MEASURED]:
        first[-1] = not_shown[0]
    return tuple(first)


def sureness(p: float, holm: float, bh: float, effective: float) -> str:
    """Return how sure a difference is, from its p alone, after both corrections, and its effective clusters."""
    if not p < LEVEL or not bh < FALSE or effective < LEAST:
        return NOT_SHOWN
    return SHOWN if holm < LEVEL and effective >= FEWEST else SUGGESTED


def outlying(groups: Mapping[str, Finding], whole: Finding, *, least: int, low: bool = True) -> list[str]:
    """The groups that score less than the whole (or more), the most extreme first; each of at least `least` units.

    Their intervals do not meet that of the whole, and p of no difference, times the number of groups, is below 5 %.
    """
    tested = {name: group for name, group in groups.items() if (group.n or 0) >= least and group.value is not None}
    near, far = ("high", "low") if low else ("low", "high")
    outside = []
    for name, group in tested.items():
        end, border = getattr(group, near), getattr(whole, far)
        if end is None or border is None or not (end < border if low else end > border):
            continue
        # The standard errors are those of the halves of both intervals that face each other.
        value, overall = float(group.value or 0), float(whole.value or 0)
        z = _NORMAL * abs(overall - value) / hypot(end - value, overall - border)
        if len(tested) * erfc(z / sqrt(2)) < LEVEL:
            outside.append(name)
    return sorted(outside, key=lambda name: float(tested[name].value or 0), reverse=not low)


def score_text(finding: Finding, places: int = 1) -> str:
    """`55.8 [51.4, 60.0]`: one place, as much as an interval of some points bears."""
    return f"{_number(finding.value, places)}{_ends(finding, places)}"


def share_text(finding: Finding) -> str:
    """`41.0 % [36.2, 46.1]`."""
    return f"{_number(finding.value)} %{_ends(finding)}"


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


def clusters_text(p: Finding, unit: str) -> str:
    """Return what a test comes from: `47 documents, worth 6`; `47 clusters (verb×noun)` where two kinds cross."""
    n, effective = p.n or 0, p.effective
    counted = f"{n:,} clusters ({unit})" if "×" in unit else count_text(n, unit)
    if effective is None or effective > 0.95 * n or effective > 5 * FEWEST:
        return counted
    return f"{counted}, worth {effective:.{int(effective < 10)}f}"


def sample_text(p: Finding, unit: str, seeds: tuple[int, int], *, sure: bool) -> str:
    """Return what a difference of two systems comes from: clusters, or where one of them has several seeds, both.

    With seeds, the effective number of clusters is one more than the degrees of freedom. `sure`: there is a difference.
    """
    first, second = seeds
    if max(seeds) == 1:
        return clusters_text(p, unit)
    number = f"{first} and {second} seed{'s' * (second > 1)}"
    source = "beyond the noise of seeds" if sure and min(seeds) > 1 else number
    return f"{source}, {count_text(int((p.effective or p.n or 1) - 1), 'degree')} of freedom"


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _number(value: object, places: int = 1) -> str:
    return f"{value:z.{places}f}" if isinstance(value, int | float) else str(value)


def _places(value: float) -> int:
    return 1 if abs(value) >= 1 else 2


def _ends(finding: Finding, places: int = 1) -> str:
    if finding.low is None or finding.high is None:
        return ""
    return f" [{_number(finding.low, places)}, {_number(finding.high, places)}]"
