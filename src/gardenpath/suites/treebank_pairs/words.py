"""The words of a treebank as the search for pairs sees them: lists over all words, children, and the written text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from ...treebank.fields import parse_feats
from ...treebank.tree import parents
from ...treebank.treebank import Treebank

Cell = Mapping[str, str]
"""The features by which forms of a lexeme differ, and their values."""
_NO_INFLECTION = ("Abbr", "ExtPos", "Foreign", "NumForm", "Style", "Typo")
_ODD = ("Abbr", "Foreign", "Typo")


class Words:
    """Words are numbered from 0 over the whole treebank; a relation is without its subtype."""

    def __init__(self, treebank: Treebank) -> None:
        self.treebank = treebank
        self.forms = treebank.column("form").strings()
        self.lemmas = treebank.column("lemma").strings()
        self.tags = treebank.column("upos").strings()
        self.labels = treebank.column("deprel").strings()
        self._relations = treebank.column("deprel").mapped(lambda label: label.partition(":")[0])
        self.relations = self._relations.strings()
        feats = treebank.column("feats")
        self.feats_codes: list[int] = feats.codes.tolist()
        raw = [parse_feats(value) for value in feats.values]
        self._cells = [{key: value for key, value in features.items() if key not in _NO_INFLECTION} for features in raw]
        self._odd = [any(key in features for key in _ODD) for features in raw]
        self.parents: list[int] = parents(treebank.heads, treebank.offsets).tolist()
        self.sentences: list[int] = treebank.sentence_of.tolist()
        self.offsets: list[int] = treebank.offsets.tolist()
        self._texts: dict[int, tuple[str, list[int]]] = {}

    def __len__(self) -> int:
        return len(self.forms)

    def cell(self, word: int) -> Cell:
        return self._cells[self.feats_codes[word]]

    def is_odd(self, word: int) -> bool:
        """An abbreviation, a foreign word or a typo: its form says nothing about the language."""
        return self._odd[self.feats_codes[word]]

    @cached_property
    def _children(self) -> tuple[list[int], list[int]]:
        """(begins, words): the children of word i are words[begins[i]:begins[i + 1]], from left to right."""
        above = np.array(self.parents, dtype=np.int64)
        child = np.flatnonzero(above != np.arange(len(above)))
        order = child[np.argsort(above[child], kind="stable")]
        begins = np.searchsorted(above[order], np.arange(len(above) + 1))
        return begins.tolist(), order.tolist()

    def children(self, word: int, *relations: str) -> list[int]:
        """The dependents of a word; with `relations` only those in one of them."""
        begins, order = self._children
        below = order[begins[word] : begins[word + 1]]
        return [child for child in below if self.relations[child] in relations] if relations else below

    def between(self, first: int, second: int) -> range:
        """The words strictly between two."""
        return range(min(first, second) + 1, max(first, second))

    def with_relation(self, relation: str) -> list[int]:
        places: list[int] = np.flatnonzero(self._relations.codes == self._relations.code(relation)).tolist()
        return places

    def text(self, sentence: int) -> tuple[str, list[int]]:
        """The sentence as it is written, and where each of its words begins in it: -1 inside a multiword token."""
        if sentence not in self._texts:
            self._texts[sentence] = self._aligned(sentence)
        return self._texts[sentence]

    @cached_property
    def _written(self) -> list[str]:
        """`# text` where the treebank has it."""
        return self.treebank.texts

    @cached_property
    def _tokens(self) -> tuple[list[int], list[bool], list[str]]:
        """The token of each word, whether that has several words, and the forms of the tokens."""
        surface = self.treebank.surface
        return surface.token_of.tolist(), surface.multiword.tolist(), surface.forms.strings()

    def _aligned(self, sentence: int) -> tuple[str, list[int]]:
        begin, end = self.offsets[sentence : sentence + 2]
        text = self._written[sentence] or self.treebank[sentence].text
        token_of, multiword, forms = self._tokens
        places, at, last = [-1] * (end - begin), 0, -1
        for word in range(begin, end):
            token = token_of[word]
            if token == last:
                continue
            form = forms[token]
            place = text.find(form, at)
            if place < 0 or text[at:place].strip():
                return text, [-1] * (end - begin)
            if not multiword[word]:
                places[word - begin] = place
            at, last = place + len(form), token
        return text, places
