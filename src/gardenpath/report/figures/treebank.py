"""Figure of treebanks and texts: how long their sentences are."""

from __future__ import annotations

from ...runs.result.result import Result
from .figure import Figure
from .intervals import coloured


def length_figures(result: Result) -> list[Figure]:
    """A line for each treebank over sentence length, where the result counts lengths."""
    rows = [
        {"system": finding.suite, "length": finding.by["length"], "value": finding.value, "n": finding.n}
        for finding in result.findings
        if finding.study == "treebank" and finding.measure == "share" and "length" in finding.by
    ]
    if not rows:
        return []
    import altair as alt

    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=alt.X("length:Q", title="words in the sentence"), y=alt.Y("value:Q", title="share of sentences")
    )
    chart = coloured(base, rows, few=False).mark_line(strokeWidth=1.5)
    caption = "Share of sentences of each length, in words without traces."
    return [Figure("treebank-length", "Sentence lengths", caption, chart.properties(width=420, height=240))]
