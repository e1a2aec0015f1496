"""What a comparison of runs says in sentences: which system is better, overall and where, or what it would take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...runs.result import Finding, Verdict
from ...runs.verdict import MEASURED
from ..verdicts import MeasureWords, SystemVerdicts

_NAMES = {"las": "LAS", "uas": "UAS", "f1": "F1", "right": "variants right"}


def comparison_verdicts(
    findings: Sequence[Finding],
    measures: Sequence[str],
    baseline: str,
    cluster: str,
    apart: Sequence[str] = (),
    seeds: Mapping[str, int] | None = None,
) -> Iterator[Verdict]:
    """Every system against the baseline, then where it loses and gains most.

    `apart`: what else differs; `seeds`: how many each system has, where they count.
    """
    for number, measure in enumerate(measures):
        does = {"more": "is higher", "less": "is lower"} if measure == "mean" else {}
        words = MeasureWords(measure, _NAMES.get(measure, measure), "item", cluster, seeds=seeds or {}, **does)
        verdicts = SystemVerdicts(findings, words)
        for verdict in verdicts.differences(verdicts.index.systems, baseline):
            yield replace(verdict, weight=verdict.weight - 100 * number)  # the first measure is the main one
        for system in verdicts.index.systems if not number else ():
            yield from verdicts.group_differences(system, baseline)
    if apart:
        text = f"The runs also differ in {'; '.join(apart)}: a difference may come from that."
        yield Verdict(text, MEASURED, (), weight=100.0)
