"""Word-synchronous beam search (Stern et al. 2017): hypotheses that have said the same words compete.

Between two words, the hypotheses of a sentence grow action by action, and at most `action` of them live. Those that
say the next word wait; of them the `fast` best of each step need not compete with those that have not said it yet.
When `action` of them wait, or none is left that could say it, the `word` best go on. A hypothesis that, with all it
can become, is a `negligible` part of what waits already is not followed: its word, the dearest thing to compute, is
not asked for.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from gardenpath.errors import InputError

from ..neural.networks import Output
from ..neural.vocabulary import SPECIAL
from .actions import GEN_ID, REDUCE_ID, Derivation, Ids, Inventory, Mask


class Memory:
    """Columns of rows. Hypotheses that branch off copy numbers and not rows; `kept` drops what none needs any more."""

    def __init__(self, first: Sequence[torch.Tensor]) -> None:
        self.columns = [column.clone() for column in first]
        self.size = len(first[0])

    def room(self, count: int) -> list[torch.Tensor]:
        """Room for so many rows at the end of each column, to be written to before anything else is added."""
        if self.size + count > len(self.columns[0]):
            most = max(2 * len(self.columns[0]), self.size + count)
            for at, column in enumerate(self.columns):
                grown = torch.empty((most, *column.shape[1:]), dtype=column.dtype)
                grown[: self.size] = column[: self.size]
                self.columns[at] = grown
        self.size += count
        return [column[self.size - count : self.size] for column in self.columns]

    def append(self, rows: Sequence[torch.Tensor]) -> Ids:
        """Puts rows at the end; their numbers."""
        for place, new in zip(self.room(len(rows[0])), rows, strict=True):
            place.copy_(new)
        return np.arange(self.size - len(rows[0]), self.size)

    def rows(self, at: int, numbers: Ids) -> torch.Tensor:
        """Rows of one column, in the shape of `numbers`."""
        return rows_of(self.columns[at], numbers)

    def kept(self, numbers: Ids) -> Ids:
        """Keeps these rows alone; the new number of each old one (0 of those that are gone)."""
        unique = np.unique(numbers)
        renamed = np.zeros(self.size, np.int64)
        renamed[unique] = np.arange(len(unique))
        for column in self.columns:  # the room that they had is kept: as much will be needed again
            column[: len(unique)] = rows_of(column, unique)
        self.size = len(unique)
        return renamed


def rows_of(column: torch.Tensor, numbers: Ids) -> torch.Tensor:
    """Rows by their numbers, in the shape of `numbers`; indexing would do the same five times as slowly."""
    chosen: torch.Tensor = torch.index_select(column, 0, torch.from_numpy(numbers.reshape(-1)))
    return chosen.view(*numbers.shape, *column.shape[1:])


FIRST_OUTPUT = len(SPECIAL)
"""What GEN can say begins here: classes of unknown words, then words. The end of a sentence is an action."""
NEVER = -1e9
"""The logit of an action that is not possible: its probability is 0 in single precision."""
FREQUENT = 128
"""So many outputs are enough to tell that a word will not be said."""
PART = 64
"""Rows whose logits are computed at once: they stay in the cache of the processor until they are summed."""
ROUNDING = 1e-4
"""Sums of single precision in another order differ by less."""


class Saying(Output):
    """Logits of classes and words; tied to the vectors of the words that are read, or not."""

    def __init__(self, hidden: int, embedding: nn.Embedding, *, tied: bool) -> None:
        super().__init__(hidden, embedding, tied=tied, first=FIRST_OUTPUT)

    def log_probability(self, hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """ln p of one word for each row."""
        return -functional.cross_entropy(self(hidden), words - FIRST_OUTPUT, reduction="none")

    def log_probability_in_parts(self, hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """The same, to search with: takes half as long for many rows."""
        if len(hidden) <= PART:
            return self.log_probability(hidden, words)
        parts = zip(hidden.split(PART), words.split(PART), strict=True)
        return torch.cat([self.log_probability(rows, some) for rows, some in parts])

    def at_most(self, hidden: torch.Tensor, words: torch.Tensor) -> torch.Tensor:
        """A value that ln p of the word is never above, from the first words of the vocabulary alone.

        These are the most frequent ones, so little is missing from the sum over all.
        """
        numbers = words - FIRST_OUTPUT
        different, which = torch.unique(numbers, return_inverse=True)  # many hypotheses are asked for few words
        logits = functional.linear(hidden, self._weights[different], self.bias[different])
        wanted = logits.gather(1, which[:, None])[:, 0]
        some = _log_sum(functional.linear(hidden, self._weights[:FREQUENT], self.bias[:FREQUENT]))
        return wanted - torch.where(numbers < FREQUENT, some, torch.logaddexp(some, wanted)) + ROUNDING


def _log_sum(logits: torch.Tensor) -> torch.Tensor:
    """ln of the sum of e^x over each row: twice as fast as `logsumexp`, whose exponential function is a slow one."""
    if not logits.shape[1]:
        return logits.new_full((len(logits),), -math.inf)
    return logits[:, 0] - functional.log_softmax(logits, 1)[:, 0]


class Generative(nn.Module, ABC):  # type: ignore[misc]
    """What RNNG and PLM have in common: layers `act` and `say`, from whose predictions derivations get their loss."""

    act: nn.Linear
    say: Saying

    def loss(self, items: Sequence[Derivation]) -> torch.Tensor:
        """The sum of -ln p over all actions and words of these derivations."""
        acts, speaking, words = self._predicted(items)
        return self.say.loss(speaking, words) - acts.sum()

    def log_probabilities(self, items: Sequence[Derivation]) -> tuple[torch.Tensor, torch.Tensor]:
        """ln p of each action, and of each word given GEN."""
        acts, speaking, words = self._predicted(items)
        return acts, self.say.log_probability(speaking, words)

    @abstractmethod
    def _predicted(self, items: Sequence[Derivation]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return ln p of each action, the vector that each word is predicted from, and the words."""

    def _act(self, hidden: torch.Tensor, possible: torch.Tensor) -> torch.Tensor:
        return functional.log_softmax(self.act(hidden).masked_fill(~possible, NEVER), 1)


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


