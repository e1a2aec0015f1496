"""The numbers of the consistency paper that can be had again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement
from pathlib import Path
from statistics import fmean, pstdev

import pytest

from gardenpath.cli.main import main
from gardenpath_papers.consistency import _only_set
from gardenpath_papers.ledger import Line


@pytest.fixture(scope="module")
def ledger(ledger_of: Callable[[str], list[Line]]) -> list[Line]:
    return ledger_of("consistency")


def test_verdicts(ledger: list[Line]) -> None:
    assert Counter((line.kind, line.verdict, line.outcome) for line in ledger) == {
        ("cell", "arithmetic", "equal"): 265, ("cell", "arithmetic", "differs"): 1, ("cell", "other data", ""): 18,
        ("cell", "published input", ""): 196, ("cell", "impossible here", ""): 197,
        ("text", "recomputed", "equal"): 13, ("text", "arithmetic", "equal"): 7, ("text", "arithmetic", "differs"): 1,
    }  # fmt: skip


def test_what_differs_is_a_slip_of_the_paper(ledger: list[Line]) -> None:
    slips = {line.row: (line.published, line.ours) for line in ledger if line.outcome == "differs"}
    assert slips == {
        "Swedish train: augmented right": ("92.7", pytest.approx(100 * 4864 / 5250)),
        "Swedish train: batches not completely right, original + (%)": ("31.5", pytest.approx(100 * 24 / 76)),
    }


def test_deviations_that_follow_from_the_rest_of_a_column(ledger: list[Line]) -> None:
    """By hand: 2 batches of 50 and one of 33; 229 of 50 and one of 2; one of 14 among 8; 2, 2 and 3 clusters."""
    deviations = {(line.table, line.row, line.measure): line.ours for line in ledger if line.measure.endswith("SD")}
    values = {
        ("Table 11", "dev, original +", "Q2 SD"): [50, 50, 33],
        ("Table 8", "train, original +", "Q2 SD"): [50] * 229 + [2],
        ("Table 9", "train, original -", "Q2 SD"): [14] + [0] * 7,
        ("Table 3", "dev, original -", "Q4 SD"): [2, 2, 3],
    }
    assert {place: deviations[place] for place in values} == {
        place: pytest.approx(pstdev(some)) for place, some in values.items()
    }
    assert deviations["Table 2", "train, original -", "Q2 SD"] is None


@pytest.mark.parametrize(("size", "low", "high"), [(3, 2, 3), (4, 0, 3), (5, 0, 2), (6, 1, 2), (7, 0, 6)])
def test_a_set_of_values_is_known_only_if_no_other_has_its_mean(size: int, low: int, high: int) -> None:
    """Against all sets of so many whole numbers with this least and largest."""
    every = [(low, *others, high) for others in combinations_with_replacement(range(low, high + 1), size - 2)]
    for values in every:
        mean = round(fmean(values), 2)
        same = [sorted(guess) for guess in every if abs(fmean(guess) - mean) <= 0.005]
        known = _only_set(size, low, high, mean)
        assert not known or same == [known]
        if len(same) == 1 and (high - low == 1 or sum(values) - high == (size - 1) * low):
            assert known == sorted(values)


def test_years_and_clusters(ledger: list[Line]) -> None:
    years = {line.row: line.ours for line in ledger if line.table == "Appendix A: years"}
    assert years == {"test years": 50, "train years": 20, "overlap years": 0}
    clusters = [line for line in ledger if line.table == "Appendix C: clusters"]
    assert [line.ours for line in clusters] == [2, 3, 3, 3, 4, 5, 5, 6, 7, 8, 10]
    assert "1145, 1279, 1597, 1993" in clusters[-1].why
    assert "there are 14" in clusters[-1].why


def test_sentences_of_each_treebank(ledger: list[Line]) -> None:
    counts = {
        line.row.removesuffix(": originals"): line.ours for line in ledger
        if line.table == "Table 1" and line.row.endswith(": originals")
    }  # fmt: skip
    assert counts == {
        "English train": 235, "English dev": 14, "Swedish train": 158, "Swedish dev": 5, "Russian train": None,
        "Russian dev": None, "Ukrainian train": 100, "Ukrainian dev": 29,
    }  # fmt: skip
    assert all(line.verdict == "other data" for line in ledger if line.suite)


def test_the_command(
    ledger: list[Line], shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(shared))
    monkeypatch.setattr("gardenpath_papers.consistency.lines", lambda data: ledger)  # computed once
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "consistency", "--format", "json"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert len(told["findings"]) == 677 + 21
    assert "data:ud:English-EWT#" in told["signature"]
