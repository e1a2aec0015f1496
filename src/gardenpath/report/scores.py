"""The main score of a study: what stands for it where one number of each system has to."""

from __future__ import annotations

from collections.abc import Iterable

from ..runs.result.result import Finding, Result
from ..studies.engine.registry import all_notes


def main_measure(study: str, findings: Iterable[Finding]) -> str:
    """The weightiest measure that systems were scored by; empty where they were not."""
    main = notes.main if (notes := all_notes().get(study)) else ()
    measured = {finding.measure for finding in findings if finding.system}
    return next((name for name in (*main, "accuracy") if name in measured), "")


def main_scores(result: Result) -> list[Finding]:
    """The main score of every system, over all items and of every group."""
    study = next((finding.study for finding in result.findings), "")
    measure = main_measure(study, result.findings)
    return [
        finding
        for finding in result.findings
        if finding.measure == measure and finding.system and isinstance(finding.value, int | float)
    ]
