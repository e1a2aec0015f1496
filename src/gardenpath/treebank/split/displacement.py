"""Splits whose test part is as near to the training part as possible, or as far from it (EDV, Section 6.1)."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ...stats.distributions import wasserstein
from ..format.columns import ranges
from ..format.treebank import Treebank
from ..trees.displacement import LIMIT
from ..trees.duplicates import NEAR
from .deal import TOLERANCE, DealtUnits, Floats, Ints, Split, quotas
from .methods import checked_shares

CLASSES = 2 * LIMIT + 1
"""Displacements from -30 to 30, as numbers from 0 to 60."""


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Sentences or documents by number: sizes, mean length, MED (Equation 3), and edges, unit after unit."""

    sentences: Ints
    lengths: Floats
    """Words per sentence, on average."""
    displacement: Floats
    """The sum of all displacements over the number of edges that trees of these lengths have."""
    edges: NDArray[np.uint8]
    """The displacement of each edge from -30 to 30, plus 30; longer edges are left out."""
    sizes: Ints
    """How many edges each unit has of these."""
    starts: Ints
    """Where they begin."""

    def __len__(self) -> int:
        return len(self.sentences)

    def histogram(self, which: NDArray[np.bool_]) -> Ints:
        """How often each displacement occurs in these units together."""
        kept = np.repeat(which, self.sizes)
        return np.bincount(self.edges[kept], minlength=CLASSES)

    def histograms(self, which: Ints) -> Ints:
        """The same for each of these units, as rows."""
        sizes = self.sizes[which]
        rows = np.repeat(np.arange(len(which)) * CLASSES, sizes)
        edges = self.edges[ranges(self.starts[which], sizes)]
        return np.bincount(rows + edges, minlength=len(which) * CLASSES).reshape(-1, CLASSES)

    def sums(self, values: Ints) -> Ints:
        """For each unit the sum of what its edges' displacements are worth."""
        totals = np.zeros(len(self), dtype=np.int64)
        full = self.sizes > 0
        if full.any():
            totals[full] = np.add.reduceat(values[self.edges], self.starts[full], dtype=np.int64)
        return totals


def units(treebank: Treebank, unit_of: Ints) -> Units:
    """`unit_of` has the number of each sentence's unit, or -1 for sentences that are left out."""
    kept = unit_of >= 0
    numbers, offsets = unit_of[kept], treebank.offsets
    count = int(numbers.max()) + 1
    displacements = np.where(treebank.heads > 0, treebank.ids - treebank.heads, 0)
    total = np.add.reduceat(displacements, offsets[:-1], dtype=np.int64)[kept]
    used = (displacements != 0) & (np.abs(displacements) <= LIMIT)
    used &= np.repeat(kept, treebank.lengths)
    edges = displacements[used]
    edges += LIMIT
    sizes = np.add.reduceat(used, offsets[:-1], dtype=np.int64)[kept]
    if (numbers[1:] < numbers[:-1]).any():  # sentences of one unit stand apart
        edges = edges[np.argsort(np.repeat(numbers, sizes), kind="stable")]
    sentences = np.bincount(numbers, minlength=count)
    words = np.bincount(numbers, weights=treebank.lengths[kept], minlength=count)
    possible = np.maximum(words - sentences, 1)
    in_unit = np.bincount(numbers, weights=sizes, minlength=count).astype(np.int64)
    return Units(
        sentences,
        words / sentences,
        np.bincount(numbers, weights=total, minlength=count) / possible,
        edges.astype(np.uint8),
        in_unit,
        np.cumsum(in_unit) - in_unit,
    )


_POOL = 20  # Sentences of neighbouring lengths are pooled until there are so many, else long ones leave no choice
_ROUNDS = 50
_BATCH, _AT_ONCE, _REACH, _PATIENCE = 512, 32, 4, 8
"""Exchanges looked at in one step, and made at most; how far apart the two may stand; steps without gain to the end."""


# ---- least


