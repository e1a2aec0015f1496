"""Training parsers from dependency trees, and their attachment scores on dev."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..errors import SystemFailure, UsageError
from ..runs.inputs import describe_input
from ..runs.where import Where
from ..treebank import Treebank, score, tree_mask
from ..treebank.given import given_treebank
from .language import profile
from .parsing import parse_with
from .trainer import Data, Exam, Material, Outcome, Plan, Tell, Trainer


class DependencyTrees(Material):
    """A treebank, or files of one. A parser learns nothing from half a tree, and its C++ may crash on it."""

    def __init__(self, source: Data) -> None:
        self.treebank = given_treebank(source)
        self.name = self.treebank.name
        trees = tree_mask(self.treebank.heads, self.treebank.offsets)
        if not trees.all():
            number, count = int(np.argmin(trees)), int((~trees).sum())
            what = f"{count} sentences that are not trees" if count != 1 else "a sentence that is not a tree"
            raise UsageError(
                f"the data has {what}, the first is {self.treebank.sent_ids[number] or number + 1}",
                where=self.treebank.place(int(self.treebank.index.blocks[number])),
                todo="every word needs a head, and one word is the root; gardenpath treebank validate shows all",
            )

    @cached_property
    def _content(self) -> dict[str, Any]:
        return describe_input((self.name, self.treebank.to_bytes()))

    @property
    def sha256(self) -> str:
        return str(self._content["sha256"])

    @property
    def size(self) -> int:
        return int(self._content["size"])


S = TypeVar("S")
ParserPlan = Plan[DependencyTrees, S]
JUDGED = 100
"""Training sentences by which tools that need held-out data judge where there is no dev set."""
_ARGUMENTS = frozenset({"nsubj", "csubj", "obj", "iobj"})


def judged_by(plan: ParserPlan[Any]) -> tuple[Treebank, str]:
    """The sentences by which a tool judges its progress, and what they are called."""
    if plan.dev is not None:
        return plan.dev.treebank, "dev"
    first = plan.train.treebank[:JUDGED]
    return first, f"the first {len(first)} training sentences"


class ParserTrainer(Trainer[DependencyTrees, S]):
    """A trainer that lets another tool learn from a treebank, and examines the parser by UAS and LAS."""

    @abstractmethod
    def run_tool(self, plan: ParserPlan[S], target: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        """Writes a model to a path; returns all options that were in force, and the tool's log."""

    def gold_layers(self, settings: S) -> str:
        """Layers that the model needs with gold tokens (it has no tagger, or was trained on gold tags)."""
        return ""

    def material(self, source: Data, settings: S, tell: Tell) -> DependencyTrees:
        return DependencyTrees(source)

    def learn(self, plan: ParserPlan[S], target: Path) -> Outcome:
        sentences, words = len(plan.train.treebank), plan.train.treebank.word_count
        plan.tell(
            f"training {plan.kind} on {sentences} sentence{'s' * (sentences != 1)}, {words} word{'s' * (words != 1)}"
        )
        try:
            options, log = self.run_tool(plan, target)
        except (ImportError, ValueError) as error:  # a tool's own words on an option it does not know
            raise SystemFailure(f"the training of {plan.kind} failed: {error}", todo="check the options") from error
        return Outcome(options, log, sentences, words)

    def examine(self, model: Any, dev: DependencyTrees, plan: ParserPlan[S]) -> Exam:
        gold = self.gold_layers(plan.settings)
        result = parse_with(model, dev.treebank, gold=gold, where=Where(cache=False, progress=False))
        scores = score(dev.treebank, result.treebank)
        rounded = {metric: round(scores.f1(metric), 2) for metric in ("UAS", "LAS")}
        return Exam(rounded, len(dev.treebank), dev.treebank.word_count)

    def shortfall(self, model: Any, plan: ParserPlan[S]) -> str:
        """A parser that gets no subject and no object right of what it was trained on has learnt nothing."""
        gold = plan.train.treebank[:JUDGED]
        layers = self.gold_layers(plan.settings)
        parsed = parse_with(model, gold, gold=layers, where=Where(cache=False, progress=False)).treebank
        arcs = [
            (word.head, word.deprel) == (parsed_word.head, parsed_word.deprel)
            for sentence, answer in zip(gold, parsed, strict=True)
            for word, parsed_word in zip(sentence.words, answer.words, strict=True)
            if word.udeprel in _ARGUMENTS
        ]
        if any(arcs) or not arcs:
            return ""
        return f"it has learnt nothing: of {len(arcs)} subjects and objects it was trained on none is right"

    def profile(self, plan: ParserPlan[S]) -> Mapping[str, Any]:
        return profile(plan.train.treebank, plan.dev.treebank if plan.dev else None)
