"""`ngram:FILE`: an n-gram model, trained here or by another program that writes ARPA."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...runs.inputs import describe_input
from ...runs.signature import signature
from ..model_file import other_kind
from ..protocol import Habits, Sentences
from .encode import UNKNOWN_ID
from .model import BackoffModel
from .storage import check_kind, load


class NGram:
    """A back-off model. Its file is read when the first sentence is scored."""

    habits = Habits(chunk=2000)

    def __init__(self, argument: str) -> None:
        self.path = Path(argument).expanduser().resolve()
        self.name = f"ngram:{self.path}"
        if self.path.is_dir():
            raise InputError("this is a folder, not a model file", where=str(self.path), todo=other_kind(self.path))
        self.sha256: str = describe_input(self.path)["sha256"]
        check_kind(self.path)
        self._last: tuple[Sentences, list[NDArray[np.float64]], NDArray[np.float64]] | None = None

    @cached_property
    def model(self) -> BackoffModel:
        return load(self.path)

    @property
    def signature(self) -> str:
        return signature(("kind", "ngram"), ("model", self.sha256[:12]))

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        return self._scored(sentences)[0]

    def end_surprisals(self, sentences: Sentences) -> NDArray[np.float64]:
        """Surprisal of </s> after each sentence."""
        return self._scored(sentences)[1]

    def oov(self, sentences: Sentences) -> list[NDArray[np.bool_]]:
        return np.split(self.model.ids(sentences) == UNKNOWN_ID, _cuts(sentences)) if len(sentences) else []

    def _scored(self, sentences: Sentences) -> tuple[list[NDArray[np.float64]], NDArray[np.float64]]:
        """Tokens and ends come from one pass; whoever asks for one asks for the other next."""
        if self._last is None or self._last[0] is not sentences:
            tokens, ends = self.model.score(sentences)
            self._last = sentences, np.split(tokens, _cuts(sentences)) if len(sentences) else [], ends
        return self._last[1:]


def _cuts(sentences: Sentences) -> NDArray[np.int64]:
    """Where one sentence ends and the next begins."""
    return np.cumsum(np.fromiter(map(len, sentences), np.int64, len(sentences)))[:-1]
