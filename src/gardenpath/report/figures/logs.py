"""The figure of logs: the accuracy of every model on every task."""

from __future__ import annotations

from ...runs.result import Result
from .figure import Figure
from .intervals import finding_rows, interval_chart, suite_names


def figures(result: Result) -> list[Figure]:
    """One point for each task and model."""
    findings = [finding for finding in result.findings if finding.study == "logs"]
    if not findings:
        return []
    tasks = [finding.suite for finding in findings]
    rows = [{**row, "task": task} for row, task in zip(finding_rows(findings), tasks, strict=True)]
    chart = interval_chart(rows, "task", "accuracy (%)", title="task", zero=False)
    caption = f"Accuracy on {suite_names(findings)}, as logged; n is samples, lines are 95 % intervals."
    return [Figure("logs-task", "Accuracy by task", caption, chart)]
