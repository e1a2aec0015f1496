"""Sentences that are nearly the same: all pairs whose pairs of neighbouring words agree to a given share.

A shingle is two neighbouring words, the borders of the sentence among them; case and punctuation do not count.
Two sentences are as alike as the shingles they share are of all that either has (Jaccard). Nothing is sampled: with
their rarest shingles first, two sets of n and m that agree to t share one of the first n - ceil(t·n) + 1 and of the
first m - ceil(t·m) + 1, so only sentences that meet there are compared (prefix filtering; Chaudhuri et al. 2006).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from .treebank import Treebank

Ints = NDArray[Any]
Floats = NDArray[np.float64]

NEAR = 0.6
"""How much of their shingles two sentences share that are nearly the same."""
_BUCKET_BITS = 21
_RARITY = np.uint64(58)
"""The bits of a shingle from here on say how often it occurs; none is set for one that occurs once."""
_AT_ONCE = 1 << 18
"""Pairs that are compared in one step, so that memory stays bounded."""


@dataclass(frozen=True, slots=True, eq=False)
class NearTexts:
    """Sentences as texts (those of the same words, but for case and punctuation, are one), and texts that are alike."""

    text_of: Ints
    """The number of each sentence's text, by first occurrence."""
    left: Ints
    right: Ints
    """Pairs of texts, the earlier one first."""
    likeness: Floats

    def groups(self) -> Ints:
        """For each sentence the first text of its group: all that are alike, directly or through others."""
        root = list(range(int(self.text_of.max()) + 1))
        for left, right in zip(self.left.tolist(), self.right.tolist(), strict=True):
            while root[left] != left:
                root[left] = left = root[root[left]]
            while root[right] != right:
                root[right] = right = root[root[right]]
            root[max(left, right)] = min(left, right)
        group_of = np.array(root)
        while (group_of != (above := group_of[group_of])).any():
            group_of = above
        return group_of[self.text_of]


