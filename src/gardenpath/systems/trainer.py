"""A trainer that learns from files: what it reads, what it is asked, and what it tells when it has learned."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from .._version import __version__
from ..errors import UsageError
from ..runs.inputs import describe_input
from ..runs.signature import digest
from ..runs.strict_json import to_text
from .training import Tell

Source = str | os.PathLike[str]
Sources = Source | Iterable[Source]
CHECKPOINT = ".checkpoint"
"""What the name of a checkpoint adds to that of the model, beside which it is until the model is finished."""


def listed(source: Sources) -> list[Source]:
    return [source] if isinstance(source, str | os.PathLike) else list(source)


class Material(ABC):
    """Files to learn from: which they are is known at once, what is in them when they are read."""

    NONE: ClassVar[tuple[str, str]]
    """What is said, and what to do, where no file is named."""
    PIPE: ClassVar[str]
    """Why there must be files, and `-` will not do."""

    def __init__(self, source: Sources) -> None:
        sources = listed(source)
        if not sources:
            raise UsageError(self.NONE[0], todo=self.NONE[1])
        if any(str(one) == "-" for one in sources):
            raise UsageError(self.PIPE, where="-", todo="name a file")
        self.files = [file for one in sources for file in self.files_of(one)]
        self.name = " + ".join(map(str, sources))

    @abstractmethod
    def files_of(self, source: Source) -> list[str]:
        """The files that a name stands for."""

    @cached_property
    def sha256(self) -> str:
        """Of the file, or of those of all files."""
        found = [describe_input(file)["sha256"] for file in self.files]
        return str(found[0]) if len(found) == 1 else digest(*found)

    def described(self, sentences: int, words: int) -> dict[str, Any]:
        """Names, content and size, for the card."""
        size = sum(Path(file).stat().st_size for file in self.files)
        return {"name": self.name, "sha256": self.sha256, "size": size, "sentences": sentences, "words": words}


M = TypeVar("M", bound=Material)
S = TypeVar("S")


@dataclass(frozen=True)
class FilePlan(Generic[M, S]):
    """What a trainer is asked: files, preset, seed, options by name and what they come to, and whom to tell."""

    kind: str
    train: M
    dev: M | None
    output: Path
    preset: str
    seed: int
    options: Mapping[str, str]
    settings: S
    tell: Tell

    @property
    def request(self) -> str:
        """What was asked, in a few letters: the same files, preset, seed and options, of the same version."""
        files = [one.sha256 if one else "" for one in (self.train, self.dev)]
        options = to_text(sorted(self.options.items()))
        return digest(__version__, self.kind, *files, self.preset, str(self.seed), options)[:16]

    @property
    def checkpoint(self) -> Path:
        """Where a trainer that can go on after an interruption keeps how far it is."""
        return self.output.with_name(self.output.name + CHECKPOINT)


@dataclass(frozen=True)
class Learned:
    """What a trainer has done: all options that were in force, its log, and how much it learned from."""

    options: Mapping[str, Any]
    log: Mapping[str, Any]
    sentences: int
    words: int
    scores: Mapping[str, float] = field(default_factory=dict)
    """Those on dev that it has by the way."""


@dataclass(frozen=True)
class Exam:
    """How good a finished model is on dev, how large that is, and what is to be said of it in the log."""

    scores: Mapping[str, float]
    sentences: int
    words: int
    log: Mapping[str, Any] = field(default_factory=dict)


class FileTrainer(ABC, Generic[M, S]):
    """The steps of a training that kinds of models do in their own way; `train_model` goes through them."""

    folder = True
    """A network is a folder: a seed decides it, and it has a checkpoint. What is only counted is a file."""
    asked_again = True
    """The card has the request, by which a model is known that need not be trained again."""

    @abstractmethod
    def settings(self, preset: str, options: Mapping[str, str]) -> S:
        """What the options come to; raises where they are wrong, before anything is read."""

    @abstractmethod
    def material(self, source: Sources, settings: S, tell: Tell) -> M:
        """The files that are named."""

    @abstractmethod
    def __call__(self, plan: FilePlan[M, S], target: Path) -> Learned:
        """Writes a model to a path."""

    @abstractmethod
    def examine(self, model: Any, dev: M, plan: FilePlan[M, S]) -> Exam:
        """Scores of the finished model."""
