"""What a trainer of any kind is given, does and returns; `training.train` does the rest."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from .._version import __version__
from ..errors import UsageError
from ..runs.inputs import describe_input
from ..runs.signature import digest
from ..runs.strict_json import to_text
from ..treebank import Treebank

Tell = Callable[[str], None]
Source = str | os.PathLike[str]
Sources = Source | Iterable[Source]
Data = Treebank | Sources
"""What a model learns from, as callers give it."""
CHECKPOINT = ".checkpoint"
"""The suffix of a checkpoint, which lies beside the model until that is finished."""


class Material(ABC):
    """Data to learn from or to be examined on, known by its name and content."""

    name: str

    @property
    @abstractmethod
    def sha256(self) -> str:
        """The hash of the content."""

    @property
    @abstractmethod
    def size(self) -> int:
        """In bytes."""

    def described(self, sentences: int, words: int) -> dict[str, Any]:
        """Name, content and size, for the card."""
        return {"name": self.name, "sha256": self.sha256, "size": self.size, "sentences": sentences, "words": words}


class Files(Material):
    """Files to learn from: their names are known at once, their content when they are read."""

    NONE: ClassVar[tuple[str, str]]
    """The message, and what to do, where no file is named."""
    PIPE: ClassVar[str]
    """Why there must be files, and `-` will not do."""

    def __init__(self, source: Sources) -> None:
        given: Any = source  # whatever it is: what is not a name is refused where files are looked for
        single = isinstance(given, str | os.PathLike) or not isinstance(given, Iterable)
        sources: list[Source] = [given] if single else list(given)
        if not sources:
            raise UsageError(self.NONE[0], todo=self.NONE[1])
        if any(str(name) == "-" for name in sources):
            raise UsageError(self.PIPE, where="-", todo="name a file")
        self.files = [file for name in sources for file in self.files_of(name)]
        self.name = " + ".join(map(str, sources))

    @abstractmethod
    def files_of(self, source: Source) -> list[str]:
        """The files that a name stands for."""

    @cached_property
    def sha256(self) -> str:
        """Of the file, or of the hashes of all files."""
        hashes = [describe_input(file)["sha256"] for file in self.files]
        return str(hashes[0]) if len(hashes) == 1 else digest(*hashes)

    @property
    def size(self) -> int:
        return sum(Path(file).stat().st_size for file in self.files)


M = TypeVar("M", bound=Material)
S = TypeVar("S")


@dataclass(frozen=True)
class Plan(Generic[M, S]):
    """What a trainer is given: data, preset, seed, options by name, the settings they amount to, and progress."""

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
        """A short hash of data, preset, seed, options and version: the same request makes the same model."""
        hashes = [data.sha256 if data else "" for data in (self.train, self.dev)]
        options = to_text(sorted(self.options.items()))
        return digest(__version__, self.kind, *hashes, self.preset, str(self.seed), options)[:16]

    @property
    def checkpoint(self) -> Path:
        """Where a trainer that can resume keeps its progress."""
        return self.output.with_name(self.output.name + CHECKPOINT)


@dataclass(frozen=True)
class Outcome:
    """What a trainer returns: all options that were in force, its log, and how much it learned from."""

    options: Mapping[str, Any]
    log: Mapping[str, Any]
    sentences: int
    words: int
    scores: Mapping[str, float] = field(default_factory=dict)
    """Scores on dev that the training computes anyway."""


@dataclass(frozen=True)
class Exam:
    """How good a finished model is on dev, how large dev is, and what the log says about it."""

    scores: Mapping[str, float]
    sentences: int
    words: int
    log: Mapping[str, Any] = field(default_factory=dict)


class Trainer(ABC, Generic[M, S]):
    """The steps in which kinds of models differ; `train` takes each kind through them."""

    folder = True
    """Is the model a folder, or a file?"""
    resumable = False
    """Does it keep checkpoints? Several seeds of such a kind are one system."""
    presets = True
    """Are presets different?"""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    @abstractmethod
    def settings(self, preset: str, options: Mapping[str, str]) -> S:
        """The preset with the user's options; raises where they are wrong, before any data is read."""

    def seeded(self, settings: S) -> bool:
        """Does a seed make a difference?"""
        return True

    @abstractmethod
    def material(self, source: Any, settings: S, tell: Tell) -> M:
        """The data, checked as far as that can be done before the training."""

    @abstractmethod
    def learn(self, plan: Plan[M, S], target: Path) -> Outcome:
        """Writes a model to a path."""

    @abstractmethod
    def examine(self, model: Any, dev: M, plan: Plan[M, S]) -> Exam:
        """Scores of the finished model on dev."""

    def shortfall(self, model: Any, plan: Plan[M, S]) -> str:
        """Why the finished model is of no use; empty where nothing speaks against it."""
        return ""

    def profile(self, plan: Plan[M, S]) -> Mapping[str, Any]:
        """What the card keeps of the training data, by which input in another language is recognised."""
        return {}
