"""Sentences and lessons as tensors, in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from ..neural.batches import padded
from ..neural.vocabulary import BEGIN_ID, END_ID, PADDING_ID, Vocabulary
from .inventory import Inventory
from .lessons import Candidates, Lesson, Numbers, Skeleton
from .network import Inputs, Nodes

if TYPE_CHECKING:
    from .pretrained import PieceReader

Forgotten = Mapping[str, float]
"""The probability with which a word is read as an unknown one; of words that are not in it: 0."""


@dataclass(frozen=True)
class Reader:
    """Words as a model reads them."""

    vocabulary: Vocabulary
    inventory: Inventory

    def inputs(self, sentences: Sequence[Sequence[str]], forgotten: Forgotten | None = None) -> Inputs:
        """A batch; with `forgotten` some words are read as unknown ones, by chance."""
        rows, places = [], []
        begin, end = self.inventory.edges
        spellings: dict[str, int] = {}
        for sentence in sentences:
            ids = self.vocabulary.encode(sentence)
            if forgotten is not None:
                chance = np.array([forgotten.get(word, 0.0) for word in sentence])
                for at in np.flatnonzero(torch.rand(len(sentence)).numpy() < chance).tolist():
                    ids[at] = self.vocabulary.unknown(sentence[at])
            rows.append(np.r_[BEGIN_ID, ids, END_ID])
            places.append([0, *(spellings.setdefault(word, 2 + len(spellings)) for word in sentence), 1])
        spelled = [begin, end, *map(self.inventory.spelled, spellings)]
        return Inputs(
            torch.from_numpy(padded(rows, PADDING_ID)),
            torch.from_numpy(padded(spelled, 0)),
            torch.from_numpy(padded([[], [], *map(self.inventory.affixed, spellings)], 0)),
            torch.from_numpy(padded(places, 0)),
            torch.tensor([len(sentence) for sentence in sentences]),
            self._piece_reader.pieces(sentences) if self._piece_reader else None,
        )

    @cached_property
    def _piece_reader(self) -> PieceReader | None:
        if self.inventory.pretrained is None:
            return None
        from .pretrained import PieceReader

        return PieceReader(self.inventory.pretrained)

    def nodes(self, trees: Sequence[Skeleton]) -> Nodes:
        """The rows of all trees, one after the other."""
        places, mothers = [], []
        before = 0
        for number, tree in enumerate(trees):
            names = self.inventory.named(tree.names)
            places.append(np.stack([np.full(len(names), number), tree.begins, tree.ends, names], axis=1))
            mothers.append(tree.mothers + before)
            before += len(names)
        counts = tuple(len(tree.names) for tree in trees)
        return Nodes(torch.from_numpy(np.concatenate(places)), torch.from_numpy(np.concatenate(mothers)), counts)


@dataclass(frozen=True)
class Pairs:
    """The candidates of all trees of a batch, by their rows among the nodes of the batch."""

    children: Tensor
    targets: Tensor
    firsts: Tensor
    """Where the pairs of each child begin: the first is the node it hangs at."""
    groups: Tensor
    """Which child each pair is of, among those that have candidates."""


def pairs_of(candidates: Sequence[Candidates], nodes: Nodes) -> Pairs:
    children, targets, firsts, groups = [], [], [], []
    rows = pairs = group = 0
    for own, count in zip(candidates, nodes.counts, strict=True):
        children.append(own.children + rows)
        targets.append(own.targets + rows)
        firsts.append(own.firsts + pairs)
        groups.append(own.groups + group)
        rows, pairs, group = rows + count, pairs + len(own.children), group + len(firsts[-1])
    return Pairs(*(torch.from_numpy(np.concatenate(each)) for each in (children, targets, firsts, groups)))


@dataclass(frozen=True)
class Spans:
    """All spans of a batch: M × (sentence, begin, end)."""

    places: Tensor
    posts: int
    """Fenceposts of the longest sentence."""
    sentences: int

    def square(self, values: Tensor, fill: float) -> Tensor:
        """One value of each span at [sentence, begin, end], and the filling elsewhere."""
        square = values.new_full((self.sentences, self.posts, self.posts), fill)
        square[self.places[:, 0], self.places[:, 1], self.places[:, 2]] = values
        return square


def spans_of_all(lengths: Sequence[int]) -> Spans:
    places = []
    for number, length in enumerate(lengths):
        begins, ends = np.triu_indices(length + 1, 1)
        places.append(np.stack([np.full(len(begins), number), begins, ends], axis=1))
    return Spans(torch.from_numpy(np.concatenate(places)), max(lengths) + 1, len(lengths))


@dataclass(frozen=True)
class Answers:
    """What a lesson says, as numbers."""

    tags: Numbers
    chains: Numbers
    """k × (begin, end, chain)."""
    functions: Numbers


def answers_of(lesson: Lesson, inventory: Inventory) -> Answers:
    tags = {tag: number for number, tag in enumerate(inventory.tags)}
    chains = {chain: number for number, chain in enumerate(inventory.chains)}
    functions = {function: number for number, function in enumerate(inventory.functions)}
    spans = [(begin, end, chains[chain]) for begin, end, chain in lesson.chains]
    return Answers(
        np.array([tags[tag] for tag in lesson.tree.names[: lesson.tree.tokens]], np.int64),
        np.array(spans, np.int64).reshape(-1, 3),
        np.array([functions[function] for function in lesson.functions], np.int64),
    )
