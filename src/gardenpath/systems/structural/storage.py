"""A structural model on the disk: a folder with its shape, actions and vocabulary, all readable, and its weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError
from ..neural import weights
from ..neural.storage import ARCHITECTURE, VOCABULARY, WEIGHTS
from ..neural.vocabulary import Vocabulary
from .actions import Inventory
from .settings import Shape

if TYPE_CHECKING:
    from torch import nn

ACTIONS = "actions.json"
FILES = (ARCHITECTURE, ACTIONS, VOCABULARY, WEIGHTS)


def build(shape: Shape, inventory: Inventory, vocabulary: int) -> nn.Module:
    """A network with its first weights, which the seed decides."""
    if shape.kind == "rnng":
        from .rnng import RNNG

        return RNNG(inventory, vocabulary, shape)
    from .plm import PLM

    return PLM(inventory, vocabulary, shape)


def save_model(folder: Path, shape: Shape, inventory: Inventory, vocabulary: Vocabulary, network: nn.Module) -> None:
    """Everything that is needed to score and to parse. The same model is the same bytes."""
    (folder / ARCHITECTURE).write_text(shape.to_json(), encoding="utf-8")
    (folder / ACTIONS).write_text(inventory.to_json(), encoding="utf-8")
    (folder / VOCABULARY).write_text(vocabulary.to_json(), encoding="utf-8")
    weights.save(network.state_dict(), folder / WEIGHTS)


def load_network(path: Path, shape: Shape, inventory: Inventory, vocabulary: Vocabulary) -> nn.Module:
    """The network with the weights in a file; an error where they are for other actions or another vocabulary."""
    tensors = weights.load(path)
    for name, there, part in (("act.weight", len(inventory), "actions"), ("words.weight", len(vocabulary), "words")):
        rows = _rows(tensors.get(name))
        if rows is not None and rows != there:
            raise InputError(
                f"the weights are for {rows} {part}, but the model lists {there}",
                where=str(path),
                todo=f"{ACTIONS if part == 'actions' else VOCABULARY} is of another model: put back the right one",
            )
    network = build(shape, inventory, len(vocabulary))
    weights.fill(network, tensors, str(path))
    return network.eval()


def _rows(tensor: Any) -> int | None:
    shape = getattr(tensor, "shape", ())
    return int(shape[0]) if shape else None
