"""Whole documents dealt out to parts of given sizes: every way to do it where they are few, annealing where many.

A part may miss its size by a little, and no more: what documents cannot make within that is an error. Of the ways
that are left, one is drawn by chance, or the one with the least or the greatest EDV between train and test is found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..stats.distance import wasserstein
from .displacement import LIMIT

Ints = NDArray[Any]
Floats = NDArray[np.float64]

TOLERANCE = 0.01
"""By how much of all sentences a part may miss its share, where whole documents or repeated sentences are dealt out."""
_FEW, _MANY_WAYS = 14, 300_000
"""Of so many documents the extreme is that of all ways; else all are looked at if they are no more than so many."""
_BLOCK = 1 << 15
"""Ways whose EDV is computed in one step."""
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
            labels = np.concatenate([
                dealt_in_order(some, self.sentences, self.wanted, strata)
                for some in np.split(orders, _TRIES)
            ])  # fmt: skip
            labels = labels[self.miss(self.sizes(labels)) == 0]
            if not len(labels):
                labels = self.random(_TRIES * _AT_ONCE, rng)
            return labels[np.argsort(self._uneven(labels, strata), kind="stable")[:draws]]
        if len(self.sentences) <= _FEW and (ways := self.all_ways()) is not None:
            if not len(ways):
                raise self._impossible(self._annealed(None, 0, rng)[0])
            return ways[rng.integers(len(ways), size=draws)]
        met = list[Ints]()
        for _ in range(_TRIES):
            labels = dealt_in_order(
                _orders(len(self.sentences), max(draws, _AT_ONCE), rng), self.sentences, self.wanted
            )
            met.append(labels[self.miss(self.sizes(labels)) == 0])
            if sum(map(len, met)) >= draws:
                break
        together = np.concatenate(met)[:draws]
        if len(together):
            return together
        labels, is_met = self._annealed(None, 0, rng)
        if not is_met:
            raise self._impossible(labels)
        return labels[None]

    def _uneven(self, labels: Ints, strata: Ints) -> Floats:
        """How many sentences of each deal (… × documents) are in a part beyond what their stratum has there."""
        shares = self.wanted / self.wanted.sum()
        beyond = np.zeros(len(labels))
        for stratum in np.unique(strata):
            sentences = np.where(strata == stratum, self.sentences, 0)
            sizes = np.stack([(labels == part) @ sentences for part in range(self.parts)], axis=-1)
            beyond += np.maximum(sizes - shares * sentences.sum(), 0).sum(axis=-1)
        return beyond

    def extreme(self, histograms: Ints, sign: int, rng: np.random.Generator) -> Ints:
        """The deal of least (sign 1) or greatest (-1) EDV between the first and the last part.

        histograms: (documents × 61) displacements of each document.
        """
        ways = self.all_ways(np.inf if len(self.sentences) <= _FEW else _MANY_WAYS)
        if ways is not None:
            if not len(ways):
                raise self._impossible(self._annealed(None, 0, rng)[0])
            distances = np.concatenate([sign * _apart(block, self.parts, histograms) for block in _blocks(ways)])
            best: Ints = ways[int(np.argmin(distances))]
            return best
        labels, is_met = self._annealed(histograms, sign, rng)
        if not is_met:
            raise self._impossible(labels)
        return labels

    def _annealed(self, histograms: Ints | None, sign: int, rng: np.random.Generator) -> tuple[Ints, bool]:
        """The best deal that annealing finds, and whether it meets the sizes; without histograms any that does.

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
            return best_labels[int(np.argmin(best))], True
        return nearest_labels, nearest == 0

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
            todo=f"give other shares, or allow more: --tolerance {needed:g}",
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


def _blocks(ways: Ints) -> Iterator[Ints]:
    for begin in range(0, len(ways), _BLOCK):
        yield ways[begin : begin + _BLOCK]


def _apart(labels: Ints, parts: int, histograms: Ints) -> Floats:
    """EDV between the first and the last part of each deal; NaN where one has no edges."""
    counts = histograms.astype(np.float64)
    return wasserstein(*((labels == part).astype(np.float64) @ counts for part in (0, parts - 1)))
