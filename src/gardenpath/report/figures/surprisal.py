"""Figures of the surprisal study: accuracy by class, modifier, kind and complexity; differences at the target."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...runs.result import Finding, Result
from .figure import Figure
from .intervals import GREY, Rows, coloured, finding_rows, grouped, in_order, interval_chart, valued

STUDY = "surprisal"


def figures(result: Result) -> list[Figure]:
    """What the findings allow: the layouts of Figures 1, 3, 4, 6 and 7 of the paper on Mandarin."""
    own = valued(result, STUDY)
    made = [
        _classes(own), _modifiers(own), _complexity(own), _kinds(own), _differences(own), _suites(own),
        _effects(own),
    ]  # fmt: skip
    return [one for one in made if one is not None]


def suite_rows(findings: Sequence[Finding]) -> Rows:
    """With their suites, which other studies have one of."""
    rows = finding_rows(findings)
    return [{**row, "suite": finding.suite} for row, finding in zip(rows, findings, strict=True)]


def _accuracies(rows: Rows, field: str) -> Any:
    return interval_chart(rows, field, "accuracy (%)", title=field, zero=False, middle=50)


def _classes(findings: Sequence[Finding]) -> Figure | None:
    rows = suite_rows(grouped(findings, "accuracy", "class"))
    if not rows:
        return None
    caption = "Accuracy by class, the mean over its suites and seeds; lines are 95 % intervals over items."
    chart = _accuracies(rows, "class")
    return Figure("surprisal-class", "Accuracy by class", caption, chart)


def _suites(findings: Sequence[Finding]) -> Figure | None:
    """Where suites have no classes."""
    chosen = [one for one in findings if one.measure == "accuracy" and not one.by]
    rows = [row for row in suite_rows(chosen) if not re.fullmatch(r"\d+ suites", row["suite"])]
    if not rows or grouped(findings, "accuracy", "class"):
        return None
    caption = "Accuracy by suite; lines are 95 % intervals over items."
    return Figure("surprisal-suite", "Accuracy by suite", caption, _accuracies(rows, "suite"))


def _modifiers(findings: Sequence[Finding]) -> Figure | None:
    """Class × modifier, one panel for each class."""
    rows = suite_rows(
        [
            finding
            for finding in grouped(findings, "accuracy", "class", "modifier")
            if re.fullmatch(r"\d+ suites", finding.suite)
        ]
    )
    if len(rows) < 2:
        return None
    import altair as alt

    base = alt.Chart().encode(x=alt.X("modifier:N", sort=in_order(rows, "modifier"), title="modifier"))
    base = coloured(base, rows)
    bars = base.mark_point(filled=True, size=35).encode(y=alt.Y("value:Q", title="accuracy (%)"))
    layers = [bars]
    if any(row["low"] is not None for row in rows):
        layers.insert(0, base.mark_rule().encode(y=alt.Y("low:Q", title="accuracy (%)"), y2=alt.Y2("high:Q")))
    chart = alt.layer(*layers, data=alt.InlineData(values=rows)).properties(width=220, height=160)
    faceted = chart.facet(facet=alt.Facet("class:N", title=None, sort=in_order(rows, "class")), columns=2)
    faceted = faceted.resolve_scale(x="independent")
    caption = "Accuracy by class and modifier; lines are 95 % intervals over items."
    return Figure("surprisal-modifier", "Accuracy by class and modifier", caption, faceted)


def _complexity(findings: Sequence[Finding]) -> Figure | None:
    """Accuracy and difference against the complexity of the modifier."""
    rows = [
        {**row, "measure": name}
        for measure, name in (("accuracy", "accuracy (%)"), ("difference", "difference (bits)"))
        for row in suite_rows(grouped(findings, measure, "class", "complexity", "modifier"))
    ]
    if not rows:
        return None
    import altair as alt

    base = alt.Chart().encode(
        x=alt.X("modifier:N", sort=in_order(rows, "modifier"), title="modifier, from the simplest"),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False)),
    )
    marks = coloured(base, rows)
    layers = [coloured(base, rows, few=False).mark_line(strokeWidth=2), marks.mark_point(filled=True, size=40)]
    if any(row["low"] is not None for row in rows):
        layers.append(marks.mark_rule(opacity=0.5).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")))
    chart = alt.layer(*layers, data=alt.InlineData(values=rows)).properties(width=240, height=220)
    faceted = chart.facet(facet=alt.Facet("measure:N", title=None), columns=2).resolve_scale(y="independent")
    classes = ", ".join(in_order(rows, "class"))
    caption = f"Accuracy and mean surprisal difference in {classes} by complexity of the modifier."
    return Figure("surprisal-complexity", "By complexity of the modifier", caption, faceted)


def _kinds(findings: Sequence[Finding]) -> Figure | None:
    rows = suite_rows(grouped(findings, "accuracy", "kind", "modified"))
    for row in rows:
        row["group"] = f"{row['kind']}, {'with' if row['modified'] == 'yes' else 'without'} modifier"
    if not rows:
        rows = suite_rows(grouped(findings, "accuracy", "kind"))
        for row in rows:
            row["group"] = row["kind"]
    if len(in_order(rows, "group") if rows else []) < 2:
        return None
    rows.sort(key=lambda row: row["group"])
    caption = "Accuracy on syntactic, semantic and mixed classes; lines are 95 % intervals over items."
    chart = _accuracies(rows, "group")
    return Figure("surprisal-kind", "Syntactic and semantic classes", caption, chart)


def _differences(findings: Sequence[Finding]) -> Figure | None:
    rows, field = suite_rows(grouped(findings, "difference", "class")), "class"
    if not rows:
        rows, field = suite_rows(grouped(findings, "difference")), "suite"
    if not rows:
        return None
    caption = "Mean surprisal where it should be greater minus where it should be less; lines are 95 % t intervals."
    chart = interval_chart(rows, field, "surprisal difference (bits)", title=field, middle=0)
    return Figure("surprisal-difference", "Surprisal difference at the target", caption, chart)


def _effects(findings: Sequence[Finding]) -> Figure | None:
    """Word by word from the disambiguating one on, one panel for each class."""
    rows = suite_rows(grouped(findings, "effect", "class", "word"))
    if not rows:
        return None
    import altair as alt

    systems = in_order(rows, "system")
    base = alt.Chart().encode(
        x=alt.X("word:N", sort=in_order(rows, "word"), title=None, axis=alt.Axis(labelAngle=0, labelLimit=0,
                labelExpr="split(datum.label, ' ')", labelLineHeight=12)),
        xOffset=alt.XOffset("system:N", scale=alt.Scale(domain=systems)),
    )  # fmt: skip
    base = coloured(base, rows)
    zero = alt.Chart().mark_rule(color=GREY, strokeDash=[3, 3]).encode(y=alt.datum(0))
    lines = base.mark_rule().encode(y=alt.Y("low:Q", title="effect (bits)"), y2=alt.Y2("high:Q"))
    points = base.mark_point(filled=True, size=40).encode(y=alt.Y("value:Q", title="effect (bits)"))
    chart = alt.layer(zero, lines, points, data=alt.InlineData(values=rows)).properties(width=210, height=150)
    faceted = chart.facet(facet=alt.Facet("class:N", title=None, sort=in_order(rows, "class")), columns=3)
    caption = (
        "Surprisal in the harder condition minus that in the easier one, at the disambiguating word and the words "
        "after it; lines are 95 % intervals over items."
    )
    return Figure("surprisal-effect", "Effects word by word", caption, faceted)
