"""What the words of gold can be grouped by: the edge, the word, a feature, a query, what is said of the sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ...errors import UsageError, unknown_name
from ...treebank.scores import Scores
from ...treebank.sentence_columns import sentence_columns
from ...treebank.tree import crossings, depths
from ...treebank.treebank import Treebank
from ..grouping import known_column, label_column
from ..settings import parts_of
from .phenomena import Phenomenon, as_phenomenon

Ints = NDArray[np.int64]
CROSSED = "+"
NONE = "(none)"
"""The group of words without the feature."""
_FEATURE = re.compile(r"[A-Z][A-Za-z0-9]*(\[[a-z0-9]+\])?")


@dataclass(frozen=True)
class Grouping:
    """One dimension, or two that are crossed; `queries` has those that are a question to the treebank."""

    names: tuple[str, ...]
    queries: Mapping[str, Phenomenon] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return CROSSED.join(self.names)

    def of_words(self, scores: Scores) -> tuple[Ints, list[tuple[str, ...]]]:
        """The number of every word's group, and what each group is called in each dimension."""
        parts = [self._dimension(name, scores) for name in self.names]
        numbers, names = parts[0][0], list[tuple[str, ...]]((name,) for name in parts[0][1])
        for more, more_names in parts[1:]:
            numbers = numbers * len(more_names) + more
            names = [(*first, second) for first in names for second in more_names]
        kept, places = np.unique(numbers, return_inverse=True)
        return places.astype(np.int64), [names[number] for number in kept.tolist()]

    def _dimension(self, name: str, scores: Scores) -> tuple[Ints, list[str]]:
        gold = scores.alignment.gold
        if name in self.queries:
            return self.queries[name].words(gold).astype(np.int64), ["no", "yes"]
        if name == "label":
            return scores.words.gold_deprels.astype(np.int64), list(scores.words.deprels)
        if name in OF_EDGES:
            return OF_EDGES[name](gold)
        if _FEATURE.fullmatch(name) or name in TAGS:
            codes, values = gold.query_words.feature(name)
            return np.where(codes < 0, len(values), codes), [*values, NONE]
        return _of_sentences(name, gold)

    def check(self, gold: Treebank) -> None:
        """Features and comments that gold does not have are an error."""
        for name in self.names:
            if name in (*OF_EDGES, *TAGS, "label", "confusion", *self.queries):
                continue
            if not _FEATURE.fullmatch(name):
                _sentence_column(name, gold)
            elif not gold.query_words.feature(name)[1]:
                there = {pair.split("=")[0] for feats in gold.column("feats").values for pair in feats.split("|")}
                raise unknown_name("feature", name, there - {"_"}, where="--by")


def grouping(text: str) -> Grouping:
    """`label`, `Case`, `genre`, `upos+distance`, or a query with its name: `V -[obj]-> O; O << V:object first`."""
    names, queries = list[str](), dict[str, Phenomenon]()
    for part in parts_of(text, CROSSED):
        if re.search(r"[\[{>*.]", part) and not _FEATURE.fullmatch(part):
            query = as_phenomenon(part)
            names.append(query.name)
            queries[query.name] = query
        else:
            names.append(part)
    if not 1 <= len(names) <= 2 or len(set(names)) < len(names):
        raise UsageError(
            "a grouping is one dimension or two that differ", where=f"--by {text}", todo="as upos+distance"
        )
    if "confusion" in names and len(names) > 1:
        raise UsageError("confusion is two labels already", where=f"--by {text}", todo="name it alone")
    return Grouping(tuple(names), queries)


def _sentence_column(name: str, gold: Treebank) -> Sequence[object]:
    columns = sentence_columns(gold)
    known = ("label", *TAGS, *OF_EDGES, "confusion", "a feature such as Case", "a query")
    return columns[known_column(name, columns, known)]


def _of_sentences(name: str, gold: Treebank) -> tuple[Ints, list[str]]:
    """What is said of the sentence, in classes where these are numbers."""
    column = label_column(name, _sentence_column(name, gold))
    numbers = {label: number for number, label in enumerate(column.order)}
    codes = np.array([numbers[labels[0]] if labels else len(numbers) for labels in column.labels], dtype=np.int64)
    return codes[gold.sentence_of], [*map(str, column.order), NONE]


def groups_of_words(gold: Treebank) -> dict[str, list[str]]:
    """For each property of edges but the label, the group of every word of gold."""
    groups = {}
    for name, function in OF_EDGES.items():
        numbers, names = function(gold)
        groups[name] = [names[number] for number in numbers.tolist()]
    return groups


def _by_bins(values: Ints, upper: Sequence[int]) -> tuple[Ints, list[str]]:
    """Numbers of bins with the given upper bounds, and one more for all above."""
    names, low = [], 1
    for bound in upper:
        names.append(f"{low}" if bound == low else f"{low}–{bound}")
        low = bound + 1
    return np.searchsorted(np.array(upper), values), [*names, f"{low}+"]


def _length(gold: Treebank) -> tuple[Ints, list[str]]:
    return _by_bins(gold.lengths[gold.sentence_of], (5, 10, 20, 30, 40, 60))


def _distance(gold: Treebank) -> tuple[Ints, list[str]]:
    """|ID - HEAD|; root edges have no length and are a group of their own."""
    size = np.abs(gold.ids - gold.heads)
    numbers, names = _by_bins(size, (1, 2, 3, 6, 10, 15))
    return np.where(gold.heads == 0, len(names), numbers), [*names, "root"]


def _direction(gold: Treebank) -> tuple[Ints, list[str]]:
    numbers = np.where(gold.heads == 0, 2, (gold.heads < gold.ids).astype(np.int64))
    return numbers, ["head to the right", "head to the left", "root"]


def _depth(gold: Treebank) -> tuple[Ints, list[str]]:
    """Edges up to the artificial root: 1 for the root word."""
    levels = depths(gold.heads, gold.offsets)
    numbers, names = _by_bins(levels, (1, 2, 3, 4, 5, 6))
    return np.where(levels < 0, len(names), numbers), [*names, "no tree"]


def _projectivity(gold: Treebank) -> tuple[Ints, list[str]]:
    crossed = crossings(gold.heads, gold.offsets)
    numbers = crossed.nonprojective.astype(np.int64)
    return np.where(crossed.too_long[gold.sentence_of], 2, numbers), ["projective", "non-projective", "not decided"]


OF_EDGES: dict[str, Callable[[Treebank], tuple[Ints, list[str]]]] = {
    "length": _length,
    "distance": _distance,
    "direction": _direction,
    "depth": _depth,
    "projectivity": _projectivity,
}
TAGS = ("upos", "xpos")
