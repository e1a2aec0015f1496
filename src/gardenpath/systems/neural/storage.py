"""A neural model on the disk: a folder with its shape and its vocabulary, both readable, and its weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ...boundary.texts import file_text
from . import weights
from .settings import Architecture
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    from torch import nn

ARCHITECTURE, VOCABULARY, WEIGHTS = "network.json", "vocabulary.json", "weights.pt"
FILES = (ARCHITECTURE, VOCABULARY, WEIGHTS)


def save_model(folder: Path, shape: Architecture, vocabulary: Vocabulary, network: nn.Module) -> None:
    """Everything that is needed to score. The same model is the same bytes."""
    (folder / ARCHITECTURE).write_text(shape.to_json(), encoding="utf-8")
    (folder / VOCABULARY).write_text(vocabulary.to_json(), encoding="utf-8")
    weights.save(network.state_dict(), folder / WEIGHTS)


def load_network(path: Path, shape: Architecture, vocabulary: int) -> nn.Module:
    """The network with the weights in a file, ready to predict."""
    from .prediction import build

    tensors = weights.load(path)
    network = build(shape, vocabulary)
    weights.fill(network, tensors, str(path))
    return network.eval()


def read_text(path: Path) -> tuple[str, str]:
    """The text of a part of a model, and where it is."""
    return file_text(path, "a part of the model"), str(path)