def alike(dealt: Units, among: Ints, wanted: int, rng: np.random.Generator) -> Ints:
    """Units with `wanted` sentences whose displacements are distributed as in the rest of `among`.

    Sorted by length and MED, neighbours are alike, and every n-th is a fair sample; then a chosen one is
    exchanged with a near neighbour as long as that brings the two distributions nearer.
    """
    place = among[np.lexsort((_snake(dealt, among), dealt.lengths[among], dealt.sentences[among]))]
    sizes = dealt.sentences[place]
    count = min(max(round(wanted / int(sizes.sum()) * len(place)), 1), len(place) - 1)
    picked = _every_nth(np.arange(len(place)), count, rng.random())
    missing = wanted - int(sizes[picked].sum())
    if missing > 0:
        picked = np.concatenate([picked, _every_nth(np.setdiff1d(np.flatnonzero(sizes == 1), picked), missing, 0)])
    elif missing < 0:
        picked = np.setdiff1d(picked, _every_nth(picked[sizes[picked] == 1], -missing, 0))
    count = len(picked)
    chosen = np.zeros(len(place), dtype=bool)
    chosen[picked] = True
    inside, whole = _histogram(dealt, place[picked]), _histogram(dealt, place)
    reached, waited, size = float(_apart(inside, whole)), 0, int(sizes[picked].sum())
    steps = np.concatenate([np.arange(-_REACH, 0), np.arange(1, _REACH + 1)])
    while waited < _PATIENCE:
        which = rng.integers(count, size=_BATCH)
        other = picked[which] + steps[rng.integers(len(steps), size=_BATCH)]
        fits = (other >= 0) & (other < len(place))
        fits[fits] = ~chosen[other[fits]]
        which, other = which[fits], other[fits]
        waited += 1
        if not len(which):
            continue
        change = dealt.histograms(place[other]) - dealt.histograms(place[picked[which]])
        distances = _apart(inside + change, whole)
        # Of these exchanges those whose two sides no better one has.
        order = np.argsort(distances, kind="stable")[:_AT_ONCE]
        first, second = (np.unique(side[order], return_index=True)[1] for side in (which, other))
        best = order[np.intersect1d(first, second)]
        together = inside + np.cumsum(change[best], axis=0)
        grown = size + np.cumsum(sizes[other[best]] - sizes[picked[which[best]]])
        allowed = np.abs(grown - wanted) <= abs(size - wanted)
        distances = np.where(allowed, _apart(together, whole), np.inf)
        last = int(np.argmin(distances))
        if distances[last] < reached:
            reached, inside, waited, size = float(distances[last]), together[last], 0, int(grown[last])
            made = best[: last + 1]
            chosen[picked[which[made]]], chosen[other[made]] = False, True
            picked[which[made]] = other[made]
    return np.sort(place[picked])


def _every_nth(places: Ints, count: int, start: float) -> Ints:
    """So many of these, evenly spaced, or all where there are no more."""
    if count >= len(places):
        return places
    chosen: Ints = places[((np.arange(count) + start) * len(places) / count).astype(np.int64)]
    return chosen


def _apart(inside: Ints, whole: Ints) -> Floats:
    """EDV between some units and the rest; no distance is further than that from a part without edges."""
    return np.nan_to_num(wasserstein(inside, whole - inside), nan=np.inf)


def _snake(dealt: Units, among: Ints) -> Floats:
    """MED up in one length and down in the next, so that neighbours across the border are alike, too."""
    _, group = np.unique(dealt.lengths[among], return_inverse=True)
    return np.where(group % 2, -1, 1) * dealt.displacement[among]


def _histogram(dealt: Units, which: Ints) -> Ints:
    mask = np.zeros(len(dealt), dtype=bool)
    mask[which] = True
    return dealt.histogram(mask)


# ---- greatest


def distant(dealt: Units, wanted: int) -> Ints:
    """Units with `wanted` sentences whose displacements are as far as possible from those of the rest.

    EDV is the greatest mean difference of any function f of the displacement with slopes from -1 to 1
    (Kantorovich and Rubinstein). For a given f the best units are found by sorting, for given units the best f is
    read off the two distributions; in turn they never get worse. From several f at the start the best end is taken.
    """
    pools = _Pools(dealt, wanted)
    whole = np.bincount(dealt.edges, minlength=CLASSES)
    values = np.arange(-LIMIT, LIMIT + 1)
    best, chosen, tried = -1.0, np.empty(0, dtype=np.int64), set[bytes]()
    for start in (values, -values, np.abs(values), -np.abs(values)):
        potential, inside, reached = start.astype(np.int16), whole, -1.0
        for _ in range(_ROUNDS):
            rest = whole if inside is whole else whole - inside
            worth = dealt.sums(potential)
            # What it adds to the difference of the two means, to first order, when a unit comes into test.
            gain = sum(
                (worth - dealt.sizes * (float(part @ potential) / max(part.sum(), 1))) / max(part.sum(), 1)
                for part in (inside, rest)
            )
            taken = pools.first(np.asarray(gain) / dealt.sentences)
            new = _histogram(dealt, taken)
            ahead = np.cumsum((whole - new) / max((whole - new).sum(), 1) - new / max(new.sum(), 1))
            distance = float(np.abs(ahead).sum())
            if distance <= reached:
                break
            inside, reached = new, distance
            if reached > best:
                best, chosen = reached, taken
            potential = np.concatenate([[0], np.cumsum(np.sign(ahead[:-1]))]).astype(np.int16)
            if (inside.tobytes() + potential.tobytes()) in tried:
                break  # another start came by here
            tried.add(inside.tobytes() + potential.tobytes())
    return np.sort(chosen)


