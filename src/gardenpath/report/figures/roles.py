"""Figures of the roles study: scores by order and property, what a change does, property × order, frequency and LAS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...runs.result.result import Finding, Result
from .figure import SEQUENTIAL, Figure
from .intervals import coloured, fields_text, finding_rows, grouped, interval_chart, suite_names, valued

STUDY = "roles"
_SHOWN = {"attachment": "Attachment accuracy", "las": "LAS", "label": "Label accuracy"}
_ROW = 22
"""Pixels for a row of the heat map."""


def figures(result: Result) -> list[Figure]:
    """What the findings of a suite or of a treebank allow."""
    findings = valued(result, STUDY)
    measures = {finding.measure for finding in findings if finding.system}
    main = next((measure for measure in _SHOWN if measure in measures), "label")
    made = [
        _scores(findings, main, "order"),
        _scores(findings, main, "property"),
        _deltas(findings, main, "property"),
        _deltas(findings, main, "order"),
        _cells(findings, main),
        _frequencies(findings),
    ]
    return [figure for figure in made if figure is not None]


def _scores(findings: Sequence[Finding], measure: str, key: str) -> Figure | None:
    chosen = [finding for finding in grouped(findings, measure, key) if finding.system]
    if not chosen:
        return None
    rows = finding_rows(chosen)
    chart = interval_chart(rows, key, f"{_SHOWN[measure]} (%)", title=key, zero=False)
    caption = f"{_SHOWN[measure]} on {suite_names(chosen)} by {key}; lines are 95 % intervals."
    return Figure(f"roles-{key}", f"{_SHOWN[measure]} by {key}", caption, chart)


def _deltas(findings: Sequence[Finding], measure: str, pair: str) -> Figure | None:
    chosen = [
        finding for finding in grouped(findings, f"{measure}_delta", "pair", "change") if finding.by["pair"] == pair
    ]
    if not chosen:
        return None
    rows = finding_rows(chosen)
    first = rows[0]["system"]
    order = [row["change"] for row in sorted(rows, key=lambda row: row["value"]) if row["system"] == first]
    axis = f"difference in {_SHOWN[measure]} (points)"
    title = "property that is added" if pair == "property" else "change of order"
    chart = interval_chart(rows, "change", axis, title=title, order=order, middle=0)
    caption = (
        f"What one {pair} changes within minimal pairs of {suite_names(chosen)}, all else equal; "
        "lines are 95 % intervals."
    )
    return Figure(f"roles-delta-{pair}", f"What one {pair} changes", caption, chart)


def _cells(findings: Sequence[Finding], measure: str) -> Figure | None:
    """The heat map of property × order, one beside the other for several systems."""
    chosen = grouped(findings, measure, "property", "order")
    if not chosen:
        return None
    import altair as alt

    rows = finding_rows(chosen)
    orders, properties = ([*dict.fromkeys(row[key] for row in rows)] for key in ("order", "property"))
    known = [str(finding.by["order"]) for finding in grouped(findings, measure, "order")]
    orders.sort(key=lambda order: known.index(order) if order in known else len(known))
    for row in rows:
        row["fields"] = fields_text(row["order"])
    base = alt.Chart().encode(
        x=alt.X(
            "fields:N",
            sort=[fields_text(order) for order in orders],
            title="order",
            axis=alt.Axis(labelAngle=-45, labelLimit=0),
        ),
        y=alt.Y("property:N", sort=properties, title="property"),
    )
    colour = alt.Color("value:Q", title=_SHOWN[measure], scale={"scheme": SEQUENTIAL, "domain": [0, 100]})
    boxes = base.mark_rect().encode(color=colour, tooltip=["property:N", "order:N", "value:Q", "n:Q"])
    text = base.mark_text(fontSize=9).encode(
        text=alt.Text("value:Q", format=".0f"),
        color=alt.condition("datum.value > 43", alt.value("black"), alt.value("white")),
    )
    size = {"width": 34 * len(orders), "height": _ROW * len(properties)}
    chart: Any = alt.layer(boxes, text, data=alt.InlineData(values=rows)).properties(**size)
    systems = list(dict.fromkeys(row["system"] for row in rows))
    if len(systems) > 1:
        chart = chart.facet(facet=alt.Facet("system:N", title=None, sort=systems), columns=2)
    caption = f"{_SHOWN[measure]} on {suite_names(chosen)} by property and order; empty: no such items."
    return Figure("roles-property-order", f"{_SHOWN[measure]} by property and order", caption, chart)


def _frequencies(findings: Sequence[Finding]) -> Figure | None:
    """How frequent an order is in a treebank, and how well it is parsed."""
    shares = {str(finding.by["order"]): finding for finding in grouped(findings, "share", "order")}
    scores = [finding for finding in grouped(findings, "las", "order") if str(finding.by["order"]) in shares]
    if not shares:
        return None
    import altair as alt

    if not scores:
        rows = finding_rows(list(shares.values()))
        chart = interval_chart(rows, "order", "clauses (%)", title="order")
    else:
        rows = finding_rows(scores)
        for row in rows:
            row["share"] = shares[row["order"]].value
        base = alt.Chart(alt.InlineData(values=rows)).encode(
            x=alt.X("share:Q", title="clauses with this order (%)"),
            y=alt.Y("value:Q", title="LAS (%)", scale=alt.Scale(zero=False)),
        )
        base = coloured(base, rows)
        layers = [
            base.mark_point(filled=True, size=60),
            base.mark_text(dx=8, align="left").encode(text=alt.Text("order:N")),
        ]
        if all(row["low"] is not None for row in rows):
            layers.insert(0, base.mark_rule().encode(y=alt.Y("low:Q"), y2=alt.Y2("high:Q")))
        chart = alt.layer(*layers)
    caption = f"Orders of subject (S), verb (V) and object (O) in the clauses of {suite_names(list(shares.values()))}."
    return Figure("roles-frequency", "Frequency of orders" + (" and LAS" if scores else ""), caption, chart)
