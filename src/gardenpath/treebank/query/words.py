"""What queries ask about the words of a dependency treebank, from its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..fields import parse_pairs
from ..pool import Column
from ..tree import cyclic_mask, projective_mask, tree_mask
from .nodes import Ints, Mask, QueryNodes, codes_of, marked_words
from .request import FunctionClause, SecondEdgeClause, SpecialPart, ValueTest, each_holds

if TYPE_CHECKING:
    from ..node import Node
    from ..treebank import Treebank

COLUMNS = ("form", "lemma", "upos", "xpos")


class QueryWords(QueryNodes):
    """The words of a treebank."""

    trees: Treebank

    def __init__(self, treebank: Treebank) -> None:
        super().__init__()
        self.trees, self.name = treebank, treebank.name
        self.count, self.sentence_count = treebank.word_count, len(treebank)
        self.sentence_of, self.offsets = treebank.sentence_of, treebank.offsets

    @cached_property
    def governors(self) -> Ints:
        heads = self.trees.heads.astype(np.int64)
        begins = np.repeat(self.trees.offsets[:-1], self.trees.lengths)
        return np.where(heads > 0, begins + heads - 1, -1)

    @cached_property
    def labels(self) -> Column:
        return self.trees.column("deprel")

    @cached_property
    def attached(self) -> Mask:
        mask: Mask = self.trees.heads >= 0
        return mask

    # ---- values

    def encoded(self, name: str) -> tuple[Ints, list[str]]:
        """FEATS come before MISC."""
        pool: dict[str, int] = {}
        if name in COLUMNS:
            column = self.trees.column(name)
            table = codes_of((None if value == "_" and name != "form" else value for value in column.values), pool)
            return table[column.codes], list(pool)
        codes = np.full(self.count, -1, dtype=np.int64)
        for field in ("misc", "feats"):
            column = self.trees.column(field)
            table = codes_of((parse_pairs(value).get(name) for value in column.values), pool)
            known = table[column.codes]
            codes = np.where(known >= 0, known, codes)
        return codes, list(pool)

    def gap(self, first: Ints, second: Ints) -> Ints:
        return second - first

    delta = gap

    # ---- sentences

    def structured(self, structure: str) -> Mask:
        """For each sentence: is it a tree, projective, …"""
        heads, offsets = self.trees.heads, self.trees.offsets
        if structure == "projective":
            return projective_mask(heads, offsets)
        if structure == "tree":
            return tree_mask(heads, offsets)
        cyclic = cyclic_mask(heads, offsets)
        return cyclic if structure == "cyclic" else ~cyclic

    def commented(self, test: ValueTest) -> Mask:
        """For each sentence: is its comment so?"""
        texts = self.trees.comment_values(test.name)
        return np.array(each_holds(test, [text or None for text in texts]), dtype=bool)

    # ---- matches for people

    def refused(self, part: SpecialPart, edges: Sequence[str]) -> str:
        """FEATS and MISC may hold anything."""
        if isinstance(part, FunctionClause):
            return f"{part.function}(…) is for phrase trees: words have no such function"
        return "secondary edges are for phrase trees" if isinstance(part, SecondEdgeClause) else ""

    def views(self, sentence: int, places: Mapping[str, int]) -> dict[str, Node]:
        words, first = self.trees[sentence].words, int(self.trees.offsets[sentence])
        return {name: words[place - first] for name, place in places.items()}

    def shown(self, sentence: int, views: Mapping[str, Node]) -> tuple[str, str, dict[str, str]]:
        tree = self.trees[sentence]
        words = marked_words([word.form for word in tree.words], (node.ord - 1 for node in views.values()))
        nodes = {name: f"{node.ord} {node.form}" for name, node in views.items()}
        return tree.sent_id or str(sentence + 1), " ".join(words), nodes

    def to_bytes(self) -> bytes:
        return self.trees.to_bytes()