def near_texts(treebank: Treebank, least: float = NEAR) -> NearTexts:
    """All pairs of texts that share `least` of their shingles; a least of 1 asks for the same shingles."""
    if not 0 < least <= 1:
        raise UsageError(f"sentences cannot be alike to {least:g}", todo="give a share above 0, up to 1")
    words, offsets, text_of = _texts(treebank)
    shingles = _Shingles.of(words, offsets)
    left, right, likeness = [np.empty(0, np.int64)], [np.empty(0, np.int64)], [np.empty(0)]
    for first, second in shingles.meetings(least):
        both = shingles.shared(first, second)
        share = both / (shingles.sizes[first] + shingles.sizes[second] - both)
        kept = share >= least - 1e-9
        left.append(np.minimum(first, second)[kept])
        right.append(np.maximum(first, second)[kept])
        likeness.append(share[kept])
    pairs = np.concatenate(left) * len(offsets) + np.concatenate(right)
    pairs, once = np.unique(pairs, return_index=True)  # some met at several shingles
    return NearTexts(text_of, pairs // len(offsets), pairs % len(offsets), np.concatenate(likeness)[once])


def _texts(treebank: Treebank) -> tuple[Ints, Ints, Ints]:
    """The words of each text as numbers from 1, where texts begin, and the text of each sentence."""
    column = treebank.column("form")
    plain, forms = column.replaced(_plain(column.values)), column.codes
    words = plain.codes.astype(np.int64)
    is_word = words != plain.code("")
    # A sentence of punctuation alone is told from others by its forms, and has no shingles.
    is_bare = ~np.logical_or.reduceat(is_word, treebank.offsets[:-1])
    counted = is_word | np.repeat(is_bare, treebank.lengths)
    words = np.where(is_word, words, forms.astype(np.int64) + len(plain.values))[counted] + 1
    ends = np.concatenate([[0], np.cumsum(counted)])[treebank.offsets]
    begins, sizes = ends[:-1], np.diff(ends)
    _, first, text_of = np.unique(hashes(words, ends), return_index=True, return_inverse=True)
    by_place = np.argsort(first)
    number = np.empty(len(first), dtype=np.int64)
    number[by_place] = np.arange(len(first))
    first = first[by_place]
    sizes = np.where(is_bare, 0, sizes)[first]
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    members = np.arange(offsets[-1]) + np.repeat(begins[first] - offsets[:-1], sizes)
    return words[members], offsets, number[text_of]


def hashes(words: Ints, offsets: Ints) -> NDArray[np.uint64]:
    """A hash of 64 bits for each sequence of words, by which they are compared: a sum of mixes of word and place."""
    places = np.arange(len(words)) - np.repeat(offsets[:-1], np.diff(offsets))
    return np.add.reduceat(_mixed(_mixed(words.astype(np.uint64)) + places.astype(np.uint64)), offsets[:-1])


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Neighbouring numbers far apart (the finaliser of SplitMix64)."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(numbers ^ (numbers >> np.uint64(31)))


def _plain(forms: Sequence[str]) -> Iterator[str]:
    """Words as they count; empty where they are punctuation."""
    folded = "\n".join(forms).casefold().split("\n")
    for form, lower in zip(forms, folded, strict=True):
        yield lower if form.isalnum() or any(map(str.isalnum, form)) else ""


@dataclass(frozen=True, slots=True, eq=False)
class _Shingles:
    """Of each text the shingles: a text's own stand together, the rarest first, none twice."""

    shingles: NDArray[np.uint64]
    offsets: Ints
    """Text i has the shingles from offsets[i] to offsets[i + 1]."""

    @classmethod
    def of(cls, words: Ints, offsets: Ints) -> _Shingles:
        sizes = np.diff(offsets)
        full = np.flatnonzero(sizes)
        # A border, number 0, before each text and at the very end: n words have n + 1 shingles.
        bordered = np.append(np.insert(words, offsets[full], 0), 0).astype(np.uint64)
        codes = bordered[:-1] * (bordered.max() + np.uint64(1)) + bordered[1:]
        # Above the code how often it occurs, in powers of two; shingles that share a bucket are counted together,
        # which moves them in the order and nowhere else.
        buckets = _mixed(codes) >> np.uint64(64 - _BUCKET_BITS)
        rarity = np.log2(np.bincount(buckets, minlength=1 << _BUCKET_BITS)[buckets]).astype(np.uint64)
        codes |= rarity << _RARITY
        begins = np.concatenate([[0], np.cumsum(np.where(sizes > 0, sizes + 1, 0))])
        for size in np.unique(sizes[full]).tolist():
            places = begins[:-1][sizes == size][:, None] + np.arange(size + 1)
            codes[places] = np.sort(codes[places], axis=1)
        new = np.ones(len(codes), dtype=bool)
        new[1:] = codes[1:] != codes[:-1]
        new[begins[:-1][full]] = True
        return cls(codes[new], np.concatenate([[0], np.cumsum(new)])[begins])

    @property
    def sizes(self) -> Ints:
        return np.diff(self.offsets)

    def meetings(self, least: float) -> Iterator[tuple[Ints, Ints]]:
        """Pairs of texts that may be alike, none twice in one piece; the first has no more shingles than the second."""
        sizes = self.sizes
        prefixes = np.where(sizes > 0, sizes - np.ceil(least * sizes - 1e-9).astype(np.int64) + 1, 0)
        texts, places = self._members(np.arange(len(sizes)), prefixes)
        often = self.shingles[places] >> _RARITY > 0  # others may have them, too
        texts, places = texts[often], places[often]
        # One row for each such shingle of a prefix: small texts first, then by shingle. After it come `rest` others.
        small_first = np.argsort(sizes[texts], kind="stable")
        order = small_first[np.argsort(self.shingles[places[small_first]], kind="stable")]
        shingles, texts = self.shingles[places[order]], texts[order]
        rest = self.offsets[texts + 1] - places[order] - 1
        run = np.cumsum(np.diff(shingles, prepend=shingles[:1]) != 0)
        most = int(sizes.max(initial=0)) + 1
        largest = np.minimum(np.floor(sizes[texts] / least + 1e-9).astype(np.int64), most - 1)
        rows = run * most
        partners = np.searchsorted(rows + sizes[texts], rows + largest, side="right") - np.arange(len(rows)) - 1
        pieces = np.cumsum(partners) // _AT_ONCE
        for piece in np.unique(pieces[partners > 0]).tolist():
            some = np.flatnonzero((pieces == piece) & (partners > 0))
            counts = partners[some]
            before = np.cumsum(counts) - counts
            partner = np.arange(int(counts.sum())) + np.repeat(some + 1 - before, counts)
            row = np.repeat(some, counts)
            # Where two meet first, they share this shingle and at most what is left of the one that has less left.
            needed = least / (1 + least) * (sizes[texts[row]] + sizes[texts[partner]])
            may = 1 + np.minimum(rest[row], rest[partner]) >= needed - 1e-9
            pairs = np.unique(texts[row[may]] * len(sizes) + texts[partner[may]])
            yield pairs // len(sizes), pairs % len(sizes)

    def shared(self, first: Ints, second: Ints) -> Ints:
        """How many shingles the two of each pair have in common: those that stand twice in the pair's own."""
        members = [self._members(texts, self.sizes[texts]) for texts in (first, second)]
        pair, places = (np.concatenate(columns) for columns in zip(*members, strict=True))
        shingles = self.shingles[places]
        order = np.lexsort((shingles, pair))
        pair, shingles = pair[order], shingles[order]
        twice = (pair[1:] == pair[:-1]) & (shingles[1:] == shingles[:-1])
        return np.bincount(pair[1:][twice], minlength=len(first))

    def _members(self, texts: Ints, counts: Ints) -> tuple[Ints, Ints]:
        """The first so many shingles of these texts: whose each is (its place in `texts`), and where it stands."""
        before = np.cumsum(counts) - counts
        places = np.arange(int(counts.sum())) + np.repeat(self.offsets[texts] - before, counts)
        return np.repeat(np.arange(len(texts)), counts), places