class _Pools:
    """Sentences of one length, or of neighbouring ones where there are few."""

    def __init__(self, dealt: Units, wanted: int) -> None:
        self._wanted, self._order = wanted, np.argsort(dealt.lengths, kind="stable")
        self._sentences = dealt.sentences
        begins = [0]
        for border in (np.flatnonzero(np.diff(dealt.lengths[self._order])) + 1).tolist():
            if border - begins[-1] >= _POOL:
                begins.append(border)
        if len(begins) > 1 and len(dealt) - begins[-1] < _POOL:
            begins.pop()
        self._pool = np.repeat(np.arange(len(begins)), np.diff([*begins, len(dealt)]))
        ends = np.cumsum(np.bincount(self._pool, weights=dealt.sentences[self._order]).astype(np.int64))
        # Rounded sums, not sums of rounded numbers: together the pools give what is wanted.
        until = np.floor(ends * wanted / ends[-1] + 0.5).astype(np.int64)
        # A pool takes units until so many sentences, counted from the first pool on, have gone by.
        self._until = (np.concatenate([[0], ends[:-1]]) + np.diff(until, prepend=0))[self._pool]

    def first(self, gain: Floats) -> Ints:
        """The units that gain most; with equal gain the earlier one."""
        scaled = gain[self._order] / (float(np.abs(gain).max()) or 1.0)
        order = self._order[np.argsort(4 * self._pool - scaled, kind="stable")]  # one sort: pool, then gain
        taken = np.cumsum(self._sentences[order]) <= self._until
        units: Ints = order[taken]
        if missing := self._wanted - int(self._sentences[units].sum()):
            rest = order[~taken & (self._sentences[order] == 1)]
            units = np.concatenate([units, rest[np.argsort(-gain[rest], kind="stable")][:missing]])
        return units


Entry = tuple[float, int]
"""MED and number of a sentence; sorted, so the closest and the furthest are found by bisection."""


