"""What queries ask about the words of a treebank: features, labels, governors and dependants as arrays."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..fields import parse_pairs
from ..pool import Column
from ..tree import cyclic_mask, projective_mask, tree_mask
from .request import LabelTest, ValueTest, each_holds, label_part

if TYPE_CHECKING:
    from ..treebank import Treebank

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
COLUMNS = ("form", "lemma", "upos", "xpos")
EDGE_FEATURES = ("label", "1", "2", "deep", "length", "delta")


class QueryWords:
    """The words of a treebank, numbered through. Each has one edge to its governor, so an edge is its dependant."""

    def __init__(self, treebank: Treebank) -> None:
        self.treebank = treebank
        self.count = treebank.word_count
        self.sentence_of = treebank.sentence_of
        self._features: dict[str, tuple[Ints, list[str]]] = {}

    @cached_property
    def governors(self) -> Ints:
        """The number of each word's governor; -1 for roots and words without head."""
        heads = self.treebank.heads.astype(np.int64)
        begins = np.repeat(self.treebank.offsets[:-1], self.treebank.lengths)
        return np.where(heads > 0, begins + heads - 1, -1)

    @cached_property
    def labels(self) -> Column:
        return self.treebank.column("deprel")

    # ---- values

    def feature(self, name: str) -> tuple[Ints, list[str]]:
        """A feature of each word as code and values; -1 where there is none. FEATS come before MISC."""
        if name not in self._features:
            self._features[name] = self._encoded(name)
        return self._features[name]

    def _encoded(self, name: str) -> tuple[Ints, list[str]]:
        pool: dict[str, int] = {}
        if name in COLUMNS:
            column = self.treebank.column(name)
            table = _codes((None if value == "_" and name != "form" else value for value in column.values), pool)
            return table[column.codes], list(pool)
        codes = np.full(self.count, -1, dtype=np.int64)
        for field in ("misc", "feats"):
            column = self.treebank.column(field)
            table = _codes((parse_pairs(value).get(name) for value in column.values), pool)
            known = table[column.codes]
            codes = np.where(known >= 0, known, codes)
        return codes, list(pool)

    def edge_feature(self, name: str) -> tuple[Ints, list[str]]:
        """`label`, a part of it, `length` or `delta` of each word's edge, in the same form."""
        pool: dict[str, int] = {}
        if name in ("length", "delta"):
            delta = np.where(self.governors >= 0, np.arange(self.count) - self.governors, 0)
            distances, places = np.unique(np.abs(delta) if name == "length" else delta, return_inverse=True)
            return places.astype(np.int64), [str(distance) for distance in distances.tolist()]
        parts = (value if name == "label" else label_part(value, name) for value in self.labels.values)
        table = _codes(parts, pool)
        return table[self.labels.codes], list(pool)

    # ---- tests, one answer for every word or sentence

    def tested(self, test: ValueTest) -> Mask:
        codes, values = self.feature(test.name)
        table = np.array(each_holds(test, [*values, None]))
        mask: Mask = table[codes]
        return mask

    def any_of(self, alternatives: Iterable[Iterable[ValueTest]]) -> Mask:
        """Words of which all tests of some alternative hold."""
        mask = np.zeros(self.count, dtype=bool)
        for tests in alternatives:
            own = np.ones(self.count, dtype=bool)
            for test in tests:
                own &= self.tested(test)
            mask |= own
        return mask

    def labelled(self, test: LabelTest) -> Mask:
        """Words whose edge has such a label; the root's edge is one too."""
        table = np.array(each_holds(test, self.labels.values), dtype=bool)
        mask: Mask = table[self.labels.codes]
        return mask if self._all_attached else mask & (self.treebank.heads >= 0)

    @cached_property
    def _all_attached(self) -> bool:
        """Has every word a head?"""
        return bool((self.treebank.heads >= 0).all())

    def structured(self, structure: str) -> Mask:
        """For each sentence: is it a tree, projective, …"""
        heads, offsets = self.treebank.heads, self.treebank.offsets
        if structure == "projective":
            return projective_mask(heads, offsets)
        if structure == "tree":
            return tree_mask(heads, offsets)
        cyclic = cyclic_mask(heads, offsets)
        return cyclic if structure == "cyclic" else ~cyclic

    def commented(self, test: ValueTest) -> Mask:
        """For each sentence: is its comment so?"""
        texts = self.treebank.comment_values(test.name)
        return np.array(each_holds(test, [text or None for text in texts]), dtype=bool)


def _codes(values: Iterable[str | None], pool: dict[str, int]) -> Ints:
    return np.array([-1 if value is None else pool.setdefault(value, len(pool)) for value in values], dtype=np.int64)
