"""Dependency trees written as phrase trees and back, and as the error classes of constructions read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..errors import InputError
from ..treebank import Draft, Treebank, Word, from_drafts
from ..treebank.format.fields import format_feats, parse_feats
from ..treebank.format.sentence import Sentence
from ..treebank.trees.scores import universal
from .heads import tree_heads
from .schemes.model import UD
from .tree import ROOT, PhraseTree, grown

NO_VALUE = "_"


def from_sentence(sentence: Sentence) -> PhraseTree:
    """A dependency tree as phrases; an error for what is not a tree.

    >>> import gardenpath as gp
    >>> from gardenpath.phrase.formats.notation import to_notation
    >>> to_notation(from_sentence(gp.read("bundled:en-test")[0]))[:60]
    '(VERB:root (NOUN:nsubj (DET:det The) (ADJ:amod old) (NOUN:he'
    """
    if not sentence.is_tree:
        where = f"sentence {sentence.sent_id or sentence.number + 1}"
        raise InputError("this is not a dependency tree", where=where, todo="gardenpath treebank validate says why")
    words = sentence.words
    return from_arcs(
        [word.form for word in words], [word.upos for word in words],
        [head - 1 if head else ROOT for head in sentence.heads.tolist()], [word.deprel for word in words],
        lemmas=[word.lemma for word in words], morphs=[format_feats(word.feats) for word in words],
        sent_id=sentence.sent_id,
    )  # fmt: skip


def from_arcs(
    words: Sequence[str], tags: Sequence[str], governors: Sequence[int], labels: Sequence[str], **more: Any
) -> PhraseTree:
    """The phrases of a tree whose words have these governors (ROOT of the root); `more` as `grown` takes it."""
    governing = sorted({governor for governor in governors if governor != ROOT})
    phrase = {word: len(words) + place for place, word in enumerate(governing)}  # of each word with dependants

    def under(governor: int) -> int:
        return ROOT if governor == ROOT else phrase[governor]

    mothers = [phrase.get(word, under(governor)) for word, governor in enumerate(governors)]
    functions = [UD.functions.head if word in phrase else label for word, label in enumerate(labels)]
    mothers += [under(governors[word]) for word in governing]
    functions += [labels[word] for word in governing]
    return grown(words, tags, [tags[word] for word in governing], functions, mothers, **more)


def arcs_of(tree: PhraseTree) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The governor of each word (ROOT of the root) and the label of its arc."""
    heads = tree_heads(tree, UD)
    governors, labels = list[int](), list[str]()
    for word in range(len(tree)):
        top = word
        while (mother := tree.mothers[top]) != ROOT and heads[mother] == word:
            top = mother
        governors.append(ROOT if mother == ROOT else heads[mother])
        labels.append(tree.functions[top])
    return tuple(governors), tuple(labels)


def to_treebank(trees: Iterable[PhraseTree], *, name: str = "<dependencies>") -> Treebank:
    """The dependency trees of phrases that were made of them."""
    return from_drafts(map(_draft, trees), name=name)


def _draft(tree: PhraseTree) -> Draft:
    governors, labels = arcs_of(tree)
    lemmas, morphs = (column or (NO_VALUE,) * len(tree) for column in (tree.lemmas, tree.morphs))
    words = [
        Word(tree.words[at], lemmas[at] or NO_VALUE, tree.tags[at] or NO_VALUE, feats=parse_feats(morphs[at]),
             head=governors[at] + 1, deprel=labels[at] or NO_VALUE)
        for at in range(len(tree))
    ]  # fmt: skip
    return Draft(words, comments=[f"sent_id = {tree.sent_id}"] if tree.sent_id else [])


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
