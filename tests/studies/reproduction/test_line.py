"""Verdicts on published numbers: equal to the last printed digit, and never more than was computed."""

from __future__ import annotations

import pytest

from gardenpath.errors import UsageError
from gardenpath.studies.reproduction import PAPERS, Line, papers_called
from gardenpath.studies.reproduction.line import tables
from gardenpath.studies.reproduction.paper import published


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("69.07", 69.0749, "equal"),
        ("69.07", 69.0651, "equal"),
        ("69.07", 69.0759, "differs"),
        ("0.58", 0.5830, "equal"),
        ("7663", 7663, "equal"),
        ("7663", 7664, "differs"),
        ("-4.3", -4.34, "equal"),
        ("5", 5.4, "equal"),
        ("1", None, "not computed"),
    ],
)
def test_equal_means_to_the_last_printed_digit(printed: str, ours: float | None, verdict: str) -> None:
    assert Line("Table 1", "row", "las", printed, ours).verdict == verdict


def test_other_data_is_never_called_equal() -> None:
    assert Line("t", "r", "las", "1.0", 1.0, same_data=False).verdict == "other data"


def test_slack_for_numbers_that_are_made_of_rounded_ones() -> None:
    assert Line("t", "r", "las", "70.79", 70.7955).verdict == "differs"
    assert Line("t", "r", "las", "70.79", 70.7955, slack=0.006).verdict == "equal"


def test_a_finding_says_all_of_it() -> None:
    flat = Line("Table 6", "amb", "las", "70.42", 70.5, system="x", why="because").finding("sorts").flat()
    assert flat["published"] == 70.42
    assert flat["difference"] == pytest.approx(0.08)
    assert (flat["suite"], flat["value"], flat["verdict"], flat["why"]) == ("sorts", 70.5, "differs", "because")


def test_tables_count_verdicts_and_give_reasons_once() -> None:
    lines = [Line("Table 1", str(n), "las", "1.0", 1.0 if n else None, why="no data") for n in range(3)]
    first, second = tables("Paper", lines)
    assert first.rows == [("equal", 2), ("differs", 0), ("other data", 0), ("not computed", 1)]
    assert second.note == "no data"
    assert "system" not in second.columns


def test_a_number_that_the_paper_does_not_have_stands_alone() -> None:
    lines = [Line("t", "row", "las", "", value, system=name, decimals=1) for name, value in (("a", 1.25), ("b", None))]
    assert [line.verdict for line in lines] == ["not printed", "not computed"]
    assert lines[0].finding("paper").by["published"] is None
    first, second, _ = tables("Paper", [*lines, Line("other", "row", "las", "1", 1)])
    assert first.title == "Paper: 1 published numbers"
    assert (list(second.columns), second.rows) == (["row", "measure", "a", "b"], [["row", "las", "1.2", None]])


def test_papers_by_name() -> None:
    assert [paper.name for paper in papers_called(["all"])] == list(PAPERS)
    with pytest.raises(UsageError, match="sorst"):
        papers_called(["sorst"])


@pytest.mark.parametrize("paper", PAPERS)
def test_published_numbers_are_numbers(paper: str) -> None:
    def numbers(value: object) -> list[str]:
        if isinstance(value, dict):
            return [text for one in value.values() for text in numbers(one)]
        return [text for one in value for text in numbers(one)] if isinstance(value, list) else [str(value)]

    found = numbers(published(paper))
    assert len(found) > (10 if paper == "tepacoc" else 100)  # it defines classes, and has few numbers
    assert all(isinstance(float(text), float) for text in found if text)  # an empty cell: NA in print
