"""Units of a split (documents or sentences, duplicates together), and their deal to parts of given sizes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, unknown_name
from ...stats.distributions import wasserstein
from ..format.treebank import Treebank
from ..trees.displacement import LIMIT
from ..trees.duplicates import NEAR, first_alike

ID = "id"
"""Stands for what the ids of documents, or else of sentences, begin with: `weblog` of `weblog-blogspot.com_…`."""
_PREFIX = re.compile(r"[^\W\d_]+")
_KEY = re.compile(rb"^#[ \t]*([^\s=]+)[ \t]*=", re.MULTILINE)


def strata(treebank: Treebank, key: str) -> tuple[NDArray[Any], list[str]]:
    """The number of each sentence's stratum, and their names; what the head of a document says is good for all of it.

    >>> import gardenpath as gp
    >>> strata(gp.read("bundled:de-test"), "id")[1]
    ['de']
    """
    names = _of_ids(treebank) if key == ID else _of_documents(treebank, treebank.comment_values(key))
    if not any(names):
        keys = Counter(name.decode() for comments in treebank.comment_blocks() for name in set(_KEY.findall(comments)))
        several = [name for name, count in keys.items() if count > 1]
        raise unknown_name("comment", key, [*several, ID], where=treebank.name)
    kinds = sorted(set(names))
    return np.array([kinds.index(name) for name in names]), kinds


def _of_documents(treebank: Treebank, names: list[str]) -> list[str]:
    """Sentences without a name of their own have that of the sentence before, within a document."""
    numbers = treebank.documents
    if numbers is None:
        return names
    filled, document = list[str](), -1
    for name, number in zip(names, numbers.tolist(), strict=True):
        filled.append(name or (filled[-1] if number == document else ""))
        document = number
    return filled


def _of_ids(treebank: Treebank) -> list[str]:
    documents = treebank.comment_values("newdoc id")
    ids = _of_documents(treebank, documents) if any(documents) else treebank.sent_ids
    return [match[0] if (match := _PREFIX.match(text)) else "" for text in ids]


Ints = NDArray[Any]
Floats = NDArray[np.float64]

TOLERANCE = 0.01
"""By how much of all sentences a part may miss its share, where whole documents or repeated sentences are dealt out."""
_FEW, _MANY_WAYS = 14, 300_000
"""Of so many documents the extreme is that of all ways; else all are looked at if they are no more than so many."""
_BLOCK = 1 << 15  # Ways whose EDV is computed in one step
_CHAINS, _STEPS, _MOST_STEPS = 128, 20, 6000
"""Deals that are annealed side by side; steps for each document, and at most."""
_MANY, _CHAINS_OF_MANY, _STEPS_OF_MANY = 500, 32, 4000
"""Of more documents than that, fewer deals and steps: each has many neighbours that are as good."""
_HOT, _COLD, _PENALTY = 1.0, 0.003, 4.0
"""Temperatures in standard deviations of EDV over random deals, and the cost of each tolerance that a size is off."""
_TRIES, _AT_ONCE = 40, 100
"""Rounds of random deals before annealing looks for a way to meet the sizes, and deals in a round."""


@dataclass(frozen=True, slots=True, eq=False)
class DocumentDeal:
    """Documents of `sentences`, to be dealt to parts of `wanted` sentences each, give or take `slack`."""

    sentences: Ints
    wanted: Floats
    slack: float
    names: Sequence[str]
    where: str = ""

    @classmethod
    def of(
        cls, sentences: Ints, shares: dict[str, float], tolerance: float = TOLERANCE, where: str = ""
    ) -> DocumentDeal:
        """`tolerance` is a share of all sentences; one sentence is always allowed."""
        total = int(sentences.sum())
        wanted = np.array([share * total for share in shares.values()])
        return cls(sentences, wanted, max(tolerance * total, 1.0), list(shares), where)

    @property
    def parts(self) -> int:
        return len(self.wanted)

    def sizes(self, labels: Ints) -> Ints:
        """(… × parts) sentences, from (… × documents) numbers of parts."""
        return np.stack([(labels == part) @ self.sentences for part in range(self.parts)], axis=-1)

    def miss(self, sizes: Ints) -> Floats:
        """By how many tolerances the parts are off beyond what is allowed; no part may be empty."""
        off = np.maximum(np.abs(sizes - self.wanted) - self.slack, 0) / self.slack
        return np.asarray((off + 100 * (sizes == 0)).sum(axis=-1))

    def all_ways(self, most: float = _MANY_WAYS) -> Ints | None:
        """(ways × documents): every deal that meets the sizes; None where there are too many to look at.

        Large documents first. A deal is dropped as soon as a part is too large, or too small for what is left.
        """
        order = np.argsort(-self.sentences, kind="stable")
        left = int(self.sentences.sum())
        smallest, largest = np.maximum(self.wanted - self.slack, 1), self.wanted + self.slack
        # Of the documents so far: labels (documents × ways) and sizes (parts × ways).
        labels, sizes = np.zeros((0, 1), dtype=np.int8), np.zeros((self.parts, 1), dtype=np.int64)
        for size in self.sentences[order].tolist():
            left -= size
            chosen = np.tile(np.arange(self.parts, dtype=np.int8), sizes.shape[1])
            sizes = np.repeat(sizes, self.parts, axis=1)
            sizes[chosen, np.arange(len(chosen))] += size
            fits = (sizes <= largest[:, None] + 1e-9).all(axis=0)
            fits &= (sizes + left >= smallest[:, None] - 1e-9).all(axis=0)
            kept = np.flatnonzero(fits)
            if len(kept) > most:
                return None
            labels, sizes = np.concatenate([labels[:, kept // self.parts], chosen[None, kept]]), sizes[:, kept]
        ways = np.empty_like(labels)
        ways[order] = labels
        return np.ascontiguousarray(ways.T)

    def random(self, draws: int, rng: np.random.Generator, strata: Ints | None = None) -> Ints:
        """(draws × documents): deals by chance that meet the sizes; fewer where chance finds no more.

        With `strata`, the number of each document's stratum, those of many that deal out the strata most evenly.
        """
        if strata is not None:
            orders = _orders(len(self.sentences), _TRIES * _AT_ONCE, rng)
            rounds = np.split(orders, _TRIES)
            labels = np.concatenate([dealt_in_order(some, self.sentences, self.wanted, strata) for some in rounds])
            labels = labels[self.miss(self.sizes(labels)) == 0]
            if not len(labels):
                labels = self.random(_TRIES * _AT_ONCE, rng)
            # How many sentences of each deal (… × documents) are in a part beyond what their stratum has there.
            shares = self.wanted / self.wanted.sum()
            beyond = np.zeros(len(labels))
            for stratum in np.unique(strata):
                sentences = np.where(strata == stratum, self.sentences, 0)
                sizes = np.stack([(labels == part) @ sentences for part in range(self.parts)], axis=-1)
                beyond += np.maximum(sizes - shares * sentences.sum(), 0).sum(axis=-1)
            return labels[np.argsort(beyond, kind="stable")[:draws]]
        if len(self.sentences) <= _FEW and (ways := self.all_ways()) is not None:
            return ways[rng.integers(len(ways), size=draws)] if len(ways) else self._annealed(None, 0, rng)[None]
        met = list[Ints]()
        for _ in range(_TRIES):
            orders = _orders(len(self.sentences), max(draws, _AT_ONCE), rng)
            labels = dealt_in_order(orders, self.sentences, self.wanted)
            met.append(labels[self.miss(self.sizes(labels)) == 0])
            if sum(map(len, met)) >= draws:
                break
        together = np.concatenate(met)[:draws]
        return together if len(together) else self._annealed(None, 0, rng)[None]

    def extreme(self, histograms: Ints, sign: int, rng: np.random.Generator) -> Ints:
        """The deal of least (sign 1) or greatest (-1) EDV between the first and the last part.

        histograms: (documents × 61) displacements of each document.
        """
        ways = self.all_ways(np.inf if len(self.sentences) <= _FEW else _MANY_WAYS)
        if ways is None:
            return self._annealed(histograms, sign, rng)
        if not len(ways):
            return self._annealed(None, 0, rng)
        blocks = np.split(ways, range(_BLOCK, len(ways), _BLOCK))
        distances = np.concatenate([sign * _apart(block, self.parts, histograms) for block in blocks])
        best: Ints = ways[int(np.argmin(distances))]
        return best

    def _annealed(self, histograms: Ints | None, sign: int, rng: np.random.Generator) -> Ints:
        """Return the best deal that annealing finds, without histograms any; an error where none meets the sizes.

        Of each chain: labels (chains × documents), sizes (chains × parts), and of train and test how many edges have
        a displacement of up to each, sides (chains × 2 × 61): as shares of all they are EDV apart. A step moves one
        document to another part, or exchanges it with a second one. It is taken with probability
        min(1, exp(-(new - old) / temperature)); energy = sign · EDV / sd + penalty · miss.
        """
        last, documents = self.parts - 1, len(self.sentences)
        chains = _CHAINS if documents <= _MANY else _CHAINS_OF_MANY
        counts = np.zeros((documents, 2 * LIMIT + 1)) if histograms is None else histograms.astype(np.float64)
        labels = dealt_in_order(_orders(documents, chains, rng), self.sentences, self.wanted)
        scale = 1.0
        if histograms is not None:
            scale = float(np.nanstd(_apart(labels, self.parts, counts))) or 1.0
            if sign < 0:
                starts = self._sorted_starts(counts)[: chains // 2]
                labels[: len(starts)] = starts
        # Whole numbers, so that sums are exact; a document more, without edges and sentences, to move nothing.
        below = np.cumsum(np.append(counts, np.zeros_like(counts[:1]), axis=0), axis=1)
        lengths = np.append(self.sentences, 0)
        sides = np.stack([(labels == part).astype(np.float64) @ below[:-1] for part in (0, last)], axis=1)
        sizes, chain = self.sizes(labels), np.arange(chains)

        def energy(sides: Floats, sizes: Ints) -> tuple[Floats, Floats]:
            miss = self.miss(sizes)
            if histograms is None:
                return miss, miss
            totals = sides[:, :, -1:]
            shares = sides / np.maximum(totals, 1)
            distance = np.abs(shares[:, 0] - shares[:, 1]).sum(axis=1)
            if not totals.all():
                distance[(totals == 0).any(axis=1)[:, 0]] = np.inf if sign > 0 else 0.0
            return sign * distance / scale + _PENALTY * miss, miss

        now, miss = energy(sides, sizes)
        best, best_labels = np.where(miss == 0, now, np.inf), labels.copy()
        nearest, nearest_labels = float(miss.min()), labels[int(np.argmin(miss))].copy()
        steps = min(max(_STEPS * documents, 3000), _MOST_STEPS if documents <= _MANY else _STEPS_OF_MANY)
        firsts, seconds = rng.integers(documents, size=(2, steps, chains))
        exchanges, shifts = rng.random((steps, chains)) < 0.5, rng.integers(1, self.parts, size=(steps, chains))
        coins = rng.random((steps, chains))
        returned = np.where(exchanges, seconds, documents)
        different, into = firsts != seconds, np.eye(self.parts, dtype=np.int64)
        for step, temperature in enumerate(np.geomspace(_HOT, _COLD, steps).tolist()):
            if histograms is None and nearest == 0:
                break
            first, second, exchange, back = firsts[step], seconds[step], exchanges[step], returned[step]
            old, opposite = labels[chain, first], labels[chain, second]
            new = np.where(exchange, opposite, (old + shifts[step]) % self.parts)
            # The first document goes from old to new, the second, if they are exchanged, from new to old.
            change = into[new] - into[old]
            grown = sizes + change * (lengths[first] - lengths[back])[:, None]
            moved = sides + change[:, (0, last), None] * (below[first] - below[back])[:, None, :]
            then, off = energy(moved, grown)
            accepted = coins[step] < np.exp(np.minimum((now - then) / temperature, 0))
            accepted &= (new != old) & different[step]
            taken = np.flatnonzero(accepted)
            if not len(taken):
                continue
            labels[taken, first[taken]] = new[taken]
            swapped = taken[exchange[taken]]
            labels[swapped, second[swapped]] = old[swapped]
            sides[taken], sizes[taken], now[taken] = moved[taken], grown[taken], then[taken]
            better = taken[(off[taken] == 0) & (then[taken] < best[taken])]
            if len(better):
                best[better], best_labels[better] = then[better], labels[better]
            if nearest and (least := float(off[taken].min())) < nearest:
                nearest = least
                nearest_labels = labels[taken[int(np.argmin(off[taken]))]].copy()
        if np.isfinite(best).any():
            nearest, nearest_labels = 0.0, best_labels[int(np.argmin(best))]
        if nearest:
            raise self._impossible(nearest_labels)
        return np.asarray(nearest_labels)

    def _sorted_starts(self, counts: Floats) -> Ints:
        """Deals that are far apart from the start: documents sorted by the mean of a function f of displacement.

        EDV is the greatest difference of means of any f with slopes from -1 to 1 (Kantorovich and Rubinstein): the
        documents with the largest mean go to test, those with the smallest to train, and f is read off the result.
        """
        values = np.arange(-LIMIT, LIMIT + 1)
        totals = np.maximum(counts.sum(axis=1), 1)
        until = np.cumsum(self.wanted)
        starts = []
        for potential in (values, -values, np.abs(values), -np.abs(values)):
            for _ in range(8):
                order = np.argsort(counts @ potential / totals, kind="stable")
                middle = np.cumsum(self.sentences[order]) - self.sentences[order] / 2
                labels = np.empty(len(order), dtype=np.int64)
                labels[order] = np.minimum(np.searchsorted(until, middle), self.parts - 1)
                starts.append(labels)
                train, test = (counts[labels == part].sum(axis=0) for part in (0, self.parts - 1))
                ahead = np.cumsum(train / max(train.sum(), 1) - test / max(test.sum(), 1))
                potential = np.concatenate([[0], np.cumsum(np.sign(ahead[:-1]))])
        different = np.unique(np.stack(starts), axis=0)
        distances = np.nan_to_num(_apart(different, self.parts, counts), nan=0.0)
        return different[np.argsort(-distances, kind="stable")]

    def _impossible(self, labels: Ints) -> InputError:
        shares = self.sizes(labels) / self.sentences.sum()
        shown = ", ".join(f"{name} {share:.3f}" for name, share in zip(self.names, shares.tolist(), strict=True))
        wanted = self.wanted / self.sentences.sum()
        needed = float(np.ceil(1000 * np.abs(shares - wanted).max()) / 1000)
        return InputError(
            f"whole documents do not make parts of these sizes: the nearest found are {shown}",
            where=self.where,
            todo=f"give other shares, or allow more: --set tolerance={needed:g}",
        )


def dealt_in_order(orders: Ints, lengths: Ints, sizes: Ints, strata: Ints | None = None) -> Ints:
    """In each of several orders: the first document to each part, then each to the part that lacks most sentences.

    With strata, to the part that lacks most of the document's own stratum and of all together.
    missing: (orders × strata × parts) sentences.
    """
    stratum_of = np.zeros(len(lengths), dtype=np.int64) if strata is None else strata
    totals = np.bincount(stratum_of, weights=lengths)
    missing = np.tile(np.outer(totals / totals.sum(), sizes), (len(orders), 1, 1))
    flat, count, every = missing.reshape(-1), len(sizes), np.arange(len(orders))
    # By turn, then by order: the documents' sizes, and where in `missing` the parts of their strata begin.
    taken = lengths[orders.T]
    begins = (every * len(totals) + stratum_of[orders.T]) * count
    parts = np.empty(orders.T.shape, dtype=np.int64)
    for turn, begin in enumerate(begins):
        if turn < count:
            parts[turn] = turn
        elif strata is None:
            missing[:, 0].argmax(axis=1, out=parts[turn])
        else:
            lacking = missing[every, begin // count % len(totals)] + missing.sum(axis=1)
            lacking.argmax(axis=1, out=parts[turn])
        flat[begin + parts[turn]] -= taken[turn]
    part_of = np.empty(orders.shape, dtype=np.int64)
    part_of[every[:, None], orders] = parts.T
    return part_of


def _orders(documents: int, count: int, rng: np.random.Generator) -> Ints:
    return rng.permuted(np.tile(np.arange(documents), (count, 1)), axis=1)


def _apart(labels: Ints, parts: int, histograms: Ints) -> Floats:
    """EDV between the first and the last part of each deal; NaN where one has no edges."""
    counts = histograms.astype(np.float64)
    return wasserstein(*((labels == part).astype(np.float64) @ counts for part in (0, parts - 1)))


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
        moved: Ints | None = part_of
        for _ in range(_MOVES):
            lacking, allowed = self._lacking(part_of, shares, tolerance)
            if np.abs(lacking).max() <= allowed or (moved := self._moved(part_of, lacking, shares, tolerance)) is None:
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
            assert self.strata is not None
            stratum, sizes = self.strata[order], self.sentences[order]
            by_stratum = np.argsort(stratum, kind="stable")
            totals = np.bincount(stratum, weights=sizes)
            done = np.empty(len(order))
            done[by_stratum] = np.cumsum(sizes[by_stratum]) - (np.cumsum(totals) - totals)[stratum[by_stratum]]
            through_strata = np.asarray((done - rng.random(len(totals))[stratum]) / totals[stratum])
            order = order[np.argsort(through_strata, kind="stable")]
        return self.in_order(order, quotas(self.total, shares))

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
        todo = f"give other shares, or allow more: --set tolerance={needed:g}"
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
