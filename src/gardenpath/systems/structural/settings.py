"""How large a structural model is, and how it learns: presets by name, and options that change them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError, unknown_name
from ..neural.batches import LONGEST
from ..neural.options import (
    NetworkShape,
    TrainingSettings,
    changed,
    check_heads,
    check_not_negative,
    check_schedule,
    check_size,
)
from ..neural.training_loop import Schedule
from .projection import LIFT, NONPROJECTIVE

KINDS = ("rnng", "plm")


@dataclass(frozen=True, slots=True)
class Shape(NetworkShape):
    """The shape of an RNNG or a PLM, where embeddings and states have one size, `hidden`."""

    FORMAT = "gardenpath-structural 1"
    NONE = "these are not settings of a structural model"

    dropout: float
    tied: bool = True
    """The words that are read and those that are said have the same vectors."""
    history: bool = False
    """Of an RNNG: LSTMs over words and actions beside the stack (Dyer et al. 2016), or not (Kuncoro et al. 2017)."""
    heads: int = 0
    """Of a PLM: heads of attention in each layer."""
    positions: int = 0
    """Of a PLM: actions that a derivation can have."""
    guided: bool = False
    """Of a PLM: symbols are read together with the phrase they close and the one that is then open, or by themselves
    (Qian et al. 2021)."""
    longest: int = LONGEST
    """Words of a sentence."""

    def check(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind of structural model", self.kind, KINDS)
        check_size(self, ("layers", "hidden", "longest"), self.dropout)
        if self.kind == "plm":
            check_heads(self, self.heads)
            if not 3 <= self.positions <= 1 << 16:
                raise UsageError(
                    f"{self.positions} actions are not a derivation", where="positions", todo="such as 500"
                )


@dataclass(frozen=True)
class StructuralSettings(TrainingSettings[Shape]):
    """What decides a training, and what is special to trees."""

    functions: bool = False
    """Are categories with their functions (NP:SB) categories of their own?"""
    nonprojective: str = LIFT
    """Of CoNLL-U: lift non-projective edges, or leave-out the sentence."""
    max_open: int = 0
    """Phrases that may be open at once; 0: as many as in training (but 20 at least)."""
    max_run: int = 0
    """Phrases that may be opened in a row; 0: as many as in training (but 4 at least)."""
    dev_sample: int = 200
    """Dev sentences whose words are scored by beam search for the card; 0: all."""

    def described(self) -> dict[str, Any]:
        """The options that this kind has, by name, for the card."""
        foreign = _foreign(self.shape.kind)
        return {name: value for name, value in super().described().items() if name not in foreign}


PRESETS: Mapping[str, Mapping[str, StructuralSettings]] = {
    "rnng": {
        "tiny": StructuralSettings(
            Shape("rnng", 1, 64, 0.1),
            Schedule(epochs=8, batch=1000, rate=5e-3, patience=2),
        ),
        "default": StructuralSettings(
            Shape("rnng", 2, 128, 0.3),
            Schedule(epochs=15, batch=1500, rate=4e-3, patience=3),
        ),
        "paper": StructuralSettings(
            Shape("rnng", 2, 256, 0.3, tied=False),
            Schedule(epochs=60, batch=4000, rate=1e-3, patience=5),
        ),
    },
    "plm": {
        "tiny": StructuralSettings(
            Shape("plm", 2, 64, 0.1, heads=2, positions=400, guided=True),
            Schedule(epochs=8, batch=1000, rate=3e-3, warmup=20, patience=2, weight_decay=0.01),
        ),
        "default": StructuralSettings(
            Shape("plm", 4, 128, 0.2, heads=4, positions=500, guided=True),
            Schedule(epochs=15, batch=1500, rate=2e-3, warmup=50, patience=3, weight_decay=0.01),
        ),
        "paper": StructuralSettings(
            Shape("plm", 12, 768, 0.1, heads=12, positions=1000),
            Schedule(epochs=60, batch=10000, rate=2.5e-4, warmup=2000, patience=5, weight_decay=0.01),
        ),
    },
}  # fmt: skip
"""`batch` counts actions, of which a word has two to three. The sizes of `paper` are those of Table 3a of the Mandarin
paper. Those of `default` learn from 90,000 words in a quarter of an hour on one core; they are half as wide as the
plain models' default, so compare them with `--option hidden=128` there."""


def _foreign(kind: str) -> tuple[str, ...]:
    """Of the shape, what only the other kind has."""
    return {"rnng": ("heads", "positions", "guided"), "plm": ("history",)}[kind]


def settings_of(kind: str, preset: str, options: Mapping[str, str]) -> StructuralSettings:
    """A preset with some options changed."""
    made = changed(PRESETS[kind][preset], options, _foreign(kind))
    made.shape.check()
    check_schedule(made.schedule)
    rate, decay = made.schedule.rate, made.schedule.decay
    if not 0 < rate < 10:
        raise UsageError(f"{rate} is not a rate to learn with", where="rate", todo="such as rate=1e-3")
    if not 0 <= decay <= 1:
        raise UsageError(f"{decay} is not a share", where="decay", todo="such as decay=0.5")
    check_not_negative(made, ("vocabulary", "max_open", "max_run", "dev_sample"))
    if made.min_count < 1:
        raise UsageError("a vocabulary has words", where="min_count", todo="give 1 or more")
    if made.nonprojective not in NONPROJECTIVE:
        raise unknown_name("way with non-projective trees", made.nonprojective, NONPROJECTIVE)
    return made
