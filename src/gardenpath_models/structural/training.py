"""Training of structural models: oracles, vocabulary, limits, and the loss of words and trees together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gardenpath.errors import InputError
from gardenpath.phrase import PhraseTree, score_trees
from gardenpath.runs import digest, to_text
from gardenpath.systems import (
    Exam,
    Outcome,
    Plan,
    Sources,
    Tell,
    Trainer,
    dev_perplexity,
    f1,
    one_thread,
    package_version,
    perplexities,
)

from ..neural.folder import (
    save_network,
)
from ..neural.training_loop import Items, fit, within
from ..neural.vocabulary import Vocabulary, vocabulary_of
from .actions import Ids, Inventory, Oracle, Oracles, opened, oracles
from .schedule import Derivation, derivation
from .system import ACTIONS, StructuralModel, StructuralSettings, build, settings_of
from .trees import AnyTrees

if TYPE_CHECKING:
    import torch


_LEAST_OPEN, _LEAST_RUN = 20, 4


@dataclass(frozen=True)
class Lesson:
    """Derivations as numbers, and how many words they have."""

    derivations: list[Derivation]
    words: Ids

    def items(self, network: Any) -> Items:
        """For the training loop: the loss is that of words and tree together, counted per word and end."""

        def loss(numbers: Ids) -> tuple[torch.Tensor, int]:
            chosen = [self.derivations[number] for number in numbers]
            return network.loss(chosen), int(self.words[numbers].sum()) + len(numbers)

        return Items([len(one) for one in self.derivations], loss)


def learn(
    kind: str, trees: Sequence[PhraseTree], dev: Sequence[PhraseTree], settings: StructuralSettings, target: Path, *,
    seed: int, tell: Tell, checkpoint: Path | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Trains a model and puts it into a folder; the log. Without dev all epochs are trained."""
    made = oracles(trees, functions=settings.functions)
    _tell_oracles(made, tell, "training")
    kept = _fitting(made.made, settings, tell, "training")
    vocabulary = vocabulary_of(
        [one.words for one in kept], min_count=settings.min_count, size=settings.vocabulary or None
    )
    inventory = inventory_of(kept, settings)
    held_out = _dev(dev, inventory, settings, tell)
    words = sum(len(one.words) for one in kept)
    tell(
        f"{words} tokens, {len(kept)} trees, {len(vocabulary.words)} known words and {len(vocabulary.classes)} classes "
        f"of unknown ones, {len(inventory.labels)} categories; at most {inventory.max_open} phrases are open at once "
        f"and {inventory.max_run} opened in a row"
    )
    lesson = lesson_of(kept, inventory, vocabulary)
    exam = lesson_of(held_out, inventory, vocabulary) if held_out else None
    with one_thread(seed):
        network = build(settings.shape, inventory, len(vocabulary))
        parameters = sum(weight.numel() for weight in network.parameters())
        tell(f"{parameters} parameters; perplexities in training are those of words and trees together, per word")
        fitted = fit(
            network,
            lesson.items(network),
            exam.items(network) if exam else None,
            settings.schedule,
            seed=seed,
            tell=tell,
            checkpoint=checkpoint,
            identity=_identity(kind, seed, settings, kept, held_out),
        )
        save_network(target, settings.shape, vocabulary, network, **{ACTIONS: inventory.to_json()})
    return {
        "sentences": len(kept),
        "words": words,
        "left_out": len(made.made) - len(kept),
        "raised": made.raised,
        "several_roots": made.topped,
        "unary_chains": {str(length): count for length, count in sorted(made.unary.items())},
        "vocabulary": len(vocabulary.words),
        "unknown_classes": len(vocabulary.classes),
        "categories": len(inventory.labels),
        "max_open": inventory.max_open,
        "max_run": inventory.max_run,
        "parameters": parameters,
        "dev_left_out": len(dev) - len(held_out),
        "best_epoch": fitted.best_epoch,
        "joint_perplexity": None if fitted.perplexity is None else round(fitted.perplexity, 4),
        "epochs": fitted.history,
        "training_seconds": round(fitted.seconds, 2),
    }


