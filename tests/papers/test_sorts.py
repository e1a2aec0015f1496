"""The paper's numbers from its own data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from calls import Capture
from gardenpath.cli.main import main
from gardenpath_papers.ledger import ARITHMETIC, IMPOSSIBLE, INPUT, OTHER_DATA, RECOMPUTED, Line


@pytest.fixture(scope="module")
def ledger(ledger_of: Callable[[str], list[Line]]) -> list[Line]:
    return ledger_of("sorts")


def test_what_can_be_equal_is_equal(ledger: list[Line]) -> None:
    verdicts = Counter((line.table, line.verdict, line.outcome) for line in ledger if line.kind == "cell")
    assert verdicts == {
        ("Table 2", INPUT, ""): 18,
        ("Table 2, caption", ARITHMETIC, "equal"): 1,
        ("Table 2, caption", IMPOSSIBLE, ""): 4,
        ("Table 4", INPUT, ""): 2,
        ("Table 4", ARITHMETIC, "equal"): 2,
        ("Table 4", IMPOSSIBLE, ""): 4,
        ("Table 6", RECOMPUTED, "equal"): 3,
        ("Table 6", ARITHMETIC, "equal"): 18,
        ("Table 7", RECOMPUTED, "equal"): 25,
        ("Table 7", ARITHMETIC, "equal"): 150,
        ("Table 8", OTHER_DATA, ""): 25,
        ("Table 8", INPUT, ""): 125,
        ("Table 9", RECOMPUTED, "equal"): 27,
        ("Table 9", ARITHMETIC, "equal"): 135,
        ("Table 10", INPUT, ""): 162,
    }
    assert all(line.why for line in ledger if line.verdict in (INPUT, IMPOSSIBLE, OTHER_DATA))


def test_improvements_are_differences_of_printed_scores(ledger: list[Line]) -> None:
    """Tables 7 and 9 against 8 and 10: 285 numbers, none of them recomputed."""
    again = [line for line in ledger if line.table in ("Table 7", "Table 9") and line.measure != "sentences"]
    assert (len(again), {line.verdict for line in again}) == (285, {ARITHMETIC})
    pronouns = next(line for line in again if (line.row, line.system, line.table) == ("opron", "sticker2", "Table 9"))
    assert pronouns.published == "17.09"
    assert pronouns.ours == pytest.approx(93.76 - 76.68)


def test_what_the_paper_says_of_table_2_is_not_what_it_prints(ledger: list[Line]) -> None:
    differ = {(line.kind, line.row, line.measure): line.ours for line in ledger if line.outcome == "differs"}
    assert differ == {
        ("check", "sum of the orders", "frequency, corpus"): pytest.approx(99.91),
        ("text", "subject first", "frequency, corpus"): pytest.approx(13.70 + 22.43 + 45.09),
    }


def test_every_printed_score_is_a_share_of_two_arcs_a_sentence(ledger: list[Line]) -> None:
    shares = [line for line in ledger if line.measure == "nearest share"]
    assert Counter(line.outcome for line in shares) == {"equal": 312}
    line = next(line for line in shares if (line.row, line.system, line.table) == ("acc", "sticker2", "Table 8"))
    assert line.ours == pytest.approx(100 * 145 / 150)  # 75 sentences


def test_subject_first_is_computed_and_not_copied(ledger: list[Line]) -> None:
    ours = [line.ours for line in ledger if line.system == "Subject-first"]
    assert ours == pytest.approx([69.07, 69.53, 70.42], abs=0.005)
    assert all(value not in (69.07, 69.53, 70.42) for value in ours)


def test_the_revised_release_is_another_suite(ledger: list[Line]) -> None:
    revised = {line.row: line.ours for line in ledger if line.verdict == OTHER_DATA}
    assert revised["SORTS amb"] == pytest.approx(84.31, abs=0.005)
    assert revised["MF[OS]VC[V]"] == pytest.approx(9.84, abs=0.005)
    assert revised["psy"] == pytest.approx(57.23, abs=0.005)


def test_the_command(ledger: list[Line], shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(shared))
    monkeypatch.setattr("gardenpath_papers.sorts.lines", lambda data: ledger)  # computed once
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "sorts", "--format", "json", "--fail-on-difference"])
    assert ended.value.code == 1
    out, err = capsys.readouterr()
    printed = json.loads(out)
    assert Counter(finding["kind"] for finding in printed["findings"]) == {
        "cell": 701,
        "text": 3,
        "again": 1,
        "check": 314,
    }
    assert "data:sorts#" in printed["signature"]
    assert "2 numbers differ from the published ones" in err


def test_data_that_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "sorts"])
    assert ended.value.code == 2
    assert "the mirror does not have sorts@2020" in capsys.readouterr().err
