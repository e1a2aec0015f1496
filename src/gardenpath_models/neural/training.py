"""Training neural language models: `gardenpath train lstm` and `gardenpath train transformer`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.systems import Outcome, Text, TextPlan, TextTrainer, one_thread

from .folder import (
    identity_of,
    save_network,
)
from .system import NeuralSettings, build, sentence_items, settings_of
from .training_loop import Ids, fit, within
from .vocabulary import Vocabulary, vocabulary_from

if TYPE_CHECKING:
    pass


class NeuralTrainer(TextTrainer[NeuralSettings]):
    """One kind of network. The same text, options and seed give the same weights on the same machine."""

    resumable = True

    def settings(self, preset: str, options: Mapping[str, str]) -> NeuralSettings:
        return settings_of(self.kind, preset, options)

    def learn(self, plan: TextPlan[NeuralSettings], target: Path) -> Outcome:
        settings = plan.settings
        longest = settings.shape.longest
        counts, lengths = _counted(plan.train)
        kept = set(within(lengths, plan.tell, longest=longest).tolist())
        if len(kept) < len(lengths):  # words of sentences that nothing is learned from are not known
            counts = Counter(
                word for number, line in enumerate(plan.train.sentences()) if number in kept for word in line
            )
        vocabulary = vocabulary_from(
            counts, min_count=settings.min_count, size=settings.vocabulary or None, where=plan.train.name
        )
        sentences = [vocabulary.encode(line) for at, line in enumerate(plan.train.sentences()) if at in kept]
        words = sum(counts.values())
        known, classes = len(vocabulary.words), len(vocabulary.classes)
        plan.tell(
            f"{words} tokens, {len(sentences)} sentences, {len(counts)} different words: {known} known, the others in "
            f"{classes} class{'es' * (classes != 1)} of unknown words"
        )
        held_out = _held_out(plan, vocabulary, longest)
        with one_thread(plan.seed):
            network = build(settings.shape, len(vocabulary))
            plan.tell(f"{sum(weight.numel() for weight in network.parameters())} parameters")
            fitted = fit(
                network,
                sentence_items(network, sentences),
                sentence_items(network, held_out) if held_out else None,
                settings.schedule,
                seed=plan.seed,
                tell=plan.tell,
                checkpoint=plan.checkpoint,
                identity=identity_of(plan, vocabulary.digest),
            )
            save_network(target, settings.shape, vocabulary, network)
        log = {
            "too_long": len(lengths) - len(sentences),
            "vocabulary": known,
            "unknown_classes": classes,
            "parameters": sum(weight.numel() for weight in network.parameters()),
            **fitted.log,
        }
        return Outcome(settings.described(), log, len(sentences), words)


def _counted(text: Text) -> tuple[Counter[str], list[int]]:
    """How often each word occurs, and the length of each sentence."""
    counts: Counter[str] = Counter()
    lengths = []
    for line in text.sentences():
        counts.update(line)
        lengths.append(len(line))
    return counts, lengths


def _held_out(plan: TextPlan[NeuralSettings], vocabulary: Vocabulary, longest: int) -> list[Ids]:
    """Dev sentences to stop by; long ones are left out here, not in the scores of the finished model."""
    if plan.dev is None:
        return []
    encoded = [vocabulary.encode(line) for line in plan.dev.sentences()]
    return [encoded[number] for number in within([len(one) for one in encoded], plan.tell, "dev", longest).tolist()]