def sampled(dealt: Units, extreme: Literal["min", "max"], each: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Train (in the order of sampling) and test, `each` to train for every one to test. Ties go to the earlier one."""
    bins = _Bins(dealt.lengths.astype(np.int64), dealt.displacement)
    train: list[int] = []
    test: list[int] = []
    total = 0.0
    while bins.lengths:
        length = bins.lengths[int(rng.integers(len(bins.lengths)))]
        value = total / len(train) if train else bins.any_of(length, rng)
        for _ in range(each):
            if bins.lengths:
                med, number = bins.take(length, value)
                total += med
                train.append(number)
        if bins.lengths:
            test.append(bins.take(length, value, furthest=extreme == "max")[1])
    return np.array(train, dtype=np.int64), np.array(test, dtype=np.int64)


class _Bins:
    """Sentences that are left, by length and MED."""

    def __init__(self, lengths: Ints, displacement: Floats) -> None:
        self._entries: dict[int, list[Entry]] = {}
        order = np.lexsort((np.arange(len(lengths)), displacement, lengths))
        for length, med, number in zip(
            lengths[order].tolist(), displacement[order].tolist(), order.tolist(), strict=True
        ):
            self._entries.setdefault(length, []).append((med, number))
        self.lengths = list(self._entries)
        """Those that are left, in order."""

    def any_of(self, length: int, rng: np.random.Generator) -> float:
        """An MED that exists for this length."""
        entries = self._entries[length]
        return entries[int(rng.integers(len(entries)))][0]

    def take(self, length: int, value: float, furthest: bool = False) -> Entry:
        """Of the closest length that is left (of both, where two are as close), the closest or the furthest MED."""
        candidates: list[tuple[float, int, int, int]] = []
        for bin_number in self._closest(length):
            entries = self._entries[bin_number]
            places = [0, bisect_left(entries, (entries[-1][0], -1))] if furthest else self._around(entries, value)
            for place in places:
                med, number = entries[place]
                gap = abs(med - value)
                candidates.append((-gap if furthest else gap, number, bin_number, place))
        _, number, chosen, place = min(candidates)
        entries = self._entries[chosen]
        med = entries.pop(place)[0]
        if not entries:
            self.lengths.remove(chosen)
        return med, number

    def _closest(self, length: int) -> list[int]:
        place = bisect_left(self.lengths, length)
        around = self.lengths[max(place - 1, 0) : place + 1]
        gap = min(abs(one - length) for one in around)
        return [one for one in around if abs(one - length) == gap]

    @staticmethod
    def _around(entries: list[Entry], value: float) -> list[int]:
        """The first entry at or above the value, and of those closest below it the one that comes first in the file."""
        above = bisect_left(entries, (value, -1))
        places = [above] if above < len(entries) else []
        return [*places, bisect_left(entries, (entries[above - 1][0], -1))] if above else places


Extreme = Literal["min", "max"]
Procedure = Literal["best", "paper"]
"""The most extreme split that is found, or the one that the paper's sampling gives."""
SHORTEST = 3
"""Words: a tree of two has one edge, and its displacement can only be -1 or 1."""
_NEAR = 0.01  # How far the paper's share of test (one fifth, for four and one) may be from the one asked for


def displacement_split(
    treebank: Treebank,
    extreme: Extreme,
    *,
    train: float = 0.6,
    dev: float = 0.2,
    test: float = 0.2,
    seed: int = 0,
    by_document: bool = False,
    procedure: Procedure = "best",
    deduplicate: bool = False,
    near: float | None = NEAR,
    tolerance: float = TOLERANCE,
) -> Split:
    """The split with the least (`min`) or greatest (`max`) EDV between train and test that is found.

    Trees of two words and less are in no part. Dev is drawn from what is not test, and is like it.
    With the paper's procedure dev is drawn by chance, and test has one of every few sentences.
    Of documents all ways are looked at, or of many documents those that annealing comes by; lengths are not kept
    alike then, and shares within the tolerance. The paper's procedure parts sentences with the same words.
    """
    shares = checked_shares({"train": train, "dev": dev, "test": test}, seed)
    if not train or not test:
        raise UsageError("a split by displacement needs train and test", todo="give both a share")
    if not (treebank.lengths >= SHORTEST).any():
        raise InputError(
            f"no sentence has {SHORTEST} words", where=treebank.name, todo="nothing to split by displacement"
        )
    dealt_units = DealtUnits.of(treebank, by_document, deduplicate, near, SHORTEST, singly=procedure == "paper")
    dealt = units(treebank, dealt_units.unit_of)
    dealt_units.check_enough(shares)
    if not len(dealt.edges):
        raise InputError("no edge, so no displacement", where=treebank.name, todo="the words need heads in column 7")
    sizes = quotas(dealt_units.total, shares)
    rng = np.random.default_rng(seed)
    last, everything = len(shares) - 1, np.arange(len(dealt))
    part_of = np.zeros(len(dealt), dtype=np.int64)
    if procedure == "paper":
        tested, held = _as_in_the_paper(dealt, extreme, test, int(sizes[1]) if dev else 0, by_document, rng)
        part_of[held], part_of[tested] = 1, last
        return dealt_units.split(part_of, shares, max(tolerance, _NEAR + 1 / len(dealt)))
    if by_document:
        histograms, sign = dealt.histograms(everything), 1 if extreme == "min" else -1
        part_of = dealt_units.documents(shares, tolerance, lambda deal: deal.extreme(histograms, sign, rng))
        return dealt_units.split(part_of, shares, tolerance)
    if extreme == "min":
        tested = alike(dealt, everything, int(sizes[-1]), rng)
    else:
        tested = distant(dealt, int(sizes[-1]))
    part_of[tested] = last
    if dev:
        part_of[alike(dealt, np.setdiff1d(everything, tested), int(sizes[1]), rng)] = 1
    return dealt_units.split(part_of, shares, tolerance)


def _as_in_the_paper(
    dealt: Units, extreme: Extreme, share: float, held: int, by_document: bool, rng: np.random.Generator
) -> tuple[Ints, Ints]:
    """Test and dev."""
    each = round(1 / share) - 1
    if by_document:
        raise UsageError("the paper's procedure samples sentences, not documents", todo="leave out one of the two")
    if each < 1 or abs(1 / (each + 1) - share) > _NEAR:
        raise UsageError(
            f"the paper's procedure cannot give test a share of {share:g}",
            todo="it takes one of 2, 3, 4, 5, … sentences",
        )
    train, tested = sampled(dealt, extreme, each, rng)
    if not len(tested) or len(train) <= held:
        raise InputError(f"{len(dealt)} sentences are too few for the paper's procedure")
    return tested, rng.permutation(train)[:held]
