"""A small model that knows the sentences of the examination, and a server for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from model_server import PieceModel, Server, serving


@pytest.fixture(autouse=True)
def _quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees what another one kept, or waits between two tries."""
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("gardenpath.systems.asking.servers.PAUSE", 0.0)


@pytest.fixture(scope="session")
def pieces(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> PieceModel:
    """Trained on bundled text, and on the sentences of the examination."""
    from gardenpath.systems import train
    from gardenpath.systems.language_models.completions import SENTENCES

    folder = tmp_path_factory.mktemp("pieces")
    lines = (samples / "en_garden-text.txt").read_text(encoding="utf-8").splitlines()[:800]
    lines = [PieceModel.line(line) for line in [*lines, *SENTENCES["English"] * 3]]
    (folder / "pieces.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    train("ngram", folder / "pieces.txt", output=folder / "pieces.npz", options={"order": "4"})
    return PieceModel(folder / "pieces.npz")


@pytest.fixture
def server(pieces: PieceModel) -> Iterator[Server]:
    with serving(pieces) as running:
        yield running
