"""Conditions on findings: what they say, what they match, and what is not a condition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import GardenpathError, UsageError
from gardenpath.report.formats import render
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.compare.conditions import check, parse_condition
from verdict_checks import check_verdicts

RESULT = Result(
    "study:roles|version:1",
    [
        Finding("roles", "s", "a", "las", 60.0, 10),
        Finding("roles", "s", "b", "las", 30.0, 10),
        Finding("roles", "s", "a", "las", 41.0, 5, by={"order": "VF[O]LK[V]MF[S]"}),
        Finding("roles", "s", "b", "las", 39.0, 5, by={"order": "VF[O]LK[V]MF[S]"}),
        Finding("roles", "s", "a", "las", 20.0, 2, by={"order": "VF[O]LK[V]MF[S]", "property": "psy"}),
        Finding("roles", "s", "a", "items", 3, 5, by={"kind": "right, both", "ambiguous": True}),
        Finding("roles", "s", "a", "uas", None),
        Finding("roles", "s", "a", "only", 1.0, by={"order": "x"}),
    ],
)


def test_the_parts_of_a_condition() -> None:
    found = parse_condition(" roles.las[order=VF[O]LK[V]MF[S], system=a] >= 40.5 ")
    assert (found.study, found.measure, found.sign, found.bound) == ("roles", "las", ">=", 40.5)
    assert found.keys == (("order", "VF[O]LK[V]MF[S]"), ("system", "a"))
    assert parse_condition("a.b<-1e3").bound == -1000


@pytest.mark.parametrize(
    ("condition", "verdicts"),
    [
        ("roles.las>=40", [True, False]),
        ("roles.las[system=a]>=60", [True]),
        ("roles.las[system=a]>60", [False]),
        ("roles.las[order=VF[O]LK[V]MF[S]]>=40", [True, False]),
        ("roles.las[order=VF[O]LK[V]MF[S],property=psy]<=20", [True]),
        ("roles.items[kind=right, both,ambiguous=true]<3", [False]),
        ("roles.las[suite=s,system=b]<31", [True]),
    ],
)
def test_verdicts(condition: str, verdicts: list[bool]) -> None:
    result, found = check(RESULT, [condition])
    assert [one.holds for one in found] == verdicts
    assert [one.by["holds"] for one in result.findings] == verdicts
    assert result.failures == ({} if all(verdicts) else {"conditions that fail": verdicts.count(False)})


@pytest.mark.parametrize(
    ("las", "low", "high", "sentence"),
    [
        (35.0, 30.0, 39.0, "fails with 35.0 [30.0, 39.0]."),
        (45.0, 41.0, 49.0, "holds with 45.0 [41.0, 49.0]."),
        (39.0, 35.0, 43.0, "fails with 39.0 [35.0, 43.0]: the bound is within the interval, so another sample could "
         "decide otherwise."),
        (39.0, None, None, "fails with 39.0."),
    ],
)  # fmt: skip
def test_a_condition_is_told_in_a_sentence(las: float, low: float | None, high: float | None, sentence: str) -> None:
    given = Result("study:roles", [Finding("roles", "s", "a", "las", las, 90, low, high)])
    result, _ = check(given, ["roles.las>=40"])
    assert [verdict.text for verdict in result.verdicts] == [f"a: roles.las>=40 {sentence}"]
    check_verdicts(result)


def test_for_a_pull_request_what_fails_comes_first_in_markdown() -> None:
    text = render(check(RESULT, ["roles.las>=40"])[0], "markdown")
    assert text.startswith("- b: roles.las>=40 fails with 30.0.\n- a: roles.las>=40 holds with 60.0.\n\n**Conditions: ")
    assert "\n| condition | suite | system | value | n | verdict |\n| --- |" in text


@pytest.mark.parametrize(
    ("condition", "exact"),
    [
        ("Roles.LAS[ORDER=vf[o]lk[v]mf[s]]>=40", "roles.las[order=VF[O]LK[V]MF[S]]>=40"),
        ("roles.las[order=OVS]>=40", "roles.las[order=VF[O]LK[V]MF[S]]>=40"),
        ("roles.las[order=ovs,property=PSY]<=20", "roles.las[order=VF[O]LK[V]MF[S],property=psy]<=20"),
    ],
)
def test_names_are_forgiving(condition: str, exact: str) -> None:
    (_, meant), (_, named) = check(RESULT, [condition]), check(RESULT, [exact])
    assert [(checked.finding, checked.holds) for checked in meant] == [
        (checked.finding, checked.holds) for checked in named
    ]


def test_a_command_may_stand_for_its_study() -> None:
    result = Result("s", [Finding("evaluation", "s", "a", "las", 60.0, 10)])
    assert [checked.holds for checked in check(result, ["evaluate.LAS>=50"])[1]] == [True]


def test_an_order_that_may_be_two_is_refused() -> None:
    orders = ["LK[V]MF[SO]", "VF[ADV]LK[V]MF[SO]"]
    result = Result("s", [Finding("roles", "s", "a", "las", 1.0, by={"order": order}) for order in orders])
    with pytest.raises(UsageError, match=r"may be any of 2\n.*LK\[V\]MF\[SO\], VF\[ADV\]"):
        check(result, ["roles.las[order=VSO]>=1"])


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("rolse.las>=40", "did you mean roles"),
        ("roles.lsa>=40", "did you mean las.*There are: items, las, only, uas"),
        ("roles.las[ordr=x]>=40", "did you mean order"),
        ("roles.las[order=VF[O]LK[V]MF[]]>=40", "did you mean VF"),
        ("roles.las[system=c]>=40", "known: a, b"),
        ("roles.only>=1", "add order"),
        ("roles.uas>=1", "has no value"),
        ("roles.las=>40", "not a condition"),
        ("roles.las>=forty", "not a number"),
        ("roles.las>=nan", "NaN"),
        ("roles.las[order]>=40", "not a key=value"),
        ("las>=40", "not a condition"),
        ("__import__('os').system('true')>=0", "not a condition"),
    ],
)
def test_what_is_no_condition(condition: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        check(RESULT, [condition])


@given(st.text(alphabet="ab.[]=<>,1 \n", max_size=20))
def test_any_text_is_a_condition_or_an_error(text: str) -> None:
    try:
        found = parse_condition(text).text
    except GardenpathError:
        return
    assert found == text.strip()


def test_none_is_an_error() -> None:
    with pytest.raises(UsageError, match="no condition is given"):
        check(RESULT, [])


def test_a_condition_without_a_suite_is_about_all_of_them_together() -> None:
    findings = [
        Finding("surprisal", suite, "lstm", "accuracy", value, 10)
        for suite, value in (("2 suites", 60.0), ("first", 90.0), ("second", 30.0))
    ]
    result, checked = check(Result("s", findings), ["surprisal.accuracy>=50", "surprisal.accuracy[suite=second]>=50"])
    assert [(condition.finding.suite, condition.holds) for condition in checked] == [
        ("2 suites", True),
        ("second", False),
    ]
    assert result.tables[0].columns[1] == "suite"


def test_a_suite_is_named_without_the_class_that_it_belongs_to() -> None:
    """Its findings all have the class; that of a prediction is not meant."""
    keys = {"class": "agreement", "modifier": "none"}
    findings = [
        Finding("surprisal", "2 suites", "lstm", "accuracy", 60.0, 20),
        Finding("surprisal", "first", "lstm", "accuracy", 90.0, 10, by=keys),
        Finding("surprisal", "first", "lstm", "accuracy", 80.0, 10, by={**keys, "prediction": 1}),
        Finding("surprisal", "second", "lstm", "accuracy", 30.0, 10, by={**keys, "modifier": "clause"}),
    ]
    _, checked = check(Result("s", findings), ["surprisal.accuracy[suite=first]>=50"])
    assert [(condition.finding.suite, condition.value) for condition in checked] == [("first", 90.0)]
    _, checked = check(Result("s", findings), ["surprisal.accuracy[suite=first,prediction=1]>=50"])
    assert [condition.value for condition in checked] == [80.0]
