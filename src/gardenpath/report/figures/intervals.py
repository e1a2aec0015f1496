"""What most figures are: findings as rows of data, drawn as points with intervals, group below group.

Every group says its n. Where n is below ten the point and its interval are grey: they show next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import PurePath
from textwrap import wrap
from typing import Any

from ...runs.result.layout import FEW, short_names
from ...runs.result.result import Finding, Result
from ...studies.engine.declaration import Notes
from .figure import Figure

GREY = "#8c8c8c"
_STEP, _LINE = 9, 13
"""Pixels of a system within a group, and of a line of its label."""
_WRAP = 26
"""Characters of a label's line."""
_FIELD = re.compile(r"(?:VF|LK|MF|VC)\[([A-Z]+)\]")
_ROLES = {"S": "subj", "O": "obj", "V": "verb", "ADV": "adv"}

Rows = list[dict[str, Any]]


def valued(result: Result, study: str) -> list[Finding]:
    """The findings of a study that have a value."""
    return [finding for finding in result.findings if finding.study == study and finding.value is not None]


def grouped(findings: Iterable[Finding], measure: str, *keys: str) -> list[Finding]:
    """The findings of a measure by exactly these keys."""
    return [finding for finding in findings if finding.measure == measure and tuple(finding.by) == keys]


def finding_rows(findings: Sequence[Finding], **more: str) -> Rows:
    """The findings as rows of data, with short names of systems."""
    names = short_names(list(dict.fromkeys(finding.system for finding in findings)))
    return [
        {
            "system": names[finding.system], **{key: str(value) for key, value in finding.by.items()},
            "value": finding.value, "low": finding.low, "high": finding.high, "n": finding.n, **more,
        }
        for finding in findings
    ]  # fmt: skip


def standard_figures(result: Result, notes: Notes) -> Iterator[Figure]:
    """Yield the figures of a study that declares none: its first measure by system, and by every single key."""
    measure = next(iter(notes.main), "")
    scores = [finding for finding in valued(result, notes.study) if finding.measure == measure]
    called = notes.measures[measure].title if measure in notes.measures else measure
    for keys in dict.fromkeys(tuple(finding.by) for finding in scores):
        rows = finding_rows(grouped(scores, measure, *keys))
        if len(keys) > 1 or not any(row["low"] is not None for row in rows):
            continue
        title = f"{notes.title}: {called} by {keys[0] if keys else 'system'}"
        chart = interval_chart(rows, keys[0] if keys else "system", called)
        name = "-".join((notes.study, "by", keys[0] if keys else "system"))
        yield Figure(name, title, f"{title}; lines are 95 % intervals, n says of how many.", chart)


def suite_names(findings: Iterable[Finding]) -> str:
    return ", ".join(dict.fromkeys(PurePath(finding.suite).name for finding in findings))


def in_order(rows: Sequence[dict[str, Any]], key: str) -> list[Any]:
    """The different values of a key as they come."""
    return list(dict.fromkeys(row[key] for row in rows))


def interval_chart(
    rows: Rows,
    field: str,
    axis: str,
    *,
    title: str | None = None,
    order: Sequence[Any] | None = None,
    domain: Sequence[float] | None = None,
    zero: bool = True,
    middle: float | None = None,
) -> Any:
    """A point with its interval for each group of `field` and each system; a dashed line at `middle`."""
    import altair as alt

    groups = list(order) if order is not None else in_order(rows, field)
    label = _labels(rows, field)
    data = [{**row, "group_and_n": label(row[field])} for row in rows]
    systems = in_order(rows, "system")
    base = alt.Chart(alt.InlineData(values=data)).encode(
        y=alt.Y(
            "group_and_n:N",
            title=title,
            sort=[label(group) for group in groups],
            axis=alt.Axis(labelLimit=0, labelExpr="split(datum.label, '\\n')", labelLineHeight=_LINE - 1),
        )
    )
    base = coloured(base, rows)
    if len(systems) > 1:
        base = base.encode(yOffset=alt.YOffset("system:N", sort=systems))
    scale = alt.Scale(zero=zero) if domain is None else alt.Scale(domain=list(domain))
    # Names alone would do, but Altair takes milliseconds to make a channel of each.
    value = alt.Tooltip("value:Q", format=".2f")
    fields = [*map(alt.Tooltip, ("system:N", f"{field}:N")), value, *map(alt.Tooltip, ("low:Q", "high:Q", "n:Q"))]
    points = base.mark_point(filled=True, size=40).encode(x=alt.X("value:Q", title=axis, scale=scale), tooltip=fields)
    layers = [points]
    if any(row["low"] is not None for row in rows):
        layers.insert(0, base.mark_rule().encode(x=alt.X("low:Q", title=axis, scale=scale), x2=alt.X2("high:Q")))
    if middle is not None:
        line = alt.Chart(alt.InlineData(values=data)).mark_rule(color=GREY, strokeDash=[3, 3])
        layers.insert(0, line.encode(x=alt.datum(middle)))
    lines = max(label(group).count("\n") + 1 for group in groups)
    height = max(60, len(groups) * max(_LINE * lines + 6, _STEP * len(systems) + 8))
    return alt.layer(*layers).properties(width=420, height=height)


def coloured(base: Any, rows: Rows, *, few: bool = True) -> Any:
    """A colour for each system, and grey where n is tiny; a line, which goes through many points, has `few` off."""
    import altair as alt

    systems = in_order(rows, "system")
    legend = alt.Legend(orient="bottom", symbolOpacity=1) if len(systems) > 1 else None
    colour = alt.Color("system:N", title=None, sort=systems, legend=legend)
    tiny = f"isValid(datum.n) && datum.n < {FEW}"
    return base.encode(color=alt.condition(tiny, alt.value(GREY), colour) if few else colour)


def _labels(rows: Rows, field: str) -> Callable[[Any], str]:
    """Groups with the n behind them: `head (n 58)`, `6–10 (n 40–45)`."""
    sizes: dict[Any, list[int]] = {}
    for row in rows:
        if row["n"] is not None:
            sizes.setdefault(row[field], []).append(row["n"])

    def label(group: Any) -> str:
        own = sorted(set(sizes.get(group, ())))
        size = f" (n\u00a0{own[0]:,})" if len(own) == 1 else f" (n\u00a0{own[0]:,}–{own[-1]:,})" if own else ""
        return "\n".join(wrap(fields_text(str(group)) + size, _WRAP)) or str(group)

    return label


def fields_text(text: str) -> str:
    """Word orders as their fields in words.

    >>> fields_text("VF[S]LK[V]MF[O] > LK[V]MF[OS]")
    '[subj] [verb] [obj] → [verb] [obj subj]'
    """
    if not _FIELD.match(text):
        return text

    def words(field: re.Match[str]) -> str:
        return f"[{' '.join(_ROLES.get(role, role) for role in re.findall('ADV|.', field[1]))}] "

    return " → ".join(_FIELD.sub(words, order).strip() for order in text.split(" > "))
