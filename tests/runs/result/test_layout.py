"""Tables as layouts over findings: every cell is a number of a finding."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from gardenpath.report.formats import plain, shown_cells
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.layout import (
    INTERVAL,
    SIGNED,
    Column,
    FindingIndex,
    P,
    group_columns,
    groups_by_systems,
    measured,
    measures_by_systems,
    short_names,
    size_column,
    systems_by_measures,
    table,
)
from gardenpath.runs.result.result import Finding, Result, Table

A, B = "conllu:/far/away/a.conllu", "b"
FINDINGS = [
    Finding("s", "gold", A, "las", 80.0, 10, 70.0, 90.0),
    Finding("s", "gold", A, "uas", 85.0, 10),
    Finding("s", "gold", B, "las", 60.0, 10, 50.0, 70.0),
    Finding("s", "gold", A, "las", 50.0, 4, 40.0, 60.0, {"order": "SVO"}),
    Finding("s", "gold", A, "las", 100.0, 6, 100.0, 100.0, {"order": "OVS"}),
    Finding("s", "gold", B, "las", 25.0, 3, None, None, {"order": "VSO"}),
    Finding("s", "gold", B, "las_difference", -20.0, None, -30.0, -10.0, {"baseline": A}),
    Finding("s", "gold", B, "las_p", 0.00001, by={"baseline": A}),
    Finding("s", "gold", "", "size", 10),
    Finding("s", "other", A, "las", 1.0, 2),
]
INDEX = FindingIndex(FINDINGS)


def test_findings_are_found_by_measure_system_group_and_suite() -> None:
    assert INDEX.get("las", A) is FINDINGS[0]
    assert INDEX.get("las", A, {"order": "OVS"}) is FINDINGS[4]
    assert INDEX.get("las", A, suite="other") is FINDINGS[9]
    assert INDEX.get("size") is FINDINGS[8]
    assert INDEX.get("las", A, {"order": "VSO"}) is None
    assert INDEX.systems == [A, B]  # what has no system is of the suite


def test_groups_come_in_the_order_in_which_they_were_found() -> None:
    assert INDEX.groups("order") == [{"order": "SVO"}, {"order": "OVS"}, {"order": "VSO"}]
    assert INDEX.groups("order", system=B) == [{"order": "VSO"}]
    assert INDEX.groups("order", measure="uas") == []
    assert INDEX.groups("order", "baseline") == []


def test_measured_has_an_interval_where_a_finding_has_one() -> None:
    values, ranges = measured("LAS", [FINDINGS[0], None, FINDINGS[5]], interval=True)
    assert values == Column("LAS", [80.0, None, 25.0], measure="las")
    assert ranges == Column("95 %", [[70.0, 90.0], None, None], INTERVAL)
    assert measured("LAS", [FINDINGS[5], None], interval=True) == [Column("LAS", [25.0, None], measure="las")]
    assert measured("arcs", [FINDINGS[0]], of="n") == [Column("arcs", [10])]


def test_systems_by_measures_leaves_out_what_was_not_measured() -> None:
    shown = table("t", systems_by_measures(INDEX, {"las": "LAS", "uas": "UAS", "mlas": "MLAS"}, intervals=["las"]))
    assert list(shown.columns) == ["#", "system", "LAS", "95 %", "UAS"]
    assert [list(row) for row in shown.rows] == [
        [1, "conllu:a.conllu", 80.0, [70.0, 90.0], 85.0],
        [2, "b", 60.0, [50.0, 70.0], None],
    ]
    assert list(shown.kinds) == ["", "", "", INTERVAL, ""]


def test_measures_by_systems() -> None:
    shown = table("t", measures_by_systems(INDEX, {"las": "LAS", "uas": "UAS", "mlas": "MLAS"}, "metric"))
    assert list(shown.columns) == ["metric", "conllu:a.conllu", "95 %", "b", "95 %"]
    assert [row[0] for row in shown.rows] == ["LAS", "UAS"]
    alone = measures_by_systems(FindingIndex(FINDINGS[:2]), {"las": "LAS"})
    assert [column.header for column in alone] == ["measure", "value", "95 %"]


@pytest.mark.parametrize("named", [False, True])
def test_groups_by_systems(named: bool) -> None:
    groups = INDEX.groups("order")
    columns = [*group_columns(groups), size_column(INDEX, groups, "las", "arcs")]
    columns += groups_by_systems(INDEX, groups, "las", "LAS", named=named)
    shown = table("t", columns)
    first, second = ("LAS conllu:a.conllu", "LAS b") if named else ("LAS 1", "LAS 2")
    assert list(shown.columns) == ["order", "arcs", first, "95 %", second]
    assert [list(row) for row in shown.rows] == [
        ["SVO", 4, 50.0, [40.0, 60.0, 4], None],
        ["OVS", 6, 100.0, [100.0, 100.0, 6], None],
        ["VSO", 3, None, None, 25.0],
    ]
    alone = groups_by_systems(INDEX, groups, "las", "LAS", systems=[A])
    assert [column.header for column in alone] == ["LAS", "95 %"]


def test_more_than_two_systems_have_no_intervals_side_by_side() -> None:
    findings = [Finding("s", "gold", name, "las", 1.0, 1, 0.0, 2.0, {"order": "SVO"}) for name in "abc"]
    columns = groups_by_systems(FindingIndex(findings), [{"order": "SVO"}], "las", "LAS")
    assert [column.header for column in columns] == ["LAS 1", "LAS 2", "LAS 3"]


def test_kinds_of_columns_as_people_see_them() -> None:
    columns = measured("difference", [FINDINGS[6], None], interval=True, kind=SIGNED)
    columns += measured("p", [FINDINGS[7], None], kind=P)
    *_, line, empty = plain(table("t", columns)).split("\n")
    assert line == "-20.00      [-30.00, -10.00]  < 0.0001"
    assert empty == ""


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["/a/x.conllu", "/a/y.conllu"], ["x.conllu", "y.conllu"]),
        (["/a/x.conllu", "/b/x.conllu"], ["/a/x.conllu", "/b/x.conllu"]),
        (["udpipe:/models/de.udpipe"], ["udpipe:de.udpipe"]),
        (["udpipe-rest:http://host/path#de"], ["udpipe-rest:http://host/path#de"]),
        (["baseline:subject-first", "mine"], ["baseline:subject-first", "mine"]),
        (["hf:models/gpt2/hf", "hf:models/gpt2-large/"], ["hf:gpt2/hf", "hf:gpt2-large"]),
    ],
)
def test_short_names_leave_out_folders_where_systems_stay_different(names: list[str], short: list[str]) -> None:
    assert list(short_names(names).values()) == short


def test_a_table_with_marked_intervals_comes_back_from_a_run(tmp_path: Path) -> None:
    few = Finding("roles", "s", "a", "las", 50.0, 9, 20.0, 80.0)
    marked = table("T", measured("LAS", [few], interval=True))
    with Run.open(tmp_path / "run", command="roles") as record:
        record.finish(Result("signature", [few], [marked]))
    assert Run.load(tmp_path / "run").result().tables[0].rows == [[50.0, [20.0, 80.0, 9]]]


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
