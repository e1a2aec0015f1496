"""How large a span parser is, and how it learns: presets by name, and options that change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...errors import UsageError, unknown_name
from ...phrase.schemes.registry import scheme as known_scheme
from ..neural.options import (
    NetworkShape,
    TrainingSettings,
    changed,
    check_not_negative,
    check_schedule,
    check_size,
)
from ..neural.training_loop import Schedule
from .lessons import GAPS, LOWER

KIND = "chart"


@dataclass(frozen=True, slots=True)
class Shape(NetworkShape):
    """The shape of the network."""

    FORMAT = "gardenpath-chart 2"
    NONE = "these are not settings of a chart parser"
    ADVICE = "train the model again"

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
    made = changed(PRESETS[preset], options)
    made.shape.check()
    check_schedule(made.schedule)
    if not 0 < made.schedule.rate < 10:
        raise UsageError(f"{made.schedule.rate} is not a rate to learn with", where="rate", todo="such as rate=1e-3")
    if not 0 <= made.schedule.decay <= 1:
        raise UsageError(f"{made.schedule.decay} is not a share", where="decay", todo="such as decay=0.5")
    check_not_negative(made, ("vocabulary", "forget"))
    if made.min_count < 1:
        raise UsageError("a vocabulary has words", where="min_count", todo="give 1 or more")
    if made.gaps not in GAPS:
        raise unknown_name("treatment of gaps", made.gaps, GAPS)
    if made.scheme:
        known_scheme(made.scheme)
    return made
