"""Sentences and lessons as tensors, in batches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from ..neural.batches import padded
from ..neural.vocabulary import BEGIN_ID, END_ID, PADDING_ID, Vocabulary
from .inventory import Inventory
from .lessons import Lesson, Numbers, Skeleton
from .network import Inputs

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
            torch.from_numpy(padded(places, 0)),
            torch.tensor([len(sentence) for sentence in sentences]),
        )

    def rows(self, trees: Sequence[Skeleton]) -> list[Tensor]:
        """Of each tree its rows as (sentence, begin, end, name)."""
        return [
            torch.from_numpy(
                np.stack(
                    [np.full(tree.root + 1, number), tree.begins, tree.ends, self.inventory.named(tree.names)], axis=1
                )
            )
            for number, tree in enumerate(trees)
        ]


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
