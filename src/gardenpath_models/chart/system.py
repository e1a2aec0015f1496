"""`chart:FOLDER`: a neural span parser; its presets and its files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gardenpath.errors import unknown_name
from gardenpath.phrase import PhraseTree
from gardenpath.phrase import scheme as known_scheme
from gardenpath.systems import Habits, one_thread

from ..neural.folder import (
    NetworkModel,
    NetworkShape,
    TrainingSettings,
    changed,
    check_not_negative,
    check_size,
)
from ..neural.storage import read_text
from ..neural.training_loop import Schedule
from ..neural.vocabulary import Vocabulary
from .lessons import GAPS, LOWER, Inventory

if TYPE_CHECKING:
    from torch import nn

    from .network import SpanParser


KIND = "chart"


@dataclass(frozen=True, slots=True)
class Shape(NetworkShape):
    """The shape of the network."""

    FORMAT = "gardenpath-chart 2"
    NONE = "these are not settings of a chart parser"

    embedding: int
    """Of words."""
    characters: int
    """The embedding of a character."""
    spelling: int
    """Filters over characters."""
    affixes: int
    """Of beginnings and endings of words."""
    tag: int
    """Of the tags that the upper layers of the encoder read."""
    units: int
    """Of the layer over spans, and of that of tags."""
    edge: int
    """Units of the layers over a node and its mother."""
    dropout: float
    longest: int = 150
    """Words of a sentence, to learn from and to parse: time grows with the cube."""

    def check(self) -> None:
        if self.kind != KIND:
            raise unknown_name("kind of chart parser", self.kind, (KIND,))
        sizes = (
            "layers", "hidden", "embedding", "characters", "spelling", "affixes", "tag", "units", "edge", "longest",
        )  # fmt: skip
        check_size(self, sizes, self.dropout)


@dataclass(frozen=True)
class ChartSettings(TrainingSettings[Shape]):
    """What decides a training, and what is special to phrase trees."""

    gaps: str = LOWER
    """`lower`: what a tree without gaps shows too high up goes back to where it belongs; `raise`: it stays there;
    `split`: a node with a gap is learned in pieces with marks, and the pieces are put together in parses."""
    scheme: str = ""
    """Of the heads, beside which raising keeps a node; else that of the trees, if they tell."""
    forget: float = 0.5
    """A known word is read as an unknown one with probability forget / (forget + its frequency)."""
    encoder: str = ""
    """A language model (a folder of Transformers, a GGUF file) whose vectors are read, too; it learns nothing."""

    def check(self) -> None:
        super().check()
        check_not_negative(self, ("forget",))
        if self.gaps not in GAPS:
            raise unknown_name("treatment of gaps", self.gaps, GAPS)
        if self.scheme:
            known_scheme(self.scheme)


PRESETS: Mapping[str, ChartSettings] = {
    "tiny": ChartSettings(
        Shape(KIND, 1, 64, 32, 16, 32, 16, 16, 64, 32, 0.1),
        Schedule(epochs=8, batch=60, rate=5e-3, warmup=10, decay=0.0, patience=8, clip=5.0, average=0.99),
    ),
    "default": ChartSettings(
        Shape(KIND, 2, 160, 100, 32, 64, 64, 32, 200, 100, 0.33),
        Schedule(epochs=18, batch=250, rate=2.5e-3, warmup=100, decay=0.0, patience=18, clip=5.0, average=0.99),
    ),
    "paper": ChartSettings(
        Shape(KIND, 2, 250, 100, 50, 100, 100, 50, 250, 150, 0.4),
        Schedule(epochs=60, batch=250, rate=1e-3, warmup=200, decay=0.0, patience=60, clip=5.0, average=0.99),
    ),
}
"""`batch` counts words. The LSTMs of `paper` are those of Stern, Andreas and Klein (2017)."""


def settings_of(preset: str, options: Mapping[str, str]) -> ChartSettings:
    """A preset with some options changed."""
    return changed(PRESETS[preset], options)


INVENTORY = "inventory.json"


def build(shape: Shape, inventory: Inventory, vocabulary: Vocabulary, encoder: nn.Module | None = None) -> SpanParser:
    """A network with its first weights, which the seed decides; those of a pretrained encoder come with it."""
    from .network import Sizes, SpanParser

    pretrained = None
    if inventory.pretrained is not None:
        from .network import Pretrained, built

        pretrained = built(inventory.pretrained) if encoder is None else Pretrained(encoder)
    sizes = Sizes(
        len(vocabulary), inventory.spellings, 1 + len(inventory.affixes), len(inventory.tags), len(inventory.chains),
        len(inventory.names), len(inventory.functions), pretrained.width if pretrained is not None else 0,
    )  # fmt: skip
    return SpanParser(sizes, shape, pretrained)


class ChartModel(NetworkModel[Shape]):
    """A phrase parser with functions, tags and gaps. Its weights are read when it is first asked."""

    kind = KIND
    habits = Habits(chunk=250)
    shapes = Shape
    further = (INVENTORY,)

    @cached_property
    def inventory(self) -> Inventory:
        return Inventory.from_json(*read_text(self.path / INVENTORY))

    def build(self) -> SpanParser:
        return build(self.shape, self.inventory, self.vocabulary)

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        """The best tree of each sentence; None of one without words, or with more than `longest`."""
        from .decoding import Reader, parsed

        fitting = [sentence for sentence in sentences if 0 < len(sentence) <= self.shape.longest]
        with one_thread():
            trees = iter(parsed(self.network, Reader(self.vocabulary, self.inventory), fitting))
        return [next(trees) if 0 < len(sentence) <= self.shape.longest else None for sentence in sentences]
