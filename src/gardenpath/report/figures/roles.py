"""Figures of the roles study: scores by order and property, what a change does, property × order, frequency and LAS."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from ...runs.layout import short_names
from ...runs.result import Finding, Result
from .figure import SEQUENTIAL, Figure

STUDY = "roles"
_SHOWN = {"attachment": "Attachment accuracy", "las": "LAS", "label": "Label accuracy"}
_ROW = 22
"""Pixels for a row of a chart."""


def figures(result: Result) -> list[Figure]:
    """What the findings of a suite or of a treebank allow."""
    findings = [finding for finding in result.findings if finding.study == STUDY and finding.value is not None]
    measures = {finding.measure for finding in findings if finding.system}
    main = next((measure for measure in _SHOWN if measure in measures), "label")
    made = [
        _scores(findings, main, "order", "order"),
        _scores(findings, main, "property", "property"),
        _deltas(findings, main, "property"),
        _deltas(findings, main, "order"),
        _cells(findings, main),
        _frequencies(findings),
    ]
    return [figure for figure in made if figure is not None]


def _grouped(found: Sequence[Finding], measure: str, *keys: str) -> list[Finding]:
    return [one for one in found if one.measure == measure and tuple(one.by) == keys]


def _rows(found: Sequence[Finding], names: dict[str, str], **more: str) -> list[dict[str, Any]]:
    """The findings as rows of data, with short names of systems."""
    return [
        {
            "system": names[one.system], **{key: str(value) for key, value in one.by.items()},
            "value": one.value, "low": one.low, "high": one.high, "n": one.n, **more,
        }
        for one in found
    ]  # fmt: skip


def _names(findings: Sequence[Finding]) -> dict[str, str]:
    return short_names(list(dict.fromkeys(finding.system for finding in findings)))


def _suite(found: Sequence[Finding]) -> str:
    return ", ".join(dict.fromkeys(PurePath(one.suite).name for one in found))


def _intervals(rows: list[dict[str, Any]], field: str, title: str, axis: str, sort: Any, zero: bool) -> Any:
    """A point with its interval for each row and system."""
    import altair as alt

    systems = list(dict.fromkeys(row["system"] for row in rows))
    several = len(systems) > 1
    y = alt.Y(f"{field}:N", title=title, sort=sort, axis=alt.Axis(labelLimit=320))
    base = alt.Chart(alt.InlineData(values=rows)).encode(y=y)
    if several:
        offset = alt.YOffset("system:N", sort=systems)
        base = base.encode(color=alt.Color("system:N", title="system", sort=systems), yOffset=offset)
    scale = alt.Scale(zero=zero)
    points = base.mark_point(filled=True, size=45).encode(
        x=alt.X("value:Q", title=axis, scale=scale),
        tooltip=["system:N", f"{field}:N", alt.Tooltip("value:Q", format=".2f"), "n:Q"],
    )
    layers = [points]
    if all(row["low"] is not None for row in rows):
        layers.insert(0, base.mark_rule().encode(x=alt.X("low:Q", title=axis, scale=scale), x2="high:Q"))
    count = len({row[field] for row in rows}) * len(systems)
    return alt.layer(*layers).properties(width=420, height=max(_ROW * count, 60))


def _scores(found: Sequence[Finding], measure: str, key: str, title: str) -> Figure | None:
    chosen = [one for one in _grouped(found, measure, key) if one.system]
    if not chosen:
        return None
    rows = _rows(chosen, _names(chosen))
    order = list(dict.fromkeys(row[key] for row in rows))
    chart = _intervals(rows, key, title, f"{_SHOWN[measure]} (%)", order, zero=False)
    caption = f"{_SHOWN[measure]} on {_suite(chosen)} by {key}; lines are 95 % intervals."
    return Figure(f"roles-{key}", f"{_SHOWN[measure]} by {key}", caption, chart)


def _deltas(found: Sequence[Finding], measure: str, pair: str) -> Figure | None:
    chosen = [one for one in _grouped(found, f"{measure}_delta", "pair", "change") if one.by["pair"] == pair]
    if not chosen:
        return None
    import altair as alt

    rows = _rows(chosen, _names(chosen))
    first = next(iter(dict.fromkeys(row["system"] for row in rows)))
    order = [row["change"] for row in sorted(rows, key=lambda row: row["value"]) if row["system"] == first]
    axis = f"difference in {_SHOWN[measure]} (points)"
    zero = alt.Chart(alt.InlineData(values=rows)).mark_rule(color="#888", strokeDash=[3, 3]).encode(x=alt.datum(0))
    title = "property that is added" if pair == "property" else "change of order"
    chart = alt.layer(zero, _intervals(rows, "change", title, axis, order, zero=True))
    caption = (
        f"What one {pair} changes within minimal pairs of {_suite(chosen)}, all else equal; "
        "lines are 95 % intervals, with all orders of a sentence drawn together."
    )
    return Figure(f"roles-delta-{pair}", f"What one {pair} changes", caption, chart)


def _cells(found: Sequence[Finding], measure: str) -> Figure | None:
    """The heat map of property × order, one beside the other for several systems."""
    chosen = _grouped(found, measure, "property", "order")
    if not chosen:
        return None
    import altair as alt

    rows = _rows(chosen, _names(chosen))
    orders, properties = ([*dict.fromkeys(row[key] for row in rows)] for key in ("order", "property"))
    known = [str(one.by["order"]) for one in _grouped(found, measure, "order")]
    orders.sort(key=lambda order: known.index(order) if order in known else len(known))
    base = alt.Chart().encode(
        x=alt.X("order:N", sort=orders, title="order", axis=alt.Axis(labelAngle=-45, labelLimit=200)),
        y=alt.Y("property:N", sort=properties, title="property"),
    )
    colour = alt.Color("value:Q", title=_SHOWN[measure], scale={"scheme": SEQUENTIAL, "domain": [0, 100]})
    boxes = base.mark_rect().encode(color=colour, tooltip=["property:N", "order:N", "value:Q", "n:Q"])
    text = base.mark_text(fontSize=9).encode(
        text=alt.Text("value:Q", format=".0f"),
        color=alt.condition("datum.value > 60", alt.value("black"), alt.value("white")),
    )
    size = {"width": 34 * len(orders), "height": _ROW * len(properties)}
    chart: Any = alt.layer(boxes, text, data=alt.InlineData(values=rows)).properties(**size)
    systems = list(dict.fromkeys(row["system"] for row in rows))
    if len(systems) > 1:
        chart = chart.facet(facet=alt.Facet("system:N", title=None, sort=systems), columns=2)
    caption = f"{_SHOWN[measure]} on {_suite(chosen)} by property and order; empty: no such items."
    return Figure("roles-property-order", f"{_SHOWN[measure]} by property and order", caption, chart)


def _frequencies(found: Sequence[Finding]) -> Figure | None:
    """How frequent an order is in a treebank, and how well it is parsed."""
    shares = {str(one.by["order"]): one for one in _grouped(found, "share", "order")}
    scores = [one for one in _grouped(found, "las", "order") if str(one.by["order"]) in shares]
    if not shares:
        return None
    import altair as alt

    if not scores:
        rows = _rows(list(shares.values()), {"": "gold"})
        chart = _intervals(rows, "order", "order", "clauses (%)", list(shares), zero=True)
    else:
        rows = _rows(scores, _names(scores))
        for row in rows:
            row["share"] = shares[row["order"]].value
        base = alt.Chart(alt.InlineData(values=rows)).encode(
            x=alt.X("share:Q", title="clauses with this order (%)"),
            y=alt.Y("value:Q", title="LAS (%)", scale=alt.Scale(zero=False)),
        )
        if len({row["system"] for row in rows}) > 1:
            base = base.encode(color=alt.Color("system:N", title="system"))
        layers = [base.mark_point(filled=True, size=60), base.mark_text(dx=8, align="left").encode(text="order:N")]
        if all(row["low"] is not None for row in rows):
            layers.insert(0, base.mark_rule().encode(y="low:Q", y2="high:Q"))
        chart = alt.layer(*layers)
    caption = (
        f"Orders of subject (S), finite verb (V) and object (O) in the clauses of {_suite(list(shares.values()))}."
    )
    return Figure("roles-frequency", "Frequency of orders" + (" and LAS" if scores else ""), caption, chart)
