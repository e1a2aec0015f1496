"""Texts in the toy language, and tiny models that learned it."""

from __future__ import annotations

from pathlib import Path

import pytest
from toy_language import toy_text

SAME = {"min_count": "5", "dropout": "0", "decay": "1", "patience": "10"}
TOY = {
    "lstm": {**SAME, "epochs": "8", "batch": "100", "rate": "1e-2"},
    "transformer": {**SAME, "epochs": "5", "batch": "150"},
}


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Training and dev text."""
    folder = tmp_path_factory.mktemp("toy")
    return toy_text(folder / "train.txt", 500, 1), toy_text(folder / "dev.txt", 80, 2)


@pytest.fixture(scope="session", params=["lstm", "transformer"])
def toy_model(request: pytest.FixtureRequest, toy: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> str:
    """`kind:folder` of a tiny model."""
    pytest.importorskip("torch")
    from gardenpath.systems.training.training import train

    target = tmp_path_factory.mktemp("toy-models") / request.param
    return train(request.param, *toy, output=target, preset="tiny", options=TOY[request.param]).system
