"""The paper's numbers from its own data."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from gardenpath.cli.main import main
from gardenpath.studies.reproduction import Line
from gardenpath.studies.reproduction.sorts import lines


@pytest.fixture(scope="module")
def found(shared: Path) -> list[Line]:
    places = {"sorts@2020": shared / "roles" / "sorts-2020", "sorts": shared / "roles" / "sorts-2026"}
    return lines(places.__getitem__)


def test_what_can_be_equal_is_equal(found: list[Line]) -> None:
    verdicts = Counter((line.table, line.verdict) for line in found)
    assert verdicts == {
        ("Section 3.5", "equal"): 2,
        ("Table 2", "equal"): 1,
        ("Table 6", "equal"): 21,
        ("Table 7", "equal"): 25,
        ("Table 9", "equal"): 27,
        ("Table 8, sticker2 on the release of 2026", "other data"): 26,
    }


def test_subject_first_is_computed_and_not_copied(found: list[Line]) -> None:
    ours = [line.ours for line in found if line.system == "Subject-first"]
    assert ours == pytest.approx([69.07, 69.53, 70.42], abs=0.005)
    assert all(value not in (69.07, 69.53, 70.42) for value in ours)


def test_the_revised_release_is_another_suite(found: list[Line]) -> None:
    revised = {line.row: line.ours for line in found if line.verdict == "other data"}
    assert revised["all"] == pytest.approx(84.31, abs=0.005)
    assert revised["MF[OS]VC[V]"] == pytest.approx(9.84, abs=0.005)
    assert revised["psy"] == pytest.approx(57.23, abs=0.005)


def test_the_command(shared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(shared))
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "sorts", "--format", "json", "--fail-on-difference"])
    assert not ended.value.code
    told = json.loads(capsys.readouterr().out)
    assert len(told["findings"]) == 102
    assert "data:sorts#" in told["signature"]


def test_data_that_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GARDENPATH_MIRROR", str(tmp_path))
    with pytest.raises(SystemExit) as ended:
        main(["reproduce", "sorts"])
    assert ended.value.code == 2
    assert "the mirror does not have sorts@2020" in capsys.readouterr().err
