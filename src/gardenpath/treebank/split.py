"""Splitting a treebank into train, dev and test by chance or by length; sentences keep their bytes and their order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError, UsageError
from .document_split import TOLERANCE as TOLERANCE
from .document_split import DocumentDeal, dealt_in_order
from .documents import document_numbers
from .duplicates import first_occurrences
from .treebank import Treebank

Ints = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The sentences of each part, by number, in the order of the treebank; parts of size 0 are not there."""

    parts: Mapping[str, Ints]
    by_document: bool = False
    removed: int = 0
    """Sentences that were too short to be in any part."""
    repeated: int = 0
    """Sentences in no part because an earlier one has the same words."""

    def conllu(self, treebank: Treebank, part: str) -> bytes:
        """The bytes of a part, as they stand in the treebank."""
        return b"".join(treebank.block(number) for number in self.parts[part].tolist())


def random_split(
    treebank: Treebank,
    *,
    train: float = 0.8,
    dev: float = 0.1,
    test: float = 0.1,
    seed: int = 0,
    by_document: bool = False,
    deduplicate: bool = False,
    tolerance: float = TOLERANCE,
) -> Split:
    """Sentences dealt out by chance, or whole documents (from one `# newdoc` to the next).

    The shares are met to the sentence, with documents within the tolerance. Sentences with the same words stay
    together, or with `deduplicate` only the first of them is kept.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    dealt = DealtUnits.of(treebank, by_document, deduplicate)
    dealt.check_enough(shares)
    rng = np.random.default_rng(seed)
    if by_document:
        part_of = dealt.documents(shares, tolerance).random(1, rng)[0]
    else:
        part_of = dealt.in_order(rng.permutation(len(dealt.sentences)), quotas(dealt.total, shares))
    return dealt.split(part_of, shares, tolerance)


def length_split(
    treebank: Treebank,
    *,
    train: float = 0.6,
    dev: float = 0.2,
    test: float = 0.2,
    seed: int = 0,
    by_document: bool = False,
    deduplicate: bool = False,
    tolerance: float = TOLERANCE,
) -> Split:
    """The longest sentences to test, the others by chance to train and dev (Søgaard et al. 2021).

    Of documents, those with the longest sentences on average. Chance also decides among equal lengths.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    if not test:
        raise UsageError("a split by length needs a test part", todo="give --test a share")
    dealt = DealtUnits.of(treebank, by_document, deduplicate)
    dealt.check_enough(shares)
    words = np.bincount(dealt.unit_of[dealt.kept], weights=treebank.lengths[dealt.kept])
    order = np.random.default_rng(seed).permutation(len(words))
    longest = order[np.argsort(-(words / dealt.sentences)[order], kind="stable")]
    sizes = quotas(dealt.total, shares)
    taken = longest[: prefix(dealt.sentences[longest], int(sizes[-1]), len(shares) - 1)]
    part_of = np.full(len(words), len(shares) - 1)
    rest = order[~np.isin(order, taken)]
    left = sizes[:-1]
    if by_document:
        part_of[rest] = dealt_in_order(np.arange(len(rest))[None], dealt.sentences[rest], left)[0]
    else:
        part_of[rest] = _cut(dealt.sentences[rest], left)
    return dealt.split(part_of, shares, tolerance)


