"""Two releases of a treebank: which sentences came, went or changed, and which words have another annotation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .matching import SentenceKey, match
from .pair import Pair
from .shingles import near_texts
from .tree import parents
from .treebank import Treebank, concatenate

Ints = NDArray[Any]
Bools = NDArray[np.bool_]

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "deprel")
"""What is compared of a word; its head is the same where the two heads are the same word."""
NEAR = 0.5
"""How much of their word pairs two sentences share at least that are taken to be one, with other words."""


@dataclass(frozen=True, eq=False)
class TreebankDiff:
    """Sentences of two releases side by side, and their words."""

    old: Treebank
    new: Treebank
    sentences: Ints
    """(pairs × 2): sentences that are the same, in the order of the old release."""
    is_exact: Bools
    """Of each pair: has it the same words?"""
    words: Ints
    """(pairs of words × 2): words that are the same, by number in their treebank."""

    @property
    def removed(self) -> Ints:
        return np.setdiff1d(np.arange(len(self.old)), self.sentences[:, 0])

    @property
    def added(self) -> Ints:
        return np.setdiff1d(np.arange(len(self.new)), self.sentences[:, 1])

    @cached_property
    def changed(self) -> dict[str, Bools]:
        """For each column: has each pair of words another value in it?"""
        pair, (old, new) = Pair(self.old, self.new), self.words.T
        changed = {name: ~pair.same(name, old, new) for name in COLUMNS if name != "head"}
        partner = np.full(self.old.word_count, -1)
        partner[old] = new
        # A root is its own parent here, and so is a word without head.
        above, below = (parents(treebank.heads, treebank.offsets) for treebank in (self.old, self.new))
        changed["head"] = partner[above[old]] != below[new]
        changed["head"] |= (self.old.heads[old] < 0) != (self.new.heads[new] < 0)
        return changed

    @property
    def changed_arcs(self) -> Bools:
        """Of each pair of words: has it another head or label, so that another parse is right?"""
        return self.changed["head"] | self.changed["deprel"]

    @property
    def pair_of_word(self) -> Ints:
        """The pair of sentences in which each pair of words stands."""
        number = np.full(len(self.old), -1)
        number[self.sentences[:, 0]] = np.arange(len(self.sentences))
        return number[self.old.sentence_of[self.words[:, 0]]]

    def changed_sentences(self) -> Bools:
        """Of each pair of sentences: has a word another annotation, or are the words others?"""
        anything = np.logical_or.reduce(list(self.changed.values()))
        counts = np.bincount(self.pair_of_word, weights=anything, minlength=len(self.sentences))
        return ~self.is_exact | (counts > 0)


def diff(old: Treebank, new: Treebank, near: float | None = NEAR) -> TreebankDiff:
    """Sentences are matched by their words (ids tell repeated ones apart), then (`near`) the most alike of the rest.

    >>> import gardenpath as gp
    >>> gold = gp.read("bundled:de-test")
    >>> both = diff(gold, gold[3:])
    >>> len(both.removed), len(both.added), int(both.changed_sentences().sum())
    (3, 0, 0)
    """
    partners = match(sentence_keys(old), sentence_keys(new))
    exact = {number: partner for number, partner in enumerate(partners) if partner is not None}
    alike = {} if near is None else _most_alike(old, new, exact, near)
    pairs = np.array(sorted({**exact, **alike}.items()), dtype=np.int64).reshape(-1, 2)
    is_exact = np.isin(pairs[:, 0], list(exact))
    words = [
        _same_words(old, new, first, second) if first in alike else _all_words(old, new, first, second)
        for first, second in pairs.tolist()
    ]
    return TreebankDiff(old, new, pairs, is_exact, np.concatenate(words) if words else np.empty((0, 2), dtype=np.int64))


def sentence_keys(treebank: Treebank) -> list[SentenceKey]:
    """By what sentences are found again: their words, and their id."""
    forms = treebank.column("form").strings()
    spans = zip(pairwise(treebank.offsets.tolist()), treebank.sent_ids, strict=True)
    return [SentenceKey(tuple(forms[begin:end]), sent_id) for (begin, end), sent_id in spans]


def _most_alike(old: Treebank, new: Treebank, exact: dict[int, int], near: float) -> dict[int, int]:
    """Of the sentences without a partner: the most alike first, of equal ones those with one id, each once."""
    left = np.setdiff1d(np.arange(len(old)), list(exact))
    right = np.setdiff1d(np.arange(len(new)), list(exact.values()))
    if not len(left) or not len(right):
        return {}
    texts = near_texts(concatenate([old[left], new[right]]), near)
    members: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for place, text in enumerate(texts.text_of.tolist()):
        is_new = place >= len(left)
        members[is_new].setdefault(text, []).append(int(right[place - len(left)] if is_new else left[place]))
    same = [(text, text, 1.0) for text in members[0]]
    pairs = list(zip(texts.left.tolist(), texts.right.tolist(), texts.likeness.tolist(), strict=True))
    reversed_pairs = [(right_text, left_text, share) for left_text, right_text, share in pairs]
    candidates = sorted(
        (-share, old.sent_ids[first] != new.sent_ids[second], first, second)
        for old_text, new_text, share in (*same, *pairs, *reversed_pairs)
        for first in members[0].get(old_text, ())
        for second in members[1].get(new_text, ())
    )
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, first, second in candidates:
        if first not in chosen and second not in taken:
            chosen[first] = second
            taken.add(second)
    return chosen


def _all_words(old: Treebank, new: Treebank, first: int, second: int) -> Ints:
    count = int(old.lengths[first])
    return np.stack([np.arange(count) + old.offsets[first], np.arange(count) + new.offsets[second]], axis=1)


def _same_words(old: Treebank, new: Treebank, first: int, second: int) -> Ints:
    """Words that stand in both in the same order, and single words that stand in each other's place."""
    matcher = SequenceMatcher(None, _forms(old, first), _forms(new, second), autojunk=False)
    pairs = list[tuple[int, int]]()
    for kind, begin, end, start, stop in matcher.get_opcodes():
        if kind == "equal" or (kind == "replace" and end - begin == stop - start):
            pairs += zip(range(begin, end), range(start, stop), strict=True)
    words: Ints = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    words += np.array([old.offsets[first], new.offsets[second]])
    return words


def _forms(treebank: Treebank, number: int) -> Sequence[str]:
    return [word.form for word in treebank[number].words]
