"""Sentences whose displacements are as those of the rest, or as far from them as can be: sorted, then improved.

A unit is a sentence, or all sentences with the same words; single ones fill up what these leave of a size.
"""

from __future__ import annotations

import numpy as np

from ..stats.distance import wasserstein
from .dealt_units import Ints
from .displacement import LIMIT
from .split_units import CLASSES, Floats, Units

_POOL = 20
"""Sentences of neighbouring lengths are pooled until there are so many, else long ones leave no choice."""
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
        best = _once_each(np.argsort(distances, kind="stable")[:_AT_ONCE], which, other)
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


def _once_each(order: Ints, which: Ints, other: Ints) -> Ints:
    """Of these exchanges those whose two sides no better one has."""
    first, second = (np.unique(side[order], return_index=True)[1] for side in (which, other))
    return order[np.intersect1d(first, second)]


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
