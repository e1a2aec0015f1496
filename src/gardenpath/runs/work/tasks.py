"""One function over many tasks: here, in processes, or on a cluster, with the same results in order."""

from __future__ import annotations

import base64
import json
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from ...boundary.structured import read_json
from ...errors import OutOfTime, SystemFailure, UsageError
from ..result.encoding import to_text
from .processes import Outcome, attempt, result_of
from .progress_bars import progress as progress_bar

if TYPE_CHECKING:
    from ..record.cache import ResultCache
    from ..record.run import Run
    from .cluster import Cluster
    from .processes import Limits, WorkerPool

T = TypeVar("T")
R = TypeVar("R")

MORE_TRIES = 2


def map_tasks(
    function: Callable[[T], R],
    tasks: Iterable[T],
    *,
    jobs: int | str | WorkerPool = 1,
    cluster: str | Cluster | None = None,
    label: str = "",
    progress: bool | None = None,
    sizes: Sequence[int] | None = None,
    unit: str = "",
    names: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    run: Run | None = None,
    cache: ResultCache | None = None,
    limits: Limits | None = None,
    until: float | None = None,
    prepare: Callable[[T], Any] | None = None,
    tolerated: type[Exception] | None = None,
    then: Callable[[int, Any], Any] | None = None,
) -> list[Any]:
    """`function` of every task, in the order of the tasks.

    `function` must be importable (a function of a module) unless jobs is 1. A `worker_pool` in place of a number
    is kept for the next call. With `keys` and a run or a cache,
    finished results (JSON values or bytes) are kept as they come and not computed again.
    `names` are shown in messages. Progress is shown under the `label`, where there is one: it counts tasks, or the
    `unit` of which each task has as many as `sizes` says. `then` gets the number and result of each task as it comes,
    in this process while the others go on working, and what it returns stands for the result.
    A task that takes longer or more than its `limits` (after `prepare(task)`, which is not timed) fails with
    `NoAnswer` or `FailedOnInput`; after the moment `until` (of `time.monotonic`) no result is waited for. An error of
    the kind `tolerated` stands for the result of its task, and the others go on.
    """
    given = list(tasks)
    called = list(names or (keys if run is not None and keys else ()))
    called = called or [f"{label or 'task'} {number} of {len(given)}" for number in range(1, len(given) + 1)]
    store = _Store(keys, run, cache)
    for kind, words in (("names", called), ("keys", keys)):
        if words is not None and len(words) != len(given):
            raise UsageError(f"{len(words)} {kind} for {len(given)} tasks", where=label)
    if limits:
        from .processes import within

        function = partial(within, limits, prepare or _nothing, function)
    results: dict[int, Any] = store.found(len(given))
    waiting = [number for number in range(len(given)) if number not in results and store.first(number)]
    with ExitStack() as stack:
        parts = list(sizes or [1] * len(given))
        bar = stack.enter_context(progress_bar(sum(parts), label, progress if label else False, unit))
        bar.advance(sum(parts[number] for number in results))
        if then is not None:
            results = {number: then(number, result) for number, result in results.items()}
        places = _place(stack, jobs, cluster, function, given, waiting, called) if waiting else iter(())
        check_time(until, label)
        for number, outcome in places:
            try:
                result = store.keep(number, result_of(outcome, called[number]))
            except Exception as error:
                if tolerated is None or not isinstance(error, tolerated):
                    raise
                result = error
            same = store.same(number)
            results.update({one: then(one, result) if then is not None else result for one in same})
            bar.advance(sum(parts[number] for number in same))
            if len(results) < len(given):
                check_time(until, label)
    return [results[number] for number in range(len(given))]


def check_time(until: float | None, where: str = "") -> None:
    """Raises `OutOfTime` after this moment of `time.monotonic`."""
    if until is not None and monotonic() > until:
        raise OutOfTime("the time is over", where=where, todo="give it more time; what was answered is kept")


def _place(
    stack: ExitStack,
    jobs: int | str | WorkerPool,
    cluster: str | Cluster | None,
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
    waiting: Sequence[int],
    names: Sequence[str],
) -> Iterator[tuple[int, Outcome]]:
    if cluster is not None:
        from .cluster import connect, outcomes

        _check_importable(function)
        there = stack.enter_context(connect(cluster)) if isinstance(cluster, str) else cluster
        return stack.enter_context(closing(outcomes(there, function, tasks, waiting, names)))
    from .processes import WorkerPool, worker_count, worker_pool

    workers = jobs.workers if isinstance(jobs, WorkerPool) else worker_count(jobs)
    if workers == 1:
        return ((number, attempt(function, tasks[number])) for number in waiting)
    _check_importable(function)
    if isinstance(jobs, WorkerPool):
        pool = jobs
    else:
        pool = stack.enter_context(worker_pool(min(workers, len(waiting))))
    return stack.enter_context(closing(_in_processes(pool, function, tasks, waiting, names)))


