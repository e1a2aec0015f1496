"""`lstm:FOLDER` and `transformer:FOLDER`: language models over words; and what all networks in folders share."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...runs.inputs import describe_input
from ...runs.signature import digest, signature
from ..checkpoints import kept_file, kept_steps, split_step
from ..model_file import CHECKPOINTS, model_folder
from ..protocol import Habits, Sentences
from ..registry import package_version
from ..seeds import seed_folders
from .options import ShapeT
from .settings import Architecture
from .storage import ARCHITECTURE, FILES, VOCABULARY, WEIGHTS, load_network, read_text
from .vocabulary import Vocabulary

if TYPE_CHECKING:
    from torch import nn


class NetworkModel(Generic[ShapeT]):
    """A network in a folder, which is checked, or a checkpoint that was kept there: `FOLDER@step8`.

    Its vocabulary is read when it is needed.
    """

    kind = ""
    _last: Any
    """What was scored last, and the scores."""

    def __init__(self, argument: str, needs: tuple[str, ...], shape: type[ShapeT]) -> None:
        folder, step = split_step(argument)
        self.path = Path(folder).expanduser().resolve()
        self.name = f"{self.kind}:{self.path}" if step is None else f"{self.kind}:{self.path}@step{step}"
        if seeds := seed_folders(self.path):
            raise InputError(
                f"this folder holds {len(seeds)} models, one for each seed",
                where=str(self.path),
                todo=f"name one of them, as {self.kind}:{seeds[0]}"
                + "; gardenpath surprisal takes them all as one system" * hasattr(self, "surprisals"),
            )
        todo = f"train one: gardenpath train {self.kind}"
        self.sha256 = model_folder(self.path, needs, f"{self.kind} model", todo)
        self.weights = self.path / WEIGHTS if step is None else self._checkpoint(step)
        self.shape = shape.from_json(*read_text(self.path / ARCHITECTURE))
        if self.shape.kind != self.kind:
            raise InputError(
                f"this is a model of the kind {self.shape.kind}",
                where=str(self.path),
                todo=f"write {self.shape.kind}:{self.path}",
            )

    def _checkpoint(self, step: int) -> Path:
        """The weights of a step, which are then part of what the model is known by."""
        path = kept_file(self.path / CHECKPOINTS, step)
        if not path.exists():
            steps = kept_steps(self.path)
            todo = f"kept are: {', '.join(map(str, steps))}" if steps else "train it with --keep-checkpoints"
            raise InputError(f"no checkpoint was kept of step {step}", where=str(self.path), todo=todo)
        self.sha256 = digest(self.sha256, describe_input(path)["sha256"])
        return path

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


class NeuralModel(NetworkModel[Architecture]):
    """A network over a closed vocabulary: a word outside it has the surprisal of its class of unknown words.

    Its weights are read when the first sentence is scored.
    """

    habits = Habits(chunk=1000)

    def __init__(self, argument: str) -> None:
        super().__init__(argument, FILES, Architecture)
        self._last: tuple[Sentences, list[NDArray[np.float64]], NDArray[np.float64]] | None = None

    @cached_property
    def network(self) -> nn.Module:
        return load_network(self.weights, self.shape, len(self.vocabulary))

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        return self._scored(sentences)[0]

    def end_surprisals(self, sentences: Sentences) -> NDArray[np.float64]:
        """Surprisal of the end of each sentence."""
        return self._scored(sentences)[1]

    def _scored(self, sentences: Sentences) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
        """Words and ends come from one pass; whoever asks for one asks for the other next."""
        from .prediction import sentence_bits

        if self._last is None or self._last[0] is not sentences:
            longest = self.shape.longest if self.kind == "transformer" else None
            encoded = [self.vocabulary.encode(sentence) for sentence in sentences]
            self._last = sentences, *sentence_bits(self.network, encoded, longest)
        return self._last[1:]


class LSTM(NeuralModel):
    """`lstm:FOLDER`."""

    kind = "lstm"


class Transformer(NeuralModel):
    """`transformer:FOLDER`."""

    kind = "transformer"
