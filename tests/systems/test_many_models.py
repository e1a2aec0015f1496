"""Six models trained and scored on a real cluster of two processes, one of which is killed in the middle."""

from __future__ import annotations

from pathlib import Path

import pytest
import train_tasks

from gardenpath.runs.cluster import connect
from gardenpath.runs.work import map_tasks
from gardenpath.treebank import Treebank

pytest.importorskip("distributed", reason="needs the extra cluster")


def test_all_results_are_there_once_and_equal_to_those_of_one_process(
    training: Treebank, dev: Treebank, tmp_path: Path
) -> None:
    alone, spread = tmp_path / "alone", tmp_path / "spread"
    for folder in (alone, spread):
        folder.mkdir()

    def tasks(folder: Path) -> list[tuple[str, int, bytes, bytes]]:
        return [(str(folder), seed, training[:40].to_bytes(), dev.to_bytes()) for seed in range(6)]

    expected = map_tasks(train_tasks.train_and_score, tasks(alone))
    (spread / "kill-3").touch()
    with connect("local:2") as cluster:
        found = map_tasks(train_tasks.train_and_score, tasks(spread), cluster=cluster)
    assert found == expected
    assert len({result["model"] for result in found}) == 6
    assert not (spread / "kill-3").exists()
    assert sorted((spread / "done").read_text().split()) == list("012345")
