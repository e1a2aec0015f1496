"""How large a network is, and how it learns: presets by name, and options that change them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from ...errors import InputError, UsageError, unknown_name
from .batches import LONGEST
from .training_loop import Schedule

KINDS = ("lstm", "transformer")
POSITIONS = ("learned", "sinusoidal")
FORMAT = "gardenpath-network 1"


@dataclass(frozen=True, slots=True)
class Architecture:
    """The shape of a network; it is stored beside the weights."""

    kind: str
    layers: int
    hidden: int
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

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Architecture:
        """What `to_json` wrote; an error where it is something else."""
        try:
            found: Any = json.loads(text)
            if not isinstance(found, dict) or found.pop("format", None) != FORMAT:
                raise ValueError(f"the format is not {FORMAT}")
            made = cls(**found)
            for one in fields(cls):
                kind = type(getattr(made, one.name)).__name__
                if kind != one.type and not (one.type == "float" and kind == "int"):
                    raise ValueError(f"{one.name} is no {one.type}")
            check_architecture(made)
        except (ValueError, TypeError, UsageError) as error:
            what = error.what if isinstance(error, UsageError) else str(error)
            raise InputError(f"this describes no network: {what}", where=where, todo="train the model again") from error
        return made


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides a training besides the text and the seed."""

    architecture: Architecture
    schedule: Schedule = field(default_factory=Schedule)
    min_count: int = 2
    """Words that occur less often are unknown words, by which the model learns what these are like."""
    vocabulary: int = 0
    """At most so many words; 0: all that are frequent enough."""

    def described(self) -> dict[str, Any]:
        """All options by name, for the card."""
        shape = {name: value for name, value in asdict(self.architecture).items() if name != "kind"}
        return {**shape, **asdict(self.schedule), "min_count": self.min_count, "vocabulary": self.vocabulary}


PRESETS: Mapping[str, Mapping[str, Settings]] = {
    "lstm": {
        "tiny": Settings(
            Architecture("lstm", 1, 64, 64, 0.1, tied=True),
            Schedule(epochs=8, batch=400, rate=5e-3, patience=2),
        ),
        "default": Settings(
            Architecture("lstm", 2, 256, 256, 0.4, tied=True),
            Schedule(epochs=30, batch=1000, rate=2e-3, patience=3),
        ),
        "paper": Settings(
            Architecture("lstm", 2, 256, 256, 0.3),
            Schedule(epochs=60, batch=1500, rate=1e-3, patience=5),
        ),
    },
    "transformer": {
        "tiny": Settings(
            Architecture("transformer", 2, 64, 64, 0.1, tied=True, heads=2, positions="learned"),
            Schedule(epochs=8, batch=400, rate=3e-3, warmup=20, patience=2, weight_decay=0.01),
        ),
        "default": Settings(
            Architecture("transformer", 4, 256, 256, 0.3, tied=True, heads=4, positions="learned"),
            Schedule(epochs=30, batch=1000, rate=1e-3, warmup=200, patience=3, weight_decay=0.01),
        ),
        "paper": Settings(
            Architecture("transformer", 12, 768, 768, 0.1, tied=True, heads=12, positions="learned"),
            Schedule(epochs=60, batch=4000, rate=2.5e-4, warmup=2000, patience=5, weight_decay=0.01),
        ),
    },
}  # fmt: skip
"""The sizes of `paper` are those of Table 3a of the Mandarin paper (its Transformer is GPT-2's)."""


def settings_of(kind: str, preset: str, options: Mapping[str, str]) -> Settings:
    """A preset with some options changed. A size that is named alone takes along those that must fit it."""
    base = PRESETS[kind][preset]
    shape = {one.name: one.type for one in fields(Architecture) if one.name != "kind"}
    if kind == "lstm":
        shape = {name: of for name, of in shape.items() if name not in ("heads", "positions")}
    pace = {one.name: one.type for one in fields(Schedule)}
    own = {"min_count": "int", "vocabulary": "int"}
    known: dict[str, Any] = {**shape, **pace, **own}
    given: dict[str, Any] = {}
    for name, text in options.items():
        if name not in known:
            raise unknown_name(f"option of {kind}", name, known)
        given[name] = _value(name, text, str(known[name]))
    changed = {name: value for name, value in given.items() if name in shape}
    if "hidden" in changed and "embedding" not in changed and (base.architecture.tied or kind == "transformer"):
        changed["embedding"] = changed["hidden"]
    made = Settings(
        replace(base.architecture, **changed),
        replace(base.schedule, **{name: value for name, value in given.items() if name in pace}),
        **{name: given.get(name, getattr(base, name)) for name in own},
    )
    check_architecture(made.architecture)
    _check_schedule(made)
    return made


def check_architecture(shape: Architecture) -> None:
    """Raises where no network has this shape."""
    if shape.kind not in KINDS:
        raise unknown_name("kind of network", shape.kind, KINDS)
    for name in ("layers", "hidden", "embedding", "longest"):
        if not 1 <= getattr(shape, name) <= 1 << 16:
            raise UsageError(f"{getattr(shape, name)} is no number of this", where=name, todo="give 1 or more")
    if not 0 <= shape.dropout < 1:
        raise UsageError(f"{shape.dropout} is no share", where="dropout", todo="give 0 or more and less than 1")
    if shape.tied and shape.hidden != shape.embedding:
        raise UsageError(
            f"hidden is {shape.hidden} and embedding {shape.embedding}, but tied weights need the same",
            todo="give both, or tied=no",
        )
    if shape.kind == "transformer":
        if shape.hidden != shape.embedding:
            raise UsageError("hidden and embedding of a Transformer are the same", todo="give hidden alone")
        if shape.heads < 1 or shape.hidden % shape.heads:
            raise UsageError(f"{shape.hidden} units cannot be shared by {shape.heads} heads", where="heads")
        if shape.hidden % 2 and shape.positions == "sinusoidal":
            raise UsageError("sinusoidal positions need an even number of units", where="hidden")
        if shape.positions not in POSITIONS:
            raise unknown_name("positions", shape.positions, POSITIONS)


def _check_schedule(settings: Settings) -> None:
    schedule = settings.schedule
    for name in ("epochs", "batch", "patience"):
        if getattr(schedule, name) < 1:
            raise UsageError(f"{getattr(schedule, name)} is too few", where=name, todo="give 1 or more")
    if not 0 < schedule.rate < 10 or not 0 < schedule.decay <= 1:
        raise UsageError("no rate to learn with", where="rate" if schedule.decay else "decay", todo="such as rate=1e-3")
    for name in ("warmup", "clip", "weight_decay"):
        if getattr(schedule, name) < 0:
            raise UsageError(f"{getattr(schedule, name)} is less than 0", where=name)
    if settings.min_count < 1 or settings.vocabulary < 0:
        raise UsageError("a vocabulary has words", where="min_count, vocabulary", todo="give 1 or more")


def _value(name: str, text: str, kind: str) -> Any:
    try:
        if kind == "bool":
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[text.lower()]
        if kind == "int":
            return int(text)
        if kind == "float":
            return float(text)
    except (ValueError, KeyError):
        todo = {"bool": "write yes or no", "int": "write a whole number", "float": "write a number"}[kind]
        raise UsageError(f"{text!r} cannot be read", where=name, todo=todo) from None
    return text