END = 0
"""Stands for the end of the sentence where the number of a word is expected."""
IMPOSSIBLE = -1e8
"""Scores below are those of impossible actions (see `NEVER`)."""


@dataclass(frozen=True)
class BeamResult:
    """What the search found out on a sentence."""

    marginals: Floats
    """ln of the probability of all hypotheses that had said 0, 1, … n words, and of those that then ended. What the
    beam lost is not in it: it is never more than the true probability of the words."""
    actions: Ids
    """The most probable derivation that was found."""
    log_probability: float


class StructuralGrammar(Protocol):
    """A model that can be searched: see `RNNG` and `PLM`."""

    inventory: Inventory
    say: Saying

    def start(self) -> Any: ...

    def predict(self, now: Any) -> tuple[torch.Tensor, torch.Tensor]: ...

    def extend(self, now: Any, rows: Ids, actions: Ids, words: Ids) -> Any: ...


def search(grammar: StructuralGrammar, sentences: Sequence[Ids], beam: Beam, together: int = 64) -> list[BeamResult]:
    """The search for sentences, as numbers of words; `together` of them at a time.

    Sentences that begin alike are one up to the word in which they differ, so those of a suite's item are sorted
    into the same group. What is found does not depend on the other sentences.
    """
    results: dict[int, BeamResult] = {}
    order = sorted(range(len(sentences)), key=lambda number: tuple(sentences[number].tolist()))
    with torch.inference_mode():
        for begin in range(0, len(order), together):
            group = order[begin : begin + together]
            made = _Search(grammar, beam).run([tuple(sentences[number].tolist()) for number in group])
            results |= dict(zip(group, made, strict=True))
    return [results[number] for number in range(len(sentences))]


@dataclass
class _Prefix:
    """Some words, and the hypotheses that have said them (their rows, in the order of their scores)."""

    words: tuple[int, ...]
    marginals: tuple[float, ...]
    rows: Ids
    scores: Floats
    traces: Ids


@dataclass
class _Event:
    """A prefix and the word (or END) that comes next."""

    prefix: _Prefix
    word: int


class _Arrivals:
    """What has arrived at events: in which step, as which row of its state, with which score and trace."""

    def __init__(self, events: int) -> None:
        self.count = np.zeros(events, np.int64)
        self.mass = np.full(events, -np.inf)
        """ln of the probability of all that has arrived."""
        self._parts: list[tuple[Ids, Ids, Ids, Ids, Floats]] = []

    def add(self, step: int, events: Ids, rows: Ids, traces: Ids, scores: Floats) -> None:
        """Of one step, sorted by event."""
        if len(events):
            self._parts.append((events, np.full(len(events), step), rows, traces, scores))
            there, first = np.unique(events, return_index=True)
            self.count += np.bincount(events, minlength=len(self.count))
            self.mass[there] = np.logaddexp(self.mass[there], np.logaddexp.reduceat(scores, first))

    def by_event(self) -> list[tuple[Ids, Ids, Ids, Floats]]:
        """Of each event: steps, rows, traces and scores, in the order in which they came."""
        if not self._parts:
            return [(*np.empty((3, 0), np.int64), np.empty(0))] * len(self.count)
        events, *columns = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        order = np.argsort(events, kind="stable")
        ends = np.cumsum(self.count)[:-1]
        split = [np.split(column[order], ends) for column in columns]
        return list(zip(*split, strict=True))


