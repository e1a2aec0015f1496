"""Presets and what options change in them: the mechanism that all networks share, and how a shape is stored."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

from ...boundary.structured import read_json
from ...errors import GardenpathError, InputError, UsageError, unknown_name
from .training_loop import Schedule


@dataclass(frozen=True, slots=True)
class NetworkShape(ABC):
    """The shape of a network; it is stored beside the weights."""

    FORMAT: ClassVar[str]
    NONE: ClassVar[str]
    """What a text is called that describes no such network."""
    ADVICE: ClassVar[str] = ""

    kind: str
    layers: int
    hidden: int

    @abstractmethod
    def check(self) -> None:
        """Raises where no network has this shape."""

    def to_json(self) -> str:
        return json.dumps({"format": self.FORMAT, **asdict(self)}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str = "") -> Self:
        """What `to_json` wrote; an error where it is something else."""
        try:
            saved: Any = read_json(text, where)
            if not isinstance(saved, dict) or saved.pop("format", None) != cls.FORMAT:
                raise ValueError(f"the format is not {cls.FORMAT}")
            made = cls(**saved)
            for option in fields(cls):
                kind = type(getattr(made, option.name)).__name__
                if kind != option.type and not (option.type == "float" and kind == "int"):
                    raise ValueError(f"{option.name} is not a {option.type}")
            made.check()
        except (ValueError, TypeError, UsageError, InputError) as error:
            what = error.what if isinstance(error, GardenpathError) else str(error)
            raise InputError(f"{cls.NONE}: {what}", where=where, todo=cls.ADVICE) from error
        return made


ShapeT = TypeVar("ShapeT", bound=NetworkShape)


@dataclass(frozen=True)
class TrainingSettings(Generic[ShapeT]):
    """All that decides a training besides the data and the seed."""

    shape: ShapeT
    schedule: Schedule = field(default_factory=Schedule)
    min_count: int = 2
    """Words that occur less often are unknown words, by which the model learns what these are like."""
    vocabulary: int = 0
    """At most so many words; 0: all that are frequent enough."""

    def described(self) -> dict[str, Any]:
        """All options by name, for the card."""
        own = {name: getattr(self, name) for name in _own(self)}
        settings = {**asdict(self.shape), **asdict(self.schedule), **own}
        return {name: value for name, value in settings.items() if name != "kind"}


SettingsT = TypeVar("SettingsT", bound=TrainingSettings[Any])


def changed(base: SettingsT, options: Mapping[str, str], foreign: Collection[str] = ()) -> SettingsT:
    """The settings with some options changed; `foreign` are those of the shape that only other kinds have."""
    kind = base.shape.kind
    shape = {one.name: one.type for one in fields(base.shape) if one.name not in ("kind", *foreign)}
    pace = {one.name: one.type for one in fields(Schedule)}
    own = _own(base)
    known: dict[str, Any] = {**shape, **pace, **own}
    given: dict[str, Any] = {}
    for name, text in options.items():
        if name not in known:
            raise unknown_name(f"option of {kind}", name, known)
        given[name] = _value(name, text, str(known[name]))
    return replace(
        base,
        shape=replace(base.shape, **{name: value for name, value in given.items() if name in shape}),
        schedule=replace(base.schedule, **{name: value for name, value in given.items() if name in pace}),
        **{name: value for name, value in given.items() if name in own},
    )


def check_size(shape: NetworkShape, names: Collection[str], dropout: float) -> None:
    """Raises where one of these sizes, or the dropout, is none."""
    for name in names:
        if not 1 <= getattr(shape, name) <= 1 << 16:
            raise UsageError(f"{getattr(shape, name)} is not a number of this", where=name, todo="give 1 or more")
    if not 0 <= dropout < 1:
        raise UsageError(f"{dropout} is not a share", where="dropout", todo="give 0 or more and less than 1")


def check_heads(shape: NetworkShape, heads: int) -> None:
    """Raises where the units cannot be shared by the heads of attention."""
    if heads < 1 or shape.hidden % heads:
        raise UsageError(f"{shape.hidden} units cannot be shared by {heads} heads", where="heads")


def check_schedule(schedule: Schedule) -> None:
    """Raises where there are too few of something; which rates can be is said by each family of networks."""
    for name in ("epochs", "batch", "patience"):
        if getattr(schedule, name) < 1:
            raise UsageError(f"{getattr(schedule, name)} is too few", where=name, todo="give 1 or more")
    check_not_negative(schedule, ("warmup", "clip", "weight_decay"))
    if not 0 <= schedule.average < 1:
        raise UsageError(f"{schedule.average} is not a share of the mean", where="average", todo="such as average=0.99")
    if schedule.keep and not schedule.kept(1):
        raise UsageError("no checkpoint is named", where="keep", todo="give a number of them, or steps as 1,2,4")


def check_not_negative(part: object, names: Collection[str]) -> None:
    for name in names:
        if getattr(part, name) < 0:
            raise UsageError(f"{getattr(part, name)} is less than 0", where=name)


def _own(settings: TrainingSettings[Any]) -> dict[str, Any]:
    """The options that are neither of the shape nor of the schedule, and their types."""
    return {one.name: one.type for one in fields(settings) if one.name not in ("shape", "schedule")}


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
