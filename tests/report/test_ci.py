"""Checks as continuous integrations read them; what they would read as their own is escaped."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from gardenpath.errors import UsageError
from gardenpath.report.ci import render_cases
from gardenpath.runs.result.result import CheckCase

CASES = [
    CheckCase("las-worse", "mine: all", "worse: 70 → 60\n  1: <Hund> & Katze \x07", "error", "runs/now/run.json"),
    CheckCase("las-worse", "mine: order OVS", "perhaps, 100 %: yes", "warning", "a,b:c", 7),
    CheckCase("condition", "mine: roles.las>=40", "holds", "pass", "runs/now/run.json"),
]


def test_junit_counts_all_and_fails_what_failed() -> None:
    root = ElementTree.fromstring(render_cases(CASES, "junit"))
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "3", "1")
    assert [(suite.get("name"), suite.get("tests"), suite.get("failures")) for suite in root] == [
        ("gardenpath.las-worse", "2", "1"), ("gardenpath.condition", "1", "0"),
    ]  # fmt: skip
    (failure,) = root.iter("failure")
    assert failure.get("message") == "worse: 70 → 60"
    assert failure.text == "worse: 70 → 60\n  1: <Hund> & Katze \\x07"
    assert [output.text for output in root.iter("system-out")] == ["warning: perhaps, 100 %: yes"]


def test_sarif_has_rules_levels_and_places() -> None:
    log = json.loads(render_cases(CASES, "sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["tool"]["driver"]["name"] == "gardenpath"
    assert run["tool"]["driver"]["rules"] == [{"id": "las-worse"}]
    assert [(entry["ruleId"], entry["ruleIndex"], entry["level"]) for entry in run["results"]] == [
        ("las-worse", 0, "error"), ("las-worse", 0, "warning"),
    ]  # fmt: skip
    places = [entry["locations"][0]["physicalLocation"] for entry in run["results"]]
    assert [(place["artifactLocation"]["uri"], place["region"]) for place in places] == [
        ("runs/now/run.json", {"startLine": 1}), ("a,b:c", {"startLine": 7}),
    ]  # fmt: skip


def test_annotations_are_one_line_each() -> None:
    assert render_cases(CASES, "github").split("\n") == [
        "::error file=runs/now/run.json,line=1,title=las-worse::worse: 70 → 60%0A  1: <Hund> & Katze \x07",
        "::warning file=a%2Cb%3Ac,line=7,title=las-worse::perhaps, 100 %25: yes",
        "",
    ]


def test_an_unknown_format() -> None:
    with pytest.raises(UsageError, match="did you mean junit"):
        render_cases(CASES, "junitt")
