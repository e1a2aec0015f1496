"""The figure of judgements: right answers by question and system, with the line of chance."""

from __future__ import annotations

from ...runs.layout import short_names
from ...runs.result import Result
from .figure import Figure

STUDY = "judgement"
_ROW = 20
"""Pixels for a row of the chart."""


def figures(result: Result) -> list[Figure]:
    """One point for each question, in each order or about each sentence."""
    import altair as alt

    findings = [finding for finding in result.findings if finding.study == STUDY and finding.measure == "right"]
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
