"""How large a structural model is, and how it learns: presets by name, and options that change them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from ...errors import InputError, UsageError, unknown_name
from ..neural.batches import LONGEST
from ..neural.training_loop import Schedule
from .projection import LIFT, NONPROJECTIVE

KINDS = ("rnng", "plm")
FORMAT = "gardenpath-structural 1"


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of a network; it is stored beside the weights."""

    kind: str
    layers: int
    hidden: int
    """Of embeddings and states."""
    dropout: float
    tied: bool = True
    """The words that are read and those that are said have the same vectors."""
    history: bool = False
    """Of an RNNG: LSTMs over words and actions beside the stack (Dyer et al. 2016), or not (Kuncoro et al. 2017)."""
    heads: int = 0
    """Of a PLM: heads of attention in each layer."""
    positions: int = 0
    """Of a PLM: actions that a derivation can have."""
    longest: int = LONGEST
    """Words of a sentence."""

    def to_json(self) -> str:
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Shape:
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
            check_shape(made)
        except (ValueError, TypeError, UsageError) as error:
            what = error.what if isinstance(error, UsageError) else str(error)
            raise InputError(f"these are no settings of a structural model: {what}", where=where) from error
        return made


@dataclass(frozen=True, slots=True)
class Settings:
    """All that decides a training besides the trees and the seed."""

    shape: Shape
    schedule: Schedule = field(default_factory=Schedule)
    min_count: int = 2
    """Words that occur less often are unknown words, by which the model learns what these are like."""
    vocabulary: int = 0
    """At most so many words; 0: all that are frequent enough."""
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
        """All options by name, for the card."""
        shape = {name: value for name, value in asdict(self.shape).items() if name in _options(self.shape.kind)}
        own = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("shape", "schedule")}
        return {**shape, **asdict(self.schedule), **own}


PRESETS: Mapping[str, Mapping[str, Settings]] = {
    "rnng": {
        "tiny": Settings(
            Shape("rnng", 1, 64, 0.1),
            Schedule(epochs=8, batch=1000, rate=5e-3, patience=2),
        ),
        "default": Settings(
            Shape("rnng", 2, 128, 0.3),
            Schedule(epochs=15, batch=1500, rate=2e-3, patience=3),
        ),
        "paper": Settings(
            Shape("rnng", 2, 256, 0.3, tied=False),
            Schedule(epochs=60, batch=4000, rate=1e-3, patience=5),
        ),
    },
    "plm": {
        "tiny": Settings(
            Shape("plm", 2, 64, 0.1, heads=2, positions=400),
            Schedule(epochs=8, batch=1000, rate=3e-3, warmup=20, patience=2, weight_decay=0.01),
        ),
        "default": Settings(
            Shape("plm", 4, 128, 0.2, heads=4, positions=500),
            Schedule(epochs=15, batch=1500, rate=1e-3, warmup=200, patience=3, weight_decay=0.01),
        ),
        "paper": Settings(
            Shape("plm", 12, 768, 0.1, heads=12, positions=1000),
            Schedule(epochs=60, batch=10000, rate=2.5e-4, warmup=2000, patience=5, weight_decay=0.01),
        ),
    },
}  # fmt: skip
"""`batch` counts actions, of which a word has two to three. The sizes of `paper` are those of Table 3a of the Mandarin
paper. Those of `default` learn from 90,000 words in a quarter of an hour on one core; they are half as wide as the
plain models' default, so compare them with `--option hidden=128` there."""


def _options(kind: str) -> list[str]:
    own = {"rnng": ("history",), "plm": ("heads", "positions")}
    others = {name for one, names in own.items() if one != kind for name in names}
    return [one.name for one in fields(Shape) if one.name not in {"kind", *others}]


def settings_of(kind: str, preset: str, options: Mapping[str, str]) -> Settings:
    """A preset with some options changed."""
    base = PRESETS[kind][preset]
    shape = {one.name: one.type for one in fields(Shape) if one.name in _options(kind)}
    pace = {one.name: one.type for one in fields(Schedule)}
    own = {one.name: one.type for one in fields(Settings) if one.name not in ("shape", "schedule")}
    known: dict[str, Any] = {**shape, **pace, **own}
    given: dict[str, Any] = {}
    for name, text in options.items():
        if name not in known:
            raise unknown_name(f"option of {kind}", name, known)
        given[name] = _value(name, text, str(known[name]))
    made = replace(
        base,
        shape=replace(base.shape, **{name: value for name, value in given.items() if name in shape}),
        schedule=replace(base.schedule, **{name: value for name, value in given.items() if name in pace}),
        **{name: value for name, value in given.items() if name in own},
    )
    check_shape(made.shape)
    _check(made)
    return made


def check_shape(shape: Shape) -> None:
    """Raises where no network has this shape."""
    if shape.kind not in KINDS:
        raise unknown_name("kind of structural model", shape.kind, KINDS)
    for name in ("layers", "hidden", "longest"):
        if not 1 <= getattr(shape, name) <= 1 << 16:
            raise UsageError(f"{getattr(shape, name)} is no number of this", where=name, todo="give 1 or more")
    if not 0 <= shape.dropout < 1:
        raise UsageError(f"{shape.dropout} is no share", where="dropout", todo="give 0 or more and less than 1")
    if shape.kind == "plm":
        if shape.heads < 1 or shape.hidden % shape.heads:
            raise UsageError(f"{shape.hidden} units cannot be shared by {shape.heads} heads", where="heads")
        if not 3 <= shape.positions <= 1 << 16:
            raise UsageError(f"{shape.positions} actions are no derivation", where="positions", todo="such as 500")


def _check(settings: Settings) -> None:
    schedule = settings.schedule
    for name in ("epochs", "batch", "patience"):
        if getattr(schedule, name) < 1:
            raise UsageError(f"{getattr(schedule, name)} is too few", where=name, todo="give 1 or more")
    if not 0 < schedule.rate < 10:
        raise UsageError(f"{schedule.rate} is no rate to learn with", where="rate", todo="such as rate=1e-3")
    if not 0 < schedule.decay <= 1:
        raise UsageError(f"{schedule.decay} is no share", where="decay", todo="such as decay=0.5")
    for name in ("warmup", "clip", "weight_decay"):
        if getattr(schedule, name) < 0:
            raise UsageError(f"{getattr(schedule, name)} is less than 0", where=name)
    for name in ("vocabulary", "max_open", "max_run", "dev_sample"):
        if getattr(settings, name) < 0:
            raise UsageError(f"{getattr(settings, name)} is less than 0", where=name)
    if settings.min_count < 1:
        raise UsageError("a vocabulary has words", where="min_count", todo="give 1 or more")
    if settings.nonprojective not in NONPROJECTIVE:
        raise unknown_name("way with non-projective trees", settings.nonprojective, NONPROJECTIVE)


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
