"""Figure of acquisition: accuracy over the checkpoints of a model, one panel for each class."""

from __future__ import annotations

from ...runs.result import Result
from .figure import Figure
from .intervals import coloured, in_order, valued
from .surprisal import STUDY, suite_rows

_COLUMNS = 3


def figures(result: Result) -> list[Figure]:
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
