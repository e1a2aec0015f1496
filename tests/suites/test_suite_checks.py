"""Every check of a suite has a tiny file that it alone complains about."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.suites import check, read_suite
from gardenpath.suites.report import as_result, checks, survey

CASES = Path(__file__).parent / "cases"
TWO = ("other-items", "other-sentence", "other-labels", "other-gold")


def case(id: str) -> Path:
    return next(path for path in (CASES / f"{id}.conll", CASES / f"{id}.tsv") if path.exists())


def test_every_check_has_a_case() -> None:
    assert [one.id for one in checks() if not (CASES / f"{one.id}.tsv").exists() and not case(one.id).exists()] == []


@pytest.mark.parametrize("id", [one.id for one in checks() if one.id not in TWO])
def test_a_case_has_its_problem_and_no_other(id: str) -> None:
    problems = list(check(read_suite(case(id))))
    assert {problem.id for problem in problems} == {id}
    assert all(problem.line > 0 and problem.item and problem.message and problem.todo for problem in problems)


@pytest.mark.parametrize("id", TWO)
def test_two_forms_that_disagree(id: str) -> None:
    problems = list(check(read_suite(CASES / f"{id}.conll"), against=read_suite(CASES / f"{id}.tsv")))
    assert {problem.id for problem in problems} == {id}


@pytest.mark.parametrize(
    "name", ["perfect.tsv", "perfect.conll", "pp-perfect.tsv", "pp-perfect.conll", "old-names.tsv"]
)
def test_good_suites_have_no_problem(name: str) -> None:
    assert list(check(read_suite(CASES / name))) == []


def test_two_forms_that_agree() -> None:
    for name in ("perfect", "pp-perfect"):
        suite, other = read_suite(CASES / f"{name}.conll"), read_suite(CASES / f"{name}.tsv")
        assert list(check(suite, against=other)) == []
        assert list(check(other, against=suite)) == []


def test_the_line_is_that_of_the_word() -> None:
    (problem,) = check(read_suite(case("split-heads")))
    assert (problem.line, problem.item) == (5, "1")
    assert case("split-heads").read_text("utf-8").split("\n")[4].startswith("5\tKnochen")
    (problem,) = check(read_suite(case("missing-head")))
    assert problem.line == 12
    (problem,) = check(read_suite(case("missing-subject")))
    assert (problem.line, problem.item) == (3, "2")


def test_a_misspelt_property_gets_a_suggestion() -> None:
    problem = next(check(read_suite(case("unknown-property"))))
    assert problem.message == "unknown property 'sprom'"
    assert problem.todo == "did you mean spron or prov or opron?"


def test_an_order_is_compared_with_the_verb_unless_an_auxiliary_takes_its_place(tmp_path: Path) -> None:
    (problem,) = check(read_suite(case("order-contradiction")))
    assert problem.message == "VF[S]LK[V]MF[O] says S-V-O, the positions V-S-O"
    path = tmp_path / "suite.conll"
    path.write_text((CASES / "perfect.conll").read_text("utf-8").replace("VF[ADV]", ""), encoding="utf-8")
    (problem,) = check(read_suite(path), only=["order-contradiction"])
    assert (problem.item, problem.message) == ("3", "LK[V]MF[SO], but the verb is word 2")


def test_ignore_only_and_limit() -> None:
    suite = read_suite(case("duplicate"))
    assert list(check(suite, ignore=["duplicate"])) == []
    assert {one.id for one in check(suite, only=["duplicate"])} == {"duplicate"}
    report = survey(read_suite(case("unknown-property")), limit=1)
    assert (len(report.problems), report.counts["unknown-property"]) == (1, 2)
    assert "1 of them are shown" in as_result([report], limit=1).tables[0].note
    with pytest.raises(UsageError, match="unknown check 'dublicate'"):
        list(check(suite, only=["dublicate"]))
