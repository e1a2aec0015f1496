"""Figures of the surprisal study: accuracy by class, modifier, kind and complexity; differences at the target."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...runs.result import Finding, Result
from .figure import Figure

STUDY = "surprisal"
_ROW = 20
"""Pixels for a row of a chart."""


def figures(result: Result) -> list[Figure]:
    """What the findings allow: the layouts of Figures 1, 3, 4, 6 and 7 of the paper on Mandarin."""
    found = [one for one in result.findings if one.study == STUDY and one.value is not None]
    made = [_classes(found), _modifiers(found), _complexity(found), _kinds(found), _differences(found), _suites(found)]
    return [one for one in made if one is not None]


def _grouped(found: Sequence[Finding], measure: str, *keys: str) -> list[Finding]:
    return [one for one in found if one.measure == measure and tuple(one.by) == keys]


def rows_of(found: Sequence[Finding]) -> list[dict[str, Any]]:
    """The findings as rows of data, with short names of systems."""
    names = {one.system: re.sub(r"^(\w+:)?.*[/\\]", r"\1", one.system) for one in found}
    if len(set(names.values())) < len(names):
        names = {name: name for name in names}
    return [
        {
            "system": names[one.system], "suite": one.suite, **one.by,
            "value": one.value, "low": one.low, "high": one.high, "n": one.n,
        }
        for one in found
    ]  # fmt: skip


def in_order(rows: Sequence[dict[str, Any]], key: str) -> list[Any]:
    return list(dict.fromkeys(row[key] for row in rows))


def _points(rows: list[dict[str, Any]], field: str, axis: str, middle: float) -> Any:
    """A point with its interval for each group and system, and a line at chance or at zero."""
    import altair as alt

    systems, groups = in_order(rows, "system"), in_order(rows, field)
    data = alt.InlineData(values=rows)
    y = alt.Y(f"{field}:N", title=field, sort=groups, axis=alt.Axis(labelLimit=320))
    base = alt.Chart(data).encode(
        y=y, yOffset=alt.YOffset("system:N", sort=systems), color=alt.Color("system:N", title="system", sort=systems)
    )
    line = alt.Chart(data).mark_rule(color="#888", strokeDash=[3, 3]).encode(x=alt.datum(middle))
    scale = alt.Scale(zero=False)
    tooltip = ["system:N", f"{field}:N", alt.Tooltip("value:Q", format=".3f"), "n:Q"]
    points = base.mark_point(filled=True, size=40).encode(x=alt.X("value:Q", title=axis, scale=scale), tooltip=tooltip)
    layers = [line, points]
    if any(row["low"] is not None for row in rows):
        layers.insert(1, base.mark_rule().encode(x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q"))
    height = max(_ROW * len(groups) * max(len(systems), 2) * 0.7, 60)
    return alt.layer(*layers).properties(width=420, height=height)


def _classes(found: Sequence[Finding]) -> Figure | None:
    rows = rows_of(_grouped(found, "accuracy", "class"))
    if not rows:
        return None
    caption = "Accuracy by class, the mean over its suites and seeds; lines are 95 % intervals over items."
    chart = _points(rows, "class", "accuracy (%)", 50)
    return Figure("surprisal-class", "Accuracy by class", caption, chart)


def _suites(found: Sequence[Finding]) -> Figure | None:
    """Where suites have no classes."""
    chosen = [one for one in found if one.measure == "accuracy" and not one.by]
    rows = [row for row in rows_of(chosen) if not re.fullmatch(r"\d+ suites", row["suite"])]
    if not rows or _grouped(found, "accuracy", "class"):
        return None
    caption = "Accuracy by suite; lines are 95 % intervals over items."
    return Figure("surprisal-suite", "Accuracy by suite", caption, _points(rows, "suite", "accuracy (%)", 50))


def _modifiers(found: Sequence[Finding]) -> Figure | None:
    """Class × modifier, one panel for each class."""
    rows = rows_of(
        [one for one in _grouped(found, "accuracy", "class", "modifier") if re.fullmatch(r"\d+ suites", one.suite)]
    )
    if len(rows) < 2:
        return None
    import altair as alt

    systems, modifiers = in_order(rows, "system"), in_order(rows, "modifier")
    colour = alt.Color("system:N", title="system", sort=systems)
    base = alt.Chart().encode(
        x=alt.X("modifier:N", sort=modifiers, title="modifier"),
        color=colour,
    )
    bars = base.mark_point(filled=True, size=35).encode(y=alt.Y("value:Q", title="accuracy (%)"))
    layers = [bars]
    if any(row["low"] is not None for row in rows):
        layers.insert(0, base.mark_rule().encode(y=alt.Y("low:Q", title="accuracy (%)"), y2="high:Q"))
    chart = alt.layer(*layers, data=alt.InlineData(values=rows)).properties(width=220, height=160)
    faceted = chart.facet(facet=alt.Facet("class:N", title=None, sort=in_order(rows, "class")), columns=2)
    faceted = faceted.resolve_scale(x="independent")
    caption = "Accuracy by class and modifier; lines are 95 % intervals over items."
    return Figure("surprisal-modifier", "Accuracy by class and modifier", caption, faceted)


def _complexity(found: Sequence[Finding]) -> Figure | None:
    """Accuracy and difference against the complexity of the modifier."""
    rows = [
        {**row, "measure": name}
        for measure, name in (("accuracy", "accuracy (%)"), ("difference", "difference (bits)"))
        for row in rows_of(_grouped(found, measure, "class", "complexity", "modifier"))
    ]
    if not rows:
        return None
    import altair as alt

    systems, modifiers = in_order(rows, "system"), in_order(rows, "modifier")
    base = alt.Chart().encode(
        x=alt.X("modifier:N", sort=modifiers, title="modifier, from the simplest"),
        y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False)),
        color=alt.Color("system:N", title="system", sort=systems),
    )
    layers = [base.mark_line(strokeWidth=2), base.mark_point(filled=True, size=40)]
    if any(row["low"] is not None for row in rows):
        layers.append(base.mark_rule(opacity=0.5).encode(y="low:Q", y2="high:Q"))
    chart = alt.layer(*layers, data=alt.InlineData(values=rows)).properties(width=240, height=220)
    faceted = chart.facet(facet=alt.Facet("measure:N", title=None), columns=2).resolve_scale(y="independent")
    classes = ", ".join(in_order(rows, "class"))
    caption = f"Accuracy and mean surprisal difference in {classes} by complexity of the modifier."
    return Figure("surprisal-complexity", "By complexity of the modifier", caption, faceted)


def _kinds(found: Sequence[Finding]) -> Figure | None:
    rows = rows_of(_grouped(found, "accuracy", "kind", "modified"))
    for row in rows:
        row["group"] = f"{row['kind']}, {'with' if row['modified'] == 'yes' else 'without'} modifier"
    if not rows:
        rows = rows_of(_grouped(found, "accuracy", "kind"))
        for row in rows:
            row["group"] = row["kind"]
    if len(in_order(rows, "group") if rows else []) < 2:
        return None
    rows.sort(key=lambda row: row["group"])
    caption = "Accuracy on syntactic, semantic and mixed classes; lines are 95 % intervals over items."
    chart = _points(rows, "group", "accuracy (%)", 50)
    return Figure("surprisal-kind", "Syntactic and semantic classes", caption, chart)


def _differences(found: Sequence[Finding]) -> Figure | None:
    rows, field = rows_of(_grouped(found, "difference", "class")), "class"
    if not rows:
        rows, field = rows_of(_grouped(found, "difference")), "suite"
    if not rows:
        return None
    caption = "Mean surprisal where it should be greater minus where it should be less; lines are 95 % t intervals."
    chart = _points(rows, field, "surprisal difference (bits)", 0)
    return Figure("surprisal-difference", "Surprisal difference at the target", caption, chart)
