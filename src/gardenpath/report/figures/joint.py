"""Figures of the joint study: the effect of every item by what a parser made of it; errors and effects by group."""

from __future__ import annotations

from collections.abc import Sequence

from ...runs.result.layout import short_names
from ...runs.result.result import Finding, Result
from .figure import Figure
from .intervals import GREY, finding_rows, grouped, in_order, interval_chart, valued

STUDY = "joint"
_ASTRAY, _ELSEWHERE = "garden path", "other items"
_ROW = 46
"""Pixels for a construction."""


def figures(result: Result) -> list[Figure]:
    """The strip of items, where these are findings; then parsers and models by construction."""
    findings = valued(result, STUDY)
    made = [_items(findings), _groups(findings, "astray"), _groups(findings, "effect"), _gaps(findings)]
    return [figure for figure in made if figure is not None]


def _items(findings: Sequence[Finding]) -> Figure | None:
    """A panel for each parser and model, a row for each construction, a tick at the mean of each group."""
    paths, effects = (grouped(findings, measure, "construction", "item") for measure in ("item_path", "item_effect"))
    if not paths or not effects:
        return None
    import altair as alt

    names = short_names(list(dict.fromkeys(finding.system for finding in (*paths, *effects))))
    taken = {(finding.system, *finding.by.values()): finding.value == _ASTRAY for finding in paths}
    rows = [
        {
            "parser": names[parser], "model": names[effect.system], **effect.by, "value": effect.value,
            "group": _ASTRAY if taken[parser, *effect.by.values()] else _ELSEWHERE,
        }
        for parser in dict.fromkeys(finding.system for finding in paths)
        for effect in effects
    ]  # fmt: skip
    base = alt.Chart().encode(
        y=alt.Y("construction:N", sort=in_order(rows, "construction"), title=None, axis=alt.Axis(labelLimit=0)),
        yOffset=alt.YOffset("group:N", scale=alt.Scale(domain=[_ASTRAY, _ELSEWHERE])),
        color=alt.Color("group:N", title=None, sort=[_ASTRAY, _ELSEWHERE], legend=alt.Legend(orient="bottom")),
    )
    points = base.mark_point(filled=True, size=24, opacity=0.45).encode(
        x=alt.X("value:Q", title="effect (bits)"), tooltip=["construction:N", "item:N", "group:N", "value:Q"]
    )
    means = base.mark_tick(thickness=3, size=14).encode(x=alt.X("mean(value):Q", title="effect (bits)"))
    zero = alt.Chart().mark_rule(color=GREY, strokeDash=[3, 3]).encode(x=alt.datum(0))
    height = _ROW * len(in_order(rows, "construction"))
    chart = alt.layer(zero, points, means, data=alt.InlineData(values=rows)).properties(width=200, height=height)
    above = alt.Header(labelOrient="top", labelAnchor="start", labelAngle=0)  # names of parsers are longer than a row
    faceted = chart.facet(
        row=alt.Row("parser:N", title=None, sort=in_order(rows, "parser"), header=above),
        column=alt.Column("model:N", title=None, sort=in_order(rows, "model")),
    )
    caption = (
        "How many bits more a model needs for the disambiguating region of each ambiguous sentence, by whether the "
        "parser takes the garden path there; thick ticks are means."
    )
    return Figure("joint-items", "Effects of items by what the parser made of them", caption, faceted)


def _groups(findings: Sequence[Finding], measure: str) -> Figure | None:
    """Parsers' errors, or models' effects, by construction."""
    rows = finding_rows(grouped(findings, measure, "construction"))
    if not rows:
        return None
    title = {"astray": "Garden paths taken by parsers", "effect": "Effects of language models"}[measure]
    axis = {"astray": "garden paths (%)", "effect": "effect (bits)"}[measure]
    chart = interval_chart(rows, "construction", axis, middle=0 if measure == "effect" else None)
    return Figure(f"joint-{measure}", title, f"{title}, by construction; lines are 95 % intervals over items.", chart)


def _gaps(findings: Sequence[Finding]) -> Figure | None:
    """The difference of effects for each parser and model, over all items."""
    rows = finding_rows(grouped(findings, "effect_gap", "parser"))
    if not rows:
        return None
    names = short_names(in_order(rows, "parser"))
    rows = [{**row, "parser": names[row["parser"]]} for row in rows]
    chart = interval_chart(rows, "parser", "bits where the parser errs minus bits elsewhere", middle=0)
    caption = (
        "Mean difference in effect between items on which the parser takes the garden path and other items of the same "
        "construction; lines are 95 % intervals over items."
    )
    return Figure("joint-association", "Is the model more surprised where the parser errs?", caption, chart)
