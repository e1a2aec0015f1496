"""What is dealt out in a split: whole documents, or sentences, those that are the same together; and the split."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .document_split import TOLERANCE as TOLERANCE
from .document_split import DocumentDeal
from .duplicates import first_alike
from .shingles import NEAR
from .strata import strata
from .treebank import Treebank

Ints = NDArray[Any]
Floats = NDArray[np.float64]
_MOVES, _TRIED = 30, 8
"""Documents that are moved at most, where parts lost sentences to each other, and those that are tried for each."""


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The sentences of each part, by number, in the order of the treebank; parts of size 0 are not there."""

    parts: Mapping[str, Ints]
    by_document: bool = False
    removed: int = 0
    """Sentences that were too short to be in any part."""
    repeated: int = 0
    """Sentences in no part because an earlier one has the same words, or nearly."""
    shared: int = 0
    """Sentences of dev and test documents in no part because another part has them, too."""
    first: Ints | None = None
    """Of each sentence the first that is the same, where that was asked for."""

    def conllu(self, treebank: Treebank, part: str) -> bytes:
        """The bytes of a part, as they stand in the treebank."""
        return b"".join(treebank.block(number) for number in self.parts[part].tolist())


@dataclass(frozen=True, slots=True, eq=False)
class DealtUnits:
    """What is dealt out: whole documents, or sentences, those that are the same together."""

    name: str
    unit_of: Ints
    """The number of each sentence's unit, by first occurrence; -1 for those that are in no part."""
    sentences: Ints
    """How many each unit has."""
    by_document: bool
    repeated: int
    removed: int
    first: Ints | None = None
    """Of each sentence of a document the first that is the same, for it may stand in another document."""
    strata: Ints | None = None
    """The number of each unit's stratum, that of its first sentence."""

    @classmethod
    def of(
        cls,
        treebank: Treebank,
        by_document: bool,
        deduplicate: bool,
        near: float | None = NEAR,
        shortest: int = 0,
        singly: bool = False,
        stratify: str = "",
    ) -> DealtUnits:
        """Sentences of fewer than `shortest` words are in no part; `singly` also parts those that are the same."""
        kept = long = treebank.lengths >= shortest
        owner: Ints = documents(treebank) if by_document else np.arange(len(treebank))
        repeated = np.zeros(len(treebank), dtype=bool)
        first = None if singly else first_alike(treebank, near)
        if first is not None and deduplicate:
            repeated = first < np.arange(len(treebank))
            kept = long & ~repeated
        elif first is not None and not by_document:
            owner = first
        unit_of = np.full(len(treebank), -1)
        _, begins, unit_of[kept] = np.unique(owner[kept], return_index=True, return_inverse=True)
        stratum_of = strata(treebank, stratify)[0][kept][begins] if stratify else None
        left = int((long & repeated).sum())
        sentences, removed = np.bincount(unit_of[kept]), int((~long).sum())
        return cls(treebank.name, unit_of, sentences, by_document, left, removed, first, stratum_of)

    @property
    def kept(self) -> NDArray[np.bool_]:
        return self.unit_of >= 0

    @property
    def total(self) -> int:
        return int(self.sentences.sum())

    def among(self, units: Ints) -> DealtUnits:
        """Some of the units, to be dealt out by themselves."""
        stratum_of = None if self.strata is None else self.strata[units]
        return replace(self, sentences=self.sentences[units], strata=stratum_of, first=None)

    def check_enough(self, shares: Mapping[str, float]) -> None:
        """Every part needs a sentence or a document."""
        count = len(self.sentences)
        if count < len(shares):
            some = f"{count} {'document' if self.by_document else 'sentence'}{'s' * (count != 1)}"
            what = f"{some}{'' if self.by_document or count == self.total else ' of different words'}"
            raise InputError(f"{what} cannot make {len(shares)} parts", where=self.name, todo="leave parts out")

    def documents(self, shares: dict[str, float], tolerance: float, dealt: Callable[[DocumentDeal], Ints]) -> Ints:
        """The part of each document, as `dealt` chooses it.

        Parts lose the sentences that another part has, too, so that a deal of the right sizes may not have them in the
        end: then it is made once more with that much more for the parts that lost, and what is off still is moved.
        """
        deal = DocumentDeal.of(self.sentences, shares, tolerance, self.name)
        part_of = dealt(deal)
        if self.first is None:
            return part_of
        lacking, allowed = self._lacking(part_of, shares, tolerance)
        if np.abs(lacking).max() > allowed:
            part_of = dealt(replace(deal, wanted=np.maximum(deal.wanted + lacking, 0)))
        for _ in range(_MOVES):
            lacking, allowed = self._lacking(part_of, shares, tolerance)
            if np.abs(lacking).max() <= allowed:
                break
            moved = self._moved(part_of, lacking, shares, tolerance)
            if moved is None:
                break
            part_of = moved
        return part_of

    def _lacking(self, part_of: Ints, shares: Mapping[str, float], tolerance: float) -> tuple[Floats, float]:
        """How many sentences each part has too few in the end, and how many it may be off."""
        sizes = self._sizes(part_of, len(shares))[2]
        return np.array(list(shares.values())) * sizes.sum() - sizes, self._allowed(sizes, tolerance)

    def _moved(self, part_of: Ints, lacking: Floats, shares: Mapping[str, float], tolerance: float) -> Ints | None:
        """The deal with a document moved from the part that has most too many to the one that has most too few.

        Of those of about the right size the one after which parts are off least; None where none helps.
        """
        giver, taker = int(np.argmin(lacking)), int(np.argmax(lacking))
        own = np.flatnonzero(part_of == giver)
        needed = min(-lacking[giver], lacking[taker])
        near = own[np.argsort(np.abs(self.sentences[own] - needed), kind="stable")[:_TRIED]]
        best, least = None, float(np.abs(lacking).max())
        for document in near.tolist():
            tried = part_of.copy()
            tried[document] = taker
            off = float(np.abs(self._lacking(tried, shares, tolerance)[0]).max())
            if off < least:
                best, least = tried, off
        return best

    def by_chance(self, shares: dict[str, float], tolerance: float, rng: np.random.Generator) -> Ints:
        """The part of each unit, dealt out at random."""
        if self.by_document:
            return self.documents(shares, tolerance, lambda deal: deal.random(1, rng, self.strata)[0])
        order = rng.permutation(len(self.sentences))
        if self.strata is not None:
            order = order[np.argsort(self._through_strata(order, rng), kind="stable")]
        return self.in_order(order, quotas(self.total, shares))

    def _through_strata(self, order: Ints, rng: np.random.Generator) -> Floats:
        """How far through its stratum each unit of this order is, from 0 to 1: who sorts by it deals all evenly."""
        assert self.strata is not None
        stratum, sizes = self.strata[order], self.sentences[order]
        by_stratum = np.argsort(stratum, kind="stable")
        totals = np.bincount(stratum, weights=sizes)
        done = np.empty(len(order))
        done[by_stratum] = np.cumsum(sizes[by_stratum]) - (np.cumsum(totals) - totals)[stratum[by_stratum]]
        return np.asarray((done - rng.random(len(totals))[stratum]) / totals[stratum])

    def in_order(self, order: Ints, sizes: Ints) -> Ints:
        """The first of this order to the first part, and so on; where repeated ones stick out, single ones move."""
        part_of = np.empty(len(order), dtype=np.int64)
        part_of[order] = cut_in_order(self.sentences[order], sizes)
        missing = sizes - np.bincount(part_of, weights=self.sentences, minlength=len(sizes)).astype(np.int64)
        single = order[self.sentences[order] == 1][::-1]
        for part in np.flatnonzero(missing < 0).tolist():
            loose = single[part_of[single] == part][: -missing[part]]
            targets = np.repeat(np.arange(len(sizes)), np.maximum(missing, 0))[: len(loose)]
            part_of[loose[: len(targets)]] = targets
            missing = missing - np.bincount(targets, minlength=len(sizes))
        return part_of

    def split(self, part_of: Ints, shares: Mapping[str, float], tolerance: float | None = TOLERANCE) -> Split:
        """The sentences of all parts; sizes that are further off than the tolerance, if there is one, are an error."""
        numbered, twice, sizes = self._sizes(part_of, len(shares))
        if not sizes.all() or tolerance is not None:
            self._check_sizes(sizes, shares, tolerance or 0.0, int(twice.sum()))
        parts = {part: np.flatnonzero(numbered == number) for number, part in enumerate(shares)}
        return Split(parts, self.by_document, self.removed, self.repeated, int(twice.sum()), self.first)

    def _sizes(self, part_of: Ints, parts: int) -> tuple[Ints, NDArray[np.bool_], Ints]:
        """The part of each sentence (-1 for none), those that another part has, and how many each part keeps."""
        numbered = np.where(self.kept, part_of[self.unit_of], -1)
        twice = self._in_two_parts(numbered, parts)
        numbered[twice] = -1
        return numbered, twice, np.bincount(numbered[numbered >= 0], minlength=parts)

    @staticmethod
    def _allowed(sizes: Ints, tolerance: float) -> float:
        """By how many sentences a part may be off."""
        return max(tolerance * int(sizes.sum()), len(sizes) - 1) + 1e-9

    def _check_sizes(self, sizes: Ints, shares: Mapping[str, float], tolerance: float, twice: int) -> None:
        total = int(sizes.sum())
        off = np.abs(sizes - np.array(list(shares.values())) * total)
        if sizes.all() and off.max() <= self._allowed(sizes, tolerance):
            return
        shown = ", ".join(f"{part} {size / total:.3f}" for part, size in zip(shares, sizes, strict=True))
        needed = float(np.ceil(1000 * off.max() / total) / 1000)
        what = "whole documents" if self.by_document else "sentences with the same words, which stay together,"
        if twice:
            what += f" without {twice} sentences that are in another part, too,"
        todo = f"give other shares, or allow more: --tolerance {needed:g}"
        if twice or not self.by_document:
            todo += "; or keep one sentence of each: --deduplicate"
        raise InputError(f"{what} do not make parts of these sizes: {shown}", where=self.name, todo=todo)

    def _in_two_parts(self, numbered: Ints, parts: int) -> NDArray[np.bool_]:
        """Sentences of documents that are the same as one of another part: train keeps them, then test, then dev."""
        if self.first is None or not self.by_document:
            return np.zeros(len(numbered), dtype=bool)
        rank = np.where(numbered < 0, parts, np.where(numbered > 0, parts - numbered, 0))
        best = np.full(len(numbered), parts)
        np.minimum.at(best, self.first, rank)
        return (numbered >= 0) & (rank > best[self.first])


def cut_in_order(sentences: Ints, sizes: Ints) -> Ints:
    """The part of each unit of an order: the one in which it begins."""
    begins = np.cumsum(sentences) - sentences
    return np.minimum(np.searchsorted(np.cumsum(sizes), begins, side="right"), len(sizes) - 1)


def documents(treebank: Treebank) -> Ints:
    """The number of each sentence's document; an error where the treebank does not tell documents apart."""
    numbers = treebank.documents
    if numbers is None:
        raise InputError(
            "no document borders (`# newdoc`) in here", where=treebank.name, todo="split by sentences instead"
        )
    return numbers


def quotas(total: int, shares: Mapping[str, float]) -> Ints:
    """Whole numbers with the given sum, nearest to the shares, none of them 0."""
    exact = np.array([share * total for share in shares.values()])
    sizes = np.maximum(np.floor(exact + 1e-9).astype(np.int64), 1)
    while sizes.sum() < total:
        sizes[np.argmax(exact - sizes)] += 1
    while sizes.sum() > total:
        sizes[np.argmax(np.where(sizes > 1, sizes - exact, -np.inf))] -= 1
    return sizes
