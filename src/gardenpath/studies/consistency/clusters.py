"""Classes of equal parses in a batch, and how similar their trees are (Questions 4 and 5)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...treebank.fields import parse_feats
from ...treebank.kernels import TreeKernel, kernel_trees
from ...treebank.tree import tree_mask
from ...treebank.treebank import Treebank

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
