"""Parsing with any system: in pieces, here, in processes or on a cluster, never the same piece twice."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..errors import InputError, UnreadableAnswer, UsageError
from ..runs.processes import WorkerPool, worker_pool
from ..runs.signature import digest
from ..treebank import Treebank, concatenate
from .language import LanguageCheck
from .loaded_systems import Recent
from .protocol import Habits, Parser, Request, ask, check_gold, check_mode, habits_of, paragraph_starts
from .reconcile import Reconciled, reconcile
from .registry import system

if TYPE_CHECKING:
    from ..runs.cache import ResultCache
    from ..runs.cluster import Cluster


@dataclass(frozen=True)
class ParseResult:
    """All sentences with their trees, and how it went."""

    treebank: Treebank
    failures: Counter[str]
    """Sentences that failed, by kind (see `reconcile.FAILURES`); they are in the treebank, marked by a comment."""
    seconds: float
    """What the parser itself took, summed over all pieces; of kept results, what they took when they were made."""
    signature: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """A piece of work that any process can do: the system by name, and what it is asked."""

    system: str
    signature: str
    request: Request


def parse_with(
    parser: str | Parser,
    treebank: Treebank,
    *,
    mode: str = "tokens",
    gold: str | Iterable[str] = (),
    jobs: int | str | WorkerPool = 1,
    cluster: str | Cluster | None = None,
    cache: ResultCache | bool = True,
    time_limit: float | None = None,
    progress: bool | None = None,
    any_language: bool | None = None,
) -> ParseResult:
    """The treebank as this system parses it, one sentence for each.

    `gold` names the layers it may see (lemmas, tags, feats). `cache=True` keeps results in the user's
    cache by signature, input, mode and gold. A system that is given as an object works in this process.
    `any_language` goes on where model and input are of different scripts (see `language`).
    """
    (result,) = parse_blocks(
        parser, [(treebank, mode)], gold=gold, jobs=jobs, cluster=cluster, cache=cache, time_limit=time_limit,
        progress=progress, any_language=any_language,
    )  # fmt: skip
    return result


def parse_blocks(
    parser: str | Parser,
    blocks: Iterable[tuple[Treebank, str]],
    *,
    gold: str | Iterable[str] = (),
    jobs: int | str | WorkerPool = 1,
    cluster: str | Cluster | None = None,
    cache: ResultCache | bool = True,
    time_limit: float | None = None,
    progress: bool | None = None,
    any_language: bool | None = None,
    tell: Callable[[str], None] | None = None,
) -> Iterator[ParseResult]:
    """The same for an input in stretches, each with its mode; workers and numbers go on from one to the next.

    A parser whose output was no CoNLL-U from beginning to end is an error, but only the end can tell. `tell`
    gets warnings before the work begins; without it they are Python's.
    """
    given = system(parser) if isinstance(parser, str) else parser
    layers = check_gold(gold)
    if time_limit is not None and time_limit <= 0:
        raise UsageError(f"{time_limit:g} is no time limit", todo="give seconds, more than 0")
    habits = habits_of(given)
    if habits.chunk is None or not isinstance(parser, str):
        jobs, cluster = 1, None
    work = _Work(given, layers, habits, _store(cache) if habits.cached else None, time_limit, progress)
    language = LanguageCheck(given.name, any_language, tell)
    with ExitStack() as stack:
        work.cluster = stack.enter_context(_connected(cluster))
        work.jobs = jobs if isinstance(jobs, WorkerPool) else stack.enter_context(worker_pool(jobs))
        for treebank, mode in _joined_blocks(blocks) if habits.chunk is None else blocks:
            check_mode(mode, given)
            if layers and mode != "tokens":
                raise UsageError(f"gold {', '.join(sorted(layers))} need gold tokens", todo="use the mode tokens")
            language.see(treebank, mode)
            yield work.result(treebank, mode, language)
        work.check_end()


def _joined_blocks(blocks: Iterable[tuple[Treebank, str]]) -> list[tuple[Treebank, str]]:
    """For a system that has to see all sentences at once."""
    found = list(blocks)
    return [(concatenate([treebank for treebank, _ in found]), found[0][1])] if found else []


@contextmanager
def _connected(cluster: str | Cluster | None) -> Iterator[Cluster | None]:
    if isinstance(cluster, str):
        from ..runs.cluster import connect

        with connect(cluster) as made:
            yield made
    else:
        yield cluster


class _Work:
    """What stays the same from one stretch of the input to the next, and what has been done so far."""

    jobs: WorkerPool
    cluster: Cluster | None

    def __init__(
        self,
        parser: Parser,
        gold: frozenset[str],
        habits: Habits,
        store: ResultCache | None,
        time_limit: float | None,
        progress: bool | None,
    ) -> None:
        self._parser, self._gold, self._habits, self._store = parser, gold, habits, store
        self._time_limit, self._progress = time_limit, progress
        self._done = self._useless = 0
        self._garbage: InputError | None = None

    def result(self, treebank: Treebank, mode: str, language: LanguageCheck) -> ParseResult:
        """One stretch. Each piece is checked as soon as it is parsed, while the parsers go on."""
        from ..runs.work import map_tasks

        parser, habits = self._parser, self._habits
        pieces = _pieces(treebank, mode, habits.chunk)
        tasks = [
            Task(parser.name, parser.signature, ask(piece, mode, self._gold | habits.needs, self._time_limit))
            for piece in pieces
        ]
        settler = _Settler(parser.name, pieces, mode, self._gold, habits.partial, self._done + 1)
        _RECENT.remember(parser)
        raw = mode == "text"
        done = map_tasks(
            parse_task, tasks, jobs=self.jobs, cluster=self.cluster, label="parsing", progress=self._progress,
            keys=[_key(task) for task in tasks] if self._store is not None else None, cache=self._store,
            then=None if raw else settler,
        )  # fmt: skip
        settled = settler.in_order(done) if raw else done
        result = _joined(parser, treebank, settled, mode, self._gold, language)
        self._done += len(result.treebank)
        self._useless += result.failures["malformed"] + result.failures["unparsed"]
        self._garbage = self._garbage or next((piece.garbage for piece, _ in settled if piece.garbage), None)
        return result

    def check_end(self) -> None:
        if self._garbage is not None and self._useless == self._done:
            line = self._garbage.where.rpartition(":")[2]
            raise UnreadableAnswer(
                f"what it returned is no CoNLL-U (line {line}: {self._garbage.what})",
                where=self._parser.name,
                todo="its output must be CoNLL-U",
            )


def parse_task(task: Task) -> dict[str, Any]:
    """CoNLL-U and seconds for one piece; runs in any process that has the same model."""
    parser = _RECENT.get(task.system, task.signature)
    begin = time.perf_counter()
    output = parser.parse(task.request)
    seconds = time.perf_counter() - begin
    text = output if isinstance(output, str) else output.data.decode("utf-8")
    return {"conllu": text, "seconds": seconds}


_RECENT: Recent[Parser] = Recent(system)


def _key(task: Task) -> str:
    request = task.request
    parts = [task.signature, request.mode, ",".join(sorted(request.gold)), request.conllu, *request.texts]
    return "parse " + digest(*parts)


def _store(cache: ResultCache | bool) -> ResultCache | None:
    if cache is True:
        from ..runs.cache import ResultCache

        return ResultCache()
    return cache or None


def _pieces(treebank: Treebank, mode: str, size: int | None) -> list[Treebank]:
    """Pieces of a fixed size, whatever the number of processes, so that kept results fit; paragraphs stay whole."""
    if size is None or len(treebank) <= size:
        return [treebank]
    if mode != "text":
        return [treebank[begin : begin + size] for begin in range(0, len(treebank), size)]
    cuts = [0]
    for start in paragraph_starts(treebank):
        if start - cuts[-1] >= size:
            cuts.append(start)
    return [treebank[begin:end] for begin, end in zip(cuts, [*cuts[1:], len(treebank)], strict=True)]


class _Settler:
    """Checks what came back for a piece against what was asked."""

    def __init__(
        self, name: str, pieces: list[Treebank], mode: str, gold: frozenset[str], partial: bool, first: int
    ) -> None:
        self.name, self.pieces, self.mode, self.gold, self.partial = name, pieces, mode, gold, partial
        self.firsts = list(accumulate(map(len, pieces), initial=first))
        """The number of the first sentence of each piece."""

    def __call__(self, number: int, result: dict[str, Any]) -> tuple[Reconciled, float]:
        settled = reconcile(
            self.pieces[number], result["conllu"], mode=self.mode, gold=self.gold, partial=self.partial,
            first=self.firsts[number], where=self.name,
        )  # fmt: skip
        return settled, float(result["seconds"])

    def in_order(self, results: list[dict[str, Any]]) -> list[tuple[Reconciled, float]]:
        """For raw text, where a piece's number of sentences is known only when it is settled."""
        settled = []
        for number, result in enumerate(results):
            settled.append(self(number, result))
            self.firsts[number + 1] = self.firsts[number] + settled[-1][0].conllu.count("\n\n")
        return settled


def _joined(
    parser: Parser,
    treebank: Treebank,
    settled: list[tuple[Reconciled, float]],
    mode: str,
    gold: frozenset[str],
    language: LanguageCheck,
) -> ParseResult:
    failures = Counter[str]()
    for piece, _ in settled:
        failures.update(piece.failures)
    text = "".join(piece.conllu for piece, _ in settled)
    parsed = Treebank(text.encode("utf-8"), name=f"{treebank.name} parsed by {parser.name}")
    facts, _, version = parser.signature.rpartition("|")
    layers = f"|gold:{','.join(sorted(gold))}" if gold else ""
    seconds = sum(taken for _, taken in settled)
    notes = (*language.notes, *getattr(parser, "notes", ()))
    return ParseResult(parsed, failures, seconds, f"{facts}|mode:{mode}{layers}{language.fact}|{version}", notes)
