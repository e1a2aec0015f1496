"""Alternatives of an item against a corpus. Oracle: counts by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gardenpath.cli.main import run_command
from gardenpath.suites.regions.frequencies import alternatives, frequency_table
from gardenpath.suites.regions.reader import read_region_suites
from gardenpath.suites.report import survey

CORPUS = "the dog barks\n" * 12 + "the cat sleeps\n" + "the dog sleeps\n" * 2
PAIRS = (
    "item\tsentence_good\tsentence_bad\n"
    "1\tthe dog barks\tthe cat barks\n"  # 14 against 1
    "2\tthe cat barks\tthe cat sleeps\n"  # 12 against 3
    "3\tthe dog sings\tthe dog sleeps\n"  # 0 against 3
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "corpus.txt").write_text(CORPUS, encoding="utf-8")
    (tmp_path / "pairs.tsv").write_text(PAIRS, encoding="utf-8")
    return tmp_path / "pairs.tsv", tmp_path / "corpus.txt"


def test_alternatives_are_the_words_that_differ(files: tuple[Path, Path]) -> None:
    (suite,) = read_region_suites(files[0])
    assert [(one.item, one.better, one.worse) for one in alternatives(suite)] == [
        (0, ("dog",), ("cat",)),
        (1, ("barks",), ("sleeps",)),
        (2, ("sings",), ("sleeps",)),
    ]


def test_items_that_differ_or_are_unknown_and_their_table(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    suite, corpus = files
    assert run_command(["suite", "check", str(suite), "--against", str(corpus), "-f", "json"]) == 0  # warnings alone
    problems = json.loads(capsys.readouterr().out)["problems"]
    assert [(one["id"], one["item"], one["message"]) for one in problems] == [
        ("frequency-differs", "1", "dog 14 against cat 1"),
        ("not-in-corpus", "3", "sings is not in the corpus"),
    ]
    assert run_command(["suite", "check", str(suite), "--against", str(corpus), "--only", "not-in-corpus"]) == 0
    shown = capsys.readouterr().out
    assert "frequency-differs" not in shown
    assert "Frequency of the words in which alternatives differ" in shown


def test_the_table_has_medians_of_both_sides(files: tuple[Path, Path]) -> None:
    suites = list(read_region_suites(files[0]))
    counts = {"the": 15, "dog": 14, "barks": 12, "sleeps": 3, "cat": 1}
    (row,) = frequency_table(suites, counts).rows
    assert row[1:] == [3, 1, 1, 12, 3]  # of 14, 12, 0 and of 1, 3, 3


def test_the_order_of_a_prediction_says_which_side_is_better() -> None:
    suites = {suite.title: suite for suite in read_region_suites("bundled:zh-surprisal")}
    first = next(alternatives(suites["vo_none"]))
    item = suites["vo_none"].items[first.item]
    good, bad = item.condition("good"), item.condition("bad")
    assert good is not None
    assert bad is not None
    assert set(first.better) == set(good.words) - set(bad.words)
    assert set(first.worse) == set(bad.words) - set(good.words)


def test_without_a_corpus_nothing_is_said_of_it(files: tuple[Path, Path]) -> None:
    (suite,) = read_region_suites(files[0])
    assert not survey(suite).problems
