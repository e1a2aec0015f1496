"""Which hypotheses of a beam go on, and of which the next word must be known for that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from .actions import GEN_ID, REDUCE_ID, Ids, Mask
from .output_layer import FIRST_OUTPUT, Saying

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Beam:
    """The widths of the search: those of the Mandarin paper, and a twentieth of the action beam as fast track."""

    action: int = 100
    word: int = 10
    fast: int = 5
    negligible: float = 1e-6
    """0: every hypothesis is followed for which there is room."""


@dataclass(frozen=True)
class Scored:
    """What hypotheses, sorted by event, could do next."""

    total: Floats
    """Hypothesis x action: the scores after it, those of GEN still without the word."""
    worth: Mask
    """Hypothesis x action: is it possible and not negligible?"""
    closing: Mask
    """Hypotheses of which REDUCE ends the sentence at its end."""
    of_event: Ids
    events: int
    floor: Floats
    """Of each hypothesis: what is below it is negligible."""
    hidden: torch.Tensor
    """What GEN chooses the word by."""
    words: Ids
    """Of each hypothesis: the word that comes next."""


@dataclass(frozen=True)
class Picked:
    """Hypotheses and actions that go on or arrive, sorted by hypothesis."""

    hypotheses: Ids
    actions: Ids
    scores: Floats
    arrived: Mask


def picked(scored: Scored, say: Saying, beam: Beam) -> Picked:
    """Per event the `fast` best that arrive, then the `action` best of all others."""
    of_event, events = scored.of_event, scored.events
    silent = scored.worth.copy()
    silent[:, GEN_ID] = False
    width = silent.shape[1]
    flat = np.flatnonzero(silent)
    scores, rows = scored.total.reshape(-1)[flat], flat // width
    places, highest = best(scores, of_event[rows], events, beam.action + beam.fast)
    bar = highest[:, beam.action - 1] if highest.shape[1] >= beam.action else np.full(events, -np.inf)
    speaking, said = spoken(scored, say, bar, beam)
    flat = np.concatenate([flat[places], speaking * width + GEN_ID])
    scores = np.concatenate([scores[places], said])
    rows, actions = np.divmod(flat, width)
    arrived = (actions == GEN_ID) | (scored.closing[rows] & (actions == REDUCE_ID))
    waiting = np.flatnonzero(arrived)
    tracked = waiting[best(scores[waiting], of_event[rows[waiting]], events, beam.fast)[0]]
    others = np.ones(len(flat), np.bool_)
    others[tracked] = False
    left = np.flatnonzero(others)
    taken = np.concatenate([tracked, left[best(scores[left], of_event[rows[left]], events, beam.action)[0]]])
    taken = taken[np.argsort(flat[taken])]
    return Picked(rows[taken], actions[taken], scores[taken], arrived[taken])


def spoken(scored: Scored, say: Saying, bar: Floats, beam: Beam) -> tuple[Ids, Floats]:
    """Hypotheses that say the word, with their scores; not those of which a bound tells that GEN will not be picked.

    Picked is who is among the `fast` best that say the word, or among the `action` best of all. So the words of
    the `fast` with the highest bounds are computed, and then of those whose bound is not below the lowest of
    these, or not below the `action` best of those that do not say the word (the `bar` of each event).
    """
    asked = np.flatnonzero(scored.worth[:, GEN_ID])
    if not len(asked):
        return asked, np.empty(0)
    # nearly all are asked, so bounds of all are cheaper than picking out whose
    limits = say.at_most(scored.hidden, torch.from_numpy(np.maximum(scored.words, FIRST_OUTPUT))).double().numpy()
    before = scored.total[:, GEN_ID]
    most = before[asked] + limits[asked]
    fine = most >= scored.floor[asked]
    asked, most = asked[fine], most[fine]
    mine = scored.of_event[asked]

    def computed(places: Ids) -> Floats:
        rows = asked[places]
        chosen = torch.index_select(scored.hidden, 0, torch.from_numpy(rows))
        words = say.log_probability_in_parts(chosen, torch.from_numpy(scored.words[rows]))
        return np.asarray(before[rows] + words.double().numpy())

    first, _ = best(most, mine, scored.events, beam.fast)
    first_scores = computed(first)
    if beam.fast:
        lowest = np.full(scored.events, np.inf)
        np.minimum.at(lowest, mine[first], first_scores)
        bar = np.minimum(bar, lowest)
    likely = most >= bar[mine]
    likely[first] = False
    rest = np.flatnonzero(likely)
    return asked[np.concatenate([first, rest])], np.concatenate([first_scores, computed(rest)])


def best(values: Floats, groups: Ids, count_groups: int, count: int) -> tuple[Ids, Floats]:
    """Places of the `count` highest values of each group, and these values: group x rank, -inf where there is none.

    `groups` need not be sorted. The values are laid side by side, group by group, so that few are compared.
    """
    sizes = np.bincount(groups, minlength=count_groups)
    count = min(count, int(sizes.max(initial=0)))
    if not count:
        return np.empty(0, np.int64), np.empty((count_groups, 0))
    order = np.argsort(groups, kind="stable")
    sorted_groups = groups[order]
    inside = np.arange(len(order)) - (np.cumsum(sizes) - sizes)[sorted_groups]
    grid = np.full((count_groups, int(sizes.max())), -np.inf)
    grid[sorted_groups, inside] = values[order]
    numbers = np.zeros(grid.shape, np.int64)
    numbers[sorted_groups, inside] = order
    highest, columns = torch.from_numpy(grid).topk(count, dim=1)
    found = highest.numpy()
    places = np.take_along_axis(numbers, columns.numpy(), axis=1)
    return places[np.isfinite(found)], found
