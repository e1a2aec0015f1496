"""`chart:FOLDER`: a neural span parser; its presets, its files, and how it is trained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from gardenpath.errors import MissingPackage, unknown_name
from gardenpath.phrase import Parameters, PhraseTree, head_child, lowered, marked_head, scheme_of, score_trees
from gardenpath.phrase import scheme as known_scheme
from gardenpath.systems import Habits, Outcome, PhrasePlan, PhraseTrainer, Tell, counted_as, f1, torch_threads

from ..neural.folder import (
    NetworkModel,
    NetworkShape,
    TrainingSettings,
    changed,
    check_not_negative,
    check_size,
    identity_of,
    save_network,
)
from ..neural.training_loop import Ids, Items, Schedule, Scored, fit, within
from ..neural.vocabulary import Vocabulary, read_text, vocabulary_from
from ..pcfg.treebank_grammar import RAISE, SPLIT, Preparation, tags_at_root
from .lessons import GAPS, LOWER, Inventory, Lesson, inventory_of, lesson_of

if TYPE_CHECKING:
    import torch
    from torch import nn

    from .decoding import Reader
    from .lessons import PretrainedText
    from .network import Sizes, SpanParser


KIND = "chart"


@dataclass(frozen=True, slots=True)
class Shape(NetworkShape):
    """The shape of the network."""

    FORMAT = "gardenpath-chart 2"
    NONE = "these are not settings of a chart parser"
    KIND: ClassVar[str] = KIND

    embedding: int
    """Of words."""
    characters: int
    """The embedding of a character."""
    spelling: int
    """Filters over characters."""
    affixes: int
    """Of beginnings and endings of words."""
    tag: int
    """Of the tags that the upper layers of the encoder read."""
    units: int
    """Of the layer over spans, and of that of tags."""
    edge: int
    """Units of the layers over a node and its mother."""
    dropout: float
    longest: int = 150
    """Words of a sentence, to learn from and to parse: time grows with the cube."""

    def check(self) -> None:
        if self.kind != self.KIND:
            raise unknown_name(f"kind of {self.KIND} parser", self.kind, (self.KIND,))
        sizes = (
            "layers", "hidden", "embedding", "characters", "spelling", "affixes", "tag", "units", "edge", "longest",
        )  # fmt: skip
        check_size(self, sizes, self.dropout)


ShapeT = TypeVar("ShapeT", bound=Shape)


@dataclass(frozen=True)
class EncoderSettings(TrainingSettings[ShapeT]):
    """What decides a training, of any parser over this encoder."""

    forget: float = 0.5
    """A known word is read as an unknown one with probability forget / (forget + its frequency)."""
    encoder: str = ""
    """A language model (a folder of Transformers, a GGUF file) whose vectors are read, too; it learns nothing."""

    def check(self) -> None:
        super().check()
        check_not_negative(self, ("forget",))


@dataclass(frozen=True)
class ChartSettings(EncoderSettings[Shape]):
    """What decides a training, and what is special to phrase trees."""

    gaps: str = LOWER
    """`lower`: what a tree without gaps shows too high up goes back to where it belongs; `raise`: it stays there;
    `split`: a node with a gap is learned in pieces with marks, and the pieces are put together in parses."""
    scheme: str = ""
    """Of the heads, beside which raising keeps a node; else that of the trees, if they tell."""

    def check(self) -> None:
        super().check()
        if self.gaps not in GAPS:
            raise unknown_name("treatment of gaps", self.gaps, GAPS)
        if self.scheme:
            known_scheme(self.scheme)


PRESETS: Mapping[str, ChartSettings] = {
    "tiny": ChartSettings(
        Shape(KIND, 1, 64, 32, 16, 32, 16, 16, 64, 32, 0.1),
        Schedule(epochs=8, batch=60, rate=5e-3, warmup=10, decay=0.0, patience=8, clip=5.0, average=0.99),
    ),
    "default": ChartSettings(
        Shape(KIND, 2, 160, 100, 32, 64, 64, 32, 200, 100, 0.33),
        Schedule(epochs=18, batch=250, rate=2.5e-3, warmup=100, decay=0.0, patience=18, clip=5.0, average=0.99),
    ),
    "paper": ChartSettings(
        Shape(KIND, 2, 250, 100, 50, 100, 100, 50, 250, 150, 0.4),
        Schedule(epochs=60, batch=250, rate=1e-3, warmup=200, decay=0.0, patience=60, clip=5.0, average=0.99),
    ),
}
"""`batch` counts words. The LSTMs of `paper` are those of Stern, Andreas and Klein (2017)."""


INVENTORY = "inventory.json"
ON_PROCESSOR = ("device", "precision")
"""Options of other kinds: trees are searched on the processor after every epoch."""


NetworkT = TypeVar("NetworkT")


def build(
    network: Callable[[Sizes, ShapeT, nn.Module | None], NetworkT], shape: ShapeT, inventory: Inventory,
    vocabulary: Vocabulary, encoder: nn.Module | None = None,
) -> NetworkT:  # fmt: skip
    """A network with its first weights, which the seed decides; those of a pretrained encoder come with it."""
    from .network import Sizes

    pretrained = None
    if inventory.pretrained is not None:
        from .network import Pretrained, built

        pretrained = built(inventory.pretrained) if encoder is None else Pretrained(encoder)
    sizes = Sizes(
        len(vocabulary), inventory.spellings, 1 + len(inventory.affixes), len(inventory.tags), len(inventory.chains),
        len(inventory.names), len(inventory.functions), pretrained.width if pretrained is not None else 0,
    )  # fmt: skip
    return network(sizes, shape, pretrained)


def encoder_of(settings: EncoderSettings[Any]) -> tuple[PretrainedText | None, nn.Module | None, str]:
    """The pretrained model that reads the words too, with its SHA-256; nothing where none is wanted."""
    if not settings.encoder:
        return None, None, ""
    if find_spec("transformers") is None:
        raise MissingPackage.extra("transformers", "hf")
    from .network import read_pretrained

    return read_pretrained(settings.encoder)


class ChartModel(NetworkModel[Shape]):
    """A phrase parser with functions, tags and gaps. Its weights are read when it is first asked."""

    kind = KIND
    habits = Habits(chunk=250, repeatable=True)
    shapes = Shape
    further = (INVENTORY,)

    @cached_property
    def inventory(self) -> Inventory:
        return Inventory.from_json(*read_text(self.path / INVENTORY))

    def build(self) -> SpanParser:
        from .network import SpanParser

        return build(SpanParser, self.shape, self.inventory, self.vocabulary)

    def parse_trees(self, sentences: Sequence[Sequence[str]]) -> list[PhraseTree | None]:
        """The best tree of each sentence; None of one without words, or with more than `longest`."""
        from .decoding import Reader, parsed

        fitting = [sentence for sentence in sentences if 0 < len(sentence) <= self.shape.longest]
        with torch_threads():
            trees = iter(parsed(self.network, Reader(self.vocabulary, self.inventory), fitting))
        return [next(trees) if 0 < len(sentence) <= self.shape.longest else None for sentence in sentences]


class ChartTrainer(PhraseTrainer[ChartSettings]):
    """The same trees, options and seed give the same weights on the same machine. Dev trees choose the epoch."""

    resumable = True

    def settings(self, preset: str, options: Mapping[str, str]) -> ChartSettings:
        return changed(PRESETS[preset], options, ON_PROCESSOR)

    def learn(self, plan: PhrasePlan[ChartSettings], target: Path) -> Outcome:
        from .decoding import Reader
        from .network import SpanParser

        settings, tell = plan.settings, plan.tell
        trees = _fitting(plan.train.trees, settings, tell, "training")
        dev = _fitting(plan.dev.trees, settings, tell, "dev") if plan.dev else []
        scheme = settings.scheme or getattr(scheme_of(trees), "name", "")
        at_root = tags_at_root(trees, scheme)
        head = (lambda node: head_child(node, scheme)) if scheme else marked_head
        cut = Preparation(settings.gaps, scheme, at_root) if settings.gaps == SPLIT else None
        prepared = [cut.prepared(tree) if cut else lowered(tree, at_root) for tree in trees]
        lessons = [lesson_of(tree, head, at_root) for tree in prepared]
        counts = Counter(word for tree in trees for word in tree.words)
        vocabulary = vocabulary_from(
            counts, min_count=settings.min_count, size=settings.vocabulary or None, where=plan.train.name
        )
        text, encoder, encoder_sha256 = encoder_of(settings)
        strays = sum(int((lesson.right != lesson.candidates.firsts).sum()) for lesson in lessons)
        # Without a single gap nothing is learned about mothers, and choosing them would invent gaps.
        gaps = RAISE if settings.gaps == LOWER and not strays else settings.gaps
        inventory = inventory_of(lessons, at_root, gaps=gaps, pretrained=text)
        lost = sum(lesson.lost for lesson in lessons)
        tell(
            f"{counts.total()} tokens, {len(trees)} trees, {len(vocabulary.words)} known words; "
            f"{len(inventory.chains) - 1} chains of categories, {len(inventory.functions)} functions, "
            f"{len(inventory.tags)} tags; {strays} nodes were raised, and {lost} more whose place is not learned"
        )
        with torch_threads(settings.schedule.threads, plan.seed):
            network = build(SpanParser, settings.shape, inventory, vocabulary, encoder)
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


def _fitting(trees: Sequence[PhraseTree], settings: ChartSettings, tell: Tell, what: str) -> list[PhraseTree]:
    """Those that are not too long; how many are is told."""
    return [trees[number] for number in within([*map(len, trees)], tell, what, settings.shape.longest).tolist()]


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
