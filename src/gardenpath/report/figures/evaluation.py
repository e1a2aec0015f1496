"""Figures of an evaluation of dependency trees or of phrase trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...runs.result.layout import short_names
from ...runs.result.result import Finding, Result
from ...studies.evaluation.brackets import MEASURES
from .figure import Figure
from .intervals import finding_rows, grouped, in_order, interval_chart, suite_names

_GROUPINGS = {
    "length": "Length of the sentence in words",
    "distance": "Distance between word and head",
    "depth": "Depth",
}
_LABELS = 20
"""Relations in the confusion matrix: the most frequent ones."""


def figures(result: Result) -> list[Figure]:
    """LAS by length, distance and depth; the most frequent labels confused, for each system."""
    findings = [finding for finding in result.findings if finding.study == "evaluation"]
    made = [figure for key, title in _GROUPINGS.items() if (figure := _by_group(findings, key, title))]
    cells = [finding for finding in findings if finding.measure == "confusion"]
    for system in dict.fromkeys(finding.system for finding in cells):
        mine = [finding for finding in cells if finding.system == system]
        if (figure := _confusion(mine, system)) is not None:
            made.append(figure)
    return made


def _by_group(findings: list[Finding], key: str, title: str) -> Figure | None:
    chosen = grouped(findings, "las", key)
    if not chosen:
        return None
    chart = interval_chart(finding_rows(chosen), key, "LAS (%)", title=title, zero=False)
    caption = f"LAS by {key} on {suite_names(chosen)}; n is words, lines are 95 % intervals."
    return Figure(f"evaluation-{key}", f"LAS by {key}", caption, chart)


def _confusion(findings: list[Finding], system: str) -> Figure | None:
    """Rows are gold, columns the system, cells the share of the gold label; the diagonal is left white.

    None where no label of gold is taken for another one of gold.
    """
    import altair as alt

    totals: dict[str, int] = {}
    for cell in findings:
        label = str(cell.by["label"])
        totals[label] = totals.get(label, 0) + int(cell.value or 0)
    kept = sorted(totals, key=lambda label: (-totals[label], label))[:_LABELS]
    rows: list[dict[str, Any]] = [
        {
            "system": system, "label": cell.by["label"], "predicted": cell.by["predicted"], "words": cell.value,
            "share": 100 * int(cell.value or 0) / totals[str(cell.by["label"])],
        }
        for cell in findings
        if cell.by["label"] in kept and cell.by["predicted"] in kept and cell.by["label"] != cell.by["predicted"]
    ]  # fmt: skip
    if not rows:
        return None
    chart = (
        alt.Chart(alt.Data(values=rows))
        .mark_rect()
        .encode(
            x=alt.X("predicted:N", sort=kept, title="label of the system", axis=alt.Axis(labelAngle=-60)),
            y=alt.Y("label:N", sort=kept, title="gold label"),
            color=alt.Color("share:Q", title="% of gold", scale=alt.Scale(scheme="oranges")),
            tooltip=["label:N", "predicted:N", "words:Q", alt.Tooltip("share:Q", format=".1f")],
        )
        .properties(width=alt.Step(18), height=alt.Step(18))
    )
    wrong = sum(row["words"] for row in rows)
    caption = f"Words with another label than gold among the {len(kept)} most frequent labels: {wrong:,}, {system}."
    return Figure(
        f"evaluation-confusion-{system}", f"What {short_names([system])[system]} takes for what", caption, chart
    )


_BRACKET_GROUPINGS = {
    "length": "sentence length",
    "label": "category",
    "function": "function",
    "gap": "what stands apart",
}
_MOST = 20
"""Categories and functions that are shown: the most frequent ones."""


def bracket_figures(result: Result) -> list[Figure]:
    """What the findings of the study `brackets` allow."""
    findings = [
        finding for finding in result.findings if finding.study == "brackets" and isinstance(finding.value, int | float)
    ]
    made = [
        _measures(findings),
        *(_brackets_by_group(findings, key, title) for key, title in _BRACKET_GROUPINGS.items()),
    ]
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


def _brackets_by_group(findings: Sequence[Finding], key: str, title: str) -> Figure | None:
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
