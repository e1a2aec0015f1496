"""Verdicts on published numbers: equal to the last printed digit, and never more than was computed."""

from __future__ import annotations

from dataclasses import replace

import pytest

import gardenpath as gp
from gardenpath.errors import UsageError
from gardenpath.runs.result import Finding
from gardenpath.studies.reproduction.ledger import selected, shown
from gardenpath.studies.reproduction.line import ARITHMETIC, IMPOSSIBLE, INPUT, OTHER_DATA, Line, settled
from gardenpath.studies.reproduction.paper import PAPERS, papers_called, published, reproduce


@pytest.mark.parametrize(
    ("printed", "ours", "outcome"),
    [
        ("69.07", 69.0749, "equal"),
        ("69.07", 69.0651, "equal"),
        ("69.07", 69.0759, "differs"),
        ("0.58", 0.5830, "equal"),
        ("7663", 7663, "equal"),
        ("7663", 7664, "differs"),
        ("-4.3", -4.34, "equal"),
        ("5", 5.4, "equal"),
        ("<0.001", 0.0009, "equal"),
        ("<0.001", 0.0011, "differs"),
        ("1", None, ""),
    ],
)
def test_equal_means_to_the_last_printed_digit(printed: str, ours: float | None, outcome: str) -> None:
    assert Line("Table 1", "row", "las", printed, ours).outcome == outcome


def test_other_data_is_never_called_equal() -> None:
    line = Line("t", "r", "las", "1.0", 1.0, basis=OTHER_DATA)
    assert (line.verdict, line.outcome) == (OTHER_DATA, "")


def test_slack_for_numbers_that_are_made_of_rounded_ones() -> None:
    assert Line("t", "r", "las", "70.79", 70.7955).outcome == "differs"
    assert Line("t", "r", "las", "70.79", 70.7955, slack=0.006).outcome == "equal"


def test_without_a_number_of_ours_it_is_impossible_unless_it_is_an_input() -> None:
    assert Line("t", "r", "las", "1", None, basis=ARITHMETIC).verdict == IMPOSSIBLE
    assert Line("t", "r", "las", "1", None, basis=INPUT).verdict == INPUT
    assert Line("t", "r", "las", "", 1.0).verdict == "not printed"


def test_a_finding_says_all_of_it() -> None:
    flat = Line("Table 6", "amb", "las", "70.42", 70.5, system="x", why="because").finding("sorts").flat()
    assert flat["published"] == 70.42
    assert flat["difference"] == pytest.approx(0.08)
    assert (flat["suite"], flat["value"], flat["verdict"], flat["outcome"]) == ("sorts", 70.5, "recomputed", "differs")
    assert (flat["printed"], flat["why"]) == ("70.42", "because")


def test_a_printed_number_is_counted_once_under_its_first_verdict() -> None:
    given = Line("Table 1", "row", "las", "1.0", None, basis=INPUT)
    elsewhere = Line("Table 1", "row", "las", "1.0", 1.2, basis=OTHER_DATA)
    made = Line("Table 1", "row", "las", "1.0", 1.0, basis=ARITHMETIC)
    ledger = settled([given, elsewhere, made, replace(made, kind="check"), Line("Section 1", "row", "las", "1.0", 1.0)])
    assert [(line.kind, line.verdict) for line in ledger] == [
        ("cell", ARITHMETIC), ("again", OTHER_DATA), ("check", ARITHMETIC), ("text", "recomputed"),
    ]  # fmt: skip
    assert [line.verdict for line in settled([given])] == [INPUT]
    assert [line.kind for line in settled([Line("t", "r", "las", "", 1.0)] * 2)] == ["ours", "ours"]


