"""Classes of equal parses in a batch, how similar their trees are, and which words change between them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from ...treebank.format.fields import parse_feats
from ...treebank.format.treebank import Treebank
from ...treebank.kernels.kernel import TreeKernel
from ...treebank.kernels.shapes import kernel_trees
from ...treebank.trees.tree import depths, tree_mask

Floats = NDArray[np.float64]

COLUMNS = ("deprel", "upos", "feats")
"""With the heads, what makes a tree: forms and lemmas differ by design."""
FEATS = 5
GOLD = 0
"""The class of parses that are right."""


class BatchParses:
    """The gold tree of a batch and all its parses in one treebank, so that their columns can be compared.

    Parse 0 is the original's, then come those of its variants; `parsed` is empty where nothing came back, and has
    several sentences where one was cut. A parse need not be a tree. Where the values of a batch need different
    features (another gender), the features of that word are written as what they add to gold and what they lack:
    right is the same as right, and the gold tree of the original stands for that of every variant. `whole` says of
    each parse whether the words are right that were left out of it; see `aside`.
    """

    def __init__(self, gold: Sequence[bytes], parsed: Sequence[bytes], whole: Sequence[bool] = ()) -> None:
        self._count, owners, blocks = len(parsed), [0], [gold[0]]
        self._whole = whole
        self.spans: dict[int, range] = {}
        """The sentences of each parse in `treebank`; sentence 0 is gold."""
        for number, conllu in enumerate(parsed):
            if conllu:
                count = conllu.strip(b"\n").count(b"\n\n") + 1
                self.spans[number] = range(len(owners), len(owners) + count)
                owners += [number] * count
                blocks.append(conllu)
        self.treebank = _joined(blocks)
        golden = _joined(gold)
        if shifting := _shifting(golden):
            self.treebank = _relative(self.treebank, golden, owners, shifting)
        self._sound = tree_mask(self.treebank.heads, self.treebank.offsets)

    def is_tree(self, number: int) -> bool:
        span = self.spans.get(number, range(0))
        return len(span) == 1 and bool(self._sound[span.start])

    def is_whole(self, number: int) -> bool:
        """Are the words right that not all members of the batch have?"""
        return not self._whole or self._whole[number]

    def classes(self, order: str) -> list[int | None]:
        """A number for each parse: equal ones have the same, GOLD is that of the gold tree, None is no answer.

        In surface order, equal means heads, DEPREL, UPOS and FEATS; in UDon2's order it is the equality of its
        trees, and what is not a tree is compared by columns.
        """
        keys = self._columns()
        if order != "surface":
            trees = np.flatnonzero(self._sound).tolist()
            for place, root in zip(trees, kernel_trees(self.treebank[trees], order=order).roots.tolist(), strict=True):
                keys[place] = root
        seen: dict[tuple[Hashable, ...], int] = {(keys[0],): GOLD}
        classes: list[int | None] = [None] * self._count
        for number, span in self.spans.items():
            classes[number] = seen.setdefault(tuple(keys[place] for place in span), len(seen))
        return classes

    def _columns(self) -> list[Hashable]:
        """For each sentence of `treebank` its heads, labels, tags and features."""
        parts = [self.treebank.heads, *(self.treebank.column(name).codes for name in COLUMNS)]
        offsets = self.treebank.offsets.tolist()
        return [tuple(part[begin:end].tobytes() for part in parts) for begin, end in pairwise(offsets)]

    def kernel(self, numbers: Sequence[int], order: str) -> Floats:
        """NCPTK (GRCT, features as leaves, λ = μ = 1) of all pairs of these parses, which must be trees."""
        some = self.treebank[[self.spans[number].start for number in numbers]]
        return TreeKernel(whole=False).gram(kernel_trees(some, order=order)).normalised()


def _joined(blocks: Sequence[bytes]) -> Treebank:
    return Treebank(b"".join(one.strip(b"\n") + b"\n\n" for one in blocks), name="batch")


def _shifting(gold: Treebank) -> set[int]:
    """The words (from 0) whose gold features are not the same in all sentences."""
    feats, offsets, length = gold.column("feats").codes, gold.offsets.tolist(), int(gold.lengths[0])
    first = feats[:length]
    return {
        int(word)
        for begin, end in pairwise(offsets)
        if end - begin == length
        for word in (feats[begin:end] != first).nonzero()[0]
    }


def _relative(parses: Treebank, gold: Treebank, owners: Sequence[int], shifting: set[int]) -> Treebank:
    """The parses with the features of these words relative to gold; `owners` says which gold sentence each is of."""
    references = [[word["feats"] for word in sentence.words] for sentence in gold]
    blocks = []
    for sentence, owner in zip(parses, owners, strict=True):
        reference = references[owner]
        rows, at = [], -1
        same_words = len(sentence) == len(reference)
        for row in sentence.rows:
            at += row[0].isdecimal()
            if same_words and row[0].isdecimal() and at in shifting:
                row = [*row[:FEATS], _difference(row[FEATS], reference[at]), *row[FEATS + 1 :]]
            rows.append("\t".join(row))
        blocks.append(("\n".join(rows) + "\n\n").encode("utf-8"))
    return _joined(blocks)


def _difference(predicted: str, gold: str) -> str:
    """`Added=Gender:Fem|Lacks=Gender,Person`, or `_` where the features are those of gold.

    What is lacking has no value: a parser that never says it says the same of every variant.
    """
    mine, theirs = parse_feats(predicted), parse_feats(gold)
    added = [f"{key}:{value}" for key, value in sorted(mine.items()) if theirs.get(key) != value]
    lacks = [key for key in sorted(theirs) if mine.get(key) != theirs[key]]
    parts = [f"{sign}={','.join(some)}" for sign, some in (("Added", added), ("Lacks", lacks)) if some]
    return "|".join(parts) or "_"


DECIMALS = 4


def published_clusters(clusters: Sequence[Sequence[int]]) -> list[list[int]]:
    """The clusters that are counted, in the order in which they are read; a cluster is a list of variants.

    A tree that stands alone is in no pair and is lost; but if there is only one clique, all that is outside it counts
    as a second one. Cliques of one size come by their first variant.
    """
    cliques = sorted((sorted(some) for some in clusters if len(some) > 1), key=lambda some: (len(some), some[0]))
    alone = sorted(number for some in clusters if len(some) == 1 for number in some)
    return [*cliques, alone] if len(cliques) == 1 and alone else cliques


def published_reading(variants: Sequence[int], similarity: Floats) -> tuple[int, list[float]]:
    """The number of clusters of a batch, and the similarities that are read.

    `variants` has the class of each variant in the order of the batch, repeated values repeated, those without a
    tree left out; `similarity` is that of every two classes.
    """
    rounded = similarity.round(DECIMALS)
    members: dict[int, list[int]] = {}
    for number, own in enumerate(variants):
        alike = next(kind for kind in [*members, own] if kind == own or rounded[kind, own] == 1)
        members.setdefault(alike, []).append(number)
    clusters = published_clusters(list(members.values()))
    references = [_listed_first(cluster) for cluster in clusters]
    if len(clusters) == 2 and sum(len(some) > 1 for some in members.values()) == 1:  # the second is all the rest
        references[1] = next(iter(set(range(len(variants))) - set(clusters[0])))
    pairs = combinations(references, 2)
    return len(clusters), [float(rounded[variants[a], variants[b]]) if a < b else 0.0 for a, b in pairs]


def _listed_first(clique: Sequence[int]) -> int:
    """`list(clique)[0]` of a Python set, which is not always the smallest number.

    A set lists its numbers by their places in a table whose size depends on how the set was made: here it grows
    by one member at a time, as in the clique search of the script.
    """
    grown, rest = set[int]().union([clique[0]]), set(clique[1:])
    while rest:
        following = next(iter(rest.union(set())))
        grown = grown.union([following])
        rest = rest.intersection([number for number in clique if number != following])
    return next(iter(grown))


PARTS = ("head", "deprel", "upos", "feats")


@dataclass(frozen=True, slots=True)
class Change:
    """A word: what of it is different, and where it stands in the parse of the largest cluster."""

    word: int
    """Its ID."""
    parts: tuple[str, ...]
    words_away: int
    """Words between it and the edited word, 0 for that itself, 1 for its neighbours."""
    edges_away: int
    """Edges on the way to the edited word; -1 where there is none."""
    depth: int
    """1 for the root; -1 where no root is above."""
    labels: tuple[str, str] = ("", "")
    """Its label there, and in the other cluster."""


@dataclass(frozen=True, slots=True)
class Changes:
    """All words of one cluster beside those of the largest one."""

    variants: int
    """How many trees the cluster has."""
    changed: tuple[Change, ...]
    places: tuple[tuple[int, int, int], ...]
    """Words away, edges away and depth of every word, changed or not."""
    root: bool = False
    """Is another word the root?"""
    comparable: bool = True
    """False where the words themselves are others (in the modes sentences and text)."""


def changes_between(
    parses: BatchParses, first: Sequence[int], sizes: Sequence[int], edited: Sequence[int]
) -> list[Changes]:
    """The largest cluster against each of the others; `first` names a sentence of each, the largest first."""
    treebank, offsets = parses.treebank, parses.treebank.offsets.tolist()
    labels = treebank.column("deprel")
    columns = {
        "head": treebank.heads,
        **{name: treebank.column(name).codes for name in PARTS[1:]},
    }
    sentences = [parses.spans[number] for number in first]
    spans = [slice(offsets[some.start], offsets[some.stop]) for some in sentences]
    gold_length = int(treebank.lengths[0])
    alike = [len(some) == 1 and treebank.lengths[some.start] == gold_length for some in sentences]
    away: list[tuple[int, int, int]] = []
    all_changes = []
    for place, span in enumerate(spans[1:], 1):
        if not (alike[0] and alike[place]):
            all_changes.append(Changes(sizes[place], (), (), comparable=False))
            continue
        away = away or _places(treebank.heads[spans[0]].tolist(), edited)
        different = {name: columns[name][spans[0]] != columns[name][span] for name in PARTS}
        touched = np.flatnonzero(np.any(list(different.values()), axis=0)).tolist()
        changed = tuple(
            Change(
                word + 1, tuple(name for name in PARTS if different[name][word]), *away[word],
                (labels[spans[0].start + word], labels[span.start + word]),
            )
            for word in touched
        )  # fmt: skip
        roots = [np.flatnonzero(treebank.heads[some] == 0).tolist() for some in (spans[0], span)]
        all_changes.append(Changes(sizes[place], changed, tuple(away), roots[0] != roots[1]))
    return all_changes


def _places(heads: Sequence[int], edited: Sequence[int]) -> list[tuple[int, int, int]]:
    """For each word: words and edges to the nearest edited word, and its depth."""
    length = len(heads)
    deep = depths(np.array(heads), np.array([0, length])).tolist()
    near = [min(abs(word - neighbour) for neighbour in edited) for word in range(1, length + 1)]
    beside: list[list[int]] = [[] for _ in heads]
    for word, head in enumerate(heads):
        if head > 0:
            beside[word].append(head - 1)
            beside[head - 1].append(word)
    steps = {word - 1: 0 for word in edited}
    waiting = list(steps)
    for word in waiting:
        for neighbour in beside[word]:
            if neighbour not in steps:
                steps[neighbour] = steps[word] + 1
                waiting.append(neighbour)
    return [(near[word], steps.get(word, -1), deep[word]) for word in range(length)]
