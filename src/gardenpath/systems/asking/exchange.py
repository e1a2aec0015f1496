"""Asking any system: in pieces, here, in processes or on a cluster, never the same piece twice.

One sentence that a system fails on must not spoil the others: where a piece fails, its sentences are asked again in
halves until those that are to blame stand alone. These are counted failures. A system that fails on everything is an
error. A process keeps the systems that it used last.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

from ...errors import EmptyAnswer, FailedOnInput, NoAnswer, SystemFailure, TooLong, UnreadableAnswer
from ...runs.record.signatures import digest
from ...runs.result.layout import short_names
from ...runs.work.where import Where, Workplace
from .protocol import Habits, Sentences, System, habits_of
from .registry import made, made_by_name

MOST = 2
"""So many systems stay loaded; a large model is not to be kept for nothing."""
_kept: dict[tuple[str, str], Any] = {}


def remember(system: System) -> None:
    """Keeps a system for the pieces of work that will ask for it by name."""
    _kept.pop((system.name, system.signature), None)
    while len(_kept) >= MOST:
        _kept.pop(next(iter(_kept)))
    _kept[system.name, system.signature] = system


def loaded(name: str, signature: str, role: str) -> Any:
    """The system of this name; an error if it is not the one that was asked for."""
    if (name, signature) not in _kept:
        system = made(name, role)
        if system.signature != signature:
            what = f"here this is {system.signature}, but {signature} was asked for"
            raise SystemFailure(what, where=name, todo="all workers need the same model and the same versions")
        remember(system)
    return _kept[name, signature]


GIVE_UP, GIVE_UP_WAITING = 16, 3
"""So many pieces or sentences that failed, and none that did not: then it is not the sentences."""
KINDS = {EmptyAnswer: "unparsed", UnreadableAnswer: "malformed", NoAnswer: "no-answer", TooLong: "too-long"}


def problem_of(failure: FailedOnInput) -> str:
    """Return the kind of failure that is counted for a sentence on which a system died alone."""
    return next((kind for error, kind in KINDS.items() if isinstance(failure, error)), "crashed")


def note_on(failure: FailedOnInput) -> str:
    """Return what is said of a failure that was counted: what happened, and where."""
    return f"it failed: {failure.where}: {failure.what}" if failure.where else f"it failed: {failure.what}"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of work that any process can do: the system by name, what it is asked, and how."""

    system: str
    signature: str
    role: str
    request: Any
    answer: Callable[[Any, Any], Any]
    """`answer(system, request)`, a function of a module; its result is a JSON value or bytes."""


def answer_piece(piece: Piece) -> Any:
    """The answer to one piece, in any process that has the same model."""
    return piece.answer(loaded(piece.system, piece.signature, piece.role), piece.request)


def load_system(piece: Piece) -> None:
    """Makes the system of a piece ready, before its clock starts."""
    system = loaded(piece.system, piece.signature, piece.role)
    if (load := getattr(system, "load", None)) is not None:
        load()


