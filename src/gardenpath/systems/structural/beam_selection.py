"""Which hypotheses of a beam go on, and of which the next word must be known for that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from .actions import GEN_ID, Ids, Mask
from .output_layer import Saying

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Beam:
    """The widths of the search: those of the Mandarin paper, and a twentieth of the action beam as fast track."""

    action: int = 100
    word: int = 10
    fast: int = 5
    negligible: float = 1e-6
    """0: every hypothesis is followed for which there is room."""


def picked(total: Floats, arrives: Mask, of_event: Ids, events: int, beam: Beam) -> tuple[Ids, Ids]:
    """Hypotheses and actions that go on or arrive: per event the fast track, then the best of all others."""
    actions = total.shape[1]
    flat = _by_event(total, of_event, events)
    waiting = _by_event(np.where(arrives, total, -np.inf), of_event, events)
    tracked = _best(waiting, beam.fast)
    flat[tracked] = -np.inf
    others = _best(flat, beam.action)
    event = np.concatenate([tracked[0], others[0]])
    place = np.concatenate([tracked[1], others[1]])
    first = np.searchsorted(of_event, np.arange(events))
    return first[event] + place // actions, place % actions


def spoken(
    say: Saying,
    total: Floats,
    asked: Ids,
    of_event: Ids,
    floor: Floats,
    hidden: torch.Tensor,
    words: torch.Tensor,
    beam: Beam,
) -> Floats:
    """The scores of those asked after their word; -inf where a bound tells that GEN will not be picked.

    Picked is who is among the `fast` best that say the word, or among the `action` best of all. So the words of
    the `fast` with the highest bounds are computed, and then of those whose bound is not below the lowest of
    these, or not below the `action` best of those that do not say the word.
    """
    mine = of_event[asked]
    most = total[asked, GEN_ID] + say.at_most(hidden, words).double().numpy()
    most[most < floor] = -np.inf
    scores = np.full(len(asked), -np.inf)
    bar = np.full(int(of_event[-1]) + 1, -np.inf)

    def compute(places: Ids) -> None:
        if len(places):
            rows = torch.from_numpy(places)
            word_scores = say.log_probability(hidden[rows], words[rows])
            scores[places] = total[asked[places], GEN_ID] + word_scores.double().numpy()

    order = np.lexsort((-most, mine))
    begins = np.searchsorted(mine, mine)
    first = order[(np.arange(len(order)) - begins < beam.fast) & np.isfinite(most[order])]
    compute(first)
    others = _by_event(total, of_event, len(bar))
    others[:, GEN_ID :: total.shape[1]] = -np.inf
    if others.shape[1] > beam.action:
        bar = np.partition(others, -beam.action, axis=1)[:, -beam.action]
    if beam.fast:
        lowest = np.full(len(bar), np.inf)
        np.minimum.at(lowest, mine[first], scores[first])
        bar = np.minimum(bar, lowest)
    rest = np.isfinite(most) & (most >= bar[mine])
    rest[first] = False
    compute(np.flatnonzero(rest))
    return scores


def _by_event(values: Floats, of_event: Ids, events: int) -> Floats:
    """Hypotheses x actions, sorted by event, as event x (hypothesis, action); -inf where an event has fewer."""
    counts = np.bincount(of_event, minlength=events)
    inside = np.arange(len(of_event)) - np.repeat(np.cumsum(counts) - counts, counts)
    grid = np.full((events, int(counts.max()), values.shape[1]), -np.inf)
    grid[of_event, inside] = values
    return grid.reshape(events, -1)


def _best(values: Floats, count: int) -> tuple[Ids, Ids]:
    """Rows and columns of the `count` highest finite values of each row; of equal ones the first."""
    if count < values.shape[1]:
        part = np.argpartition(-values, count - 1, axis=1)[:, :count] if count else np.empty((len(values), 0), int)
    else:
        part = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    part = np.sort(part, axis=1)
    rows = np.repeat(np.arange(len(values)), part.shape[1])
    columns = part.reshape(-1).astype(np.int64)
    fine = np.isfinite(values[rows, columns])
    return rows[fine], columns[fine]
