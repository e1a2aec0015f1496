"""The numbers of the consistency paper that can be had again."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from gardenpath.cli.main import main
from gardenpath.studies.reproduction import Line
from gardenpath.studies.reproduction.consistency import TREEBANKS, lines


@pytest.fixture(scope="module")
def found(shared: Path) -> list[Line]:
    return lines({name: shared / "ud" / f"UD_{name.removeprefix('ud:')}" for name in TREEBANKS.values()}.__getitem__)


def test_verdicts(found: list[Line]) -> None:
    assert Counter(line.verdict for line in found) == {
        "equal": 128, "differs": 2, "other data": 6, "not computed": 2,
    }  # fmt: skip


def test_what_differs_is_a_slip_of_the_paper(found: list[Line]) -> None:
    slips = {line.row: (line.published, line.ours) for line in found if line.verdict == "differs"}
    assert slips == {
        "Swedish train: augmented right": ("92.7", pytest.approx(100 * 4864 / 5250)),
        "Swedish train: batches not completely right, original + (%)": ("31.5", pytest.approx(100 * 24 / 76)),
    }


def test_years_and_clusters(found: list[Line]) -> None:
    years = {line.row: line.ours for line in found if line.table == "Appendix A: years"}
    assert years == {"test years": 50, "train years": 20, "overlap years": 0}
    clusters = [line for line in found if line.table == "Appendix C: clusters"]
    assert [line.ours for line in clusters] == [2, 3, 3, 3, 4, 5, 5, 6, 7, 8, 10]
    assert "1145, 1279, 1597, 1993" in clusters[-1].why
    assert "there are 14" in clusters[-1].why


def test_sentences_of_each_treebank(found: list[Line]) -> None:
    counts = {line.row: line.ours for line in found if line.table == "Table 1: originals"}
    assert counts == {
        "English train": 235, "English dev": 14, "Swedish train": 158, "Swedish dev": 5, "Russian train": None,
        "Russian dev": None, "Ukrainian train": 100, "Ukrainian dev": 29,
    }  # fmt: skip
    assert all(line.verdict == "other data" for line in found if line.suite)


def test_the_command(shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(shared))
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "consistency", "--format", "json"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert len(told["findings"]) == 138
    assert "data:ud:English-EWT#" in told["signature"]