@dataclass(frozen=True, slots=True, eq=False)
class DealtUnits:
    """What is dealt out: whole documents, or sentences, those with the same words together."""

    name: str
    unit_of: Ints
    """The number of each sentence's unit, by first occurrence; -1 for those that are in no part."""
    sentences: Ints
    """How many each unit has."""
    by_document: bool
    repeated: int
    removed: int

    @classmethod
    def of(
        cls, treebank: Treebank, by_document: bool, deduplicate: bool, shortest: int = 0, singly: bool = False
    ) -> DealtUnits:
        """Sentences of fewer than `shortest` words are in no part; `singly` also parts those with the same words."""
        kept = long = treebank.lengths >= shortest
        owner: Ints = documents(treebank) if by_document else np.arange(len(treebank))
        repeated = np.zeros(len(treebank), dtype=bool)
        if deduplicate or not (by_document or singly):
            first = first_occurrences(treebank)
            repeated = first < np.arange(len(treebank)) if deduplicate else repeated
            owner = owner if by_document or deduplicate else first
            kept = long & ~repeated
        unit_of = np.full(len(treebank), -1)
        unit_of[kept] = np.unique(owner[kept], return_inverse=True)[1]
        left = int((long & repeated).sum())
        return cls(treebank.name, unit_of, np.bincount(unit_of[kept]), by_document, left, int((~long).sum()))

    @property
    def kept(self) -> NDArray[np.bool_]:
        return self.unit_of >= 0

    @property
    def total(self) -> int:
        return int(self.sentences.sum())

    def check_enough(self, shares: Mapping[str, float]) -> None:
        """Every part needs a sentence or a document."""
        count = len(self.sentences)
        if count < len(shares):
            some = f"{count} {'document' if self.by_document else 'sentence'}{'s' * (count != 1)}"
            what = f"{some}{'' if self.by_document or count == self.total else ' of different words'}"
            raise InputError(f"{what} cannot make {len(shares)} parts", where=self.name, todo="leave parts out")

    def documents(self, shares: dict[str, float], tolerance: float = TOLERANCE) -> DocumentDeal:
        """The units as documents, to be dealt to parts of these shares."""
        return DocumentDeal.of(self.sentences, shares, tolerance, self.name)

    def in_order(self, order: Ints, sizes: Ints) -> Ints:
        """The first of this order to the first part, and so on; where repeated ones stick out, single ones move."""
        part_of = np.empty(len(order), dtype=np.int64)
        part_of[order] = _cut(self.sentences[order], sizes)
        missing = sizes - np.bincount(part_of, weights=self.sentences, minlength=len(sizes)).astype(np.int64)
        single = order[self.sentences[order] == 1][::-1]
        for part in np.flatnonzero(missing < 0).tolist():
            loose = single[part_of[single] == part][: -missing[part]]
            targets = np.repeat(np.arange(len(sizes)), np.maximum(missing, 0))[: len(loose)]
            part_of[loose[: len(targets)]] = targets
            missing = missing - np.bincount(targets, minlength=len(sizes))
        return part_of

    def split(self, part_of: Ints, shares: Mapping[str, float], tolerance: float = TOLERANCE) -> Split:
        """The sentences of all parts; sizes that are further off than allowed are an error."""
        sizes = np.bincount(part_of, weights=self.sentences, minlength=len(shares))
        off = np.abs(sizes - np.array(list(shares.values())) * self.total)
        if not sizes.all() or off.max() > max(tolerance * self.total, len(shares) - 1) + 1e-9:
            shown = ", ".join(f"{part} {size / self.total:.3f}" for part, size in zip(shares, sizes, strict=True))
            needed = float(np.ceil(1000 * off.max() / self.total) / 1000)
            what = "whole documents" if self.by_document else "sentences with the same words, which stay together,"
            todo = f"give other shares, or allow more: --tolerance {needed:g}"
            if not self.by_document:
                todo += "; or keep one sentence of each: --deduplicate"
            raise InputError(f"{what} do not make parts of these sizes: {shown}", where=self.name, todo=todo)
        numbered = np.where(self.kept, part_of[self.unit_of], -1)
        parts = {part: np.flatnonzero(numbered == number) for number, part in enumerate(shares)}
        return Split(parts, self.by_document, self.removed, self.repeated)


def _cut(sentences: Ints, sizes: Ints) -> Ints:
    """The part of each unit of an order: the one in which it begins."""
    begins = np.cumsum(sentences) - sentences
    return np.minimum(np.searchsorted(np.cumsum(sizes), begins, side="right"), len(sizes) - 1)


def prefix(sizes: Ints, wanted: int, others: int) -> int:
    """How many of these, from the first on, come nearest to the wanted size; at least one, and some are left."""
    count = int(np.count_nonzero(np.cumsum(sizes) - sizes / 2 < wanted))
    return min(max(count, 1), len(sizes) - others)


def documents(treebank: Treebank) -> Ints:
    """The number of each sentence's document; an error where the treebank does not tell documents apart."""
    numbers = document_numbers(treebank)
    if numbers is None:
        raise InputError(
            "no document borders (`# newdoc`) in here", where=treebank.name, todo="split by sentences instead"
        )
    return numbers


def checked_shares(shares: dict[str, float], seed: int) -> dict[str, float]:
    """The shares of the parts that there shall be."""
    if seed < 0:
        raise UsageError(f"the seed is {seed}", todo="give 0 or a positive number")
    shown = ", ".join(f"{part} {share:g}" for part, share in shares.items())
    if not all(0 <= share <= 1 for share in shares.values()) or abs(sum(shares.values()) - 1) > 1e-6:
        raise UsageError(f"these shares do not make a whole: {shown}", todo="they lie between 0 and 1, their sum is 1")
    kept = {part: share for part, share in shares.items() if share > 0}
    if len(kept) < 2:
        raise UsageError(f"a split has two parts or three, not one: {shown}")
    return kept


def quotas(total: int, shares: Mapping[str, float]) -> Ints:
    """Whole numbers with the given sum, nearest to the shares, none of them 0."""
    exact = np.array([share * total for share in shares.values()])
    sizes = np.maximum(np.floor(exact + 1e-9).astype(np.int64), 1)
    while sizes.sum() < total:
        sizes[np.argmax(exact - sizes)] += 1
    while sizes.sum() > total:
        sizes[np.argmax(np.where(sizes > 1, sizes - exact, -np.inf))] -= 1
    return sizes
