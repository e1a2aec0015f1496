"""Figures 12 to 14 of the EDV paper: what the split does to the score."""

from __future__ import annotations

from collections.abc import Sequence
from math import erf, exp, pi, sqrt
from typing import Any

from ..._text import PALETTE
from ...runs.result.result import Finding, Result
from .displacement_scores import chart_of
from .figure import Figure

_LABELS = {"min": "min EDV", "random": "random", "official": "official", "max": "max EDV"}
_STEPS = 120


def figures(result: Result) -> list[Figure]:
    """None where the result is not of the experiment."""
    findings = [finding for finding in result.findings if finding.study == "displacement"]
    changes = {finding.suite: _number(finding) for finding in findings if finding.measure == "delta_las"}
    if not changes:
        return []
    overall = {finding.measure: finding for finding in findings if not finding.by}
    further = {finding.suite: _number(finding) for finding in findings if finding.measure == "delta_edv"}
    return [_changes(changes, overall), _scores(findings, len(changes)), _against(changes, further, findings)]


def _changes(changes: dict[str, float], overall: dict[str, Finding]) -> Figure:
    import altair as alt

    n = len(changes)
    rows = [{"treebank": name, "change": value} for name, value in changes.items()]
    step = _bin_width(list(changes.values()))
    axis = alt.X("change:Q", bin=alt.Bin(step=step), title="ΔLAS (max EDV − min EDV)", axis=alt.Axis(format="~g"))
    bars = (
        chart_of(rows)
        .mark_bar(opacity=0.7)
        .encode(x=axis, y=alt.Y("count()", title="treebanks", axis=alt.Axis(tickMinStep=1)))
    )
    mean = overall["delta_las_mean"]
    caption = (
        f"Difference in LAS between the split of greatest and of least EDV, {n} treebanks, mean {_number(mean):.2f}"
    )
    parameters = [overall.get(f"fit_{name}") for name in ("shape", "location", "scale")]
    if any(parameter is None for parameter in parameters):
        return Figure("figure-12-delta-las", "ΔLAS", f"{caption}. Too few for a fit.", bars)
    shape, location, scale = (_number(parameter) for parameter in parameters if parameter is not None)
    low, high = min(changes.values()) - step, max(changes.values()) + step
    places = [low + (high - low) * number / _STEPS for number in range(_STEPS + 1)]
    curve = [{"place": x, "expected": n * step * _skew_normal(x, shape, location, scale)} for x in places]
    line = chart_of(curve).mark_line(color=PALETTE[1]).encode(x=alt.X("place:Q"), y=alt.Y("expected:Q"))
    fit = f". Line: skew-normal fit, χ² = {_number(overall['fit_chi2']):.2f}, p = {_number(overall['fit_p']):.3f}."
    return Figure("figure-12-delta-las", "ΔLAS", caption + fit, bars + line)


def _scores(findings: Sequence[Finding], n: int) -> Figure:
    import altair as alt

    rows = [
        {
            "treebank": finding.suite,
            "split": _LABELS[str(finding.by["split"])],
            "draw": finding.by.get("draw"),
            "las": finding.value,
        }
        for finding in findings
        if finding.measure == "las" and finding.by.get("split") in _LABELS
    ]
    order = [label for label in _LABELS.values() if any(row["split"] == label for row in rows)]
    base = chart_of(rows, width=300).encode(
        x=alt.X("split:N", sort=order, title=None, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("las:Q", title="LAS", scale=alt.Scale(zero=False)),
    )
    colour = alt.Color("split:N", sort=order, legend=None)
    boxes = base.mark_boxplot(size=60, opacity=0.5, outliers=False).encode(color=colour)
    points = base.mark_point(size=25, opacity=0.8).encode(color=colour, tooltip=["treebank:N", "las:Q"])
    caption = f"LAS on the splits of {n} treebanks: the middle half, the median, and every split as a point."
    return Figure("figure-13-las", "LAS by split", caption, boxes + points)


def _against(changes: dict[str, float], further: dict[str, float], findings: Sequence[Finding]) -> Figure:
    import altair as alt

    rows = [
        {"treebank": name.removeprefix("UD_"), "further": further[name], "change": changes[name]} for name in changes
    ]
    axes = {"x": alt.X("further:Q", title="ΔEDV (tokens)"), "y": alt.Y("change:Q", title="ΔLAS")}
    base = chart_of(rows)
    chart = base.mark_point().encode(**axes, tooltip=["treebank:N", "further:Q", "change:Q"])
    if len(rows) <= 20:
        chart += base.mark_text(align="left", dx=6, fontSize=9).encode(**axes, text=alt.Text("treebank:N"))
    wanted = {"variable": "ΔEDV", "target": "ΔLAS", "covariate": ""}
    rho = next((one for one in findings if one.measure == "rho" and dict(one.by) == wanted), None)
    caption = f"Change of LAS against change of EDV, both max EDV − min EDV, {len(rows)} treebanks"
    if rho is not None:
        caption += f"; Spearman's ρ = {_number(rho):.2f}"
    return Figure("figure-14-delta-las-delta-edv", "ΔLAS against ΔEDV", f"{caption}.", chart)


def _skew_normal(x: float, shape: float, location: float, scale: float) -> float:
    """Its density; SciPy's takes a second to load."""
    z = (x - location) / scale
    return 2 / scale * exp(-z * z / 2) / sqrt(2 * pi) * (1 + erf(shape * z / sqrt(2))) / 2


def _bin_width(values: Sequence[float]) -> float:
    """About as many bins as the root of the number of values, of 0.5, 1, 2 or 5 points."""
    wanted = (max(values) - min(values)) / max(sqrt(len(values)), 1)
    return next((width for width in (0.5, 1.0, 2.0, 5.0) if width >= wanted), 10.0)


def _number(finding: Any) -> float:
    assert isinstance(finding.value, int | float)
    return float(finding.value)