class _Search:
    def __init__(self, grammar: StructuralGrammar, beam: Beam) -> None:
        self.grammar, self.beam = grammar, beam
        self._negligible = math.log(beam.negligible) if beam.negligible else -math.inf
        self.came_from: list[int] = [-1]
        self.did: list[int] = [-1]

    def run(self, sentences: Sequence[tuple[int, ...]]) -> list[BeamResult]:
        """The group word by word, each different prefix once."""
        state = self.grammar.start()
        zero = np.zeros(1, np.int64)
        prefixes: dict[tuple[int, ...], _Prefix] = {(): _Prefix((), (0.0,), zero, np.zeros(1), zero)}
        ended: dict[tuple[int, ...], BeamResult] = {}
        for length in range(max(map(len, sentences)) + 1):
            wanted = sorted(
                {(sentence[:length], (*sentence, END)[length]) for sentence in sentences if len(sentence) >= length}
            )
            events = [_Event(prefixes[words], word) for words, word in wanted]
            states, arrivals = self._grow(state, events)
            prefixes = {}
            steps: list[Ids] = []
            rows: list[Ids] = []
            for event, (step, row, trace, scores) in zip(events, arrivals.by_event(), strict=True):
                if not len(scores):
                    raise InputError(
                        "every derivation of it is longer than the model can read",
                        where=f"a sentence of more than {length} words", todo="cut it, or train with more positions",
                    )  # fmt: skip
                marginals = (*event.prefix.marginals, float(np.logaddexp.reduce(scores)))
                best = np.argsort(-scores, kind="stable")[: self.beam.word]
                if event.word == END:
                    actions = self._actions(int(trace[best[0]]))
                    ended[event.prefix.words] = BeamResult(np.array(marginals), actions, float(scores[best[0]]))
                else:
                    words = (*event.prefix.words, event.word)
                    first = sum(map(len, rows))
                    numbers = np.arange(first, first + len(best))
                    prefixes[words] = _Prefix(words, marginals, numbers, scores[best], trace[best])
                    steps.append(step[best])
                    rows.append(row[best])
            if prefixes:
                said = np.repeat([words[-1] for words in prefixes], [len(some) for some in rows])
                state = self._said(states, np.concatenate(steps), np.concatenate(rows), said)
        return [ended[sentence] for sentence in sentences]

    def _said(self, states: list[Any], steps: Ids, rows: Ids, words: Ids) -> Any:
        """The state in which the hypotheses of these rows of the states of these steps have said their words."""
        order = np.argsort(steps, kind="stable")
        parts = [states[step].at(rows[steps == step]) for step in np.unique(steps)]
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return self.grammar.extend(parts[0].joined(parts[1:]), place, np.full(len(rows), GEN_ID), words)

    def _grow(self, state: Any, events: list[_Event]) -> tuple[list[Any], _Arrivals]:
        """Action by action until enough hypotheses have arrived at each event; all states on the way."""
        of_event = np.repeat(np.arange(len(events)), [len(event.prefix.rows) for event in events])
        now = state.of_events(np.concatenate([event.prefix.rows for event in events]), of_event)
        scores = np.concatenate([event.prefix.scores for event in events])
        traces = np.concatenate([event.prefix.traces for event in events])
        words = np.array([event.word for event in events])
        states: list[Any] = []
        arrivals = _Arrivals(len(events))
        while len(of_event):
            states.append(now)
            chosen = picked(self._scored(now, scores, words[of_event], of_event, arrivals), self.grammar.say, self.beam)
            numbers = np.arange(len(self.did), len(self.did) + len(chosen.actions))
            self.came_from += traces[chosen.hypotheses].tolist()
            self.did += chosen.actions.tolist()
            mine, there = of_event[chosen.hypotheses], chosen.arrived
            arrivals.add(
                len(states) - 1, mine[there], chosen.hypotheses[there], numbers[there], chosen.scores[there]
            )  # fmt: skip
            # Whoever is below the floor now would be so with all it can become: it need not be read any further.
            wanted = (arrivals.count < self.beam.action)[mine] & (chosen.scores >= self._floors(arrivals)[mine])
            on = np.flatnonzero(~there & wanted)
            of_event, scores, traces = mine[on], chosen.scores[on], numbers[on]
            if len(on):
                nothing = np.zeros(len(on), np.int64)
                now = self.grammar.extend(now, chosen.hypotheses[on], chosen.actions[on], nothing)
        return states, arrivals

    def _floors(self, arrivals: _Arrivals) -> Floats:
        """Of each event: below this a hypothesis is impossible, or a negligible part of what has arrived."""
        return np.maximum(arrivals.mass + self._negligible, IMPOSSIBLE)

    def _scored(self, now: Any, scores: Floats, words: Ids, of_event: Ids, arrivals: _Arrivals) -> Scored:
        """The scores after each action, and which actions are possible and worth it."""
        acts, hidden = self.grammar.predict(now)
        total = scores[:, None] + acts.double().numpy()
        floor = self._floors(arrivals)[of_event]
        worth = total >= floor[:, None]
        ends, last = words == END, now.open == 1
        worth[ends, GEN_ID:] = False
        worth[~ends & last, REDUCE_ID] = False  # the sentence would end before its words do
        return Scored(total, worth, ends & last, of_event, len(arrivals.count), floor, hidden, words)

    def _actions(self, trace: int) -> Ids:
        actions = []
        while self.did[trace] >= 0:
            actions.append(self.did[trace])
            trace = self.came_from[trace]
        return np.array(actions[::-1], np.int64)
