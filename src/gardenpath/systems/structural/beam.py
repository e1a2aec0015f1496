"""Word-synchronous beam search (Stern et al. 2017): hypotheses that have said the same words compete.

Between two words, the hypotheses of a sentence grow action by action, and at most `action` of them live. Those that
say the next word wait; of them the `fast` best of each step need not compete with those that have not said it yet.
When `action` of them wait, or none is left that could say it, the `word` best go on. A hypothesis that, with all it
can become, is a `negligible` part of what waits already is not followed: its word, the dearest thing to compute, is
not asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from ...errors import InputError
from .actions import FIRST_NT, GEN_ID, REDUCE_ID, Ids, Inventory
from .beam_selection import Beam, Floats, picked, spoken
from .output_layer import Saying

END = 0
"""Stands for the end of the sentence where the number of a word is expected."""


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
    """A prefix and the word (or END) that comes next: what has arrived there."""

    prefix: _Prefix
    word: int
    step: list[Ids] = field(default_factory=list)
    row: list[Ids] = field(default_factory=list)
    score: list[Floats] = field(default_factory=list)
    trace: list[Ids] = field(default_factory=list)
    count: int = 0
    mass: float = -math.inf
    """ln of the probability of all that has arrived."""

    def arrive(self, step: int, rows: Ids, scores: Floats, traces: Ids) -> None:
        self.step.append(np.full(len(rows), step))
        self.row.append(rows)
        self.score.append(scores)
        self.trace.append(traces)
        self.count += len(rows)
        self.mass = float(np.logaddexp(self.mass, np.logaddexp.reduce(scores)))


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
            wanted = sorted({(one[:length], (*one, END)[length]) for one in sentences if len(one) >= length})
            events = [_Event(prefixes[words], word) for words, word in wanted]
            states = self._grow(state, events)
            prefixes = {}
            chosen: list[tuple[_Event, Ids]] = []
            for event in events:
                scores = np.concatenate(event.score) if event.count else np.empty(0)
                if not event.count:
                    raise InputError(
                        "every derivation of it is longer than the model can read",
                        where=f"a sentence of more than {length} words", todo="cut it, or train with more positions",
                    )  # fmt: skip
                marginals = (*event.prefix.marginals, float(np.logaddexp.reduce(scores)))
                best = np.argsort(-scores, kind="stable")[: self.beam.word]
                if event.word == END:
                    trace = int(np.concatenate(event.trace)[best[0]])
                    result = BeamResult(np.array(marginals), self._actions(trace), float(scores[best[0]]))
                    ended[event.prefix.words] = result
                else:
                    words = (*event.prefix.words, event.word)
                    traces = np.concatenate(event.trace)[best]
                    prefixes[words] = _Prefix(words, marginals, np.empty(0, np.int64), scores[best], traces)
                    chosen.append((event, best))
            if chosen:
                state = self._said(states, chosen, prefixes)
        return [ended[sentence] for sentence in sentences]

    def _said(self, states: list[Any], chosen: list[tuple[_Event, Ids]], prefixes: dict[Any, _Prefix]) -> Any:
        """The state in which the chosen hypotheses have said their words; tells each prefix its rows."""
        steps = np.concatenate([np.concatenate(event.step)[best] for event, best in chosen])
        rows = np.concatenate([np.concatenate(event.row)[best] for event, best in chosen])
        words = np.concatenate([np.full(len(best), event.word) for event, best in chosen])
        order = np.argsort(steps, kind="stable")
        parts = [states[step].at(rows[steps == step]) for step in np.unique(steps)]
        before = parts[0].joined(parts[1:])
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        after = self.grammar.extend(before, place, np.full(len(rows), GEN_ID), words)
        first = 0
        for event, best in chosen:
            prefixes[(*event.prefix.words, event.word)].rows = np.arange(first, first + len(best))
            first += len(best)
        return after.tidied()

    def _grow(self, state: Any, events: list[_Event]) -> list[Any]:
        """Action by action until enough hypotheses have arrived at each event; all states on the way."""
        of_event = np.repeat(np.arange(len(events)), [len(event.prefix.rows) for event in events])
        now = state.at(np.concatenate([event.prefix.rows for event in events]))
        scores = np.concatenate([event.prefix.scores for event in events])
        traces = np.concatenate([event.prefix.traces for event in events])
        words = np.array([event.word for event in events])
        states = []
        while len(of_event):
            states.append(now)
            total, arrives = self._totals(now, scores, words[of_event], of_event, events)
            hypotheses, actions = picked(total, arrives, of_event, len(events), self.beam)
            values = total[hypotheses, actions]
            numbers = np.arange(len(self.did), len(self.did) + len(hypotheses))
            self.came_from += traces[hypotheses].tolist()
            self.did += actions.tolist()
            there = arrives[hypotheses, actions]
            for number, event in enumerate(events):
                mine = there & (of_event[hypotheses] == number)
                if mine.any():
                    event.arrive(len(states) - 1, hypotheses[mine], values[mine], numbers[mine])
            enough = np.array([event.count >= self.beam.action for event in events])
            # Whoever is below the floor now would be so with all it can become: it need not be read any further.
            on = ~there & ~enough[of_event[hypotheses]] & (values >= self._floors(events)[of_event[hypotheses]])
            of_event, scores, traces = of_event[hypotheses[on]], values[on], numbers[on]
            if on.any():
                now = self.grammar.extend(now, hypotheses[on], actions[on], np.zeros(int(on.sum()), np.int64))
        return states

    def _floors(self, events: list[_Event]) -> Floats:
        """Of each event: below this a hypothesis is a negligible part of what has arrived."""
        return np.array([event.mass for event in events]) + self._negligible

    def _totals(
        self, now: Any, scores: Floats, words: Ids, of_event: Ids, events: list[_Event]
    ) -> tuple[Floats, NDArray[np.bool_]]:
        """The scores after each action (-inf: not possible, or not worth it), and which actions arrive."""
        acts, hidden = self.grammar.predict(now)
        total = scores[:, None] + acts.double().numpy()
        ends = words == END
        total[ends, GEN_ID] = -np.inf
        total[ends, FIRST_NT:] = -np.inf
        total[~ends & (now.open == 1), REDUCE_ID] = -np.inf  # the sentence would end before its words do
        total[~self.grammar.inventory.possible(now.open, now.run)] = -np.inf
        floor = self._floors(events)[of_event]
        total[total < floor[:, None]] = -np.inf
        asked = np.flatnonzero(np.isfinite(total[:, GEN_ID]))
        if len(asked):
            given = hidden[torch.from_numpy(asked)], torch.from_numpy(words[asked])
            total[asked, GEN_ID] = spoken(self.grammar.say, total, asked, of_event, floor[asked], *given, self.beam)
        arrives = np.zeros(total.shape, np.bool_)
        arrives[~ends, GEN_ID] = True
        arrives[ends & (now.open == 1), REDUCE_ID] = True
        return total, arrives

    def _actions(self, trace: int) -> Ids:
        actions = []
        while self.did[trace] >= 0:
            actions.append(self.did[trace])
            trace = self.came_from[trace]
        return np.array(actions[::-1], np.int64)
