"""Figures of the displacement study: distributions, distances beside chance, scatter plots with a fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..._text import PALETTE
from ...runs.result.result import Finding, Result
from .displacement_scores import RED, SMALL, TITLES, axis, chart_of, columns, scatter, score_figures, with_scores
from .figure import Figure

_EDV_AGAINST = ("train_tokens", "test_tokens", "test_length", "slv", "train_crossing_ratio", "train_type_token_ratio")


def figures(result: Result) -> list[Figure]:
    """All that the findings allow: a pair has fewer than a collection, a collection without scores fewer still."""
    findings = [finding for finding in result.findings if finding.study == "displacement"]
    plain = _by_suite(finding for finding in findings if not finding.by and not finding.system)
    systems = list(dict.fromkeys(finding.system for finding in findings if finding.measure == "las" and not finding.by))
    made = [_distributions(findings), _over_chance(plain), _by_length(findings)]
    if len(plain) > 2:
        made += [_variables(plain, findings, systems), _edv_against(plain), _subsamples(findings)]
    for system in systems:
        made += score_figures(plain, findings, system)
    return [one for one in made if one is not None]


def _by_suite(findings: Iterable[Finding]) -> dict[str, dict[str, Any]]:
    """A row for each treebank (or pair), with its measures and the ends of their intervals."""
    rows: dict[str, dict[str, Any]] = {}
    for finding in findings:
        row = rows.setdefault(finding.suite, {"treebank": finding.suite.removeprefix("UD_")})
        row[finding.measure] = finding.value
        if finding.low is not None:
            row[f"{finding.measure}_low"], row[f"{finding.measure}_high"] = finding.low, finding.high
    return {suite: row for suite, row in rows.items() if "edv" in row}


def _distributions(findings: Sequence[Finding]) -> Figure | None:
    """Figure 2."""
    import altair as alt

    rows = [
        {
            "treebank": finding.suite,
            "split": finding.by["split"],
            "displacement": finding.by["displacement"],
            "share": finding.value,
        }
        for finding in findings
        if finding.measure == "share" and "displacement" in finding.by
    ]
    if not rows:
        return None
    suites = list(dict.fromkeys(row["treebank"] for row in rows))
    panels = []
    for suite in suites:
        base = chart_of(rows).transform_filter(alt.FieldEqualPredicate(field="treebank", equal=suite))
        base = base.encode(
            x=alt.X("displacement:Q", title="displacement: word − head (tokens)")
            .axis(values=list(range(-30, 31, 5)))
            .scale(domain=[-30, 30]),
            y=alt.Y("share:Q", title="share of edges").axis(format="%"),
            color=alt.Color("split:N", title="").sort(["train", "test"]),
        )
        lines = base.mark_line(strokeWidth=1.5) + base.mark_point(size=22)
        panels.append(lines.properties(width=460, height=170, **({"title": suite} if len(suites) > 1 else {})))
    caption = "How often each displacement occurs in training and test data"
    if len(suites) > 1:
        caption += ": the treebanks with the smallest and the largest EDV"
    return Figure(
        "distributions",
        "Edge displacement in train and test",
        caption + ".",
        panels[0] if len(panels) == 1 else alt.vconcat(*panels),
    )


def _over_chance(plain: Mapping[str, Mapping[str, Any]]) -> Figure | None:
    """EDV beside what random splits of the same data show: Appendix D, generalised."""
    import altair as alt

    noise = ("edv_noise_median_low", "edv_noise_median_high")
    drawn = ("edv", "edv_low", "edv_high", *noise, "edv_excess", "edv_excess_low", "edv_excess_high")
    rows = columns((row for row in plain.values() if drawn[-1] in row), drawn)
    if not rows:
        return None
    order = [row["treebank"] for row in sorted(rows, key=lambda row: -row["edv"])]
    base = chart_of(rows).encode(y=alt.Y("treebank:N", sort=order, title=None).axis(labelLimit=260))
    zero = base.mark_tick(color="#999999", size=16).encode(x=alt.datum(0))
    grey = base.mark_bar(color="#d9d9d9", height=8).encode(x=f"{noise[0]}:Q", x2=f"{noise[1]}:Q")
    panels = []
    for measure, title, behind in (("edv", "EDV (tokens)", grey), ("edv_excess", "excess of EDV (tokens)", zero)):
        interval = base.mark_rule(strokeWidth=1.5, color=PALETTE[0])
        interval = interval.encode(x=alt.X(f"{measure}_low:Q", title=title), x2=f"{measure}_high:Q")
        point = base.mark_point(color=PALETTE[0], size=45).encode(x=f"{measure}:Q")
        panels.append((behind + interval + point).properties(width=300, height=alt.Step(16)))
    caption = (
        "Left: EDV with its 95 % interval; grey: the middle 90 % of what random splits of the same data show. "
        "Right: the excess of EDV over the mean of these random splits, with its 95 % interval. "
        f"{len(rows)} pair{'s' if len(rows) > 1 else ''} of train and test data."
    )
    return Figure("over-chance", "EDV and its noise floor", caption, alt.hconcat(*panels))


def _by_length(findings: Sequence[Finding]) -> Figure | None:
    """Figure 3."""
    import altair as alt

    by_cell: dict[tuple[str, Any], dict[str, Any]] = {}
    for finding in findings:
        if "length" in finding.by and finding.measure in ("edv", "edv_noise_median"):
            name, length = finding.suite.removeprefix("UD_"), finding.by["length"]
            row = by_cell.setdefault((name, length), {"treebank": name, "length": length})
            row |= (
                {"edv": finding.value}
                if finding.measure == "edv"
                else {"noise_low": finding.low, "noise_high": finding.high}
            )
    rows = list(by_cell.values())
    if not rows:
        return None
    several = len({row["treebank"] for row in rows}) > 1
    base = chart_of(rows).encode(
        x=alt.X("length:Q", title="sentence length (tokens)").scale(domain=[2, 31]),
        y=alt.Y("edv:Q", title="EDV (tokens)"),
    )
    points = base.mark_point(color=PALETTE[0], opacity=0.45 if several else 1, size=25)
    if several:
        chart = points + base.mark_line(color=RED).encode(y="median(edv):Q")
    else:
        noise = base.mark_rule(color="#d9d9d9", strokeWidth=8).encode(
            y=alt.Y("noise_low:Q", title="EDV (tokens)"), y2=alt.Y2("noise_high:Q")
        )
        chart = noise + points
    caption = "EDV between the sentences of one length in train and test" + (
        "; red: median." if several else "; grey: the middle 90 % of what random splits of these sentences show."
    )
    return Figure("edv-by-length", "EDV by sentence length", caption, chart.properties(width=460, height=240))


def _variables(plain: Mapping[str, Mapping[str, Any]], findings: Sequence[Finding], systems: Sequence[str]) -> Figure:
    """Draw the distribution of each variable of Table 1, LAS of each system included (Figure 4)."""
    import altair as alt

    names = ("train_tokens", "test_tokens", "test_length", "slv", "edv", "edv_heights")
    rows, panels = columns(plain.values(), names), []
    titles = {name: TITLES[name] for name in names}
    for number, system in enumerate(systems, 1):  # a system's name may have signs that a field's may not
        scored = with_scores(plain, (finding for finding in findings if finding.system == system))
        titles[f"las_{number}"] = f"LAS of {system} (%)"
        for suite, row in zip(plain, rows, strict=True):
            row[f"las_{number}"] = scored.get(suite, {}).get("las")
    for name, title in titles.items():
        x = alt.X(f"{name}:Q", title=title, axis=axis(name, labelOverlap=True)).bin(maxbins=12)
        known = chart_of(rows).transform_filter(f"isValid(datum.{name})")
        bars = known.mark_bar(color=PALETTE[0]).encode(x=x, y=alt.Y("count():Q", title="treebanks"))
        panels.append(bars.properties(**SMALL))
    caption = (
        f"Distribution of the variables over {len(plain)} treebanks{'; LAS: of those with a score' if systems else ''}."
    )
    return Figure("variables", "Are the variables normally distributed?", caption, alt.concat(*panels, columns=3))


def _edv_against(plain: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Figures 6 and B.1."""
    import altair as alt

    rows = columns(plain.values(), ("edv", *_EDV_AGAINST))
    panels = [scatter(rows, name, "edv") for name in _EDV_AGAINST]
    caption = f"EDV and other measures of {len(rows)} treebanks; red: fits of least squares, logarithmic for sizes."
    return Figure("edv-against", "What goes with EDV", caption, alt.concat(*panels, columns=3))


def _subsamples(findings: Sequence[Finding]) -> Figure | None:
    """Figure D.1."""
    import altair as alt

    rows = [
        {"treebank": finding.suite.removeprefix("UD_"), "sentences": finding.by["sample"], "edv": finding.value}
        for finding in findings
        if finding.measure == "edv" and "sample" in finding.by
    ]
    if not rows:
        return None
    base = chart_of(rows).encode(
        y=alt.Y("treebank:N", title=None).axis(labelLimit=260),
        color=alt.Color("sentences:O", title="sentences").scale(scheme="viridis"),
        yOffset=alt.YOffset("sentences:O"),
    )
    points = base.mark_tick(thickness=1.5, opacity=0.7).encode(x=alt.X("edv:Q", title="EDV (tokens)"))
    caption = "EDV between the test data and random parts of the training data, 20 of each size; one tick is one part."
    chart = points.properties(width=420, height=alt.Step(5))
    return Figure("subsamples", "EDV of sub-samples of the training data", caption, chart)
