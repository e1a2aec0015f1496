"""Tables as layouts over findings: columns with a kind, and with digits of their own."""

from __future__ import annotations

from dataclasses import asdict

from gardenpath.report.formats import plain, shown_cells
from gardenpath.runs.layout import SIGNED, Column, P, measured, table
from gardenpath.runs.result import Finding, Table


def test_a_column_may_have_digits_of_its_own() -> None:
    values = [Finding("s", "t", "x", "m", 1.23456, low=1.0, high=2.0), None]
    columns = [
        Column("name", ["a", "b"]),
        *measured("few", values, interval="range", digits=1),
        *measured("many", values),
        *measured("change", values, kind=SIGNED, digits=0),
        *measured("p", values, kind=P),
    ]
    made = table("T", columns, digits=4)
    assert plain(made).splitlines()[3].split() == ["a", "1.2", "[1.0,", "2.0]", "1.2346", "+1", "1.2346"]
    assert shown_cells(made)[0] == ["a", "1.2", "[1.0, 2.0]", "1.2346", "+1", "1.2346"]
    assert Table(**asdict(made)) == made


def test_a_table_without_such_columns_is_as_before() -> None:
    made = table("T", measured("value", [Finding("s", "t", "x", "m", 1.23456)]), digits=3)
    assert (made.places, made.kinds, made.digits_of(0)) == ((), (), 3)
