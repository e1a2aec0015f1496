"""A treebank of a few sentences, and a parser that learned it in seconds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from toy_trees import OPTIONS, TOY

from gardenpath.phrase import PhraseTree, write


@pytest.fixture(autouse=True)
def single_thread() -> Iterator[None]:
    pytest.importorskip("torch", reason="the extra neural is not installed")
    from gardenpath.systems import torch_threads

    with torch_threads():
        yield


@pytest.fixture(scope="session")
def toy() -> list[PhraseTree]:
    return TOY


@pytest.fixture(scope="session")
def toy_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("toy") / "toy.export"
    write([tree.named(f"{tree.sent_id}-{turn}") for turn in range(3) for tree in TOY], path)
    return path


@pytest.fixture(scope="session")
def model(toy_file: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """`chart:FOLDER` of a small parser that has seen the toy trees."""
    pytest.importorskip("torch")
    from gardenpath.systems.training.training import train

    folder = tmp_path_factory.mktemp("chart") / "toy"
    return train("chart", toy_file, toy_file, output=folder, preset="tiny", options=OPTIONS).system