def inventory_of(kept: Sequence[Oracle], settings: StructuralSettings) -> Inventory:
    """The categories, the frequent ones first, and the limits: those given, else those that the trees need."""
    counts = Counter(label for one in kept for action in one.actions if (label := opened(action)) is not None)
    labels = sorted(counts, key=lambda label: (-counts[label], label))
    max_open = settings.max_open or max(_LEAST_OPEN, *(one.open_phrases for one in kept))
    max_run = settings.max_run or max(_LEAST_RUN, *(one.run for one in kept))
    return Inventory(tuple(labels), max_open, max_run, settings.functions)


def lesson_of(kept: Sequence[Oracle], inventory: Inventory, vocabulary: Vocabulary) -> Lesson:
    made = [derivation(inventory, inventory.encode(one.actions), vocabulary.encode(one.words)) for one in kept]
    return Lesson(made, np.array([len(one.words) for one in kept], np.int64))


def _fitting(made: list[Oracle], settings: StructuralSettings, tell: Tell, what: str) -> list[Oracle]:
    """Those that are not too long and within the limits that were given; others are told."""
    shape = settings.shape
    kept = [made[number] for number in within([len(one.words) for one in made], tell, what, shape.longest).tolist()]
    limits = (
        ("actions than the model has positions", shape.positions, lambda one: len(one.actions)),
        ("phrases open at once than max_open", settings.max_open, lambda one: one.open_phrases),
        ("phrases opened in a row than max_run", settings.max_run, lambda one: one.run),
    )
    for name, limit, count in limits:
        small = [one for one in kept if not limit or count(one) <= limit]
        if len(small) < len(kept):
            out = len(kept) - len(small)
            tell(f"warning: {out} {what} tree{'s' * (out != 1)} with more {name} ({limit}) left out")
        kept = small
    if not kept:
        raise InputError(f"no {what} tree is left", todo="raise the limits")
    return kept


def _dev(dev: Sequence[PhraseTree], inventory: Inventory, settings: StructuralSettings, tell: Tell) -> list[Oracle]:
    """Dev trees to stop by; those that the model cannot make are left out here, and told."""
    if not dev:
        return []
    made = oracles(dev, functions=settings.functions)
    _tell_oracles(made, tell, "dev")
    kept = _fitting(made.made, settings, tell, "dev")
    known = set(inventory.labels)
    fine = [
        tree
        for tree in kept
        if tree.open_phrases <= inventory.max_open
        and tree.run <= inventory.max_run
        and all(opened(action) in known for action in tree.actions if opened(action) is not None)
    ]
    if len(fine) < len(kept):
        tell(
            f"warning: {len(kept) - len(fine)} of {len(kept)} dev trees have categories or depths that the training "
            "trees do not have: the training is not stopped by them"
        )
    if not fine:
        raise InputError("no dev tree has the categories of the training trees", todo="take trees of one scheme")
    return fine


def _tell_oracles(made: Oracles, tell: Tell, what: str) -> None:
    if made.raised:
        tell(f"crossing branches of {made.raised} {what} tree{'s' * (made.raised != 1)} were raised")
    if made.topped:
        many = "s" * (made.topped != 1)
        tell(f"a phrase was put over several roots, or over a word, in {made.topped} {what} tree{many}")


def _identity(kind: str, seed: int, settings: StructuralSettings, kept: Sequence[Oracle], dev: Sequence[Oracle]) -> str:
    """All that decides the weights: an interrupted training goes on only with the same."""
    facts = to_text([kind, seed, settings.described()])
    trees = (" ".join((*one.actions, "", *one.words)) for part in (kept, dev) for one in part)
    return digest(facts, str(len(kept)), *trees, package_version("torch"))


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
