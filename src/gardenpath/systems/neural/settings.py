"""How large a network is, and how it learns: presets by name, and options that change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...errors import UsageError, unknown_name
from .batches import LONGEST
from .options import NetworkShape, TrainingSettings, changed, check_heads, check_schedule, check_size
from .training_loop import Schedule

KINDS = ("lstm", "transformer")
POSITIONS = ("learned", "sinusoidal")


@dataclass(frozen=True, slots=True)
class Architecture(NetworkShape):
    """The shape of an LSTM or a Transformer."""

    FORMAT = "gardenpath-network 1"
    NONE = "this describes no network"
    ADVICE = "train the model again"

    embedding: int
    dropout: float
    tied: bool = False
    """The output layer has the weights of the embedding."""
    heads: int = 0
    """Of a Transformer: heads of attention in each layer."""
    positions: str = ""
    """Of a Transformer: `learned` or `sinusoidal`."""
    longest: int = LONGEST
    """Words of a sentence in training; a Transformer looks back no further."""

    def check(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind of network", self.kind, KINDS)
        check_size(self, ("layers", "hidden", "embedding", "longest"), self.dropout)
        if self.tied and self.hidden != self.embedding:
            raise UsageError(
                f"hidden is {self.hidden} and embedding {self.embedding}, but tied weights need the same",
                todo="give both, or tied=no",
            )
        if self.kind == "transformer":
            if self.hidden != self.embedding:
                raise UsageError("hidden and embedding of a Transformer are the same", todo="give hidden alone")
            check_heads(self, self.heads)
            if self.hidden % 2 and self.positions == "sinusoidal":
                raise UsageError("sinusoidal positions need an even number of units", where="hidden")
            if self.positions not in POSITIONS:
                raise unknown_name("positions", self.positions, POSITIONS)


class NeuralSettings(TrainingSettings[Architecture]):
    """What decides a training on text."""


PRESETS: Mapping[str, Mapping[str, NeuralSettings]] = {
    "lstm": {
        "tiny": NeuralSettings(
            Architecture("lstm", 1, 64, 64, 0.1, tied=True),
            Schedule(epochs=8, batch=400, rate=5e-3, patience=2),
        ),
        "default": NeuralSettings(
            Architecture("lstm", 2, 256, 256, 0.4, tied=True),
            Schedule(epochs=30, batch=1000, rate=2e-3, patience=3),
        ),
        "paper": NeuralSettings(
            Architecture("lstm", 2, 256, 256, 0.3),
            Schedule(epochs=60, batch=1500, rate=1e-3, patience=5),
        ),
    },
    "transformer": {
        "tiny": NeuralSettings(
            Architecture("transformer", 2, 64, 64, 0.1, tied=True, heads=2, positions="learned"),
            Schedule(epochs=8, batch=400, rate=3e-3, warmup=20, patience=2, weight_decay=0.01),
        ),
        "default": NeuralSettings(
            Architecture("transformer", 4, 256, 256, 0.3, tied=True, heads=4, positions="learned"),
            Schedule(epochs=30, batch=1000, rate=1e-3, warmup=200, patience=3, weight_decay=0.01),
        ),
        "paper": NeuralSettings(
            Architecture("transformer", 12, 768, 768, 0.1, tied=True, heads=12, positions="learned"),
            Schedule(epochs=60, batch=4000, rate=2.5e-4, warmup=2000, patience=5, weight_decay=0.01),
        ),
    },
}  # fmt: skip
"""The sizes of `paper` are those of Table 3a of the Mandarin paper (its Transformer is GPT-2's)."""


def settings_of(kind: str, preset: str, options: Mapping[str, str]) -> NeuralSettings:
    """A preset with some options changed. A size that is named alone takes along those that must fit it."""
    base = PRESETS[kind][preset]
    if "hidden" in options and "embedding" not in options and (base.shape.tied or kind == "transformer"):
        options = {**options, "embedding": options["hidden"]}
    made = changed(base, options, foreign=("heads", "positions") if kind == "lstm" else ())
    made.shape.check()
    check_schedule(made.schedule)
    rate, decay = made.schedule.rate, made.schedule.decay
    if not 0 < rate < 10 or not 0 <= decay <= 1:
        raise UsageError("no rate to learn with", where="decay" if 0 < rate < 10 else "rate", todo="such as rate=1e-3")
    if made.min_count < 1 or made.vocabulary < 0:
        raise UsageError("a vocabulary has words", where="min_count, vocabulary", todo="give 1 or more")
    return made
