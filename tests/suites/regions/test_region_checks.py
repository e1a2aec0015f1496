"""Checks of suites of regions: one small suite for each problem."""

from __future__ import annotations

from pathlib import Path

import pytest
from region_cases import item, suite

from gardenpath.suites import check
from gardenpath.suites.regions.model import RegionSuite
from gardenpath.suites.regions.reader import read_region_suite
from gardenpath.suites.registry import CHECKS
from gardenpath.suites.report import check_list, survey

GOOD, BAD = ["The dog", "barks", "."], ["The dogs", "barks", "."]


def many(last: dict[str, list[str]]) -> list[dict[str, object]]:
    """Ten items alike, and one that is not."""
    return [*(item(n, good=[f"x{n}", "a", "."], bad=[f"y{n}", "a", "."]) for n in range(1, 11)), item(11, **last)]


SPOILED = {
    "no-prediction": lambda: RegionSuite("x", "x", suite().items, [], {1: "a", 2: "b", 3: "c"}, "syntaxgym"),
    "wrong-formula": lambda: suite(None, "(2;%good%) << (2;%bad%)"),
    "unknown-name": lambda: suite(None, "(2;%god%) < (9;%bad%)"),
    "missing-condition": lambda: suite([item(1, good=GOOD, bad=BAD), item(2, good=["a", "b", "c"])]),
    "region-numbers": lambda: suite([item(1, good=GOOD, bad=BAD[:2])]),
    "empty-region": lambda: suite([item(1, good=GOOD, bad=["The dogs", "", "."])]),
    "blanks": lambda: suite([item(1, good=GOOD, bad=[" The dogs", "barks", "."])]),
    "words-differ": lambda: suite(many({"good": ["x", "a", "."], "bad": ["y", "a", "!"]})),
    "same-sentence": lambda: suite([item(1, good=GOOD, bad=GOOD)]),
    "repeated-item": lambda: suite([item(1, good=GOOD, bad=BAD), item(2, good=GOOD, bad=BAD)]),
}


def test_a_good_suite_has_no_problem() -> None:
    assert list(check(suite())) == []


@pytest.mark.parametrize("id", SPOILED)
def test_each_problem_is_found(id: str) -> None:
    problems = list(check(SPOILED[id]()))
    assert id in {problem.id for problem in problems}
    assert all(problem.todo and problem.line >= 1 for problem in problems)


def test_names_in_a_formula_get_a_suggestion() -> None:
    messages = {problem.message: problem.todo for problem in check(SPOILED["unknown-name"]())}
    assert messages["prediction 1: no condition god"] == "did you mean good?"
    assert messages["prediction 1: no region 9"] == "regions are 1, 2, 3, or *"


def test_target_and_minimal_difference_of_the_mandarin_paradigms(tmp_path: Path) -> None:
    path = tmp_path / "vo_none_txt.txt"
    path.write_text("我 修 了 电脑 。\n我 读 了 电脑 。\n我 修 了 电脑 。\n她 读 了 书 。\n", encoding="utf-8")
    places = [(problem.id, problem.item, problem.line) for problem in check(read_region_suite(str(path)))]
    assert ("target-differs", "2", 3) in places
    assert ("not-minimal", "2", 3) in places
    assert {item for _, item, _ in places} == {"2"}


def test_every_check_has_a_case_and_is_listed() -> None:
    ids = {known.id for known in CHECKS.all("regions")}
    of_pairs = {"swapped-pair", "against-the-rule", "lost-target"}  # in test_pair_files
    of_arcs = {"two-positions", "wrong-arc", "missing-arc"}  # in test_position_tables
    assert ids == {*SPOILED, "target-differs", "not-minimal", *of_pairs, *of_arcs}
    listed = {row[0] for table in check_list().tables for row in table.rows}
    assert ids <= listed


def test_only_ignore_and_limit() -> None:
    spoiled = SPOILED["region-numbers"]()
    assert {problem.id for problem in check(spoiled, only=["region-numbers"])} == {"region-numbers"}
    assert "region-numbers" not in {problem.id for problem in check(spoiled, ignore=["region-numbers"])}
    report = survey(SPOILED["words-differ"](), limit=0)
    assert report.problems == []
    assert report.counts["words-differ"] == 1


def test_what_is_wrong_in_the_published_suites(shared: Path) -> None:
    folder = shared / "surprisal"
    gpo = read_region_suite(folder / "mandarin" / "test_suites" / "GP_obj" / "gpo_obj_txt.txt")
    assert [(problem.id, problem.item) for problem in check(gpo)] == [("not-minimal", "25")]
    mvrr = read_region_suite(folder / "syntaxgym" / "mvrr.json")
    assert len(list(check(mvrr, only=["same-sentence"]))) == 2
