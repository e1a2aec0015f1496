"""Training structural models: `gardenpath train rnng` and `gardenpath train plm`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ...phrase import PhraseTree
from ...phrase.parseval import score_trees
from ..language_model_training import dev_perplexity, perplexities
from ..phrase_training import f1
from ..trainer import Exam, Outcome, Plan, Sources, Tell, Trainer
from .settings import StructuralSettings, settings_of
from .system import StructuralModel
from .training_data import learn
from .trees import AnyTrees

StructuralPlan = Plan[AnyTrees, StructuralSettings]


class StructuralTrainer(Trainer[AnyTrees, StructuralSettings]):
    """One kind of model. Dev trees stop the training by the joint probability of words and trees.

    The finished model is examined by beam search, on `dev_sample` of them: the perplexity of words, and the F1 of
    brackets.
    """

    resumable = True

    def settings(self, preset: str, options: Mapping[str, str]) -> StructuralSettings:
        return settings_of(self.kind, preset, options)

    def material(self, source: Sources, settings: StructuralSettings, tell: Tell) -> AnyTrees:
        return AnyTrees(source, settings.nonprojective, tell)

    def learn(self, plan: StructuralPlan, target: Path) -> Outcome:
        trees = plan.train.trees
        held_out = plan.dev.trees if plan.dev else []
        log = learn(
            plan.kind, trees, held_out, plan.settings, target, seed=plan.seed, tell=plan.tell,
            checkpoint=plan.checkpoint,
        )  # fmt: skip
        sentences, words, joint = (log.pop(name) for name in ("sentences", "words", "joint_perplexity"))
        scores = {"joint perplexity": joint} if joint is not None else {}
        return Outcome(plan.settings.described(), {**log, "dev_sample": 0}, sentences, words, scores)

    def examine(self, model: StructuralModel, dev: AnyTrees, plan: StructuralPlan) -> Exam:
        """Perplexity of words, and F1 of brackets (single words left out)."""
        sample = _sample(dev.trees, plan.settings, plan.tell)
        if not sample:
            return Exam({}, len(dev.trees), dev.words)
        sentences = [list(tree.words) for tree in sample]
        scores = perplexities(dev_perplexity(model, [sentences]))
        counts = score_trees(sample, model.parse_trees(sentences))
        for name in ("labelled", "unlabelled"):
            scores[f"{name} F1"] = f1([getattr(one, name) for one in counts])
        return Exam(scores, len(dev.trees), dev.words, {"dev_sample": len(sample)})


def _sample(dev: list[PhraseTree], settings: StructuralSettings, tell: Tell) -> list[PhraseTree]:
    """Dev trees that are not too long: `dev_sample` of them, always the same."""
    fitting = [tree for tree in dev if len(tree) <= settings.shape.longest]
    if not settings.dev_sample or len(fitting) <= settings.dev_sample:
        return fitting
    chosen = np.random.default_rng(0).permutation(len(fitting))[: settings.dev_sample]
    tell(f"scoring the words of {settings.dev_sample} of {len(fitting)} dev sentences by beam search")
    return [fitting[number] for number in sorted(chosen.tolist())]
