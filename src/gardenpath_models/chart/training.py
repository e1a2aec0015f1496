"""Training span parsers: `gardenpath train chart`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import MissingPackage
from gardenpath.phrase import Parameters, PhraseTree, head_child, lowered, marked_head, scheme_of, score_trees
from gardenpath.systems import Outcome, PhrasePlan, PhraseTrainer, Tell, counted_as, f1, one_thread

from ..neural.folder import (
    identity_of,
    save_network,
)
from ..neural.training_loop import Ids, Items, Scored, fit, within
from ..neural.vocabulary import vocabulary_from
from ..pcfg.preparation import SPLIT, Preparation, tags_at_root
from .lessons import Lesson, PretrainedText, inventory_of, lesson_of
from .system import INVENTORY, ChartSettings, build, settings_of

if TYPE_CHECKING:
    import torch
    from torch import nn

    from .decoding import Reader
    from .network import SpanParser


class ChartTrainer(PhraseTrainer[ChartSettings]):
    """The same trees, options and seed give the same weights on the same machine. Dev trees choose the epoch."""

    resumable = True

    def settings(self, preset: str, options: Mapping[str, str]) -> ChartSettings:
        return settings_of(preset, options)

    def learn(self, plan: PhrasePlan[ChartSettings], target: Path) -> Outcome:
        from .decoding import Reader

        settings, tell = plan.settings, plan.tell
        trees = _fitting(plan.train.trees, settings, tell, "training")
        dev = _fitting(plan.dev.trees, settings, tell, "dev") if plan.dev else []
        scheme = settings.scheme or getattr(scheme_of(trees), "name", "")
        lessons, at_root = lessons_of(trees, scheme, settings.gaps)
        counts = Counter(word for tree in trees for word in tree.words)
        vocabulary = vocabulary_from(
            counts, min_count=settings.min_count, size=settings.vocabulary or None, where=plan.train.name
        )
        text, encoder, encoder_sha256 = _pretrained(settings.encoder)
        inventory = inventory_of(lessons, at_root, gaps=settings.gaps, pretrained=text)
        strays = sum(int((lesson.right != lesson.candidates.firsts).sum()) for lesson in lessons)
        lost = sum(lesson.lost for lesson in lessons)
        tell(
            f"{counts.total()} tokens, {len(trees)} trees, {len(vocabulary.words)} known words; "
            f"{len(inventory.chains) - 1} chains of categories, {len(inventory.functions)} functions, "
            f"{len(inventory.tags)} tags; {strays} nodes were raised, and {lost} more whose place is not learned"
        )
        with one_thread(plan.seed):
            network = build(settings.shape, inventory, vocabulary, encoder)
            reader = Reader(vocabulary, inventory)
            parameters = sum(weight.numel() for weight in network.parameters() if weight.requires_grad)
            tell(f"{parameters} parameters")
            fitted = fit(
                network,
                _items(network, reader, lessons, counts, settings.forget),
                _scored(network, reader, dev) if dev else None,
                settings.schedule,
                seed=plan.seed,
                tell=tell,
                checkpoint=plan.checkpoint,
                identity=identity_of(plan, vocabulary.digest, inventory.to_json(), encoder_sha256),
                fused=True,
            )
            save_network(target, settings.shape, vocabulary, network, **{INVENTORY: inventory.to_json()})
        log = {
            "too_long": len(plan.train.trees) - len(trees),
            "scheme": scheme,
            "raised": strays,
            "lost": lost,
            "vocabulary": len(vocabulary.words),
            "chains": len(inventory.chains) - 1,
            "parameters": parameters,
            **({"encoder": encoder_sha256} if encoder_sha256 else {}),
            **fitted.log,
        }
        return Outcome(settings.described(), log, len(trees), counts.total())


def lessons_of(trees: Sequence[PhraseTree], scheme: str, gaps: str) -> tuple[list[Lesson], frozenset[str]]:
    """What the trees teach, and the tags of punctuation that hangs at the virtual root."""
    at_root = tags_at_root(trees, scheme)
    head = (lambda node: head_child(node, scheme)) if scheme else marked_head
    prepared = Preparation(gaps, scheme, at_root).prepared if gaps == SPLIT else lambda tree: lowered(tree, at_root)
    return [lesson_of(prepared(tree), head, at_root) for tree in trees], at_root


def _fitting(trees: Sequence[PhraseTree], settings: ChartSettings, tell: Tell, what: str) -> list[PhraseTree]:
    """Those that are not too long; how many are is told."""
    return [trees[number] for number in within([*map(len, trees)], tell, what, settings.shape.longest).tolist()]


def _pretrained(folder: str) -> tuple[PretrainedText | None, nn.Module | None, str]:
    """The model that reads the words too, if one is named: what it is built from, its weights, and its SHA-256."""
    if not folder:
        return None, None, ""
    if find_spec("transformers") is None:
        raise MissingPackage.extra("transformers", "hf")
    from .network import read_pretrained

    return read_pretrained(folder)


def _items(
    network: SpanParser, reader: Reader, lessons: Sequence[Lesson], counts: Mapping[str, int], forget: float
) -> Items:
    from .decoding import answers_of, loss

    answers = [answers_of(lesson, reader.inventory) for lesson in lessons]
    forgotten = {word: forget / (forget + count) for word, count in counts.items()} if forget else {}

    def of_batch(numbers: Ids) -> tuple[torch.Tensor, int]:
        batch = [lessons[number] for number in numbers]
        words = sum(len(lesson.words) for lesson in batch)
        return loss(network, reader, batch, [answers[number] for number in numbers], forgotten), words

    return Items([len(lesson.words) for lesson in lessons], of_batch, "loss")


def _scored(network: SpanParser, reader: Reader, dev: Sequence[PhraseTree]) -> Scored:
    """Labelled F1 with functions on dev, by which an epoch is better than another."""
    from .decoding import parsed

    parameters: Parameters = counted_as(dev)

    def score() -> float:
        trees = parsed(network, reader, [tree.words for tree in dev])
        return f1([counts.functions for counts in score_trees(dev, trees, parameters)])

    return Scored("F1 with functions", score)
