"""`rnng:FOLDER` and `plm:FOLDER`: models of words and trees, as language models and as phrase parsers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, TooLong, UsageError
from ...phrase.tree import PhraseTree
from ...runs.signature import signature
from ..neural.storage import read_text
from ..neural.system import NetworkModel
from ..protocol import Habits, Sentences
from ..registry import package_version
from .actions import Ids, Inventory
from .oracle import tree_of
from .settings import Shape
from .storage import ACTIONS, FILES, load_network

if TYPE_CHECKING:
    from .beam import BeamResult
    from .beam_selection import Beam

_BEAM = re.compile(r"(.+)#(\d+),(\d+),(\d+)")
_TAG = "X"
"""No model here predicts tags of words; this is UD's tag for a word without one."""


class StructuralModel(NetworkModel[Shape]):
    """A model whose words and trees are searched together; its weights are read when they are first needed.

    `rnng:FOLDER#100,10,5` says how wide the beam is: hypotheses per action, per word, and on the fast track.
    Surprisal is -log2 of the probability of all hypotheses in the beam after a word over that before it.
    """

    habits = Habits(chunk=16)

    def __init__(self, argument: str) -> None:
        widths = _BEAM.fullmatch(argument) if not Path(argument).expanduser().exists() else None
        self.widths = tuple(int(width) for width in widths.groups()[1:]) if widths else (100, 10, 5)
        if min(self.widths[:2]) < 1:
            raise UsageError("a beam has room for one hypothesis at least", where=argument, todo="such as #100,10,5")
        super().__init__(widths[1] if widths else argument, FILES, Shape)
        if widths:
            self.name += "#{},{},{}".format(*self.widths)
        self._last: tuple[Sentences, list[BeamResult]] | None = None

    @property
    def signature(self) -> str:
        beam = "/".join(map(str, self.widths))
        model = ("model", self.sha256[:12])
        return signature(("kind", self.kind), model, ("beam", beam), ("torch", package_version("torch")))

    @cached_property
    def inventory(self) -> Inventory:
        return Inventory.from_json(*read_text(self.path / ACTIONS))

    @cached_property
    def network(self) -> Any:
        return load_network(self.weights, self.shape, self.inventory, self.vocabulary)

    @property
    def beam(self) -> Beam:
        from .beam_selection import Beam

        return Beam(*self.widths)

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        return [-np.diff(result.marginals[:-1]) / math.log(2) for result in self._searched(sentences)]

    def end_surprisals(self, sentences: Sentences) -> NDArray[np.float64]:
        """Surprisal of the end of each sentence: that its phrases are closed and nothing follows."""
        ends = [float(result.marginals[-2] - result.marginals[-1]) for result in self._searched(sentences)]
        return np.array(ends) / math.log(2)

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        """The tree of the best derivation in the beam; None of a sentence without words, or with too many."""
        fitting = [sentence for sentence in sentences if 0 < len(sentence) <= self.shape.longest]
        results = self._searched(sentences if len(fitting) == len(sentences) else fitting)
        trees = (self._tree(sentence, result) for sentence, result in zip(fitting, results, strict=True))
        return [next(trees) if 0 < len(sentence) <= self.shape.longest else None for sentence in sentences]

    def _tree(self, sentence: Sequence[str], result: BeamResult) -> PhraseTree:
        actions = self.inventory.decode(result.actions.tolist())
        return tree_of(actions, sentence, [_TAG] * len(sentence), functions=self.inventory.functions)

    def _searched(self, sentences: Sentences) -> list[BeamResult]:
        """Words, ends and trees come from one search; whoever asks for one may ask for another next."""
        from ..neural.training_loop import one_thread
        from .beam import search

        if self._last is None or self._last[0] is not sentences:
            encoded = [self._encoded(number, sentence) for number, sentence in enumerate(sentences, 1)]
            with one_thread():
                self._last = sentences, search(self.network, encoded, self.beam)
        return self._last[1]

    def _encoded(self, number: int, sentence: Sequence[str]) -> Ids:
        where = f"{self.name}: sentence {number}"
        if not sentence:
            raise InputError(
                "a sentence without words has no tree, so no probability", where=where, todo="leave it out"
            )
        if len(sentence) > self.shape.longest:
            raise TooLong(
                f"the sentence has {len(sentence)} words, and the model was trained on {self.shape.longest} at most",
                where=where,
                todo="cut it, or train with --option longest=…",
            )
        return self.vocabulary.encode(sentence)


class RNNGModel(StructuralModel):
    """`rnng:FOLDER`."""

    kind = "rnng"


class PLMModel(StructuralModel):
    """`plm:FOLDER`."""

    kind = "plm"
