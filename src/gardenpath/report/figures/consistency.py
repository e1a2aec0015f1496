"""Figures of the consistency study: values and centuries, clusters, where trees change, and what remedies do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...runs.result.result import Finding, Result
from .figure import Figure
from .intervals import Rows, coloured, finding_rows, in_order, interval_chart, suite_names, valued

STUDY = "consistency"
_PARTS = {"head": "head", "deprel": "label", "upos": "UPOS", "feats": "FEATS"}
_BINS = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6-10": 10, "11-20": 20, "21+": 1 << 30}
"""Numbers of clusters that stand together, with the largest of each."""
_NOT_MAJORITY = "batches where its tree is not the majority's (%)"


def figures(result: Result) -> list[Figure]:
    """What the findings allow, perturbation by perturbation."""
    findings = valued(result, STUDY)
    made: list[Figure | None] = [_summary(findings)]
    for perturbation in dict.fromkeys(str(one.by["perturbation"]) for one in findings if "perturbation" in one.by):
        own = [one for one in findings if one.by.get("perturbation") == perturbation]
        made += [
            _values(own, perturbation),
            _groups(own, perturbation),
            _clusters(own, perturbation),
            _parts(own, perturbation),
            _distances(own, perturbation),
        ]
    return [one for one in made if one is not None]


def _chosen(findings: Sequence[Finding], measure: str, *keys: str) -> list[Finding]:
    return [one for one in findings if one.measure == measure and set(one.by) == {"perturbation", *keys}]


def _rows(findings: Sequence[Finding]) -> Rows:
    """With the treebank behind the system where there are several."""
    several = len({finding.suite for finding in findings}) > 1
    rows = finding_rows(findings)
    for row, finding in zip(rows, findings, strict=True):
        row["system"] += f", {finding.suite}" if several else ""
    return rows


def _summary(findings: Sequence[Finding]) -> Figure | None:
    """Systems or ways of training beside each other: originals, variants, batches with one tree."""
    shown = {
        "original_right": "originals right", "right": "variants right",
        "changed": "variants with another tree", "consistent": "batches with one tree",
    }  # fmt: skip
    chosen = [
        finding for finding in findings if finding.measure in shown and set(finding.by) == {"perturbation", "order"}
    ]
    orders = list(dict.fromkeys(finding.by["order"] for finding in chosen))
    chosen = [finding for finding in chosen if finding.by["order"] == orders[0]] if orders else []
    if not chosen:
        return None
    several = len({finding.by["perturbation"] for finding in chosen}) > 1
    rows = _rows(chosen)
    for row, finding in zip(rows, chosen, strict=True):
        row["measure"] = shown[finding.measure] + (f", {finding.by['perturbation']}" if several else "")
    order = list(dict.fromkeys(row["measure"] for row in rows))
    chart = interval_chart(rows, "measure", "%", order=order)
    caption = (
        f"{suite_names(chosen)}: sentences parsed right as they are and perturbed, variants whose tree is not the "
        "original's, and batches whose trees are all alike; 95 % intervals."
    )
    return Figure("consistency-summary", "Right and consistent", caption, chart)


def _values(findings: Sequence[Finding], perturbation: str) -> Figure | None:
    """Over the years, or over the values by name where they are not numbers."""
    chosen = _chosen(findings, "differs_from_majority", "replacement", "group")
    if len(chosen) < 2:
        return None
    import altair as alt

    rows = _rows(chosen)
    title = f"Which values change the tree: {perturbation}"
    caption = (
        f"{suite_names(chosen)}: for each value the share of batches in which its tree is not that of the largest "
        "cluster; lines are 95 % intervals."
    )
    if not all(row["replacement"].isdecimal() for row in rows):
        rows.sort(key=lambda row: -row["value"])
        order = list(dict.fromkeys(row["replacement"] for row in rows))
        return Figure(
            f"consistency-values-{perturbation}",
            title,
            caption,
            interval_chart(rows, "replacement", _NOT_MAJORITY, title="value", order=order),
        )
    for row in rows:
        row["number"] = int(row["replacement"])
    base = coloured(alt.Chart(alt.InlineData(values=rows)), rows).encode(
        x=alt.X("number:Q", title="value", scale=alt.Scale(zero=False, nice=False, padding=10),
                axis=alt.Axis(format="d"))
    )  # fmt: skip
    y = alt.Y("value:Q", title=_NOT_MAJORITY)
    tooltip = ["system:N", "replacement:N", alt.Tooltip("value:Q", format=".1f"), "n:Q"]
    layers = [base.mark_point(filled=True, size=40).encode(y=y, tooltip=tooltip)]
    if all(row["low"] is not None for row in rows):
        layers.insert(0, base.mark_rule(opacity=0.5).encode(y=alt.Y("low:Q", title=_NOT_MAJORITY), y2=alt.Y2("high:Q")))
    chart = alt.layer(*layers).properties(width=520, height=280)
    return Figure(f"consistency-values-{perturbation}", title, caption, chart)


def _groups(findings: Sequence[Finding], perturbation: str) -> Figure | None:
    chosen = _chosen(findings, "differs_from_majority", "group")
    if len({one.by["group"] for one in chosen}) < 2:
        return None
    rows = _rows(chosen)
    order = sorted({row["group"] for row in rows})
    chart = interval_chart(
        rows, "group", "variants whose tree is not the majority's (%)", title="group of values", order=order
    )
    caption = (
        f"{suite_names(chosen)}: for each group of values, such as a century, the variants whose tree is not that of "
        "the largest cluster; 95 % intervals."
    )
    return Figure(f"consistency-groups-{perturbation}", f"By group of values: {perturbation}", caption, chart)


def _clusters(findings: Sequence[Finding], perturbation: str) -> Figure | None:
    chosen = _chosen(findings, "batches_with_clusters", "order", "clusters")
    if not chosen:
        return None
    import altair as alt

    binned: dict[tuple[str, str], dict[str, Any]] = {}
    orders = list(dict.fromkeys(one.by["order"] for one in chosen))
    for row in _rows(chosen):
        row["system"] += f", {row['order']}" if len(orders) > 1 else ""
        label = next(label for label, most in _BINS.items() if int(row["clusters"]) <= most)
        share = 100 * row["value"] / row["n"] if row["n"] else 0
        kept = binned.setdefault((row["system"], label), {**row, "clusters": label, "value": 0, "share": 0})
        kept["value"] += row["value"]
        kept["share"] += share
    rows = [{key: row[key] for key in ("system", "clusters", "value", "n", "share")} for row in binned.values()]
    systems = in_order(rows, "system")
    base = coloured(alt.Chart(alt.InlineData(values=rows)), rows)
    chart = base.mark_bar().encode(
        x=alt.X("clusters:N", title="different trees in a batch", sort=list(_BINS), axis=alt.Axis(labelAngle=0)),
        y=alt.Y("share:Q", title="batches (%)"),
        tooltip=["system:N", "clusters:N", alt.Tooltip("share:Q", format=".1f"), "n:Q"],
        **({"xOffset": alt.XOffset("system:N", sort=systems)} if len(systems) > 1 else {}),
    )
    width = min(640, max(200, 24 * len(systems) * len({row["clusters"] for row in rows})))
    chart = chart.properties(width=width, height=240)
    caption = (
        f"{suite_names(chosen)}: batches by the number of clusters (classes of equal trees); 1 is a consistent parser."
    )
    return Figure(f"consistency-clusters-{perturbation}", f"Different trees per batch: {perturbation}", caption, chart)


def _parts(findings: Sequence[Finding], perturbation: str) -> Figure | None:
    chosen = _chosen(findings, "clusters_changed", "part")
    if not chosen:
        return None
    rows = _rows(chosen)
    for row in rows:
        row["part"] = _PARTS.get(row["part"], row["part"])
    axis = "clusters in which it changes (%)"
    chart = interval_chart(rows, "part", axis, title="column", order=list(_PARTS.values()))
    caption = (
        f"{suite_names(chosen)}: what differs between the largest cluster of a batch and the others; 95 % intervals."
    )
    return Figure(f"consistency-parts-{perturbation}", f"What changes: {perturbation}", caption, chart)


def _distances(findings: Sequence[Finding], perturbation: str) -> Figure | None:
    """Three charts side by side: words and edges from the edit, depth in the tree."""
    import altair as alt

    kinds = {"words_away": "words from the edit", "edges_away": "edges from the edit", "depth": "depth (1: root)"}
    charts, treebanks = [], list[Finding]()
    for kind, title in kinds.items():
        chosen = _chosen(findings, "words_changed", kind)
        if not chosen:
            continue
        treebanks += chosen
        rows = _rows(chosen)
        for row in rows:
            row["distance"] = row.pop(kind)
        order = sorted({row["distance"] for row in rows}, key=lambda label: int(re.match(r"\d+", label)[0]))  # type: ignore[index]
        base = alt.Chart(alt.InlineData(values=rows)).encode(
            x=alt.X("distance:N", title=title, sort=order, axis=alt.Axis(labelAngle=0))
        )
        marks = coloured(base, rows)
        axis = "words that change (%)"
        y = alt.Y("value:Q", title=axis)
        tooltip = ["system:N", "distance:N", alt.Tooltip("value:Q", format=".1f"), "n:Q"]
        layers = [coloured(base, rows, few=False).mark_line().encode(y=y)]
        layers.append(marks.mark_point(filled=True, size=40).encode(y=y, tooltip=tooltip))
        if all(row["low"] is not None for row in rows):
            layers.insert(0, marks.mark_rule(opacity=0.5).encode(y=alt.Y("low:Q", title=axis), y2=alt.Y2("high:Q")))
        charts.append(alt.layer(*layers).properties(width=230, height=220))
    if not charts:
        return None
    caption = (
        f"{suite_names(treebanks)}: of words at a distance from the edited word, or at a depth, those whose head, "
        "label, UPOS or FEATS differ between the largest cluster and another; 95 % intervals."
    )
    chart = alt.hconcat(*charts)
    return Figure(f"consistency-distance-{perturbation}", f"Where trees change: {perturbation}", caption, chart)
