"""Figures of the displacement study for one system's scores: EDV paper, Figures 5 and 7 to 11."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..._text import PALETTE
from ...runs.result.result import Finding
from .figure import Figure

_LAS_AGAINST = ("train_tokens", "test_tokens", "test_length", "slv", "edv", "edv_heights")
_KINDS = {"edv": "EDV (Equation 2)", "edv_heights": "EDV heights (as published)", "edv_excess": "EDV excess"}
_FAR = 14
"""Points of LAS between a score and its prediction from which on a treebank is named."""


def score_figures(plain: Mapping[str, Mapping[str, Any]], findings: Sequence[Finding], system: str) -> list[Figure]:
    """`plain` has a row of measures for each treebank."""
    own = [finding for finding in findings if finding.system == system]
    scored = with_scores(plain, own)
    if not scored:
        return []
    made = [
        _las_against(scored, system),
        _without_one(own, system),
        *_background(scored, own, system),
        _predicted(scored, with_scores(plain, own, "held out"), own, system),
        _length_correlations(own, system),
        _las_by_length(scored, findings, system),
        _complexity(scored, own, system),
    ]
    return [one for one in made if one is not None]


def with_scores(plain: Mapping[str, Mapping[str, Any]], own: Iterable[Finding], part: str = "") -> dict[str, Any]:
    """Return the row of each treebank that has a score, with its LAS; `part` names a set of them."""
    by = {"set": part} if part else {}
    las = {one.suite: one.value for one in own if one.measure == "las" and one.by == by}
    return {suite: {**plain[suite], "las": value} for suite, value in las.items() if suite in plain}


def _las_against(scored: Mapping[str, Any], system: str) -> Figure | None:
    """Figure 5."""
    import altair as alt

    rows = columns(scored.values(), ("las", *_LAS_AGAINST))
    panels = [scatter(rows, name, "las") for name in _LAS_AGAINST]
    caption = f"LAS of {system} on {len(rows)} treebanks; red: fits of least squares, logarithmic for sizes."
    return Figure(f"las-against-{system}", f"LAS of {system}", caption, alt.concat(*panels, columns=3))


def _without_one(own: Sequence[Finding], system: str) -> Figure | None:
    """How the (partial) correlations of EDV and LAS depend on the sample of treebanks."""
    import altair as alt

    rows: Rows = []
    for finding in own:
        if finding.measure in ("rho_over_treebanks", "rho_left_out"):
            held = str(finding.by["covariates"]).replace("_", " ").replace(",", ", ")
            row: dict[str, Any] = {"correlation": _KINDS[str(finding.by["x"])] + (f"; held: {held}" if held else "")}
            if finding.measure == "rho_left_out":
                row |= {"without": finding.by["without"], "left": finding.value}
            else:
                row |= {"rho": finding.value, "low": finding.low, "high": finding.high}
            rows.append({**row, "n": finding.n})
    if not rows:
        return None
    order = list(dict.fromkeys(row["correlation"] for row in rows))
    base = chart_of(rows).encode(y=alt.Y("correlation:N", sort=order, title=None).axis(labelLimit=360))
    title = alt.X("low:Q", title="ρ with LAS").scale(domain=[-1, 1])
    interval = base.mark_rule(color=PALETTE[0], strokeWidth=1.5).encode(x=title, x2=alt.X2("high:Q"))
    left = base.mark_tick(color=RED, opacity=0.6).encode(x=alt.X("left:Q"))
    point = base.mark_point(color=PALETTE[0], size=45).encode(x=alt.X("rho:Q"))
    zero = base.mark_tick(color=GREY, size=22).encode(x=alt.datum(0))
    caption = (
        f"Spearman's ρ of EDV with LAS of {system}: point, all treebanks; line, 95 % interval of the bootstrap over "
        "treebanks; red, the same without one treebank."
    )
    chart = (zero + interval + left + point).properties(width=420, height=alt.Step(22))
    return Figure(f"without-one-{system}", f"Is it these treebanks? {system}", caption, chart)


def _background(scored: Mapping[str, Any], own: Sequence[Finding], system: str) -> list[Figure]:
    """Figures 7 and 8: LAS, then what is left of it, against one variable after the other."""
    import altair as alt

    left: dict[str, dict[str, Any]] = {}
    for finding in own:
        if finding.measure == "las_normalised":
            left.setdefault(str(finding.by["removed"]), {})[finding.suite] = finding.value
    if not left:
        return []
    steps = sorted(left, key=lambda removed: removed.count(","))
    covariates = steps[-1].split(",")
    made = []
    for target, count in (("test_tokens", 1), ("edv", len(covariates)), ("edv_heights", len(covariates))):
        if target == "test_tokens" and covariates[0] != "train_tokens":
            continue
        against = [*covariates[:count], target]
        scores = ["las", "LAS / fit", *(f"LAS / {place} fits" for place in range(2, count + 1))][: count + 1]
        rows = columns(scored.values(), dict.fromkeys([*against, "las"]))
        for place, score in enumerate(scores[1:], 1):
            values = left[",".join(covariates[:place])]
            for suite, row in zip(scored, rows, strict=True):
                row[score] = values.get(suite)
        panels = [scatter(rows, name, score) for name, score in zip(against, scores, strict=True)]
        caption = (
            f"LAS of {system}; in each panel after the first it is divided by the fit (red) of the panel before: "
            f"what is left to {target.replace('_', ' ')}. {len(scored)} treebanks."
        )
        name = f"background-{target.replace('_', '-')}-{system}"
        made.append(Figure(name, f"Background removal, {system}", caption, alt.hconcat(*panels)))
    return made


def _predicted(
    scored: Mapping[str, Any], held_out: Mapping[str, Any], own: Sequence[Finding], system: str
) -> Figure | None:
    """Figure 9: the held-out treebanks; without any, each treebank from the others."""
    import altair as alt

    rows: Rows = []
    fitted, scored = len(scored), held_out or scored
    for finding in own:
        if finding.measure == "las_predicted" and finding.suite in scored and isinstance(finding.value, float):
            las = scored[finding.suite]["las"]
            model = str(finding.by["model"]).split(",")[-1]
            label = scored[finding.suite]["treebank"] if abs(finding.value - las) > _FAR else ""
            rows.append(
                {"treebank": finding.suite, "model": model, "las": las, "predicted": finding.value, "label": label}
            )
    if not rows:
        return None
    ends = [value for row in rows for value in (row["las"], row["predicted"])]
    low, high = min(ends) - 8, min(100.0, max(ends) + 8)
    panels = []
    for model in dict.fromkeys(row["model"] for row in rows):
        chosen = [row for row in rows if row["model"] == model]
        only = alt.FieldEqualPredicate(field="model", equal=model)
        error = sum(abs(row["las"] - row["predicted"]) for row in chosen) / len(chosen)
        x = alt.X("las:Q", title="LAS (%)").scale(domain=[low, high], nice=False, zero=False)
        y = alt.Y("predicted:Q", title="predicted LAS (%)").scale(domain=[low, high], nice=False, zero=False)
        base = chart_of(rows).transform_filter(only).encode(x=x, y=y)
        line = chart_of([{"las": low, "predicted": low}, {"las": high, "predicted": high}]).encode(x=x, y=y)
        diagonal = line.mark_line(color=GREY, strokeDash=[4, 3], strokeWidth=1)
        names = base.mark_text(dy=-9, fontSize=9).encode(text=alt.Text("label:N"))
        title = f"with {'EDV heights' if model == 'edv_heights' else 'EDV'}: mean absolute error {error:.1f}"
        panels.append(
            (diagonal + base.mark_point(color=PALETTE[0]) + names).properties(width=280, height=280, title=title)
        )
    caption = (
        f"LAS of {system} and what a linear model of {fitted if held_out else 'all'} other treebanks predicts from log "
        f"train tokens, mean test length and EDV. {len(scored)} {'held-out ' if held_out else ''}treebanks; those more "
        f"than {_FAR} points off are named."
    )
    return Figure(f"predicted-{system}", f"Predicted LAS, {system}", caption, alt.hconcat(*panels))


def _length_correlations(own: Sequence[Finding], system: str) -> Figure | None:
    """Figure 10."""
    import altair as alt

    rows: dict[tuple[Any, Any], dict[str, Any]] = {}
    for finding in own:
        if finding.by.get("analysis") == "length":
            key = finding.by["x"], finding.by["set"]
            row = rows.setdefault(key, {"measure": _KINDS[str(key[0])], "length": int(str(key[1]))})
            if finding.measure == "spearman":
                row |= {"rho": finding.value, "low": finding.low, "high": finding.high, "n": finding.n}
            elif finding.measure == "spearman_p":
                row["p"] = finding.value
    if not rows:
        return None
    everything = chart_of(list(rows.values()))
    measures = list(dict.fromkeys(row["measure"] for row in rows.values()))
    columns = []
    for measure in measures:
        only = alt.FieldEqualPredicate(field="measure", equal=measure)
        base = everything.transform_filter(only).encode(
            x=alt.X("length:Q", title="sentence length (tokens)").scale(domain=[2, 31])
        )
        zero = everything.mark_rule(color=GREY).encode(y=alt.datum(0))
        limit = everything.mark_rule(color=GREY, strokeDash=[4, 3]).encode(y=alt.datum(0.05))
        bars = base.mark_rule(color=PALETTE[0], opacity=0.5).encode(
            y=alt.Y("low:Q", title="partial ρ with LAS").scale(domain=[-1, 1]), y2=alt.Y2("high:Q")
        )
        rho = zero + bars + base.mark_point(color=PALETTE[0]).encode(y=alt.Y("rho:Q"))
        p = base.mark_point(color=RED).encode(y=alt.Y("p:Q", title="p (not corrected)").scale(domain=[0, 1])) + limit
        top = rho.properties(width=330, height=170, title=measure)
        columns.append(alt.vconcat(top, p.properties(width=330, height=110)))
    caption = (
        f"Partial correlation (covariate: train tokens) of EDV between sentences of one length with LAS of {system}, "
        "with 95 % intervals, and its p; dashed: 0.05."
    )
    return Figure(f"length-correlations-{system}", f"By sentence length, {system}", caption, alt.hconcat(*columns))


def _las_by_length(scored: Mapping[str, Any], findings: Sequence[Finding], system: str) -> Figure | None:
    """Draw the values behind the correlations by length: a panel for each length (Figures A.7 and A.8)."""
    import altair as alt

    lengths = [
        int(str(one.by["set"])) for one in findings if one.by.get("analysis") == "length" and one.by["x"] == "edv"
    ]
    of: dict[tuple[str, int], dict[str, Any]] = {}
    for finding in findings:
        if set(finding.by) == {"length"} and finding.measure in ("edv", "las") and finding.system in ("", system):
            of.setdefault((finding.suite, int(str(finding.by["length"]))), {})[finding.measure] = finding.value
    own = any("las" in row for row in of.values())
    rows: Rows = []
    for (suite, length), row in of.items():
        las = row.get("las") if own else scored.get(suite, {}).get("las")
        if length in lengths and las is not None and "edv" in row:
            rows.append({"treebank": scored[suite]["treebank"], "length": length, "edv": row["edv"], "las": las})
    if not rows:
        return None
    points = chart_of(rows).mark_point(color=PALETTE[0], size=18, opacity=0.8)
    points = points.encode(
        x=alt.X("edv:Q", title=TITLES["edv"]).axis(tickCount=3),
        y=alt.Y("las:Q", title=TITLES["las"]).scale(zero=False).axis(tickCount=4),
    )
    panels = (
        points.properties(width=110, height=90)
        .facet(alt.Facet("length:O", title="sentence length (tokens)"), columns=6)
        .resolve_scale(x="independent")
    )
    caption = (
        f"LAS of {system} on the {'sentences of each length' if own else 'whole test set'} against EDV between the "
        "sentences of this length: the values behind the correlations by sentence length."
    )
    return Figure(f"las-by-length-{system}", f"LAS and EDV by sentence length, {system}", caption, panels)


def _complexity(scored: Mapping[str, Any], own: Sequence[Finding], system: str) -> Figure | None:
    """Figure 11."""
    import altair as alt

    kinds = {one.suite: "complex" if one.value else "not complex" for one in own if one.measure == "complex"}
    with_kinds = [{**scored[suite], "training data": kind} for suite, kind in kinds.items() if suite in scored]
    rows = columns(with_kinds, ("las", "training data", "edv", "edv_heights"))
    if not rows:
        return None
    panels, kinds_of = [], ["complex", "not complex"]
    for name in ("edv", "edv_heights"):
        base = chart_of(rows).encode(
            x=alt.X(f"{name}:Q", title=TITLES[name], axis=axis(name)).scale(zero=False, nice=False, padding=12),
            y=alt.Y("las:Q", title=TITLES["las"]).scale(zero=False, nice=False, padding=12),
            color=alt.Color("training data:N").scale(domain=kinds_of),
        )
        lines = base.transform_regression(name, "las", groupby=["training data"]).mark_line(strokeWidth=1.5)
        lines = lines.encode(
            strokeDash=alt.StrokeDash("training data:N").scale(domain=kinds_of, range=[[5, 3], [1, 0]])
        )
        panels.append((base.mark_point() + lines).properties(width=300, height=230))
    caption = (
        f"LAS of {system} and EDV of {len(rows)} treebanks whose training data is morphologically more complex than "
        "the mean, and of the others, with linear fits."
    )
    return Figure(f"complexity-{system}", f"EDV and morphology, {system}", caption, alt.hconcat(*panels))


TITLES = {
    "las": "LAS (%)",
    "train_tokens": "train tokens",
    "test_tokens": "test tokens",
    "train_length": "mean train length (tokens)",
    "test_length": "mean test length (tokens)",
    "slv": "SLV (tokens)",
    "edv": "EDV (tokens)",
    "edv_heights": "EDV heights × 1000 (as published)",
    "train_crossing_ratio": "C/|Q| of train",
    "train_type_token_ratio": "type–token ratio of train",
    "train_morphological_complexity": "morphological complexity of train",
}


RED, GREY = PALETTE[1], "#8c8c8c"


Rows = list[dict[str, Any]]


def chart_of(rows: Rows, **options: Any) -> Any:
    """A chart with its data inside."""
    import altair as alt

    data: Any = alt.Data
    return alt.Chart(data(values=rows), **options)


def axis(name: str, **options: Any) -> Any:
    """Sizes in thousands, shares of heights in thousandths, all else as it is."""
    import altair as alt

    if name in LOGARITHMIC:
        return alt.Axis(format="~s", **options)
    if name == "edv_heights":
        return alt.Axis(labelExpr="format(datum.value * 1000, '~g')", tickCount=5, **options)
    return alt.Axis(format="~g", tickCount=5, **options)


def scatter(rows: Rows, x: str, y: str, **size: int) -> Any:
    """Points and the fit of least squares: logarithmic for sizes, linear for all else; rows without a value have none.

    Panels of one figure get the same rows, so that there is one table of data behind them.
    """
    import altair as alt

    scale = alt.Scale(zero=False, nice=False, padding=12, type="log" if x in LOGARITHMIC else "linear")
    ticks = axis(x, values=_DECADES) if x in LOGARITHMIC else axis(x)
    base = chart_of(rows).encode(
        x=alt.X(f"{x}:Q", title=TITLES.get(x, x), scale=scale, axis=ticks),
        y=alt.Y(f"{y}:Q", title=TITLES.get(y, y), scale=alt.Scale(zero=False, nice=False, padding=12)),
    )
    method = "log" if x in LOGARITHMIC else "linear"
    fit = base.transform_regression(x, y, method=method).mark_line(color=RED, strokeWidth=1.5)
    return (base.mark_point(color=PALETTE[0], size=28, opacity=0.8) + fit).properties(**{**SMALL, **size})


def columns(rows: Iterable[Mapping[str, Any]], names: Iterable[str]) -> Rows:
    """The rows with these columns only."""
    wanted = ("treebank", *names)
    return [{name: row.get(name) for name in wanted} for row in rows]


LOGARITHMIC = frozenset({"train_tokens", "test_tokens"})


_DECADES = [digit * 10**power for power in range(2, 8) for digit in (1, 3)]


SMALL = {"width": 210, "height": 160}
