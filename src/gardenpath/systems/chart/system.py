"""`chart:FOLDER`: a neural span parser that was trained here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ...phrase.tree import PhraseTree
from ..neural.storage import read_text
from ..neural.system import NetworkModel
from ..protocol import Habits
from .inventory import Inventory
from .settings import KIND, Shape
from .storage import FILES, INVENTORY, load_network

if TYPE_CHECKING:
    from .network import SpanParser


class ChartModel(NetworkModel[Shape]):
    """A phrase parser with functions, tags and gaps. Its weights are read when it is first asked."""

    kind = KIND
    habits = Habits(chunk=250)

    def __init__(self, argument: str) -> None:
        super().__init__(argument, FILES, Shape)

    @cached_property
    def inventory(self) -> Inventory:
        return Inventory.from_json(*read_text(self.path / INVENTORY))

    @cached_property
    def network(self) -> SpanParser:
        return load_network(self.weights, self.shape, self.inventory, self.vocabulary)

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        """The best tree of each sentence; None of one without words, or with more than `longest`."""
        from ..neural.training_loop import one_thread
        from .decoding import parsed
        from .encoding import Reader

        fitting = [sentence for sentence in sentences if 0 < len(sentence) <= self.shape.longest]
        with one_thread():
            trees = iter(parsed(self.network, Reader(self.vocabulary, self.inventory), fitting))
        return [next(trees) if 0 < len(sentence) <= self.shape.longest else None for sentence in sentences]
