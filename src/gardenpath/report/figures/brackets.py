"""Figures of an evaluation on phrase trees: every measure with its interval, F1 by length, category, function, gap."""

from __future__ import annotations

from collections.abc import Sequence

from ...runs.result import Finding, Result
from ...studies.brackets.scores import MEASURES
from .figure import Figure
from .intervals import finding_rows, grouped, in_order, interval_chart, suite_names

_GROUPINGS = {"length": "sentence length", "label": "category", "function": "function", "gap": "what stands apart"}
_MOST = 20
"""Categories and functions that are shown: the most frequent ones."""


def figures(result: Result) -> list[Figure]:
    """What the findings of the study `brackets` allow."""
    findings = [
        finding for finding in result.findings if finding.study == "brackets" and isinstance(finding.value, int | float)
    ]
    made = [_measures(findings), *(_by_group(findings, key, title) for key, title in _GROUPINGS.items())]
    return [figure for figure in made if figure is not None]


def _measures(findings: Sequence[Finding]) -> Figure | None:
    """A point with its interval for each measure in per cent and each system."""
    shown = set(MEASURES) - {"crossing"}
    chosen = [finding for finding in findings if not finding.by and finding.measure in shown]
    if not chosen:
        return None
    rows = finding_rows(chosen)
    for row, finding in zip(rows, chosen, strict=True):
        row["measure"] = MEASURES[finding.measure]
    order = [name for key, name in MEASURES.items() if any(one.measure == key for one in chosen)]
    caption = f"Brackets and other measures on {suite_names(chosen)}, per cent; lines are 95 % intervals."
    chart = interval_chart(rows, "measure", "per cent", order=order, domain=[0, 100])
    return Figure("brackets-measures", "Brackets by measure", caption, chart)


def _by_group(findings: Sequence[Finding], key: str, title: str) -> Figure | None:
    chosen = grouped(findings, "f1", key)
    if not chosen:
        return None
    rows = finding_rows(chosen)
    names = in_order(rows, key)
    shown = names if key == "length" else names[:_MOST]
    chosen_note = f", the {_MOST} most frequent of {len(names)}" if len(shown) < len(names) else ""
    caption = f"Labelled F1 by {title}{chosen_note}, {suite_names(chosen)}; lines are 95 % intervals."
    kept = [row for row in rows if row[key] in shown]
    chart = interval_chart(kept, key, "per cent", title=title, order=shown, domain=[0, 100])
    return Figure(f"brackets-{key}", f"F1 by {title}", caption, chart)
