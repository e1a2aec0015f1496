"""Networks in folders: presets, options and shapes, and the files that all kinds of networks share."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, UsageError, unknown_name
from gardenpath.runs import describe_input, digest, signature, to_text
from gardenpath.systems import (
    CHECKPOINTS,
    Sentences,
    kept_file,
    kept_steps,
    model_folder,
    package_version,
    seed_folders,
    split_step,
)

from .training_loop import Schedule
from .vocabulary import Vocabulary, fill, load, read_stored, read_text, save

if TYPE_CHECKING:
    from torch import nn

    from gardenpath.systems import Plan


@dataclass(frozen=True, slots=True)
class NetworkShape(ABC):
    """The shape of a network; it is stored beside the weights."""

    FORMAT: ClassVar[str]
    NONE: ClassVar[str]
    """What a text is called that describes no such network."""
    ADVICE: ClassVar[str] = "train the model again"

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
        """Return what `to_json` wrote; an error where it is something else."""
        return read_stored(text, where, cls.FORMAT, cls._stored, cls.NONE, cls.ADVICE)

    @classmethod
    def _stored(cls, saved: dict[str, Any]) -> Self:
        shape = cls(**saved)
        for option in fields(cls):
            kind = type(getattr(shape, option.name)).__name__
            if kind != option.type and not (option.type == "float" and kind == "int"):
                raise ValueError(f"{option.name} is not a {option.type}")
        shape.check()
        return shape


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

    def check(self) -> None:
        """Raises where an option has a value that it cannot have."""
        self.shape.check()
        self.schedule.check()
        check_not_negative(self, ("vocabulary",))
        if self.min_count < 1:
            raise UsageError("a vocabulary has words", where="min_count", todo="give 1 or more")

    def described(self) -> dict[str, Any]:
        """All options by name, for the card."""
        own = {name: getattr(self, name) for name in _own(self)}
        settings = {**asdict(self.shape), **asdict(self.schedule), **own}
        return {name: value for name, value in settings.items() if name != "kind"}


SettingsT = TypeVar("SettingsT", bound=TrainingSettings[Any])


def changed(base: SettingsT, options: Mapping[str, str], foreign: Collection[str] = ()) -> SettingsT:
    """Return the settings with some options changed; `foreign` are those that only other kinds have."""
    kind = base.shape.kind
    shape = {one.name: one.type for one in fields(base.shape) if one.name not in ("kind", *foreign)}
    pace = {one.name: one.type for one in fields(Schedule) if one.name not in foreign}
    own = _own(base)
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
    made.check()
    return made


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


SHAPE, VOCABULARY, WEIGHTS = "network.json", "vocabulary.json", "weights.pt"


def save_network(folder: Path, shape: NetworkShape, vocabulary: Vocabulary, network: nn.Module, **further: str) -> None:
    """Write everything that is needed to score or parse; `further` are texts by file. Same model, same bytes."""
    for name, text in {SHAPE: shape.to_json(), VOCABULARY: vocabulary.to_json(), **further}.items():
        (folder / name).write_text(text, encoding="utf-8")
    save(network.state_dict(), folder / WEIGHTS)


def identity_of(plan: Plan[Any, Any], *facts: str) -> str:
    """Return a digest of all that decides the weights: an interrupted training goes on only with the same."""
    files = [plan.train.sha256, plan.dev.sha256 if plan.dev else "no dev"]
    options = to_text([plan.kind, plan.seed, plan.settings.described()])
    return digest(options, *facts, *files, package_version("torch"))


class NetworkModel(ABC, Generic[ShapeT]):
    """A network in a folder, which is checked, or a checkpoint that was kept there: `FOLDER@step8`.

    Its vocabulary is read when it is needed.
    """

    kind = ""
    shapes: type[ShapeT]
    further: ClassVar[tuple[str, ...]] = ()
    """Files that it has besides shape, vocabulary and weights."""
    _last: Any = None
    """What was scored last, and the scores."""

    def __init__(self, argument: str) -> None:
        folder, step = split_step(argument)
        self.path = Path(folder).expanduser().resolve()
        self.name = f"{self.kind}:{self.path}" if step is None else f"{self.kind}:{self.path}@step{step}"
        if seeds := seed_folders(self.path):
            raise InputError(
                f"this folder holds {len(seeds)} models, one for each seed",
                where=str(self.path),
                todo=f"name one of them, as {self.kind}:{seeds[0]}"
                + "; surprisal, score --summary and evaluate (phrase trees) take them all as one system"
                * hasattr(self, "surprisals"),
            )
        todo = f"train one: gardenpath train {self.kind}"
        self.sha256 = model_folder(self.path, (SHAPE, *self.further, VOCABULARY, WEIGHTS), f"{self.kind} model", todo)
        self.weights = self.path / WEIGHTS
        if step is not None:
            self.weights = kept_file(self.path / CHECKPOINTS, step)
            if not self.weights.exists():
                steps = kept_steps(self.path)
                todo = f"kept are: {', '.join(map(str, steps))}" if steps else "train it with --checkpoints"
                raise InputError(f"no checkpoint was kept of step {step}", where=str(self.path), todo=todo)
            # They are then part of what the model is known by.
            self.sha256 = digest(self.sha256, describe_input(self.weights)["sha256"])
        self.shape = self.shapes.from_json(*read_text(self.path / SHAPE))
        if self.shape.kind != self.kind:
            raise InputError(
                f"this is a model of the kind {self.shape.kind}",
                where=str(self.path),
                todo=f"write {self.shape.kind}:{self.path}",
            )

    @property
    def signature(self) -> str:
        return signature(("kind", self.kind), ("model", self.sha256[:12]), ("torch", package_version("torch")))

    def release(self) -> None:
        """Gives the memory of the weights back; they are read again when they are needed."""
        self.__dict__.pop("network", None)
        self._last = None

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary.from_json(*read_text(self.path / VOCABULARY))

    def oov(self, sentences: Sentences) -> list[NDArray[np.bool_]]:
        return [self.vocabulary.oov(self.vocabulary.encode(sentence)) for sentence in sentences]

    @abstractmethod
    def build(self) -> Any:
        """Return a network of the shape of this one, whose weights are still to be filled in."""

    def check_weights(self, tensors: Mapping[str, Any]) -> None:
        """Raises where weights are obviously of another model."""

    @cached_property
    def network(self) -> Any:
        """The network with the weights in its file, ready to predict."""
        tensors = load(self.weights)
        self.check_weights(tensors)
        network = self.build()
        fill(network, tensors, str(self.weights))
        return network.eval()
