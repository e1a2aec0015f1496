"""Is one system better than another? Paired tests over the same sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from ...runs.layout import SIGNED, Column, FindingIndex, P, measured, short_names, table
from ...runs.result import Finding, Table, Value
from ...stats.corrections import holm
from ...stats.sampling import Clusters, Difference, share_difference

_TESTS = {"p": "p", "p_holm": "p Holm"}


class Scored(Protocol):
    """The scores of a system on sentences, each a ratio of counts."""

    def ratio(self, metric: str, /) -> tuple[NDArray[Any], NDArray[Any]]:
        """Numerators and denominators per sentence."""


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """The score of `system` minus that of `baseline`, in points."""

    metric: str
    baseline: str
    system: str
    test: Difference
    p_holm: float
    """Corrected for all differences tested together."""


def compare(
    scores: Mapping[str, Scored],
    clusters: Clusters,
    metrics: Sequence[str] = ("UAS", "LAS", "CLAS"),
    *,
    baseline: str = "",
) -> list[ScoreDifference]:
    """Each system against the baseline (the first where none is named), over the same clusters of sentences."""
    baseline = baseline or next(iter(scores))
    tested = [
        (metric, system, share_difference(scores[baseline].ratio(metric), scores[system].ratio(metric), clusters))
        for metric in metrics
        for system in scores
        if system != baseline
    ]
    corrected = holm([test.p for *_, test in tested])
    return [
        ScoreDifference(metric, baseline, system, test, p_holm)
        for (metric, system, test), p_holm in zip(tested, corrected, strict=True)
    ]


def difference_findings(study: str, suite: str, differences: Sequence[ScoreDifference]) -> list[Finding]:
    """Of each difference: its size with the interval, its p alone and corrected; n are clusters."""
    findings = []
    for difference in differences:
        by: dict[str, Value] = {"baseline": difference.baseline}
        key, test = difference.metric.lower(), difference.test
        head, (low, high) = (study, suite, difference.system), test.percent
        findings += [
            Finding(*head, f"{key}_difference", 100 * test.value, test.clusters, low, high, by),
            Finding(*head, f"{key}_p", test.p, test.clusters, by=by),
            Finding(*head, f"{key}_p_holm", difference.p_holm, test.clusters, by=by),
        ]
    return findings


def difference_table(index: FindingIndex, measures: Mapping[str, str], baseline: str, clusters: Clusters) -> Table:
    """Each difference with its interval and tests; `measures` have their names for people."""
    by: dict[str, Value] = {"baseline": baseline}
    rows = [
        (measure, system)
        for measure in measures
        for system in index.systems
        if index.get(f"{measure}_difference", system, by)
    ]
    short = short_names(index.systems)
    columns = [
        Column("metric", [measures[measure] for measure, _ in rows]),
        Column("system", [short[system] for _, system in rows]),
    ]
    differences = [index.get(f"{measure}_difference", system, by) for measure, system in rows]
    columns += measured("difference", differences, interval=True, kind=SIGNED)
    for test, header in _TESTS.items():
        columns += measured(header, [index.get(f"{measure}_{test}", system, by) for measure, system in rows], kind=P)
    return table(f"Difference to {short[baseline]}, paired by {clusters.name}", columns, name="differences")
