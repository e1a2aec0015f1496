"""`biaffine:FOLDER`: a graph-based dependency parser, also over a pretrained encoder; its presets and training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gardenpath.errors import InputError, unknown_name
from gardenpath.systems import MODES, Habits, ParserPlan, ParserTrainer, Request, torch_threads
from gardenpath.treebank import Treebank

from ..chart.lessons import LOWER, Inventory, Numbers, spellings_of
from ..chart.system import INVENTORY, ON_PROCESSOR, EncoderSettings, Shape, build, encoder_of
from ..chart.system import PRESETS as CHART_PRESETS
from ..neural.folder import NetworkModel, changed, identity_of, save_network
from ..neural.training_loop import Ids, Items, Scored, fit, within
from ..neural.vocabulary import read_text, vocabulary_from
from .arc_tags import arc_tags, split_tag

if TYPE_CHECKING:
    import torch

    from ..chart.decoding import Reader
    from .network import ArcNetwork, Lesson


BIAFFINE, TAGS = ARCS = ("biaffine", "tags")


@dataclass(frozen=True, slots=True)
class BiaffineShape(Shape):
    """The shape of the network: `units` are those of the scores of arcs, `edge` those of labels."""

    FORMAT = "gardenpath-biaffine 1"
    NONE = "these are not settings of a biaffine parser"
    KIND: ClassVar[str] = "biaffine"

    arcs: str = BIAFFINE
    """`biaffine`: every word scores every head; `tags`: a tag of each word says where its head is."""

    def check(self) -> None:
        super(BiaffineShape, self).check()
        if self.arcs not in ARCS:
            raise unknown_name("way to find arcs", self.arcs, ARCS)

    @property
    def network(self) -> type[ArcNetwork]:
        from .network import BiaffineParser, TaggingParser

        return BiaffineParser if self.arcs == BIAFFINE else TaggingParser


Settings = EncoderSettings[BiaffineShape]


class BiaffineModel(NetworkModel[BiaffineShape]):
    """A dependency parser that reads words alone. Its weights are read when it is first asked."""

    kind = BiaffineShape.KIND
    modes, habits = MODES[:1], Habits(chunk=250, repeatable=True)
    shapes = BiaffineShape
    further = (INVENTORY,)

    @cached_property
    def inventory(self) -> Inventory:
        text, where = read_text(self.path / INVENTORY)
        inventory = Inventory.from_json(text, where)
        if self.shape.arcs == TAGS:
            for name in inventory.functions:
                try:
                    split_tag(name)
                except ValueError:
                    raise InputError(f"{name!r} is not an arc tag", where=where, todo="train the model again") from None
        return inventory

    def build(self) -> ArcNetwork:
        return build(self.shape.network, self.shape, self.inventory, self.vocabulary)

    def parse(self, request: Request) -> str:
        """Return CoNLL-U with UPOS, heads and labels; a sentence with more than `longest` words is left out."""
        from ..chart.decoding import Reader
        from .network import parsed

        given = [
            (sent_id, [word.form for word in sentence])
            for sent_id, sentence in zip(request.tokens.sent_ids, request.tokens, strict=True)
            if len(sentence) <= self.shape.longest
        ]
        with torch_threads():
            reader = Reader(self.vocabulary, self.inventory)
            parses = parsed(self.network, reader, [words for _, words in given])
        lines: list[str] = []
        for (sent_id, words), parse in zip(given, parses, strict=True):
            lines += [f"# sent_id = {sent_id}"] if sent_id else []
            for at, (word, tag, head, label) in enumerate(
                zip(words, parse.tags, parse.heads, parse.labels, strict=True), 1
            ):
                lines.append(f"{at}\t{word}\t_\t{tag}\t_\t_\t{head}\t{label}\t_\t_")
            lines.append("")
        return "\n".join([*lines, ""])


class BiaffineTrainer(ParserTrainer[Settings]):
    """The same trees, options and seed give the same weights on the same machine. Dev trees choose the epoch."""

    resumable = True

    def settings(self, preset: str, options: Mapping[str, str]) -> Settings:
        """The encoder and the pace of the chart parser's preset of this name, with the user's options."""
        chart = CHART_PRESETS[preset]
        shape = BiaffineShape(**{**asdict(chart.shape), "kind": BiaffineShape.KIND})
        return changed(EncoderSettings(shape, chart.schedule), options, ON_PROCESSOR)

    def run_tool(self, plan: ParserPlan[Settings], target: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
        from ..chart.decoding import Reader

        settings, tell, treebank = plan.settings, plan.tell, plan.train.treebank
        sentences = _words(treebank)
        counts = Counter(word for sentence in sentences for word in sentence)
        vocabulary = vocabulary_from(
            counts, min_count=settings.min_count, size=settings.vocabulary or None, where=plan.train.name
        )
        text, encoder, encoder_sha256 = encoder_of(settings)
        upos, labels = treebank.column("upos").strings(), _labels(treebank, settings.shape)
        tags, names = (tuple(sorted(set(values))) for values in (upos, labels))
        inventory = Inventory(tags, ((),), names, *spellings_of(sentences), (), (), LOWER, text)
        lessons = _lessons(treebank, sentences, _numbers(upos, tags), _numbers(labels, names))
        lessons = [
            lessons[number]
            for number in within([*map(len, sentences)], tell, "training", settings.shape.longest).tolist()
        ]
        with torch_threads(settings.schedule.threads, plan.seed):
            network = build(settings.shape.network, settings.shape, inventory, vocabulary, encoder)
            reader = Reader(vocabulary, inventory)
            parameters = sum(weight.numel() for weight in network.parameters() if weight.requires_grad)
            tell(f"{len(vocabulary.words)} known words, {len(names)} labels, {parameters} parameters")
            fitted = fit(
                network,
                _items(network, reader, lessons, counts, settings.forget),
                _scored(network, reader, plan.dev.treebank) if plan.dev else None,
                settings.schedule,
                seed=plan.seed,
                tell=tell,
                checkpoint=plan.checkpoint,
                identity=identity_of(plan, vocabulary.digest, inventory.to_json(), encoder_sha256),
                fused=True,
            )
            save_network(target, settings.shape, vocabulary, network, **{INVENTORY: inventory.to_json()})
        log = {"too_long": len(sentences) - len(lessons), "parameters": parameters, **fitted.log}
        return settings.described(), {**log, **({"encoder": encoder_sha256} if encoder_sha256 else {})}


def _words(treebank: Treebank) -> list[list[str]]:
    return [[word.form for word in sentence] for sentence in treebank]


def _labels(treebank: Treebank, shape: BiaffineShape) -> list[str]:
    """The labels of all words; with `arcs=tags` they also say where the head is."""
    labels = treebank.column("deprel").strings()
    if shape.arcs == BIAFFINE:
        return labels
    upos, heads, made = treebank.column("upos").strings(), treebank.heads.tolist(), list[str]()
    for begin, end in pairwise(treebank.offsets.tolist()):
        made += arc_tags(upos[begin:end], heads[begin:end], labels[begin:end])
    return made


def _numbers(values: Sequence[str], names: Sequence[str]) -> Numbers:
    place = {name: number for number, name in enumerate(names)}
    return np.array([place[value] for value in values], np.int64)


def _lessons(treebank: Treebank, sentences: Sequence[Sequence[str]], tags: Numbers, labels: Numbers) -> list[Lesson]:
    from .network import Lesson

    heads = treebank.heads.astype(np.int64)
    return [
        Lesson(tuple(words), tags[begin:end], heads[begin:end], labels[begin:end])
        for words, (begin, end) in zip(sentences, pairwise(treebank.offsets.tolist()), strict=True)
    ]


def _items(
    network: ArcNetwork,
    reader: Reader,
    lessons: Sequence[Lesson],
    counts: Mapping[str, int],
    forget: float,
) -> Items:
    from .network import loss

    forgotten = {word: forget / (forget + count) for word, count in counts.items()} if forget else {}

    def of_batch(numbers: Ids) -> tuple[torch.Tensor, int]:
        batch = [lessons[number] for number in numbers]
        return loss(network, reader, batch, forgotten), sum(len(lesson.words) for lesson in batch)

    return Items([len(lesson.words) for lesson in lessons], of_batch, "loss")


def _scored(network: ArcNetwork, reader: Reader, dev: Treebank) -> Scored:
    """LAS on dev, subtypes included, by which an epoch is better than another."""
    from .network import parsed

    sentences, labels = _words(dev), dev.column("deprel").strings()

    def score() -> float:
        parses = parsed(network, reader, sentences)
        heads = [head for parse in parses for head in parse.heads]
        names = [label for parse in parses for label in parse.labels]
        found = zip(heads, names, dev.heads.tolist(), labels, strict=True)
        return 100 * sum((head, name) == (true, label) for head, name, true, label in found) / max(1, len(labels))

    return Scored("LAS", score)
