"""The study on a small suite: every number by hand, and intervals against statsmodels."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from construction_mistakes import MISTAKES
from construction_suites import parses, suite

from gardenpath.errors import InputError, UsageError
from gardenpath.phrase import from_notation, to_notation, write
from gardenpath.runs.result import Result
from gardenpath.studies.constructions import (
    Decisions,
    constructions,
    find_examples,
    judge_trees,
    observations,
    scheme_of,
)
from gardenpath.studies.constructions import summary as summed
from gardenpath.studies.constructions.entrants import entrants
from gardenpath.studies.constructions.verdict import CLASSES, table_of

NUMBER = len(MISTAKES)


def values(result: Result, measure: str, **by: Any) -> dict[str, Any]:
    """System to value, of the findings with exactly these keys."""
    return {one.system: one.value for one in result.findings if one.measure == measure and dict(one.by) == by}


@pytest.fixture(scope="module")
def result() -> Result:
    judged = [
        judge_trees(suite("tiger"), "half", parses("tiger", 2)),
        judge_trees(suite("tuebadz"), "third", parses("tuebadz", 3)),
    ]
    return summed(judged, draws=200)


def expected(every: int, phenomenon: str, name: str) -> int:
    """Items of a class by hand: every second (third) item has the class of its mistake, the others are right."""
    return sum(
        mistake.phenomenon == phenomenon and ("right" if number % every else mistake.code) == name
        for number, mistake in enumerate(MISTAKES)
    )


def test_counts_of_classes(result: Result) -> None:
    for phenomenon in ("ppn", "ppv", "erc", "fcr", "sgf", "cuc"):
        total = sum(mistake.phenomenon == phenomenon for mistake in MISTAKES)
        for name in ("right", *CLASSES[table_of(phenomenon)]):
            for system, scheme, every in (("half", "tiger", 2), ("third", "tuebadz", 3)):
                by = {"scheme": scheme, "phenomenon": phenomenon, "class": name}
                count = expected(every, phenomenon, name)
                assert values(result, "items", **by) == {system: count}, (phenomenon, name)
                assert values(result, "share", **by)[system] == pytest.approx(100 * count / total)


def test_accuracy_and_its_interval(result: Result) -> None:
    from statsmodels.stats.proportion import proportion_confint

    right = NUMBER - len(range(0, NUMBER, 2))
    (found,) = [one for one in result.findings if one.measure == "accuracy" and one.system == "half" and not one.by]
    low, high = proportion_confint(right, NUMBER, method="wilson")
    assert (found.value, found.n) == (pytest.approx(100 * right / NUMBER), NUMBER)
    assert (found.low, found.high) == (pytest.approx(100 * low), pytest.approx(100 * high))
    assert values(result, "accuracy", scheme="tiger") == {"half": found.value}


def test_a_class_that_holds_beside_the_primary_one_is_counted_too(result: Result) -> None:
    held = [mistake for number, mistake in enumerate(MISTAKES) if number % 2 == 0 and mistake.phenomenon == "erc"]
    count = sum("B" in (mistake.codes or (mistake.code,)) for mistake in held)
    assert values(result, "held", scheme="tiger", phenomenon="erc", **{"class": "B"}) == {"half": count}


def test_systems_are_paired_by_item_across_schemes(result: Result) -> None:
    from statsmodels.stats.contingency_tables import mcnemar

    first_only = sum(number % 2 != 0 and number % 3 == 0 for number in range(NUMBER))
    second_only = sum(number % 2 == 0 and number % 3 != 0 for number in range(NUMBER))
    by = {"baseline": "half"}
    difference = values(result, "accuracy_difference", **by)["third"]
    assert difference == pytest.approx(100 * (second_only - first_only) / NUMBER)
    p = values(result, "accuracy_p_mcnemar", **by)["third"]
    exact = mcnemar([[0, first_only], [second_only, 0]], exact=True).pvalue
    assert p < exact  # mid-p is less careful than the exact test
    assert values(result, "accuracy_p_holm", **by)["third"] >= p


def test_tables_have_classes_by_systems(result: Result) -> None:
    titles = [table.title for table in result.tables]
    assert titles[:2] == ["Constructions", "By phenomenon"]
    (table,) = [table for table in result.tables if table.title.startswith("PP attachment")]
    assert list(table.columns) == ["class", "meaning", "ppn 1", "%", "ppv 1", "%", "ppn 2", "%", "ppv 2", "%"]
    assert [row[0] for row in table.rows] == ["right", "A", "B", "C", "D"]
    assert titles[-1] == "Difference to half"
    assert all(len(row) == len(table.columns) for table in result.tables for row in table.rows)


def test_items_without_a_parse_are_wrong_and_undecided_ones_are_left_out() -> None:
    from gardenpath.studies.constructions.judging import as_raised

    gold = suite("tiger")
    trees = [None if number < 3 else as_raised(item.tree, "tiger") for number, item in enumerate(gold.items)]
    judged = judge_trees(gold, "raised", trees, form="raised")
    result = summed([judged], form="raised")
    undecided = sum(verdict.primary == "n/a" for verdict in judged.verdicts)
    assert undecided > 3
    assert result.failures == {"items without a parse": 3, "items not decided (n/a)": undecided}
    right = NUMBER - 3 - undecided
    assert values(result, "accuracy") == {"raised": pytest.approx(100 * right / (right + 3))}
    assert "form:raised" in result.signature


def test_signature_names_what_was_decided_otherwise() -> None:
    judged = judge_trees(suite("tiger"), "gold", [item.tree for item in suite("tiger").items])
    plain, other = summed([judged]), summed([judged], decisions=Decisions(overlap=0.6))
    assert "decisions" not in plain.signature
    assert "decisions:overlap=0.6" in other.signature
    assert "seed" not in plain.signature  # nothing is drawn for one system


def test_observations_have_class_reason_and_both_trees() -> None:
    gold, trees = suite("tiger"), parses("tiger")
    table = observations([judge_trees(gold, "half", trees)])
    assert len(table) == NUMBER
    columns = table.columns
    assert columns["outcome"][0] == MISTAKES[0].code
    assert columns["value"][:2] == [0, 1]
    assert columns["outcome"][1] == "right"
    assert columns["condition"][0] == MISTAKES[0].phenomenon
    assert columns["reason"][0] == "PP attached to the verb, gold noun *Haus*"
    assert columns["gold"][0] == to_notation(gold.items[0].tree)
    assert from_notation(columns["parse"][0]) == trees[0]
    assert table.frame()["scheme"].to_list() == ["tiger"] * NUMBER


def test_examples() -> None:
    judged = [judge_trees(suite("tiger"), "half", parses("tiger"))]
    shown, total = find_examples(judged, "wrong", 3)
    assert (len(shown), total) == (3, len(range(0, NUMBER, 2)))
    shown, total = find_examples(judged, "A:erc")
    assert {one.phenomenon for one in shown} == {"erc"}
    assert all(one.outcome == "A" for one in shown)
    with pytest.raises(UsageError, match="unknown class 'F'"):
        find_examples(judged, "F")
    with pytest.raises(UsageError, match="unknown phenomenon 'er'"):
        find_examples(judged, "A:er")


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    for scheme in ("tiger", "tuebadz"):
        write(parses(scheme), tmp_path / f"{scheme}.export")
    return {scheme: str(tmp_path / f"{scheme}.export") for scheme in ("tiger", "tuebadz")}


def test_trees_tell_their_scheme(files: dict[str, str]) -> None:
    both = [suite("tiger"), suite("tuebadz")]
    result, judged = constructions(both, entrants([files["tuebadz"], f"trees:{files['tiger']}"]), draws=0)
    assert [one.suite.scheme for one in judged] == ["tuebadz", "tiger"]
    assert len({row[8] for row in result.tables[0].rows}) == 1  # both make the same mistakes
    assert scheme_of(parses("tiger")) == "tiger"
    assert scheme_of([None, *parses("tuebadz")]) == "tuebadz"
    assert scheme_of([from_notation("(ROOT (X a) (Y b))"), None]) == ""


def test_a_scheme_can_be_given(files: dict[str, str]) -> None:
    found = entrants([f"tiger={files['tiger']}", f"tuebadz={files['tuebadz']}"])
    assert [(one.name, one.scheme) for one in found] == [(files["tiger"], "tiger"), (files["tuebadz"], "tuebadz")]
    _, judged = constructions([suite("tiger"), suite("tuebadz")], found, draws=0)
    assert [one.suite.scheme for one in judged] == ["tiger", "tuebadz"]
    twice = entrants([f"tiger={files['tiger']}", f"tuebadz={files['tiger']}"])
    assert [one.name for one in twice] == [f"tiger={files['tiger']}", f"tuebadz={files['tiger']}"]
    with pytest.raises(
        UsageError, match=r"trees are in the scheme of TIGER, and the suite mistakes is in that of TüBa"
    ):
        constructions([suite("tiger"), suite("tuebadz")], twice)
    with pytest.raises(UsageError, match="no suite is in the scheme tuebadz"):
        constructions([suite("tiger")], entrants([f"tuebadz={files['tuebadz']}"]))


def test_trees_of_the_other_scheme_are_refused(files: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="scheme of TüBa-D/Z"):
        constructions([suite("tiger")], entrants([files["tuebadz"]]))


def test_trees_without_functions_are_refused_unless_they_are_few() -> None:
    gold = suite("tiger")
    bare = [from_notation(re.sub(r":[A-Z]+", "", to_notation(item.tree))) for item in gold.items]
    with pytest.raises(UsageError, match="these trees have no functions"):
        judge_trees(gold, "bare", bare)
    judged = judge_trees(gold, "few", [bare[0], *(item.tree for item in gold.items[1:])])
    assert judged.verdicts[0].primary == "noparse"
    assert judged.failures == {"items without a parse": 1, "of these trees without functions": 1}


def test_other_words_are_an_error_that_names_system_item_and_token() -> None:
    gold = suite("tiger")
    trees = [item.tree for item in gold.items]
    other = [trees[0], from_notation("(S (NN:SB Hunde) (VVFIN:HD bellen))"), *trees[2:]]
    with pytest.raises(InputError, match=r"mine: item item-01, sentence 2: .*token 1 is 'Hunde', gold has 'Die'"):
        judge_trees(gold, "mine", other)


def test_wrong_calls(files: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="no suite"):
        constructions([], entrants([files["tiger"]]))
    with pytest.raises(UsageError, match="no system"):
        constructions([suite("tiger")], [])
    with pytest.raises(UsageError, match="named twice"):
        entrants(["trees:a", "trees:a"])
    with pytest.raises(UsageError, match="two suites are called mistakes"):
        constructions([suite("tiger"), suite("tiger")], entrants([files["tiger"]]))
    with pytest.raises(UsageError, match="unknown form of trees"):
        constructions([suite("tiger")], entrants([files["tiger"]]), form="flat")
