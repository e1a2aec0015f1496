"""Layouts, encodings and verdicts."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.report.formats import plain, shown_cells
from gardenpath.runs.record.run import Run
from gardenpath.runs.result.encoding import portable, to_document, to_portable_text, to_text
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
from gardenpath.runs.result.result import Finding, Result, Table, Verdict
from gardenpath.runs.result.verdict import (
    MEASURED,
    NOT_SHOWN,
    SHOWN,
    SUGGESTED,
    clusters_text,
    count_text,
    difference_text,
    listed,
    loss_text,
    outlying,
    ranked,
    score_text,
    share_text,
    sureness,
)
from gardenpath.stats.sampling import wilson_bounds
from gardenpath.studies.engine.verdicts import Effect

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


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_a_document_has_the_values(value: dict[str, Any]) -> None:
    expected = json.loads(json.dumps(portable(value), allow_nan=False))
    assert json.loads(to_document(value)) == expected
    assert json.loads(to_portable_text(value, (",", ":"))) == expected


def test_a_finding_has_a_line() -> None:
    findings = [{"value": float("nan"), "by": MappingProxyType({"label": "nsubj"})}, {"value": np.float64(0.5)}]
    document = to_document({"signature": "s", "findings": findings, "failures": {}, "scores": np.array([1.0, np.inf])})
    assert document.splitlines() == [
        "{",
        '"signature": "s",',
        '"findings": [',
        '{"value": null, "by": {"label": "nsubj"}},',
        '{"value": 0.5}',
        "],",
        '"failures": {},',
        '"scores": [1.0, null]',
        "}",
    ]


def difference(value: float, low: float | None, high: float | None, n: int = 50) -> Finding:
    return Finding("evaluation", "gold", "b", "las_difference", value, n, low, high, {"baseline": "a"})


@pytest.mark.parametrize(
    ("p", "holm", "bh", "sure"),
    [
        (0.01, 0.04, 0.02, SHOWN), (0.01, 0.06, 0.04, SUGGESTED), (0.04, 0.5, 0.12, NOT_SHOWN),
        (0.2, 0.2, 0.2, NOT_SHOWN),
        (0.06, 0.06, 0.06, NOT_SHOWN),
    ],
)  # fmt: skip
def test_correction_may_take_a_verdict_away(p: float, holm: float, bh: float, sure: str) -> None:
    assert sureness(p, holm, bh, 20) == sure


def test_nothing_is_shown_by_fewer_than_twenty_effective_clusters() -> None:
    sure = [sureness(1e-9, 1e-9, 1e-9, clusters) for clusters in (20, 19.9, 5, 4.9)]
    assert sure == [SHOWN, SUGGESTED, SUGGESTED, NOT_SHOWN]
    assert sureness(0.2, 0.2, 0.2, 5) == NOT_SHOWN


def group(value: float, low: float | None, high: float | None, n: int = 60) -> Finding:
    return Finding("evaluation", "gold", "a", "las", value, n, low, high)


WHOLE = group(80, 75, 84, 900)


def test_outlying_groups_are_those_whose_interval_and_corrected_p_say_so() -> None:
    groups = {"obj": group(50, 40, 60), "iobj": group(45, 25, 68), "det": group(95, 92, 97), "obl": group(78, 70, 85)}
    assert outlying(groups, WHOLE, least=30) == ["iobj", "obj"]
    assert outlying(groups, WHOLE, least=30, low=False) == ["det"]
    assert outlying({"obj": group(50, 40, 60, 29)}, WHOLE, least=30) == []  # too few
    assert outlying({"obj": group(60, 45, 76)}, WHOLE, least=30) == []  # the intervals meet
    assert outlying({"obj": group(60, None, None)}, WHOLE, least=30) == []  # nothing is known of it
    assert outlying({"obj": group(50, 40, 60)}, group(80, None, None), least=30) == []


def test_the_more_groups_the_farther_out_one_must_lie() -> None:
    """z = 1.96 · 14/√(8² + 5²) = 2.91, so p = .0036: below 5 % of one group, not of fourteen (.051)."""
    far = group(66, 58, 74)
    others = {f"{number}": group(80, 70, 88) for number in range(13)}
    assert outlying({"far": far}, WHOLE, least=30) == ["far"]
    assert outlying({"far": far, **dict(list(others.items())[:12])}, WHOLE, least=30) == ["far"]
    assert outlying({"far": far, **others}, WHOLE, least=30) == []


def test_what_is_shown_comes_first_and_there_are_no_more_than_seven() -> None:
    verdicts = [Verdict(f"{sure} {weight}", sure, (), weight) for sure in (NOT_SHOWN, MEASURED, SUGGESTED, SHOWN)
                for weight in (1, 9, 5)]  # fmt: skip
    assert [verdict.text for verdict in ranked(verdicts)] == [
        "shown 9", "shown 5", "shown 1", "suggested 9", "suggested 5", "suggested 1", "measured 9",
    ]  # fmt: skip


def test_that_two_are_not_told_apart_is_said_before_the_last_of_many_scores() -> None:
    scores = [Verdict(f"measured {weight}", MEASURED, (), weight) for weight in range(9, 1, -1)]
    apart = [Verdict(f"not shown {weight}", NOT_SHOWN, (), weight) for weight in (3, 8)]
    assert [verdict.text for verdict in ranked([*scores, *apart])] == [
        "measured 9", "measured 8", "measured 7", "measured 6", "measured 5", "measured 4", "not shown 8",
    ]  # fmt: skip
    assert ranked(scores) == tuple(scores[:7])


def test_how_many_would_be_needed() -> None:
    def needed(value: float, low: float | None, high: float | None) -> int | None:
        p = Finding("s", "gold", "a", "p", 0.1, 50, effective=31.0)
        return Effect(Finding("s", "gold", "a", "difference", value, 50, low, high), p, p, p).needed

    t = 2.0422725  # 97.5 % of Student's t with 30 degrees of freedom lie below
    assert needed(1.0, 1 - t, 1 + t) == 393  # 50 (1.96 + .8416)²
    assert needed(0.0, -1, 1) is None  # no number of items shows that there is none
    assert needed(1.0, None, None) is None


def test_groups_that_are_all_alike_are_rarely_called_outlying() -> None:
    """46 values in 50 sentences each, all with the same share: intervals alone would name one in 63 % of cases."""
    chance, named = np.random.default_rng(0), 0
    for _ in range(200):
        counts = chance.binomial(50, 0.5, 46)
        shares = [(int(count), 50) for count in counts] + [(int(counts.sum()), 46 * 50)]
        *groups, whole = (
            group(100 * count / n, *(100 * end for end in wilson_bounds(count / n, n)), n) for count, n in shares
        )
        numbered = {str(number): one for number, one in enumerate(groups)}
        named += any(outlying(numbered, whole, least=30, low=low) for low in (True, False))
    assert named / 200 <= 0.08


def test_numbers_have_the_places_that_an_interval_bears() -> None:
    assert score_text(Finding("x", "", "", "las", 55.751, 9, 51.42, 60.0)) == "55.8 [51.4, 60.0]"
    assert score_text(Finding("x", "", "", "las", 55.751)) == "55.8"
    assert score_text(Finding("x", "", "", "edv", 0.2834, 9, 0.1, 0.4), 2) == "0.28 [0.10, 0.40]"
    assert share_text(Finding("x", "", "", "changed", 41.04, 9, 36.2, 46.1)) == "41.0 % [36.2, 46.1]"
    assert difference_text(difference(-0.564, -0.91, -0.2)) == "-0.56 [-0.91, -0.20]"
    assert difference_text(difference(12.0, 3.0, 21.0)) == "+12.0 [3.0, 21.0]"
    assert loss_text(difference(-53.0, -57.0, -49.0)) == "loses 53.0 points [49.0, 57.0]"
    assert loss_text(difference(0.4, -0.1, 0.9)) == "gains 0.40 points [-0.10, 0.90]"
    assert [count_text(n, "document") for n in (1, 1200)] == ["1 document", "1,200 documents"]
    p = Finding("s", "gold", "a", "p", 0.1, 47, effective=46.9)
    assert clusters_text(p, "base sentence×noun") == "47 clusters (base sentence×noun)"
    assert clusters_text(replace(p, effective=6.14), "document") == "47 documents, worth 6.1"
    assert clusters_text(replace(p, effective=33.7), "document") == "47 documents, worth 34"
    assert [listed(["a", "b", "c"][:n]) for n in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


def test_a_result_comes_back_with_its_verdicts() -> None:
    import json

    finding = difference(-2.0, -3.0, -1.0)
    verdict = Verdict("b is worse than a.", SHOWN, (finding,), 2.0, "nsubj")
    result = Result("study:x", [finding], verdicts=[verdict])
    again = Result.from_json({**json.loads(to_text(result.as_json())), "tables": []})
    assert again.verdicts == [verdict]
    assert "verdicts" not in Result("study:x", [finding]).as_json()
