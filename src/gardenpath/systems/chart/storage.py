"""A span parser on the disk: a folder with its shape, inventory and vocabulary, all readable, and its weights."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..neural import weights
from ..neural.storage import ARCHITECTURE, VOCABULARY, WEIGHTS
from ..neural.vocabulary import Vocabulary
from .inventory import Inventory
from .settings import Shape

if TYPE_CHECKING:
    from torch import nn

    from .network import SpanParser

INVENTORY = "inventory.json"
FILES = (ARCHITECTURE, INVENTORY, VOCABULARY, WEIGHTS)


def build(shape: Shape, inventory: Inventory, vocabulary: Vocabulary, encoder: nn.Module | None = None) -> SpanParser:
    """A network with its first weights, which the seed decides; those of a pretrained encoder come with it."""
    from .network import Sizes, SpanParser

    pretrained = None
    if inventory.pretrained is not None:
        from .pretrained import Pretrained, built

        pretrained = built(inventory.pretrained) if encoder is None else Pretrained(encoder)
    sizes = Sizes(
        len(vocabulary), inventory.spellings, 1 + len(inventory.affixes), len(inventory.tags), len(inventory.chains),
        len(inventory.names), len(inventory.functions), pretrained.width if pretrained is not None else 0,
    )  # fmt: skip
    return SpanParser(sizes, shape, pretrained)


def save_model(folder: Path, shape: Shape, inventory: Inventory, vocabulary: Vocabulary, network: SpanParser) -> None:
    """Everything that is needed to parse. The same model is the same bytes."""
    (folder / ARCHITECTURE).write_text(shape.to_json(), encoding="utf-8")
    (folder / INVENTORY).write_text(inventory.to_json(), encoding="utf-8")
    (folder / VOCABULARY).write_text(vocabulary.to_json(), encoding="utf-8")
    weights.save(network.state_dict(), folder / WEIGHTS)


def load_network(path: Path, shape: Shape, inventory: Inventory, vocabulary: Vocabulary) -> SpanParser:
    """The network with the weights in a file, ready to parse; an error where they are of another one."""
    tensors = weights.load(path)
    network = build(shape, inventory, vocabulary)
    weights.fill(network, tensors, str(path))
    network.eval()
    return network
