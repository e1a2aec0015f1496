"""`rnng:FOLDER` and `plm:FOLDER`: models of words and trees; their presets and their files."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError, TooLong, UsageError, unknown_name
from gardenpath.phrase import PhraseTree
from gardenpath.runs import signature
from gardenpath.systems import Habits, Sentences, package_version, torch_threads

from ..neural.folder import (
    VOCABULARY,
    NetworkModel,
    NetworkShape,
    TrainingSettings,
    changed,
    check_heads,
    check_not_negative,
    check_size,
)
from ..neural.training_loop import LONGEST, Schedule
from ..neural.vocabulary import read_text
from .actions import Ids, Inventory, tree_of

if TYPE_CHECKING:
    from torch import nn

    from .beam import BeamResult


KINDS = ("rnng", "plm")
LIFT, LEAVE_OUT = "lift", "leave-out"
NONPROJECTIVE = (LIFT, LEAVE_OUT)


@dataclass(frozen=True, slots=True)
class Shape(NetworkShape):
    """The shape of an RNNG or a PLM, where embeddings and states have one size, `hidden`."""

    FORMAT = "gardenpath-structural 1"
    NONE = "these are not settings of a structural model"
    ADVICE = ""

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

    def check(self) -> None:
        super().check()
        check_not_negative(self, ("max_open", "max_run", "dev_sample"))
        if self.nonprojective not in NONPROJECTIVE:
            raise unknown_name("way with non-projective trees", self.nonprojective, NONPROJECTIVE)

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
plain models' default, so compare them with `--set hidden=128` there."""


def _foreign(kind: str) -> tuple[str, ...]:
    """Of the shape, what only the other kind has."""
    return {"rnng": ("heads", "positions", "guided"), "plm": ("history",)}[kind]


def settings_of(kind: str, preset: str, options: Mapping[str, str]) -> StructuralSettings:
    """A preset with some options changed."""
    return changed(PRESETS[kind][preset], options, _foreign(kind))


ACTIONS = "actions.json"


def build(shape: Shape, inventory: Inventory, vocabulary: int) -> nn.Module:
    """A network with its first weights, which the seed decides."""
    if shape.kind == "rnng":
        from .rnng import RNNG

        return RNNG(inventory, vocabulary, shape)
    from .plm import PLM

    return PLM(inventory, vocabulary, shape)


_BEAM = re.compile(r"(.+)#(\d+),(\d+),(\d+)")
_TAG = "X"
"""No model here predicts tags of words; this is UD's tag for a word without one."""


class StructuralModel(NetworkModel[Shape]):
    """A model whose words and trees are searched together; its weights are read when they are first needed.

    `rnng:FOLDER#100,10,5` says how wide the beam is: hypotheses per action, per word, and on the fast track.
    Surprisal is -log2 of the probability of all hypotheses in the beam after a word over that before it.
    """

    habits = Habits(chunk=16, repeatable=True)
    shapes = Shape
    further = (ACTIONS,)
    _last: tuple[Sentences, list[BeamResult]] | None = None

    def __init__(self, argument: str) -> None:
        widths = _BEAM.fullmatch(argument) if not Path(argument).expanduser().exists() else None
        self.widths = tuple(int(width) for width in widths.groups()[1:]) if widths else (100, 10, 5)
        if min(self.widths[:2]) < 1:
            raise UsageError("a beam has room for one hypothesis at least", where=argument, todo="such as #100,10,5")
        super().__init__(widths[1] if widths else argument)
        if widths:
            self.name += "#{},{},{}".format(*self.widths)

    @property
    def signature(self) -> str:
        beam = "/".join(map(str, self.widths))
        model = ("model", self.sha256[:12])
        return signature(("kind", self.kind), model, ("beam", beam), ("torch", package_version("torch")))

    @cached_property
    def inventory(self) -> Inventory:
        return Inventory.from_json(*read_text(self.path / ACTIONS))

    def build(self) -> nn.Module:
        return build(self.shape, self.inventory, len(self.vocabulary))

    def check_weights(self, tensors: Mapping[str, Any]) -> None:
        expected = (("act.weight", len(self.inventory), ACTIONS), ("words.weight", len(self.vocabulary), VOCABULARY))
        for name, there, file in expected:
            rows = (*getattr(tensors.get(name), "shape", ()), there)[0]
            if rows != there:
                part = "actions" if file == ACTIONS else "words"
                raise InputError(
                    f"the weights are for {rows} {part}, but the model lists {there}",
                    where=str(self.weights),
                    todo=f"{file} is of another model: put back the right one",
                )

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
        trees = []
        for sentence, result in zip(fitting, results, strict=True):
            actions = self.inventory.decode(result.actions.tolist())
            trees.append(tree_of(actions, sentence, [_TAG] * len(sentence), functions=self.inventory.functions))
        found = iter(trees)
        return [next(found) if 0 < len(sentence) <= self.shape.longest else None for sentence in sentences]

    def _searched(self, sentences: Sentences) -> list[BeamResult]:
        """Words, ends and trees come from one search; whoever asks for one may ask for another next."""
        from .beam import Beam, search

        if self._last is None or self._last[0] is not sentences:
            encoded = [self._encoded(number, sentence) for number, sentence in enumerate(sentences, 1)]
            with torch_threads():
                self._last = sentences, search(self.network, encoded, Beam(*self.widths))
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
                todo="cut it, or train with --set longest=…",
            )
        return self.vocabulary.encode(sentence)


class RNNGModel(StructuralModel):
    """`rnng:FOLDER`."""

    kind = "rnng"


class PLMModel(StructuralModel):
    """`plm:FOLDER`."""

    kind = "plm"