def _in_processes(
    workers: WorkerPool,
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
    waiting: Sequence[int],
    names: Sequence[str],
) -> Generator[tuple[int, Outcome], None, None]:
    """A pool that is made anew when one of its processes was killed; only what was lost is done again."""
    from concurrent.futures.process import BrokenProcessPool

    queue, tries = deque(waiting), Counter[int]()
    while queue:
        flying: dict[Any, int] = {}
        try:
            yield from _flight(workers.pool, workers.workers, function, tasks, queue, flying)
        except BrokenProcessPool as error:
            workers.end(at_once=True)
            # Few are in the air at a time, so the one that breaks the pool is among few.
            lost = sorted(flying.values())
            tries.update(lost)
            blamed = [names[number] for number in lost if tries[number] > MORE_TRIES]
            if blamed:
                what = f"a worker process was killed {MORE_TRIES + 1} times during {' or '.join(blamed)}"
                todo = "often the memory runs out: use fewer --jobs, or smaller inputs"
                raise SystemFailure(what, todo=todo) from error
            queue.extendleft(reversed(lost))
        except BaseException:
            workers.end(at_once=True)  # nobody waits for what is still in the air
            raise


def _flight(
    pool: Any,
    workers: int,
    function: Callable[[Any], Any],
    tasks: Sequence[Any],
    queue: deque[int],
    flying: dict[Any, int],
) -> Iterator[tuple[int, Outcome]]:
    from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, wait
    from concurrent.futures.process import BrokenProcessPool

    broken: BaseException | None = None
    while queue or flying:
        while queue and len(flying) <= workers and broken is None:
            try:
                flying[pool.submit(attempt, function, tasks[queue[0]])] = queue[0]
                queue.popleft()
            except BrokenProcessPool as reason:
                broken = reason
        # All of a broken pool are over at once; some of them in time.
        for future in wait(flying, return_when=ALL_COMPLETED if broken else FIRST_COMPLETED).done:
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                broken = error
            elif error is not None:  # the task or its result could not be sent
                yield flying.pop(future), ("crashed", f"{type(error).__name__}: {error}", "")
            else:
                yield flying.pop(future), future.result()
        if broken is not None and all(future.done() for future in flying):
            raise broken


class _Store:
    """Results on disk, by key, in a run or a cache; tasks with the same key are one task."""

    def __init__(self, keys: Sequence[str] | None, run: Run | None, cache: ResultCache | None) -> None:
        if (run is not None or cache is not None) and keys is None:
            raise UsageError("results are kept by key", todo="give a key for every task")
        self._keys, self._run, self._cache = keys, run, cache
        self._groups: dict[str, list[int]] = {}
        for number, key in enumerate(keys or ()):
            self._groups.setdefault(key, []).append(number)

    def first(self, number: int) -> bool:
        return self.same(number)[0] == number

    def same(self, number: int) -> list[int]:
        return [number] if self._keys is None else self._groups[self._keys[number]]

    def found(self, total: int) -> dict[int, Any]:
        if self._keys is None or (self._run is None and self._cache is None):
            return {}
        answers = {}
        for number in range(total):
            stored = self._read(self._keys[number]) if self.first(number) else None
            if stored is not None:
                answers.update(dict.fromkeys(self.same(number), _unwrapped(stored)))
        return answers

    def _read(self, key: str) -> dict[str, Any] | None:
        if self._run is not None and (stored := self._run.stored_part(key)) is not None:
            return stored
        if self._cache is not None and (data := self._cache.get(key)) is not None:
            value: dict[str, Any] = read_json(data, key, finite=False)
            if self._run is not None:
                self._run.store_part(key, value)
            return value
        return None

    def keep(self, number: int, result: Any) -> Any:
        """What a later reader of the store gets: the same as on the first time."""
        if self._keys is None or (self._run is None and self._cache is None):
            return result
        is_bytes = isinstance(result, bytes)
        key, text = (
            self._keys[number],
            to_text({"bytes": base64.b85encode(result).decode("ascii")} if is_bytes else {"value": result}),
        )
        kept: dict[str, Any] = json.loads(text)
        if self._run is not None:
            self._run.store_part(key, kept)
        if self._cache is not None:
            self._cache.put(key, text.encode("utf-8"))
        return _unwrapped(kept)


def _unwrapped(stored: dict[str, Any]) -> Any:
    return base64.b85decode(stored["bytes"]) if "bytes" in stored else stored["value"]


def _nothing(task: Any) -> None:
    """What needs no preparation."""


def _check_importable(function: Callable[[Any], Any]) -> None:
    inner = getattr(function, "func", function)  # of functools.partial
    if "<" in getattr(inner, "__qualname__", ""):
        raise UsageError(
            f"{inner.__qualname__} cannot go to another process", todo="use a function of a module, or jobs=1"
        )
