"""Asking any system: in pieces, here, in processes or on a cluster, never the same piece twice.

One sentence that a system fails on must not spoil the others: where a piece fails, its sentences are asked again in
halves until those that are to blame stand alone. These are counted failures. A system that fails on everything is an
error.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from ..errors import EmptyAnswer, FailedOnInput, NoAnswer, TooLong, UnreadableAnswer
from ..runs.layout import short_names
from ..runs.signature import digest
from ..runs.where import Where, Workplace
from .loaded_systems import loaded, remember
from .protocol import Habits, System, habits_of
from .registry import made_by_name

GIVE_UP, GIVE_UP_WAITING = 16, 3
"""So many pieces or sentences that failed, and none that did not: then it is not the sentences."""
CRASHED, NO_ANSWER = "crashed", "no-answer"
KINDS = {EmptyAnswer: "unparsed", UnreadableAnswer: "malformed", NoAnswer: NO_ANSWER, TooLong: "too-long"}


def problem_of(failure: FailedOnInput) -> str:
    """The kind of failure that is counted for a sentence on which a system died alone."""
    return next((kind for error, kind in KINDS.items() if isinstance(failure, error)), CRASHED)


def note_on(failure: FailedOnInput) -> str:
    """What is said of a failure that was counted: what happened, and where."""
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


Units = TypeVar("Units")
Received = TypeVar("Received")


class Exchange(ABC, Generic[Units, Received]):
    """How one protocol is spoken: how a request is packed and an answer unpacked. All else is `ask`.

    Units are sentences, in the form that the protocol has for them.
    """

    label: ClassVar[str]
    role: ClassVar[str]

    @abstractmethod
    def size(self, units: Units) -> int:
        """How many sentences they are."""

    @abstractmethod
    def cut(self, units: Units, size: int | None) -> list[Units]:
        """Pieces of a fixed size, whatever the number of processes, so that kept answers fit."""

    @abstractmethod
    def halves(self, units: Units) -> list[Units]:
        """Two parts of a piece; none of a sentence alone."""

    @abstractmethod
    def joined(self, blocks: list[Units]) -> Units:
        """All units as one piece, for a system that has to see them together."""

    @abstractmethod
    def request(self, units: Units, time_limit: float | None) -> Any:
        """What the system is asked."""

    @abstractmethod
    def key(self, request: Any) -> str:
        """What of a request decides the answer."""

    @property
    @abstractmethod
    def answer(self) -> Callable[[Any, Any], Any]:
        """`answer(system, request)`, a function of a module."""

    @abstractmethod
    def received(self, units: Units, answer: Any, first: int) -> Received:
        """The answer, checked against what was asked; `first` is the number of the first sentence."""

    @abstractmethod
    def lost(self, units: Units, failure: FailedOnInput, first: int) -> Received:
        """What stands for the answer that a sentence never got."""


def ask(
    exchange: Exchange[Units, Received],
    system: System,
    blocks: Iterable[Units],
    where: Where | Workplace,
) -> Iterator[list[tuple[Units, Received]]]:
    """The answers to each stretch of an input: its pieces with what was received for each, in order.

    A system that was made from its name can be made by other processes too; any other object works in this one.
    """
    habits = habits_of(system)
    with where.opened() as place:
        work = _Asking(exchange, system, habits, place, here=habits.chunk is None or not made_by_name(system))
        if habits.chunk is None:
            whole = list(blocks)
            blocks = [exchange.joined(whole)] if whole else []
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
        for number, piece in enumerate(exchange.cut(units, self.habits.chunk)):
            waiting[number,] = piece, first
            first += exchange.size(piece)
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
                elif halves := exchange.halves(piece):
                    for number, half in enumerate(halves):
                        waiting[*path, number] = half, first
                        first += exchange.size(half)
                else:
                    failure = answer
                    self.failed += 1
                    if not self.good and self.failed >= GIVE_UP:
                        raise failure
                    done[path] = piece, exchange.lost(piece, answer, first)
            is_first = False
        if failure is not None and not self.good:
            raise failure
        self.next += exchange.size(units)
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
                self._give_up_waiting(answer)
                return answer
            self.good = True
            piece, first = entries[number]
            return exchange.received(piece, answer, first)

        remember(system)
        return self.place.map(
            answer_piece, tasks, label="" if quiet else f"{exchange.label} by {self.title}", keys=keys,
            sizes=[exchange.size(piece) for piece, _ in entries], unit="sentences", cached=self.habits.cached,
            here=self.here, prepare=load_system, timed=not self.habits.own_limit, tolerated=FailedOnInput,
            then=unpacked,
        )  # fmt: skip

    def _give_up_waiting(self, failure: FailedOnInput) -> None:
        """A system that let time run out again and again, and never answered, is not waited for any longer."""
        if isinstance(failure, NoAnswer) and not self.good:
            self.timed_out += 1
            if self.timed_out >= GIVE_UP_WAITING:
                raise failure
