"""Figures of the surprisal study, of checkpoints, of chat models and of logs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...runs.result.layout import short_names
from ...runs.result.result import Finding, Result
from .figure import Figure
from .intervals import GREY, Rows, coloured, finding_rows, grouped, in_order, interval_chart, suite_names, valued

STUDY = "surprisal"


def figures(result: Result) -> list[Figure]:
    """What the findings allow: the layouts of Figures 1 to 4, 6 and 7 of the paper on Mandarin."""
    own = valued(result, STUDY)
    made = [
        _classes(own), _modifiers(own), _complexity(own), _kinds(own), _differences(own), _suites(own),
        _effects(own), _means(own),
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


def _means(findings: Sequence[Finding]) -> Figure | None:
    """One point for each system."""
    chosen = [one for one in findings if one.measure == "accuracy" and not one.by]
    rows = [row for row in suite_rows(chosen) if re.fullmatch(r"\d+ suites", row["suite"])]
    if len(rows) < 2:
        return None
    caption = f"Accuracy, the mean over {rows[0]['suite']} and seeds; lines are 95 % intervals over items."
    by_model = [{**row, "model": row["system"], "system": ""} for row in rows]  # a row of the chart each, one colour
    return Figure("surprisal-mean", "Mean accuracy", caption, _accuracies(by_model, "model"))


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


_COLUMNS = 3


def acquisition_figures(result: Result) -> list[Figure]:
    """Lines over steps with their intervals, and chance; nothing where there are no checkpoints."""
    findings = valued(result, STUDY)
    of_steps = [finding for finding in findings if finding.measure == "accuracy" and "step" in finding.by]
    if not of_steps:
        return []
    import altair as alt

    chance = {
        (finding.suite, finding.by.get("class")): finding.value for finding in findings if finding.measure == "chance"
    }
    whole = of_steps[0].suite
    rows = suite_rows(of_steps)
    for row, finding in zip(rows, of_steps, strict=True):
        row["step"] = finding.by["step"]
        row["chance"] = chance[row["suite"], row.get("class")]
        row["group"] = row.get("class") or ("all" if row["suite"] == whole else row["suite"])
    scale = alt.Scale(type="log" if min(row["step"] for row in rows) else "symlog", nice=False)
    axis = alt.Axis(format="~s", tickCount=5, grid=False)
    base = coloured(alt.Chart().encode(x=alt.X("step:Q", title="step", scale=scale, axis=axis)), rows)
    y = alt.Y("value:Q", title="accuracy (%)", scale=alt.Scale(domain=[0, 100]))
    tooltip = ["system:N", "step:Q", alt.Tooltip("value:Q", format=".1f"), "low:Q", "high:Q", "n:Q"]
    layers = [
        base.mark_line(color="#888", strokeDash=[3, 3], strokeWidth=1).encode(
            y=alt.Y("chance:Q"), color=alt.value("#888")
        ),
        base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")),
        base.mark_line(strokeWidth=1.5).encode(y=y),
        base.mark_point(filled=True, size=18).encode(y=y, tooltip=tooltip),
    ]
    chart = alt.layer(*layers, data=alt.InlineData(values=rows)).properties(width=190, height=130)
    groups = alt.Facet("group:N", title=None, sort=in_order(rows, "group"))
    caption = (
        "Accuracy at each checkpoint, steps on a logarithmic axis; bands are 95 % intervals, the dashed line is chance."
    )
    return [Figure("surprisal-acquisition", "Acquisition", caption, chart.facet(facet=groups, columns=_COLUMNS))]


JUDGEMENT = "judgement"
_ROW = 20
"""Pixels for a row of the chart."""


def judgement_figures(result: Result) -> list[Figure]:
    """One point for each question, in each order or about each sentence."""
    import altair as alt

    findings = [finding for finding in result.findings if finding.study == JUDGEMENT and finding.measure == "right"]
    names = short_names(list(dict.fromkeys(finding.system for finding in findings)))
    rows = [
        {
            "system": names[finding.system], "question": f"{finding.by['template']}, {finding.by['form']}",
            "value": finding.value, "low": finding.low, "high": finding.high, "n": finding.n,
        }
        for finding in findings
    ]  # fmt: skip
    if not rows:
        return []
    data = alt.InlineData(values=rows)
    base = alt.Chart(data).encode(
        y=alt.Y("question:N", sort=None, title="question"), yOffset=alt.YOffset("system:N"), color=alt.Color("system:N")
    )
    chance = alt.Chart(data).mark_rule(color="#888", strokeDash=[3, 3]).encode(x=alt.datum(50))
    intervals = base.mark_rule().encode(x=alt.X("low:Q", title="right (%)"), x2=alt.X2("high:Q"))
    points = base.mark_point(filled=True, size=40).encode(x=alt.X("value:Q", title="right (%)"))
    chart = alt.layer(chance, intervals, points).properties(width=420, height=_ROW * max(len(rows), 3))
    caption = "Right answers by question; lines are 95 % intervals, the broken line is a coin flip."
    return [Figure("judgement-question", "Right answers by question", caption, chart)]


def log_figures(result: Result) -> list[Figure]:
    """One point for each task and model."""
    findings = [finding for finding in result.findings if finding.study == "logs"]
    if not findings:
        return []
    tasks = [finding.suite for finding in findings]
    rows = [{**row, "task": task} for row, task in zip(finding_rows(findings), tasks, strict=True)]
    chart = interval_chart(rows, "task", "accuracy (%)", title="task", zero=False)
    caption = f"Accuracy on {suite_names(findings)}, as logged; n is samples, lines are 95 % intervals."
    return [Figure("logs-task", "Accuracy by task", caption, chart)]
