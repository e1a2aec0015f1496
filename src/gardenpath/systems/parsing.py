"""Parsing with any system: in pieces, here, in processes or on a cluster, never the same piece twice."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..errors import SystemFailure, UsageError
from ..runs.signature import digest
from ..treebank import Treebank
from .protocol import Parser, Request, ask, check_gold, check_mode, habits_of, paragraph_starts
from .registry import system
from .settle import Settled, settle

if TYPE_CHECKING:
    from ..runs.cache import ResultCache
    from ..runs.cluster import Cluster


@dataclass(frozen=True)
class ParseResult:
    """All sentences with their trees, and how it went."""

    treebank: Treebank
    failures: Counter[str]
    """Sentences that failed, by kind (see `settle.FAILURES`); they are in the treebank, marked by a comment."""
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
    jobs: int | str = 1,
    cluster: str | Cluster | None = None,
    cache: ResultCache | bool = True,
    time_limit: float | None = None,
    progress: bool | None = None,
    first: int = 1,
) -> ParseResult:
    """The treebank as this system parses it, one sentence for each.

    `gold` names the layers it may see (lemmas, tags, feats). `cache=True` keeps results in the user's
    cache by signature, input, mode and gold. A system that is given as an object works in this process.
    Sentences without a sent_id are numbered from `first`.
    """
    given = system(parser) if isinstance(parser, str) else parser
    check_mode(mode, given)
    layers = check_gold(gold)
    if layers and mode != "tokens":
        raise UsageError(f"gold {', '.join(sorted(layers))} need gold tokens", todo="use the mode tokens")
    if time_limit is not None and time_limit <= 0:
        raise UsageError(f"{time_limit:g} is no time limit", todo="give seconds, more than 0")
    habits = habits_of(given)
    pieces = _pieces(treebank, mode, habits.chunk)
    tasks = [Task(given.name, given.signature, ask(piece, mode, layers | habits.needs, time_limit)) for piece in pieces]
    if habits.chunk is None or not isinstance(parser, str):
        jobs, cluster = 1, None
    store = _store(cache) if habits.cached else None
    settler = _Settler(given.name, pieces, mode, layers, habits.partial, first)
    settled = _work(given, tasks, jobs, cluster, store, progress, settler)
    return _joined(given, treebank, settled, mode, layers)


def _work(
    parser: Parser,
    tasks: list[Task],
    jobs: int | str,
    cluster: str | Cluster | None,
    store: ResultCache | None,
    progress: bool | None,
    settler: _Settler,
) -> list[tuple[Settled, float]]:
    """Each piece is checked as soon as it is parsed, while the parsers go on."""
    from ..runs.work import map_tasks

    keys = [_key(task) for task in tasks] if store is not None else None
    _remember(parser)
    raw = settler.mode == "text"
    done = map_tasks(
        parse_task, tasks, jobs=jobs, cluster=cluster, label="parsing", progress=progress, keys=keys, cache=store,
        then=None if raw else settler,
    )  # fmt: skip
    return settler.in_order(done) if raw else done


def parse_task(task: Task) -> dict[str, Any]:
    """CoNLL-U and seconds for one piece; runs in any process that has the same model."""
    parser = _loaded(task.system, task.signature)
    begin = time.perf_counter()
    output = parser.parse(task.request)
    seconds = time.perf_counter() - begin
    text = output if isinstance(output, str) else output.data.decode("utf-8")
    return {"conllu": text, "seconds": seconds}


_RECENT: dict[tuple[str, str], Parser] = {}
"""The systems this process used last: a model is loaded once per process, not once per piece."""
_MOST = 2


def _remember(parser: Parser) -> None:
    _RECENT.pop((parser.name, parser.signature), None)
    while len(_RECENT) >= _MOST:
        _RECENT.pop(next(iter(_RECENT)))
    _RECENT[parser.name, parser.signature] = parser


def _loaded(name: str, signature: str) -> Parser:
    if (name, signature) not in _RECENT:
        parser = system(name)
        if parser.signature != signature:
            raise SystemFailure(
                f"here this is {parser.signature}, but {signature} was asked for",
                where=name,
                todo="all workers need the same model and the same versions",
            )
        _remember(parser)
    return _RECENT[name, signature]


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

    def __call__(self, number: int, result: dict[str, Any]) -> tuple[Settled, float]:
        settled = settle(
            self.pieces[number], result["conllu"], mode=self.mode, gold=self.gold, partial=self.partial,
            first=self.firsts[number], where=self.name,
        )  # fmt: skip
        return settled, float(result["seconds"])

    def in_order(self, results: list[dict[str, Any]]) -> list[tuple[Settled, float]]:
        """For raw text, where a piece's number of sentences is known only when it is settled."""
        settled = []
        for number, result in enumerate(results):
            settled.append(self(number, result))
            self.firsts[number + 1] = self.firsts[number] + settled[-1][0].conllu.count("\n\n")
        return settled


def _joined(
    parser: Parser, treebank: Treebank, settled: list[tuple[Settled, float]], mode: str, gold: frozenset[str]
) -> ParseResult:
    failures = Counter[str]()
    for piece, _ in settled:
        failures.update(piece.failures)
    text = "".join(piece.conllu for piece, _ in settled)
    parsed = Treebank(text.encode("utf-8"), name=f"{treebank.name} parsed by {parser.name}")
    facts, _, version = parser.signature.rpartition("|")
    layers = f"|gold:{','.join(sorted(gold))}" if gold else ""
    seconds = sum(taken for _, taken in settled)
    notes = tuple(getattr(parser, "notes", ()))
    return ParseResult(parsed, failures, seconds, f"{facts}|mode:{mode}{layers}|{version}", notes)
