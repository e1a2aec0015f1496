"""Asking any system: in pieces, here, in processes or on a cluster, never the same piece twice.

One sentence that a system fails on must not spoil the others: where a piece fails, its sentences are asked again in
halves until those that are to blame stand alone. These are counted failures. A system that fails on everything is an
error. A process keeps the systems that it used last.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from ...errors import EmptyAnswer, FailedOnInput, NoAnswer, OutOfTime, SystemFailure, TooLong, UnreadableAnswer
from ...runs.record.signatures import digest
from ...runs.result.layout import short_names
from ...runs.work.where import Where, Workplace
from ..files.models import sentence_digest, training_digests
from .protocol import Sentences, System, habits_of
from .registry import made, made_by_name
from .repeatability import SAMPLE, Repeatability, add_repeatability, repeatability_of

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


def load_system(name: str, signature: str, role: str, request: Any) -> None:
    """Makes a system ready, before the clock of a request to it starts."""
    system = loaded(name, signature, role)
    if (load := getattr(system, "load", None)) is not None:
        load()


class Block(ABC):
    """Sentences that a system is asked about, in the form that its protocol has for them."""

    label: ClassVar[str]
    role: ClassVar[str]

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def spoken(self) -> Iterable[Sequence[str]]:
        """Return the words of each sentence."""

    @abstractmethod
    def part(self, begin: int, end: int) -> Self:
        """Return some of the sentences."""

    @abstractmethod
    def joined(self, others: Sequence[Self]) -> Self:
        """Return all sentences as one block, for a system that has to see them together."""

    @abstractmethod
    def request(self, time_limit: float | None) -> Any:
        """Return what the system is asked."""

    @abstractmethod
    def key(self, request: Any) -> str:
        """Return what of a request decides the answer."""

    @staticmethod
    @abstractmethod
    def answer(name: str, signature: str, request: Any) -> Any:
        """Return what the system of this name answers, in any process that has the model: a JSON value or bytes."""

    @abstractmethod
    def received(self, answer: Any) -> Any:
        """Return the answer, checked against what was asked."""

    @abstractmethod
    def outputs(self, received: Any, *, whole: bool = False) -> list[Any] | None:
        """Return what was received for each sentence, for comparison with a second query.

        None where an output belongs to no sentence; with `whole`, its parts are returned even then.
        """

    def same(self, first: Any, second: Any) -> bool:
        """Return whether two outputs for a sentence are the same."""
        return bool(first == second)

    def cut(self, size: int | None) -> list[Self]:
        """Return pieces of a fixed size, whatever the number of processes, so that kept answers fit."""
        step = size or max(1, len(self))
        return [self.part(begin, min(begin + step, len(self))) for begin in range(0, len(self), step)]

    def halves(self) -> list[Self]:
        """Return two parts of a piece; none of a sentence alone."""
        middle = (len(self) + 1) // 2
        return [self.part(0, middle), self.part(middle, len(self))] if len(self) > 1 else []


B = TypeVar("B", bound=Block)


def ask(blocks: Iterable[B], system: System, where: Where | Workplace) -> Iterator[list[tuple[B, Any]]]:
    """The pieces of each block in order, each with what was received for it, or the failure that came instead.

    A system that was made from its name can be made by other processes too; any other object works in this one.
    """
    habits = habits_of(system)
    (title,) = short_names([system.name]).values()
    good, failed, timed_out = False, 0, 0

    def unpacked(pieces: list[B], number: int, answer: Any) -> Any:
        nonlocal good, timed_out
        if not isinstance(answer, FailedOnInput):
            good = True
            return pieces[number].received(answer)
        # A system that let time run out again and again, and never answered, is not waited for any longer.
        if isinstance(answer, NoAnswer) and not good:
            timed_out += 1
            if timed_out >= GIVE_UP_WAITING:
                raise answer
        return answer

    with where.opened() as place:
        if habits.chunk is None:
            whole = list(blocks)
            blocks = [whole[0].joined(whole[1:])] if whole else []
        trained_on = training_digests(system.name) if place.queries_again else ()
        for block in blocks:
            if len(trained_on):
                digests = np.fromiter(map(sentence_digest, block.spoken()), dtype=np.uint64)
                known = np.isin(digests, trained_on).tolist()
                place.seen.setdefault(system.name, {}).update(zip(digests.tolist(), known, strict=True))
            cut = block.cut(habits.chunk)
            waiting: dict[tuple[int, ...], B] = {(number,): piece for number, piece in enumerate(cut)}
            done: dict[tuple[int, ...], tuple[B, Any]] = {}
            failure: FailedOnInput | None = None
            is_first = True
            while waiting:
                # As long as nothing has come back, one piece is halved at a time: the system may be broken. Where time
                # ran out, the larger pieces come first, because waiting is dear: the other half may be fine.
                some = waiting
                if not (is_first or good):
                    path = min(waiting, key=lambda path: (len(path), path)) if timed_out else min(waiting)
                    some = {path: waiting[path]}
                waiting = {path: piece for path, piece in waiting.items() if path not in some}
                pieces = list(some.values())
                requests = [piece.request(place.where.time_limit if habits.own_limit else None) for piece in pieces]
                keys = [piece.key(request) for piece, request in zip(pieces, requests, strict=True)]
                remember(system)
                answers = place.map(
                    partial(block.answer, system.name, system.signature), requests,
                    label=f"{block.label} by {title}" if is_first else "",
                    keys=[f"{block.label} {digest(system.signature, key)}" for key in keys],
                    sizes=list(map(len, pieces)), unit="sentences", cached=habits.cached,
                    here=habits.chunk is None or not made_by_name(system),
                    prepare=partial(load_system, system.name, system.signature, block.role),
                    timed=not habits.own_limit, tolerated=FailedOnInput, then=partial(unpacked, pieces),
                )  # fmt: skip
                is_first = False
                for (path, piece), answer in zip(some.items(), answers, strict=True):
                    halves = piece.halves() if isinstance(answer, FailedOnInput) else []
                    if halves:
                        waiting |= {(*path, number): half for number, half in enumerate(halves)}
                        continue
                    if isinstance(answer, FailedOnInput):
                        failure = answer
                        failed += 1
                        if not good and failed >= GIVE_UP:
                            raise failure
                    done[path] = piece, answer
            if failure is not None and not good:
                raise failure
            if place.queries_again and not habits.repeatable:
                answered = [done[path] for path in sorted(done) if not isinstance(done[path][1], FailedOnInput)]
                _query_again(answered, system, place)
            yield [done[path] for path in sorted(done)]


def _query_again(answered: Sequence[tuple[B, Any]], system: System, place: Workplace) -> None:
    """Query a sample of the sentences once more, and remember how many outputs are not the same as before.

    Nothing is queried of a system from which enough sentences were queried twice. Where the second query fails, nothing
    is found out.
    """
    ends = list(accumulate(len(piece) for piece, _ in answered))
    total = ends[-1] if ends else 0
    size = min(SAMPLE - repeatability_of(system).queried, total)
    if size < 1:
        return
    chosen: dict[int, list[int]] = {}
    for number in range(size):  # spread over all pieces
        place_in_all = number * total // size
        which = bisect_right(ends, place_in_all)
        chosen.setdefault(which, []).append(place_in_all - ends[which] + len(answered[which][0]))
    sentences: list[B] = []
    before: list[Any] | None = []
    for which, places in chosen.items():
        piece, received = answered[which]
        outputs = piece.outputs(received)
        sentences += [piece.part(at, at + 1) for at in places]
        before = [*before, *(outputs[at] for at in places)] if before is not None and outputs is not None else None
    sample = sentences[0].joined(sentences[1:])
    after = _outputs_anew(sample, system, place, 1)
    if before is None and after is not None:  # where outputs cannot be cut by sentence, the sample is queried twice
        before = _outputs_anew(sample, system, place, 2)
    if before is None or after is None:
        return
    changed = sum(not sample.same(*pair) for pair in zip(before, after, strict=False))
    changed += abs(len(before) - len(after))
    add_repeatability(system, Repeatability(size, min(changed, size)))


def _outputs_anew(sample: Block, system: System, place: Workplace, time: int) -> list[Any] | None:
    """Return the outputs of another query, None where the system fails.

    It never gets what was kept of the first query. What it returns itself is kept, so that a rerun from the cache finds
    what was found before, and needs no system.
    """
    habits = habits_of(system)
    remember(system)
    request = sample.request(place.where.time_limit if habits.own_limit else None)
    unrecorded: AbstractContextManager[Any] = getattr(system, "unrecorded", nullcontext)()
    try:
        with unrecorded:
            (answer,) = place.map(
                partial(sample.answer, system.name, system.signature), [request],
                keys=[f"{sample.label} again {time} {digest(system.signature, sample.key(request))}"],
                cached=habits.cached, here=habits.chunk is None or not made_by_name(system),
                prepare=partial(load_system, system.name, system.signature, sample.role), timed=not habits.own_limit,
            )  # fmt: skip
            return sample.outputs(sample.received(answer), whole=True)
    except (SystemFailure, OutOfTime):
        return None


@dataclass(frozen=True)
class SentenceBlock(Block):
    """Sentences as lists of words, the number of the first, for messages, and the tags of all words, where given.

    Every system that is asked about words has its own: phrase parsers, language models and chat models.
    """

    sentences: tuple[tuple[str, ...], ...]
    first: int = 1
    tags: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def of(cls, sentences: Sentences, first: int = 1, tags: Sentences = ()) -> Self:
        return cls(tuple(tuple(words) for words in sentences), first, tuple(tuple(given) for given in tags))

    def __len__(self) -> int:
        return len(self.sentences)

    def spoken(self) -> Sequence[Sequence[str]]:
        return self.sentences

    def part(self, begin: int, end: int) -> Self:
        return replace(self, sentences=self.sentences[begin:end], first=self.first + begin, tags=self.tags[begin:end])

    def joined(self, others: Sequence[Self]) -> Self:
        blocks = (self, *others)
        tags = tuple(given for block in blocks for given in block.tags)
        return replace(self, sentences=tuple(words for block in blocks for words in block.sentences), tags=tags)

    def request(self, time_limit: float | None) -> Self:
        return self

    def key(self, request: SentenceBlock) -> str:
        tags = ["tags", *("\x1f".join(given) for given in request.tags)] if request.tags else []
        return digest(*("\x1f".join(words) for words in request.sentences), *tags)

    @abstractmethod
    def received(self, answer: Any) -> list[Any]:
        """Return one entry for each sentence."""

    def outputs(self, received: list[Any], *, whole: bool = False) -> list[Any]:
        return received

    def nothing(self, words: Sequence[str]) -> Any:
        """Return what stands for the answer to a sentence on which the system failed."""
        return None


def ask_sentences(
    blocks: Iterable[SentenceBlock], system: System, where: Where | Workplace
) -> Iterator[tuple[list[Any], dict[int, FailedOnInput]]]:
    """Return for each block an entry per sentence, and the failures by their places."""
    for pieces in ask(blocks, system, where):
        answers: list[Any] = []
        failures: dict[int, FailedOnInput] = {}
        for block, answer in pieces:
            if isinstance(answer, FailedOnInput):
                failures |= dict.fromkeys(range(len(answers), len(answers) + len(block)), answer)
                answer = [block.nothing(words) for words in block.sentences]
            answers += answer
        yield answers, failures
