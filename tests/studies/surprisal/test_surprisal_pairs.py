"""Benchmarks of pairs in the surprisal study: means over paradigms and over pairs, people, targets, free groups."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.runs.result.result import Finding, Result
from gardenpath.studies.engine.study import run
from gardenpath.studies.surprisal.declaration import SurprisalSettings
from gardenpath.studies.surprisal.study import SURPRISAL

PAIRS = [
    # paradigm, phenomenon, depth, genre, is the bad sentence the more surprising one, and its target?
    ("p", "A", 1, "news", True, True),
    ("p", "A", 2, "news", True, False),
    ("p", "A", 3, "book", False, True),
    ("q", "A", 1, "book", False, False),
    ("r", "B", 2, "book", True, True),
]


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder of pairs with the accuracy of people, and surprisals by which these are right or wrong."""
    folder = tmp_path_factory.mktemp("pairs")
    rows, blocks = [], []
    for number, (paradigm, phenomenon, depth, genre, right, at_target) in enumerate(PAIRS):
        good, bad = f"w{number} is here", f"w{number} are here"
        rows.append({
            "sentence_good": good, "sentence_bad": bad, "UID": paradigm, "phenomenon": phenomenon, "depth": depth,
            "Genre": genre, "good_target": "is", "bad_target": "are" if number != 4 else "-",
        })  # fmt: skip
        bits = {"is": 5.0, "are": 6.0 if at_target else 4.0}
        last = {"is": 5.0, "are": 9.0 if right else 0.0}
        for verb, text in (("is", good), ("are", bad)):
            blocks.append(
                "".join(
                    f"{word}\t{bit}\n" for word, bit in zip(text.split(), (1.0, bits[verb], last[verb]), strict=True)
                )
            )
    (folder / "pairs").mkdir()
    (folder / "pairs" / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "pairs" / "human_results.csv").write_text("UID,acc\np,0.9\nq,0.7\nr,0.95\n", encoding="utf-8")
    (folder / "pairs" / "notes.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    (folder / "out.txt").write_text("\n".join(blocks), encoding="utf-8")
    return folder / "pairs", f"surprisals:{folder / 'out.txt'}"


def study(benchmark: tuple[Path, str], **settings: object) -> Result:
    return run(SURPRISAL, benchmark[0], [benchmark[1]], SurprisalSettings(**settings))  # type: ignore[arg-type]


def value(result: Result, measure: str, suite: str = "3 suites", **by: object) -> Finding:
    (match,) = [
        finding
        for finding in result.findings
        if (finding.measure, finding.suite, dict(finding.by)) == (measure, suite, by)
    ]
    return match


def test_over_paradigms_and_over_pairs(benchmark: tuple[Path, str]) -> None:
    result = study(benchmark)
    # p 2/3, q 0/1, r 1/1: A is (2/3 + 0)/2 over paradigms and 2/4 over pairs.
    assert value(result, "accuracy", **{"class": "A"}).value == pytest.approx(100 / 3)
    assert value(result, "accuracy_over_items", **{"class": "A"}).value == pytest.approx(50)
    assert value(result, "accuracy").value == pytest.approx(100 * (2 / 3 + 0 + 1) / 3)
    pooled = value(result, "accuracy_over_items")
    assert (pooled.value, pooled.n) == (pytest.approx(60), 5)
    assert pooled.low is not None
    assert pooled.high is not None
    assert pooled.low < 60 < pooled.high
    assert value(result, "chance").value == 50
    titles = [table.title for table in result.open_tables]
    assert titles[1:] == ["Accuracy by phenomenon", "Other ways to count"]
    assert result.failures == {"files beside the suites that are none (notes.csv)": 1}


def test_people_stand_beside_where_all_paradigms_of_a_group_have_a_figure(benchmark: tuple[Path, str]) -> None:
    result = study(benchmark)
    assert value(result, "human_accuracy", **{"class": "A"}).value == pytest.approx(80)
    assert value(result, "human_accuracy").value == pytest.approx(85)
    assert value(result, "human_accuracy", "p", **{"class": "A"}).value == pytest.approx(90)
    shown = result.tables[1]
    assert [row[:4] for row in shown.rows] == [["A", 2, 4, 80.0], ["B", 1, 1, 95.0], ["all", 3, 5, pytest.approx(85)]]


def test_pairs_are_grouped_by_any_column_and_by_two(benchmark: tuple[Path, str]) -> None:
    result = study(benchmark, by=("genre",))
    assert value(result, "accuracy", Genre="news").value == 100
    assert value(result, "accuracy", Genre="book").value == pytest.approx(100 / 3)
    crossed = study(benchmark, by=("class", "depth"))
    assert value(crossed, "accuracy", **{"class": "A", "depth": 1}).value == 50
    assert value(crossed, "accuracy", **{"class": "B", "depth": 2}).n == 1
    assert [table.title for table in crossed.open_tables][1:] == ["Accuracy by class and depth"]
    assert "by:class,depth" in crossed.signature
    assert "by:" not in study(benchmark).signature


def test_an_unknown_column_is_told_before_anything_is_scored(benchmark: tuple[Path, str]) -> None:
    with pytest.raises(UsageError, match=r"unknown grouping 'gnre'\n  did you mean Genre") as error:
        run(SURPRISAL, benchmark[0], ["surprisals:" + str(benchmark[0])], SurprisalSettings(by=("gnre",)))
    assert error.value.where == "--by"
    with pytest.raises(UsageError, match="3 columns to cross"):
        study(benchmark, by=("genre", "depth", "class"))


def test_targets_are_compared_where_they_are_named(benchmark: tuple[Path, str]) -> None:
    result = study(benchmark, score="target")
    # p: right, wrong, right at the target; q: wrong; r names none.
    assert value(result, "accuracy", "2 suites").value == pytest.approx(100 * (2 / 3 + 0) / 2)
    assert result.failures["pairs left out: no target is named, or it is not found"] == 1
    assert "score:target" in result.signature
    assert not [finding for finding in result.findings if finding.measure == "accuracy_per_token"]
    with pytest.raises(UsageError, match="no suite names the targets"):
        run(SURPRISAL, "bundled:en-surprisal", [benchmark[1]], SurprisalSettings(score="target"))


def test_several_seeds_are_averaged_within_pairs(benchmark: tuple[Path, str]) -> None:
    single = study(benchmark, by=("genre",))
    both = f"m={benchmark[1]},{benchmark[1]}"
    two = run(SURPRISAL, benchmark[0], [both], SurprisalSettings(by=("genre",)))
    for genre in ("news", "book"):
        assert value(two, "accuracy", Genre=genre).value == value(single, "accuracy", Genre=genre).value
    assert value(two, "accuracy_over_items").value == pytest.approx(60)