def a_ledger() -> list[Finding]:
    """Table 1: two recomputed, one of which differs, and one impossible; Table 10: an input; a check; one of ours."""
    lines = [
        Line("Table 10", "a", "las", "3", None, basis=INPUT, why="it is given"),
        Line("Table 1", "a", "las", "1.0", 1.0),
        Line("Table 1", "b", "las", "1.0", 2.0),
        Line("Table 1", "c", "las", "1.0", None, why="no data"),
        Line("Table 1", "sum", "las", "2.0", 2.0, basis=ARITHMETIC, kind="check"),
        Line("Table 1", "d", "las", "", 1.25, system="x"),
    ]  # fmt: skip
    return [line.finding("paper") for line in settled(lines)]


def test_counts_differences_and_reasons() -> None:
    counts, different, reasons = shown("Paper", a_ledger(), lines=False)
    assert counts.rows == [
        ["Table 1", 3, 2, 0, 0, 0, 1, 1],
        ["Table 10", 1, 0, 0, 0, 1, 0, 0],
        ["all", 4, 2, 0, 0, 1, 1, 1],
    ]
    assert "4 numbers in tables and figures, 0 in the text; 1 checks" in counts.note
    assert [row[:3] for row in different.rows] == [["Table 1", "b", "las"]]
    assert list(reasons.rows) == [("impossible here", 1, "no data"), ("published input", 1, "it is given")]


def test_lines_of_a_table_and_of_a_verdict() -> None:
    _, own, numbers, checks = shown("Paper", selected(a_ledger(), ["table 1"], []), lines=True)
    assert (list(own.columns), own.rows) == (["row", "measure", "x"], [["d", "las", 1.25]])
    assert [row[0] for row in numbers.rows] == ["a", "b", "c"]
    assert "system" not in numbers.columns
    assert checks.title == "Table 1: checks"
    assert [finding.by["table"] for finding in selected(a_ledger(), [], [INPUT])] == ["Table 10"]
    with pytest.raises(UsageError, match="unknown table 'Table 2'"):
        selected(a_ledger(), ["Table 2"], [])
    with pytest.raises(UsageError, match="no line of Table 1 is published input"):
        selected(a_ledger(), ["Table 1"], [INPUT])
    with pytest.raises(UsageError, match="unknown verdict 'equal'"):
        reproduce([], lambda name: pytest.fail(name), verdicts=["equal"])


def test_several_papers_begin_with_an_overview(monkeypatch: pytest.MonkeyPatch) -> None:
    """From Python too, where a table and a verdict may be named."""
    for paper, ours in (("tepacoc", 1.0), ("sorts", None)):
        lines = [Line("Table 1", "a", "las", "1.0", ours, why="so"), Line("Section 2", "a", "las", "1.0", 2.0)]
        monkeypatch.setattr(f"gardenpath.studies.reproduction.{paper}.lines", lambda data, lines=lines: lines)
    papers = [PAPERS["tepacoc"], replace(PAPERS["sorts"], needs=())]
    first, *_ = reproduce(papers, lambda name: pytest.fail(name)).tables
    assert [(*row[1:3], row[-1]) for row in first.rows] == [(2, 2, 1), (2, 1, 1), (4, 3, 2)]
    result = gp.reproduce("tepacoc", table="Table 1", verdict="recomputed")
    assert [(finding.by["table"], finding.by["outcome"]) for finding in result.findings] == [("Table 1", "equal")]


def test_papers_by_name() -> None:
    assert [paper.name for paper in papers_called(["all"])] == list(PAPERS)
    with pytest.raises(UsageError, match="sorst"):
        papers_called(["sorst"])


@pytest.mark.parametrize("paper", PAPERS)
def test_published_numbers_are_numbers(paper: str) -> None:
    def numbers(value: object) -> list[str]:
        if isinstance(value, dict):
            return [text for key, inner in value.items() if key != "system" for text in numbers(inner)]
        return [text for inner in value for text in numbers(inner)] if isinstance(value, list) else [str(value)]

    found = numbers(published(paper))
    assert len(found) > (10 if paper == "tepacoc" else 100)  # it defines classes, and has few numbers
    assert all(isinstance(float(text.removeprefix("<")), float) for text in found if text)  # an empty cell: NA in print
