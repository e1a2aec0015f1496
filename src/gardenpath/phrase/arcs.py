"""A dependency tree as the error classes read it: governors, labels, and the words below each word."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ..treebank.fields import parse_feats
from ..treebank.scores import universal
from .dependency_phrases import arcs_of
from .tree import ROOT, PhraseTree

SUBJECTS = frozenset({"nsubj", "csubj"})
_HELPERS = frozenset({"aux", "cop"})
"""Function words that may be the finite verb of a clause whose head is another word."""
_CLAUSAL = frozenset({"root", "conj", "ccomp", "xcomp", "csubj", "advcl", "acl", "parataxis"})
"""What the head of a clause may be."""


@dataclass(frozen=True)
class Arcs:
    """Who governs whom. Labels are compared without their subtypes."""

    tree: PhraseTree

    @cached_property
    def _columns(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        return arcs_of(self.tree)

    @property
    def governors(self) -> tuple[int, ...]:
        return self._columns[0]

    def label(self, word: int) -> str:
        return universal(self._columns[1][word])

    def dependants(self, word: int, *labels: str) -> list[int]:
        """The words that depend on this one; `labels`: with one of these."""
        there = [at for at, governor in enumerate(self.governors) if governor == word]
        return [at for at in there if not labels or self.label(at) in labels]

    @cached_property
    def below(self) -> tuple[int, ...]:
        """Each word with all words below it, as bits."""
        masks = [1 << word for word in range(len(self.tree))]
        for word in range(len(self.tree)):
            for above in self.above(word):
                masks[above] |= 1 << word
        return tuple(masks)

    def above(self, word: int) -> list[int]:
        """The governor, its governor, and so on."""
        chain = list[int]()
        while (word := self.governors[word]) != ROOT:
            chain.append(word)
        return chain

    def over(self, first: int, second: int) -> int:
        """The lowest word that has both below it, or is one of them; ROOT if there is none."""
        both = 1 << first | 1 << second
        return next((word for word in (first, *self.above(first)) if self.below[word] & both == both), ROOT)

    def lifted(self, word: int) -> int:
        """The first conjunct, whose arc stands for the whole coordination."""
        while self.label(word) == "conj" and self.governors[word] != ROOT:
            word = self.governors[word]
        return word

    def clause_of(self, verb: int) -> int:
        """The head of the clause of a finite verb: what an auxiliary or copula depends on, else the verb itself."""
        helped = self.governors[verb]
        return helped if self.label(verb) in _HELPERS and helped != ROOT else verb

    def lost_verb(self, verb: int) -> str:
        """Why a word is no finite verb of a clause here; empty if it is one. What is not tagged is not asked."""
        tag, word = self.tree.tags[verb], f"*{self.tree.words[verb]}*"
        if tag not in ("VERB", "AUX", "_", ""):
            return f"{word} is tagged {tag}"
        form = parse_feats(self.tree.morphs[verb] if self.tree.morphs else "_").get("VerbForm", "Fin")
        if form != "Fin":
            return f"{word} is tagged as VerbForm={form}"
        label = self.label(self.clause_of(verb))
        return "" if label in _CLAUSAL else f"{word} is {label or 'nothing'}, no head of a clause"
