"""What studies of systems say in sentences: how good each is, which is better, and where the worst errors are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..runs.layout import FindingIndex, short_names
from ..runs.result import Finding, Verdict
from ..runs.verdict import (
    MEASURED,
    NOT_SHOWN,
    clusters_text,
    count_text,
    difference_text,
    needed,
    score_text,
    sureness,
)

_LEAST = 30
"""Words that a group has at least before it is called the worst."""


def score_verdicts(
    findings: Sequence[Finding],
    measure: str,
    names: Mapping[str, str],
    baseline: str,
    *,
    units: str,
    cluster: str,
    by: Sequence[str] = (),
) -> Iterator[Verdict]:
    """Of all systems: their main score, the differences to the baseline, and of each its worst group.

    `names` are the measures as people call them, `units` what the score is a share of (words, brackets).
    """
    index = FindingIndex(findings)
    short = short_names(index.systems)
    for system in index.systems:
        score = index.get(measure, system)
        if score is not None and score.value is not None:
            text = f"{short[system]}: {names[measure]} {score_text(score)}, {count_text(score.n, units)}."
            yield Verdict(text, MEASURED, (score,), weight=float(score.value))
        yield from _difference(index, measure, names[measure], system, baseline, short, cluster)
        for grouping in by:
            yield from _worst(index, measure, names[measure], system, grouping, short, units)


def _difference(
    index: FindingIndex, measure: str, name: str, system: str, baseline: str, short: Mapping[str, str], cluster: str
) -> Iterator[Verdict]:
    keys = [f"{measure}_{ending}" for ending in ("difference", "p", "p_holm")]
    difference, p, corrected = (index.get(key, system, {"baseline": baseline}) for key in keys)
    if difference is None or p is None or corrected is None or not isinstance(difference.value, int | float):
        return
    sure = sureness(float(p.value or 0), float(corrected.value or 0))
    size = f"{name} {difference_text(difference)}, {clusters_text(p.n, cluster)}"
    rests_on = (difference, p, corrected)
    if sure == NOT_SHOWN:
        more = needed(difference, p.n)
        plan = f"; about {more:,} would be needed to show a difference of this size" if more else ""
        text = f"No difference between {short[system]} and {short[baseline]} is shown: {size}{plan}."
    else:
        word = "better" if difference.value > 0 else "worse"
        text = f"{short[system]} is {word} than {short[baseline]}: {size} ({sure})."
    yield Verdict(text, sure, rests_on, weight=abs(difference.value))


def _worst(
    index: FindingIndex, measure: str, name: str, system: str, grouping: str, short: Mapping[str, str], units: str
) -> Iterator[Verdict]:
    """The group whose interval lies lowest, where all of it lies below the score of all."""
    overall = index.get(measure, system)
    groups = [index.get(measure, system, group) for group in index.groups(grouping, measure=measure, system=system)]
    large = [group for group in groups if group is not None and (group.n or 0) >= _LEAST and group.high is not None]
    if overall is None or not isinstance(overall.value, int | float) or not large:
        return
    worst = min(large, key=lambda group: group.high or 0.0)
    if worst.high is None or worst.high >= (overall.low if overall.low is not None else overall.value):
        return
    where = f"{grouping} {worst.by[grouping]}"
    text = (
        f"{short[system]} is weakest at {where}: {name} {score_text(worst)}, {count_text(worst.n, units)}, "
        f"against {score_text(overall)} overall."
    )
    examples = str(worst.by[grouping]) if grouping == "label" else ""
    loss = overall.value - float(worst.value or 0)
    yield Verdict(text, MEASURED, (worst, overall), weight=loss, examples=examples)
