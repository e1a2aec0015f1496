"""Points with intervals: every group says its n, and what rests on fewer than ten is grey."""

from __future__ import annotations

import pytest

from gardenpath.report.figures.figure import Figure
from gardenpath.report.figures.intervals import GREY, fields_text, finding_rows, interval_chart
from gardenpath.runs.result.result import Finding

SIZES = {("a", "x"): 120, ("a", "y"): 7, ("b", "x"): 120, ("b", "y"): 9}
FINDINGS = [
    Finding("other", "s", f"kind:models/{system}", "las", 50.0, n, 40.0, 60.0, by={"order": group})
    for (system, group), n in SIZES.items()
]


def test_n_stands_at_its_group_and_tiny_n_is_grey() -> None:
    rows = finding_rows(FINDINGS)
    assert {row["system"] for row in rows} == {"kind:a", "kind:b"}
    figure = Figure("f", "", "", interval_chart(rows, "order", "LAS", title="order"))
    assert {row["group_and_n"] for row in figure.data[0]} == {"x (n\u00a0120)", "y (n\u00a07–9)"}
    svg = figure._repr_svg_()
    assert svg.count(f'stroke="{GREY}"') == 2  # two intervals
    assert svg.count(f'fill="{GREY}"') == 2  # and two points
    assert "y (n\u00a07–9)" in svg


@pytest.mark.parametrize(
    ("text", "shown"),
    [("VF[ADV]LK[V]MF[OS]", "[adv] [verb] [obj subj]"), ("SVO", "SVO"), ("MF[SO]VC[V]", "[subj obj] [verb]")],
)  # fmt: skip
def test_orders_are_shown_by_their_fields(text: str, shown: str) -> None:
    assert fields_text(text) == shown
