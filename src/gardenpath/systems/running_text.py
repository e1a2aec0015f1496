"""Language models that read running text and cut it into tokens of their own; which token is of which word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..errors import SystemFailure
from ..runs.signature import digest
from .loaded_systems import Recent
from .protocol import habits_of
from .registry import language_model

if TYPE_CHECKING:
    from ..runs.cache import ResultCache
    from ..runs.processes import WorkerPool

Ids = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a model says of one text: its tokens, where they are, and the surprisal of each in bits."""

    text: str
    begins: Ids
    """The first character of each token that is no blank; tokens of one character have the same."""
    ends: Ids
    surprisals: NDArray[np.float64]
    """NaN of a token that has none: the first one, where nothing stands before it."""
    oov: NDArray[np.bool_]

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(self.text[begin:end] for begin, end in zip(self.begins.tolist(), self.ends.tolist(), strict=True))

    @property
    def scored(self) -> NDArray[np.bool_]:
        """Which tokens have a surprisal."""
        return ~np.isnan(self.surprisals)

    def word_of(self, words: Sequence[str]) -> tuple[Ids, frozenset[int]]:
        """The word in which each token begins, and the words that begin inside a token."""
        starts, stops = word_spans(self.text, words)
        found = np.searchsorted(stops, self.begins, side="right")
        inside = (self.begins[:, None] < starts[None, :]) & (starts[None, :] < self.ends[:, None])
        broken = frozenset(np.flatnonzero(inside.any(axis=0)).tolist()) if len(self.begins) else frozenset[int]()
        return np.minimum(found, max(0, len(words) - 1)).astype(np.int64), broken


@runtime_checkable
class RunningText(Protocol):
    """A language model that reads text as it is written, without borders of words.

    A study that knows the text (with blanks or, as in Chinese, without) gives it this; words are put together from
    tokens by their characters.
    """

    @property
    def name(self) -> str: ...

    @property
    def signature(self) -> str: ...

    def readings(self, texts: Sequence[str]) -> list[Reading]:
        """One for each text; tokens in order."""


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of work that any process can do: the model by name, and the texts."""

    model: str
    signature: str
    texts: tuple[str, ...]


def word_spans(text: str, words: Sequence[str]) -> tuple[Ids, Ids]:
    """Where each word begins and ends in a text that is made of them, whatever stands between them."""
    starts, stops, at = [], [], 0
    for word in words:
        begin = text.find(word, at)
        if begin < 0 or text[at:begin].strip():
            raise SystemFailure(f"the word {word!r} is not the next one in the text: {text}")
        at = begin + len(word)
        starts.append(begin)
        stops.append(at)
    return np.array(starts, dtype=np.int64), np.array(stops, dtype=np.int64)


def readings_with(
    model: str | RunningText,
    texts: Sequence[str],
    cache: ResultCache | bool = True,
    jobs: int | str | WorkerPool = 1,
) -> list[Reading]:
    """What a model says of texts. What it read before comes from the cache, and then no model is loaded."""
    from ..runs.cache import ResultCache
    from ..runs.work import map_tasks

    given = _made(model) if isinstance(model, str) else model
    habits = habits_of(given)
    size = habits.chunk or max(1, len(texts))
    tasks = [
        Task(given.name, given.signature, tuple(texts[begin : begin + size])) for begin in range(0, len(texts), size)
    ]
    store = ResultCache() if cache is True else cache or None
    _recent.remember(given)
    parts = map_tasks(
        read_task, tasks, jobs=jobs if isinstance(model, str) else 1, label="scoring",
        keys=["read " + digest(task.signature, *task.texts) for task in tasks] if store is not None else None,
        cache=store,
    )  # fmt: skip
    return [
        _from_json(text, value)
        for task, part in zip(tasks, parts, strict=True)
        for text, value in zip(task.texts, part, strict=True)
    ]


def read_task(task: Task) -> list[dict[str, Any]]:
    """The readings of one piece as JSON values; runs in any process that has the same model."""
    found = _recent.get(task.model, task.signature).readings(task.texts)
    if len(found) != len(task.texts):
        raise SystemFailure(f"readings of {len(found)} texts for {len(task.texts)}", where=task.model)
    for one in found:
        if np.isinf(one.surprisals).any():
            at = int(np.argmax(np.isinf(one.surprisals)))
            what = f"the surprisal of token {at + 1}, {one.tokens[at]!r}, is {float(one.surprisals[at])}: {one.text}"
            raise SystemFailure(what, where=task.model, todo="a model must give every token a finite surprisal")
    return [_to_json(one) for one in found]


def _to_json(one: Reading) -> dict[str, Any]:
    return {
        "begins": one.begins.tolist(), "ends": one.ends.tolist(), "oov": np.flatnonzero(one.oov).tolist(),
        "bits": [value if value == value else None for value in one.surprisals.tolist()],
    }  # fmt: skip


def _from_json(text: str, value: dict[str, Any]) -> Reading:
    oov = np.zeros(len(value["bits"]), dtype=bool)
    oov[value["oov"]] = True
    bits = np.array([np.nan if one is None else one for one in value["bits"]], dtype=np.float64)
    return Reading(text, np.array(value["begins"], np.int64), np.array(value["ends"], np.int64), bits, oov)


def _made(name: str) -> RunningText:
    model = language_model(name)
    if not isinstance(model, RunningText):
        raise SystemFailure("this model reads words, not running text", where=name)
    return model


_recent: Recent[RunningText] = Recent(_made)
