"""Language models: the protocol, and surprisals of sentences by any of them, never the same ones twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol, runtime_checkable

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

Sentences = Sequence[Sequence[str]]


@runtime_checkable
class LanguageModel(Protocol):
    """A system that expects words. Made by `language_model("kind:argument")` from the argument alone.

    Surprisal is -log2 p(word | the words before it in the sentence), in bits: the unit of SyntaxGym, of LM Zoo
    and of the published Mandarin surprisals (2 to the power of their n-gram values are seven-digit probabilities).
    A model that also predicts where a sentence ends may have `end_surprisals(sentences)`, one value per sentence.
    """

    @property
    def name(self) -> str:
        """`kind:argument`; paths in it are absolute, so that a worker elsewhere finds them."""

    @property
    def signature(self) -> str:
        """Short `key:value` facts: kind, the start of the model's SHA-256, versions. Asking for it loads no model."""

    def surprisals(self, sentences: Sentences) -> list[NDArray[np.float64]]:
        """One value per token, in bits."""

    def oov(self, sentences: Sentences) -> list[NDArray[np.bool_]]:
        """Which tokens the model does not know."""


@dataclass(frozen=True)
class Scores:
    """What a model says on sentences: one array per sentence, one value per token."""

    surprisals: list[NDArray[np.float64]]
    oov: list[NDArray[np.bool_]]
    ends: NDArray[np.float64] | None
    """Surprisal of the end of each sentence; None of a model that does not predict it."""
    signature: str


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of work that any process can do: the model by name, and the sentences."""

    model: str
    signature: str
    sentences: list[list[str]]
    first: int
    """The number of the first sentence, for messages."""


def score_with(
    model: str | LanguageModel,
    sentences: Sentences,
    cache: ResultCache | bool = True,
    jobs: int | str | WorkerPool = 1,
    *,
    progress: bool | None = None,
) -> Scores:
    """Surprisals and unknown words. What was scored before comes from the cache, and then no model is loaded.

    A model that is given as an object works in this process.
    """
    (scores,) = score_blocks(model, [sentences], cache, jobs, progress=progress)
    return scores


def score_blocks(
    model: str | LanguageModel,
    blocks: Iterable[Sentences],
    cache: ResultCache | bool = True,
    jobs: int | str | WorkerPool = 1,
    *,
    progress: bool | None = None,
) -> Iterator[Scores]:
    """The same for an input in stretches; the model, the workers and the numbers of sentences go on."""
    from ..runs.processes import WorkerPool, worker_pool
    from ..runs.work import map_tasks

    given = language_model(model) if isinstance(model, str) else model
    habits = habits_of(given)
    if habits.chunk is None or not isinstance(model, str):
        jobs = 1
    store = _store(cache) if habits.cached else None
    first = 1
    with ExitStack() as stack:
        pool = jobs if isinstance(jobs, WorkerPool) else stack.enter_context(worker_pool(jobs))
        for sentences in blocks:
            size = habits.chunk or max(1, len(sentences))
            tasks = [
                Task(given.name, given.signature, [list(one) for one in sentences[begin : begin + size]], first + begin)
                for begin in range(0, len(sentences), size)
            ]
            first += len(sentences)
            _RECENT.remember(given)
            parts = map_tasks(
                score_task, tasks, jobs=pool, label="scoring", progress=progress,
                keys=[_key(task) for task in tasks] if store is not None else None, cache=store,
            )  # fmt: skip
            found = [_unpacked(part, task.sentences) for part, task in zip(parts, tasks, strict=True)]
            yield _joined(found, given.signature)


def surprisals_with(
    model: str | LanguageModel,
    sentences: Sentences,
    cache: ResultCache | bool = True,
    jobs: int | str | WorkerPool = 1,
) -> list[NDArray[np.float64]]:
    """The surprisals alone (see `score_with`), in bits: one array per sentence, one value per token."""
    return score_with(model, sentences, cache, jobs).surprisals


def score_task(task: Task) -> bytes:
    """The scores of one piece, packed; runs in any process that has the same model."""
    model = _RECENT.get(task.model, task.signature)
    surprisals, oov = model.surprisals(task.sentences), model.oov(task.sentences)
    _check(task, surprisals, oov)
    ends = getattr(model, "end_surprisals", None)
    parts = [np.concatenate([np.empty(0), *surprisals]).astype("<f8").tobytes()]
    parts.append(np.concatenate([np.empty(0, bool), *oov]).astype("u1").tobytes())
    if ends is not None:
        parts.append(np.asarray(ends(task.sentences)).astype("<f8").tobytes())
    return b"".join(parts)


def _check(task: Task, surprisals: Sequence[NDArray[np.float64]], oov: Sequence[NDArray[np.bool_]]) -> None:
    """One finite number for each token, or the place where there is none."""
    for what, found in (("surprisals", surprisals), ("marks of unknown words", oov)):
        if len(found) != len(task.sentences):
            raise SystemFailure(f"{what} of {len(found)} sentences for {len(task.sentences)}", where=task.model)
        for number, (sentence, values) in enumerate(zip(task.sentences, found, strict=True), task.first):
            if len(values) != len(sentence):
                where = f"{task.model}: sentence {number}"
                raise SystemFailure(f"{len(values)} {what} for {len(sentence)} tokens", where=where)
    for number, (sentence, values) in enumerate(zip(task.sentences, surprisals, strict=True), task.first):
        finite = np.isfinite(values)
        if not finite.all():
            at = int(np.argmin(finite))
            raise SystemFailure(
                f"the surprisal of token {at + 1}, {sentence[at]!r}, is {float(values[at])}",
                where=f"{task.model}: sentence {number}",
                todo="a model must give every token a finite surprisal",
            )


def _unpacked(data: bytes, sentences: Sentences) -> tuple[list[NDArray[np.float64]], list[NDArray[np.bool_]], bytes]:
    lengths = [len(sentence) for sentence in sentences]
    total = sum(lengths)
    cuts = list(accumulate(lengths))[:-1]
    values = np.frombuffer(data, "<f8", total).astype(np.float64)
    oov = np.frombuffer(data, "u1", total, 8 * total).astype(np.bool_)
    return np.split(values, cuts), np.split(oov, cuts), data[9 * total :]


def _joined(
    parts: Iterable[tuple[list[NDArray[np.float64]], list[NDArray[np.bool_]], bytes]], signature: str
) -> Scores:
    surprisals: list[NDArray[np.float64]] = []
    oov: list[NDArray[np.bool_]] = []
    ends = b""
    for values, marks, end in parts:
        surprisals += values
        oov += marks
        ends += end
    found = np.frombuffer(ends, "<f8").astype(np.float64) if len(ends) == 8 * len(surprisals) and ends else None
    return Scores(surprisals, oov, found, signature)


_RECENT: Recent[LanguageModel] = Recent(language_model)


def _key(task: Task) -> str:
    return "score " + digest(task.signature, *("\x1f".join(sentence) for sentence in task.sentences))


def _store(cache: ResultCache | bool) -> ResultCache | None:
    if cache is True:
        from ..runs.cache import ResultCache

        return ResultCache()
    return cache or None
