"""Figures of the constructions study: accuracy by phenomenon, and what kind of error each system makes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from ...phrase.schemes.registry import title_of
from ...runs.result.layout import short_names
from ...runs.result.result import Finding, Result
from .figure import Figure
from .intervals import Rows, grouped, interval_chart, suite_names, valued

STUDY = "constructions"
PHENOMENA = {
    "ppn": "PP at a noun",
    "ppv": "PP at a verb",
    "erc": "extraposed relative clause",
    "fcr": "conjunction reduction",
    "sgf": "subject gap",
    "cuc": "unlike constituents",
}
COLOURS = {
    "right": "#009E73", "shown": "#97d6c0", "A": "#56B4E9", "B": "#E69F00", "C": "#D55E00", "D": "#CC79A7",
    "E": "#0072B2", "wrong": "#882255", "noparse": "#666666", "n/a": "#cccccc",
}  # fmt: skip
"""A class has its colour in every figure; what the letters mean depends on the phenomenon."""
_ROW = 22
"""Pixels for a row of a chart."""


def figures(result: Result) -> list[Figure]:
    """What the findings allow."""
    findings = valued(result, STUDY)
    made = [_accuracy(findings), _classes(findings)]
    return [figure for figure in made if figure is not None]


def _rows(findings: Sequence[Finding]) -> Rows:
    """The findings as rows of data; a system is shown with its scheme, and with its suite where it has several."""
    short = short_names(list(dict.fromkeys(finding.system for finding in findings)))
    suites = {finding.suite for finding in findings}
    rows = []
    for finding in findings:
        suite = f", {PurePath(finding.suite).name}" if len(suites) > 1 else ""
        scheme = str(finding.by["scheme"])
        rows.append(
            {
                "system": f"{short[finding.system]} ({title_of(scheme)}{suite})",
                "phenomenon": PHENOMENA.get(str(finding.by["phenomenon"]), str(finding.by["phenomenon"])),
                "class": str(finding.by.get("class", "")),
                "value": finding.value, "low": finding.low, "high": finding.high, "n": finding.n,
                "condition": str(finding.by["phenomenon"]), "scheme": scheme,  # by these the report finds the items
            }
        )  # fmt: skip
    return rows


def _order(rows: Sequence[dict[str, Any]]) -> list[str]:
    there = {row["phenomenon"] for row in rows}
    return [name for name in PHENOMENA.values() if name in there]


def _accuracy(findings: Sequence[Finding]) -> Figure | None:
    """A point with its interval for each phenomenon and system."""
    chosen = grouped(findings, "accuracy", "scheme", "phenomenon")
    if not chosen:
        return None
    rows = _rows(chosen)
    chart = interval_chart(rows, "phenomenon", "accuracy (%)", order=_order(rows), domain=[0, 100])
    caption = f"Items of {suite_names(chosen)} that are right; lines are 95 % intervals."
    return Figure("constructions-accuracy", "Accuracy by phenomenon", caption, chart)


def _classes(findings: Sequence[Finding]) -> Figure | None:
    """A bar for each phenomenon and system, cut into its classes, with the number of items in each."""
    chosen = grouped(findings, "items", "scheme", "phenomenon", "class")
    if not chosen:
        return None
    import altair as alt

    known = list(COLOURS)
    rows = [row for row in _rows(chosen) if row["value"]]
    for row in rows:
        row["rank"] = known.index(row["class"]) if row["class"] in known else len(known)
    systems, classes = list(dict.fromkeys(row["system"] for row in rows)), [
        name for name in known if any(row["class"] == name for row in rows)
    ]  # fmt: skip
    base = alt.Chart().encode(
        y=alt.Y("system:N", title=None, sort=systems, axis=alt.Axis(labelLimit=320)),
        x=alt.X("value:Q", stack="zero", title="items", axis=alt.Axis(tickMinStep=1, format="d")),
        order=alt.Order("rank:Q"),
    )
    colour = alt.Color(
        "class:N", title="class", sort=classes,
        scale=alt.Scale(domain=classes, range=[COLOURS[name] for name in classes]),
    )  # fmt: skip
    bars = base.mark_bar().encode(color=colour, tooltip=["system:N", "phenomenon:N", "class:N", "value:Q", "n:Q"])
    dark = alt.FieldOneOfPredicate(field="class", oneOf=["E", "wrong", "noparse"])
    text = base.mark_text(fontSize=10, dx=-7).encode(
        text=alt.Text("value:Q"),
        detail=alt.Detail("class:N"),
        color=alt.condition(dark, alt.value("white"), alt.value("black")),
    )
    chart: Any = alt.layer(bars, text, data=alt.InlineData(values=rows)).properties(
        width=420, height=_ROW * len(systems)
    )
    facet = alt.Row("phenomenon:N", title=None, sort=_order(rows), header=alt.Header(labelAngle=0, labelAlign="left"))
    chart = chart.facet(row=facet).resolve_scale(x="independent")
    caption = (
        f"What was made of the items of {suite_names(chosen)}: right, or the error class that counts. The letters are "
        "those of the paper's tables and mean something else for each phenomenon."
    )
    return Figure("constructions-classes", "Error classes by phenomenon", caption, chart)