class Block(ABC):
    """Sentences in the form that a protocol has for them."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def part(self, begin: int, end: int) -> Self:
        """Return some of the sentences."""

    @abstractmethod
    def joined(self, others: Sequence[Self]) -> Self:
        """Return all sentences as one block, for a system that has to see them together."""

    def cut(self, size: int | None) -> list[Self]:
        """Return pieces of a fixed size, whatever the number of processes, so that kept answers fit."""
        step = size or max(1, len(self))
        return [self.part(begin, min(begin + step, len(self))) for begin in range(0, len(self), step)]

    def halves(self) -> list[Self]:
        """Return two parts of a piece; none of a sentence alone."""
        middle = (len(self) + 1) // 2
        return [self.part(0, middle), self.part(middle, len(self))] if len(self) > 1 else []


Units = TypeVar("Units", bound=Block)
Received = TypeVar("Received")


class Exchange(ABC, Generic[Units, Received]):
    """How one protocol is spoken: how a request is packed and an answer unpacked. All else is `ask`."""

    label: str
    role: str
    answer: Callable[[Any, Any], Any]
    """`answer(system, request)`, a function of a module."""

    @abstractmethod
    def request(self, units: Units, time_limit: float | None) -> Any:
        """Return what the system is asked."""

    @abstractmethod
    def key(self, request: Any) -> str:
        """Return what of a request decides the answer."""

    @abstractmethod
    def received(self, units: Units, answer: Any, first: int) -> Received:
        """Return the answer, checked against what was asked; `first` is the number of the first sentence."""

    @abstractmethod
    def lost(self, units: Units, failure: FailedOnInput, first: int) -> Received:
        """Return what stands for the answer that a sentence never got."""


def ask(
    exchange: Exchange[Units, Received], system: System, blocks: Iterable[Units], where: Where | Workplace
) -> Iterator[list[tuple[Units, Received]]]:
    """The answers to each stretch of an input: its pieces with what was received for each, in order.

    A system that was made from its name can be made by other processes too; any other object works in this one.
    """
    habits = habits_of(system)
    with where.opened() as place:
        work = _Asking(exchange, system, habits, place, here=habits.chunk is None or not made_by_name(system))
        if habits.chunk is None:
            whole = list(blocks)
            blocks = [whole[0].joined(whole[1:])] if whole else []
        for units in blocks:
            yield work.answers(units)


class _Asking(Generic[Units, Received]):
    """What stays the same from one stretch of the input to the next, and what has been done so far."""

    def __init__(
        self, exchange: Exchange[Units, Received], system: System, habits: Habits, place: Workplace, *, here: bool
    ) -> None:
        self.exchange, self.system, self.habits, self.place, self.here = exchange, system, habits, place, here
        self.limit = place.where.time_limit
        (self.title,) = short_names([system.name]).values()
        self.next, self.good, self.failed, self.timed_out = 1, False, 0, 0

    def answers(self, units: Units) -> list[tuple[Units, Received]]:
        """All pieces of a stretch, each unpacked while the system works on the others."""
        exchange = self.exchange
        waiting: dict[tuple[int, ...], tuple[Units, int]] = {}
        first = self.next
        for number, piece in enumerate(units.cut(self.habits.chunk)):
            waiting[number,] = piece, first
            first += len(piece)
        done: dict[tuple[int, ...], tuple[Units, Received]] = {}
        failure: FailedOnInput | None = None
        is_first = True
        while waiting:
            # As long as nothing has come back, one piece is halved at a time: the system may be broken. Where time ran
            # out, the larger pieces come first, because waiting is dear: the other half may be fine.
            some = waiting
            if not (is_first or self.good):
                path = min(waiting, key=lambda path: (len(path), path)) if self.timed_out else min(waiting)
                some = {path: waiting[path]}
            waiting = {path: entry for path, entry in waiting.items() if path not in some}
            for (path, (piece, first)), answer in zip(some.items(), self._asked(some, quiet=not is_first), strict=True):
                if not isinstance(answer, FailedOnInput):
                    done[path] = piece, answer
                elif halves := piece.halves():
                    for number, half in enumerate(halves):
                        waiting[*path, number] = half, first
                        first += len(half)
                else:
                    failure = answer
                    self.failed += 1
                    if not self.good and self.failed >= GIVE_UP:
                        raise failure
                    done[path] = piece, exchange.lost(piece, answer, first)
            is_first = False
        if failure is not None and not self.good:
            raise failure
        self.next += len(units)
        return [answered for _, answered in sorted(done.items(), key=lambda entry: entry[0])]

    def _asked(self, pieces: dict[tuple[int, ...], tuple[Units, int]], *, quiet: bool) -> list[Any]:
        """What was received for each piece, or the failure that came instead."""
        exchange, system = self.exchange, self.system
        limit = self.limit if self.habits.own_limit else None
        requests = [exchange.request(piece, limit) for piece, _ in pieces.values()]
        tasks = [Piece(system.name, system.signature, exchange.role, request, exchange.answer) for request in requests]
        keys = [f"{exchange.label} {digest(system.signature, exchange.key(request))}" for request in requests]
        entries = list(pieces.values())

        def unpacked(number: int, answer: Any) -> Any:
            if isinstance(answer, FailedOnInput):
                # A system that let time run out again and again, and never answered, is not waited for any longer.
                if isinstance(answer, NoAnswer) and not self.good:
                    self.timed_out += 1
                    if self.timed_out >= GIVE_UP_WAITING:
                        raise answer
                return answer
            self.good = True
            piece, first = entries[number]
            return exchange.received(piece, answer, first)

        remember(system)
        return self.place.map(
            answer_piece, tasks, label="" if quiet else f"{exchange.label} by {self.title}", keys=keys,
            sizes=[len(piece) for piece, _ in entries], unit="sentences", cached=self.habits.cached,
            here=self.here, prepare=load_system, timed=not self.habits.own_limit, tolerated=FailedOnInput,
            then=unpacked,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SentenceBlock(Block):
    """Sentences as lists of words, the number of the first, for messages, and the tags of all words, where given."""

    sentences: tuple[tuple[str, ...], ...]
    first: int = 1
    tags: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, sentences: Sentences, first: int = 1, tags: Sentences = ()) -> SentenceBlock:
        return cls(tuple(tuple(words) for words in sentences), first, tuple(tuple(given) for given in tags))

    def __len__(self) -> int:
        return len(self.sentences)

    def part(self, begin: int, end: int) -> SentenceBlock:
        return SentenceBlock(self.sentences[begin:end], self.first + begin, self.tags[begin:end])

    def joined(self, others: Sequence[SentenceBlock]) -> SentenceBlock:
        blocks = (self, *others)
        tags = tuple(given for block in blocks for given in block.tags)
        return SentenceBlock(tuple(words for block in blocks for words in block.sentences), self.first, tags)


@dataclass(frozen=True)
class SentenceExchange(Exchange[SentenceBlock, Any]):
    """The exchange of every system that is asked about words: phrase parsers, language models and chat models."""

    label: str
    role: str
    answer: Callable[[Any, SentenceBlock], Any]
    read: Callable[[SentenceBlock, Any], list[Any]]
    """`read(block, answer)` has one entry for each sentence."""
    nothing: Callable[[Sequence[str]], Any] = lambda words: None
    """What stands for the answer to a sentence on which the system failed."""

    def request(self, units: SentenceBlock, time_limit: float | None) -> SentenceBlock:
        return units

    def key(self, request: SentenceBlock) -> str:
        tags = ["tags", *("\x1f".join(given) for given in request.tags)] if request.tags else []
        return digest(*("\x1f".join(words) for words in request.sentences), *tags)

    def received(self, units: SentenceBlock, answer: Any, first: int) -> Any:
        return self.read(units, answer)

    def lost(self, units: SentenceBlock, failure: FailedOnInput, first: int) -> Any:
        return failure

    def answers(
        self, system: System, blocks: Iterable[SentenceBlock], where: Where | Workplace
    ) -> Iterator[tuple[list[Any], dict[int, FailedOnInput]]]:
        """Return for each stretch of an input an entry per sentence, and the failures by their places."""
        for pieces in ask(self, system, blocks, where):
            answers: list[Any] = []
            failures: dict[int, FailedOnInput] = {}
            for block, answer in pieces:
                if isinstance(answer, FailedOnInput):
                    failures |= dict.fromkeys(range(len(answers), len(answers) + len(block)), answer)
                    answer = [self.nothing(words) for words in block.sentences]
                answers += answer
            yield answers, failures
