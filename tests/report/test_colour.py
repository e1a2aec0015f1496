"""Colour: where a terminal has it, on what it is put, and that nothing else changes."""

from __future__ import annotations

import io
import re

import pytest

from gardenpath.report.formats import render
from gardenpath.report.plain_text import GREEN, RED, YELLOW, has_colour, painted, worst_cells
from gardenpath.runs.result.layout import Column, FindingIndex, group_columns, measured, table
from gardenpath.runs.result.result import Finding, Result, Verdict
from gardenpath.runs.result.verdict import MEASURED, NOT_SHOWN, SHOWN, SUGGESTED


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "on_terminal", "in_file"),
    [
        ({}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),  # as no-color.org has it: present and not empty
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colour_where_the_terminal_has_it(
    environment: dict[str, str], on_terminal: bool, in_file: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert (has_colour(Terminal()), has_colour(io.StringIO())) == (on_terminal, in_file)


def of_orders(measure: str, values: dict[str, tuple[float, int]]) -> list[Finding]:
    return [
        Finding("roles", "s", "a", measure, value, n, value - 1, value + 1, {"order": order})
        for order, (value, n) in values.items()
    ]


def by_order(findings: list[Finding], measure: str) -> list[Column]:
    index = FindingIndex(findings)
    groups = index.groups("order")
    scores = [index.get(measure, "a", group) for group in groups]
    return [*group_columns(groups), *measured("n", scores, of="n"), *measured(measure, scores, interval=True)]


@pytest.mark.parametrize(
    ("measure", "values", "worst"),
    [
        ("las", {"SVO": (80.0, 50), "OVS": (15.0, 50), "VSO": (60.0, 50)}, [(1, 2)]),
        ("changed", {"SVO": (80.0, 50), "OVS": (15.0, 50), "VSO": (60.0, 50)}, [(0, 2)]),  # less is better
        ("las", {"SVO": (80.0, 50), "OVS": (5.0, 9), "VSO": (60.0, 50), "OV": (70.0, 50)}, [(2, 2)]),  # 9 are few
        ("las", {"SVO": (80.0, 50), "OVS": (15.0, 50)}, []),  # of two, none is an outlier
        ("las", {"SVO": (80.0, 50), "OVS": (80.0, 50), "VSO": (80.0, 50)}, []),
        ("words_away", {"SVO": (80.0, 50), "OVS": (15.0, 50), "VSO": (60.0, 50)}, []),  # nobody knows which is better
    ],
)
def test_the_worst_cell_of_a_measure(
    measure: str, values: dict[str, tuple[float, int]], worst: list[tuple[int, int]]
) -> None:
    assert list(worst_cells(table("T", by_order(of_orders(measure, values), measure)))) == worst


def test_rows_of_several_measures_have_no_worst_cell() -> None:
    findings = [Finding("e", "s", "a", measure, value) for measure, value in (("las", 1.0), ("uas", 2.0), ("f1", 3.0))]
    assert table("T", measured("value", findings)).measures == ()


def test_colour_adds_nothing_but_colour() -> None:
    findings = of_orders("las", {"SVO": (80.0, 50), "OVS": (15.0, 50), "VSO": (60.0, 50)})
    verdicts = [
        Verdict("b is worse than a: LAS -9.0, 40 sentences (shown).", SHOWN, ()),
        Verdict("b is weaker at OVS (suggested).", SUGGESTED, ()),
        Verdict("c is not shown to be worse.", NOT_SHOWN, ()),
        Verdict("LAS: a 80.0.", MEASURED, ()),
    ]
    result = Result("s", findings, [table("By order", by_order(findings, "las"))], verdicts=verdicts)
    coloured = render(result, "table", colour=True)
    assert re.sub(r"\x1b\[\d+m", "", coloured) == render(result, "table")
    assert coloured.splitlines()[0] == (
        f"{painted('-', GREEN)} b is worse than a: LAS -9.0, 40 sentences {painted('(shown)', GREEN)}."
    )
    assert painted("(suggested)", YELLOW) in coloured
    assert "\n- LAS: a 80.0." in coloured
    assert f"OVS    50  {painted('15.00', RED)}" in coloured
    assert coloured.count("\x1b[31m") == 1
    assert render(result, "markdown", colour=True) == render(result, "markdown")
