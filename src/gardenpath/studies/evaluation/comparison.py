"""Is one system better than another? Paired tests over the same sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from ...runs.layout import SIGNED, Column, FindingIndex, P, measured, short_names, table
from ...runs.result import Finding, Table, Value
from ...stats.corrections import holm
from ...stats.resample import Paired, paired_bootstrap, paired_randomisation

_TESTS = {"p_bootstrap": "p bootstrap", "p_randomisation": "p randomisation", "p_holm": "p Holm"}


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
    bootstrap: Paired
    p_randomisation: float
    p_holm: float
    """Randomisation p, corrected for all differences tested together."""


def compare(
    scores: Mapping[str, Scored],
    metrics: Sequence[str] = ("UAS", "LAS", "CLAS"),
    *,
    baseline: str = "",
    draws: int = 1000,
    seed: int = 0,
) -> list[ScoreDifference]:
    """Each system against the baseline (the first where none is named), with two tests: bootstrap (interval) and
    randomisation (p)."""
    baseline = baseline or next(iter(scores))
    tested = []
    for metric in metrics:
        for system in scores:
            if system == baseline:
                continue
            first, second = (scores[name].ratio(metric) for name in (baseline, system))
            test = paired_bootstrap(first, second, draws=draws, seed=seed)
            points = Paired(100 * test.difference, 100 * test.low, 100 * test.high, test.p)
            tested.append((metric, system, points, paired_randomisation(first, second, draws=draws, seed=seed)))
    corrected = holm([p for *_, p in tested])
    return [
        ScoreDifference(metric, baseline, system, points, p, p_holm)
        for (metric, system, points, p), p_holm in zip(tested, corrected, strict=True)
    ]


def difference_findings(study: str, suite: str, differences: Sequence[ScoreDifference]) -> list[Finding]:
    """Of each difference: its size with the interval, and the p of each test."""
    findings = []
    for difference in differences:
        by: dict[str, Value] = {"baseline": difference.baseline}
        key, test = difference.metric.lower(), difference.bootstrap
        head = (study, suite, difference.system)
        findings += [
            Finding(*head, f"{key}_difference", test.difference, None, test.low, test.high, by),
            Finding(*head, f"{key}_p_bootstrap", test.p, by=by),
            Finding(*head, f"{key}_p_randomisation", difference.p_randomisation, by=by),
            Finding(*head, f"{key}_p_holm", difference.p_holm, by=by),
        ]
    return findings


def difference_table(index: FindingIndex, measures: Mapping[str, str], baseline: str) -> Table:
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
    return table(f"Difference to {short[baseline]}, paired by sentence", columns, name="differences")
