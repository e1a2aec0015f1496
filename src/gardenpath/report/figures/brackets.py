"""Figures of an evaluation on phrase trees: every measure with its interval, F1 by length, category and function."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from ...runs.result import Finding, Result
from ...studies.brackets.scores import MEASURES
from .figure import Figure

_GROUPINGS = {"length": "sentence length", "label": "category", "function": "function"}
_MOST = 20
"""Categories and functions that are shown: the most frequent ones."""
_ROW = 14


def figures(result: Result) -> list[Figure]:
    """What the findings of the study `brackets` allow."""
    found = [one for one in result.findings if one.study == "brackets" and isinstance(one.value, int | float)]
    made = [_measures(found), *(_by_group(found, key, title) for key, title in _GROUPINGS.items())]
    return [figure for figure in made if figure is not None]


def _measures(found: Sequence[Finding]) -> Figure | None:
    """A point with its interval for each measure in per cent and each system."""
    chosen = [one for one in found if not one.by and one.measure in MEASURES and one.measure != "crossing"]
    if not chosen:
        return None
    rows = [{**_row(one), "measure": MEASURES[one.measure]} for one in chosen]
    order = [name for key, name in MEASURES.items() if any(one.measure == key for one in chosen)]
    caption = f"Brackets and other measures on {_suite(chosen)}, per cent; lines are 95 % intervals."
    return Figure("brackets-measures", "Brackets by measure", caption, _points(rows, "measure", None, order))


def _by_group(found: Sequence[Finding], key: str, title: str) -> Figure | None:
    chosen = [one for one in found if one.measure == "f1" and list(one.by) == [key]]
    if not chosen:
        return None
    names = list(dict.fromkeys(str(one.by[key]) for one in chosen))
    shown = names if key == "length" else names[:_MOST]
    rows = [{**_row(one), key: str(one.by[key])} for one in chosen if str(one.by[key]) in shown]
    told = f", the {_MOST} most frequent of {len(names)}" if len(shown) < len(names) else ""
    caption = f"Labelled F1 by {title}{told}, {_suite(chosen)}; lines are 95 % intervals over sentences."
    return Figure(f"brackets-{key}", f"F1 by {title}", caption, _points(rows, key, title, shown))


def _row(one: Finding) -> dict[str, Any]:
    return {"system": one.system, "value": one.value, "low": one.low, "high": one.high, "n": one.n}


def _points(rows: list[dict[str, Any]], field: str, title: str | None, order: list[str]) -> Any:
    import altair as alt

    systems = list(dict.fromkeys(row["system"] for row in rows))
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        y=alt.Y(f"{field}:N", title=title, sort=order, axis=alt.Axis(labelLimit=240)),
        yOffset=alt.YOffset("system:N", sort=systems),
        color=alt.Color("system:N", title=None, sort=systems, legend=alt.Legend(orient="bottom", columns=1)),
    )
    scale = alt.Scale(domain=[0, 100])
    lines = base.mark_rule().encode(x=alt.X("low:Q", title="per cent", scale=scale), x2="high:Q")
    points = base.mark_point(filled=True, size=45).encode(
        x=alt.X("value:Q", title="per cent", scale=scale),
        tooltip=["system:N", f"{field}:N", alt.Tooltip("value:Q", format=".2f"), "n:Q"],
    )
    return alt.layer(lines, points).properties(width=420, height=max(_ROW * len(order) * len(systems), 60))


def _suite(found: Sequence[Finding]) -> str:
    return ", ".join(dict.fromkeys(PurePath(one.suite).name for one in found))
