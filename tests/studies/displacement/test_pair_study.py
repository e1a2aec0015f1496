"""The study of one pair, as Python users call it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gardenpath.errors import UsageError
from gardenpath.runs.result.result import Table
from gardenpath.studies.displacement.declaration import PairSettings
from gardenpath.studies.displacement.pair import DISPLACEMENT_PAIR
from gardenpath.studies.engine import study as engine
from gardenpath.treebank import read


def sides(samples: Path) -> tuple[Path, Path]:
    return samples / "de_garden-train.conllu", samples / "de_garden-test.conllu"


def test_files_and_treebanks_find_the_same(samples: Path) -> None:
    train, test = sides(samples)
    settings = PairSettings(draws=20, by=("length",))
    result = engine.run(DISPLACEMENT_PAIR, (str(train), str(test)), (), settings)
    assert engine.run(DISPLACEMENT_PAIR, (read(train), read(test)), (), settings) == result
    assert engine.run(DISPLACEMENT_PAIR, [train, read(test)], (), settings) == result


def test_other_data_and_other_settings_have_other_signatures(samples: Path) -> None:
    train, test = map(read, sides(samples))
    asked = [
        ((train, test), PairSettings(draws=5)),
        ((test, train), PairSettings(draws=5)),
        ((train[:100], test), PairSettings(draws=5)),
        ((train, test), PairSettings(draws=6)),
        ((train, test), PairSettings(draws=5, seed=1)),
        ((train, test), PairSettings(draws=5, variant="script")),
    ]
    signatures = {engine.run(DISPLACEMENT_PAIR, source, (), settings).signature for source, settings in asked}
    assert len(signatures) == len(asked)


@pytest.mark.parametrize("draws", [0, 20])
def test_every_number_of_a_table_is_that_of_a_finding(samples: Path, draws: int) -> None:
    result = engine.run(DISPLACEMENT_PAIR, sides(samples), (), PairSettings(draws=draws, by=("length",)))
    known = {
        value
        for finding in result.findings
        for value in (finding.value, finding.low, finding.high, finding.by.get("length"))
    }
    assert [table.title for table in result.tables][1:] == ["Both sides", "By sentence length"]
    for table in result.tables:
        assert set(numbers(table)) <= known
    assert ("noise" in result.tables[0].columns) is bool(draws)


def numbers(table: Table) -> list[float]:
    cells = [cell for row in table.rows for value in row for cell in (value if isinstance(value, list) else [value])]
    return [cell for cell in cells if isinstance(cell, int | float)]


def test_a_pair_is_two(samples: Path) -> None:
    with pytest.raises(UsageError, match="training and test data are needed"):
        engine.run(DISPLACEMENT_PAIR, str(samples / "de_garden-train.conllu"))
    with pytest.raises(UsageError, match="both sides from standard input"):
        engine.run(DISPLACEMENT_PAIR, ("-", "-"))


def test_a_run_of_other_treebanks_is_another_run(samples: Path, tmp_path: Path) -> None:
    """By what is in them, whatever their names."""
    train, test = sides(samples)
    settings = PairSettings(draws=0)
    whole = read(test)
    for _ in range(2):
        engine.run(DISPLACEMENT_PAIR, (train, whole[:50]), (), settings, folder=tmp_path / "run")
    with pytest.raises(UsageError, match="this folder holds another run"):
        engine.run(DISPLACEMENT_PAIR, (train, whole[50:]), (), settings, folder=tmp_path / "run")
