"""What the figures of the displacement study are drawn with: titles of variables, axes, scatter plots with a fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..._text import PALETTE

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
LOGARITHMIC = frozenset({"train_tokens", "test_tokens"})
_DECADES = [digit * 10**power for power in range(2, 8) for digit in (1, 3)]
RED, GREY = PALETTE[1], "#8c8c8c"
SMALL = {"width": 210, "height": 160}

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
