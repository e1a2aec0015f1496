"""Networks of dependency parsers over the encoder of the chart parser, their loss and their trees. Needs torch.

Arcs are scored by a biaffine function of word and head (Dozat and Manning 2017), or read from a tag of the word
(Strzyz, Vilares and Gómez-Rodríguez 2019).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from gardenpath.treebank import spanning_tree

from ..chart.decoding import Forgotten, Reader
from ..chart.lessons import Inventory, Numbers
from ..chart.network import Encoded, Encoder, Sizes
from ..neural.training_loop import bucketed, padded
from .arc_tags import ROOT_LABEL, head_at, split_tag

if TYPE_CHECKING:
    from .system import BiaffineShape

_BATCH = 1500
"""Words that are parsed together, with their padding."""
_PRECISION = 1e6
"""Log probabilities are rounded to whole parts of this size, because spanning trees have integer scores."""
_IMPOSSIBLE = -1e4
"""The log probability of an arc that no tag proposes."""
_PROPOSALS = 5
"""Tags of a word that propose arcs: one alone often makes no tree."""


@dataclass(frozen=True)
class Lesson:
    """Words of a sentence with the numbers of their tags and labels, and their heads (0 is the root)."""

    words: tuple[str, ...]
    tags: Numbers
    heads: Numbers
    labels: Numbers


@dataclass(frozen=True)
class Parse:
    """Parts of speech, heads and labels of all words of a sentence."""

    tags: list[str]
    heads: list[int]
    labels: list[str]


@dataclass(frozen=True)
class Batch:
    """Sentences as the encoder sees them, and what is true of their words (B × N each)."""

    encoded: Encoded
    lengths: Tensor
    inside: Tensor
    """Where there is a word, and not padding."""
    heads: Tensor
    labels: Tensor


class ArcNetwork(nn.Module, ABC):  # type: ignore[misc]
    """An encoder, and some way to find the arcs between its words."""

    def __init__(self, sizes: Sizes, shape: BiaffineShape, pretrained: nn.Module | None = None) -> None:
        super().__init__()
        self.encoder = Encoder(sizes, shape, pretrained)

    @abstractmethod
    def loss(self, batch: Batch) -> Tensor:
        """Return the sum of -ln p of all heads and labels."""

    @abstractmethod
    def trees(self, encoded: Encoded, lengths: Tensor, tags: list[list[str]], inventory: Inventory) -> list[Parse]:
        """Return the best tree of each sentence, whose words have these parts of speech."""


class BiaffineParser(ArcNetwork):
    """Scores of all heads of a word, and of all labels of an arc."""

    def __init__(self, sizes: Sizes, shape: BiaffineShape, pretrained: nn.Module | None = None) -> None:
        super().__init__(sizes, shape, pretrained)
        width, units, edge = 2 * shape.hidden, shape.units, shape.edge

        def view(size: int) -> nn.Sequential:
            return nn.Sequential(nn.Linear(width, size), nn.LeakyReLU(0.1), nn.Dropout(shape.dropout))

        self.root = nn.Parameter(torch.zeros(width))
        self.child, self.head, self.arc_child, self.arc_head = view(units), view(units), view(edge), view(edge)
        self.arc = nn.Parameter(torch.zeros(units + 1, units))
        self.label = nn.Parameter(torch.zeros(sizes.functions, edge + 1, edge + 1))

    def loss(self, batch: Batch) -> Tensor:
        arcs = self.arcs(batch.encoded, batch.lengths)[batch.inside]
        labels = self.labels(batch.encoded, batch.heads)[batch.inside]
        heads = cross_entropy(arcs, batch.heads[batch.inside], reduction="sum")
        return heads + cross_entropy(labels, batch.labels[batch.inside], reduction="sum")

    def trees(self, encoded: Encoded, lengths: Tensor, tags: list[list[str]], inventory: Inventory) -> list[Parse]:
        arcs = torch.log_softmax(self.arcs(encoded, lengths), -1).numpy()
        trees = [best_tree(scores, length) for scores, length in zip(arcs, lengths.tolist(), strict=True)]
        heads = torch.from_numpy(padded(trees, 0))
        roots = torch.tensor([label == ROOT_LABEL for label in inventory.functions])
        # The label of the root is for the root and for nothing else, unless there is no other.
        wrong = (heads == 0)[..., None] != roots
        wrong &= ~wrong.all(-1, keepdim=True)
        labels = self.labels(encoded, heads).masked_fill(wrong, -torch.inf).argmax(-1).tolist()
        names = inventory.functions
        return [
            Parse(own, tree, [names[label] for label in row[: len(tree)]])
            for own, tree, row in zip(tags, trees, labels, strict=True)
        ]

    def arcs(self, encoded: Encoded, lengths: Tensor) -> Tensor:
        """B × N × N+1: score(word, head) = (child ⊕ 1)ᵀ A head; heads beyond the sentence have -inf."""
        scores: Tensor = _with_one(self.child(encoded.words)) @ self.arc @ self.head(self._heads(encoded)).mT
        beyond = torch.arange(scores.shape[-1]) > lengths[:, None]
        return scores.masked_fill(beyond[:, None], -torch.inf)

    def labels(self, encoded: Encoded, heads: Tensor) -> Tensor:
        """B × N × labels: score(word, label) = (child ⊕ 1)ᵀ L (head ⊕ 1), at these heads (B × N)."""
        of_all = _with_one(self.arc_head(self._heads(encoded)))
        chosen = of_all.gather(1, heads[..., None].expand(-1, -1, of_all.shape[-1]))
        return torch.einsum("bni,lij,bnj->bnl", _with_one(self.arc_child(encoded.words)), self.label, chosen)

    def _heads(self, encoded: Encoded) -> Tensor:
        """B × N+1 × 2H: the root, then the words."""
        return torch.cat([self.root.expand(len(encoded.words), 1, -1), encoded.words], 1)


class TaggingParser(ArcNetwork):
    """A tag for each word that says where its head is; the tree is the best that likely tags propose."""

    def __init__(self, sizes: Sizes, shape: BiaffineShape, pretrained: nn.Module | None = None) -> None:
        super().__init__(sizes, shape, pretrained)
        self.arc_tag = nn.Linear(2 * shape.hidden, sizes.functions)

    def loss(self, batch: Batch) -> Tensor:
        scores = self.arc_tag(batch.encoded.words)[batch.inside]
        return cross_entropy(scores, batch.labels[batch.inside], reduction="sum")

    def trees(self, encoded: Encoded, lengths: Tensor, tags: list[list[str]], inventory: Inventory) -> list[Parse]:
        scores = torch.log_softmax(self.arc_tag(encoded.words), -1)
        best = scores.topk(min(_PROPOSALS, scores.shape[-1]), -1)
        parses = []
        for own, values, numbers in zip(tags, best.values.tolist(), best.indices.tolist(), strict=True):
            size = len(own)
            arcs = np.full((size, size + 1), _IMPOSSIBLE)
            labels: dict[tuple[int, int], str] = {}
            for at in range(size):
                for value, number in zip(values[at], numbers[at], strict=True):
                    distance, upos, label = split_tag(inventory.functions[number])
                    head = head_at(own, at, distance, upos)
                    if head is not None and (at, head) not in labels:
                        arcs[at, head], labels[at, head] = value, label
            tree = best_tree(arcs, size)
            named = [labels.get((at, head), ROOT_LABEL if head == 0 else "dep") for at, head in enumerate(tree)]
            parses.append(Parse(own, tree, named))
        return parses


def best_tree(arcs: np.ndarray[tuple[int, int], np.dtype[np.floating]], length: int) -> list[int]:
    """Return the heads of the best tree with one root; `arcs` has log probabilities of word × head."""
    square = np.zeros((length + 1, length + 1), np.int64)  # head × word; column 0 is the root's
    square[:, 1:] = np.round(_PRECISION * np.maximum(arcs[:length, : length + 1].T, _IMPOSSIBLE))
    return spanning_tree(square)


def _with_one(rows: Tensor) -> Tensor:
    return torch.cat([rows, rows.new_ones((*rows.shape[:-1], 1))], -1)


def loss(network: ArcNetwork, reader: Reader, lessons: Sequence[Lesson], forgotten: Forgotten) -> Tensor:
    """Return the sum of -ln p of all parts of speech, heads and labels of a batch."""
    inputs = reader.inputs([lesson.words for lesson in lessons], forgotten)
    encoded = network.encoder(inputs)
    inside = torch.arange(int(inputs.lengths.max())) < inputs.lengths[:, None]
    tags, heads, labels = (
        torch.from_numpy(padded([getattr(lesson, part) for lesson in lessons], 0))
        for part in ("tags", "heads", "labels")
    )
    total: Tensor = cross_entropy(encoded.tags[inside], tags[inside], reduction="sum")
    return total + network.loss(Batch(encoded, inputs.lengths, inside, heads, labels))


def parsed(network: ArcNetwork, reader: Reader, sentences: Sequence[Sequence[str]]) -> list[Parse]:
    """Return the best tree of each sentence, which has words; exactly one word hangs at the root."""
    parses: dict[int, Parse] = {}
    inventory = reader.inventory
    network.eval()
    with torch.no_grad():
        for numbers in bucketed([len(sentence) for sentence in sentences], _BATCH):
            inputs = reader.inputs([sentences[number] for number in numbers])
            encoded = network.encoder(inputs)
            rows = zip(encoded.tags.argmax(-1).tolist(), inputs.lengths.tolist(), strict=True)
            tags = [[inventory.tags[tag] for tag in row[:length]] for row, length in rows]
            parses |= zip(numbers.tolist(), network.trees(encoded, inputs.lengths, tags, inventory), strict=True)
    return [parses[number] for number in range(len(sentences))]
