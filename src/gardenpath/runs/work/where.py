"""Where work is done and within which bounds: in this process, in several, on a cluster; never what comes out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from ...errors import OutOfTime, SystemFailure, UsageError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

    from ..record.cache import ResultCache
    from ..record.run import Run
    from .cluster import Cluster
    from .processes import Outcome

TIME_LIMIT, MEMORY_LIMIT = "work.time_limit", "work.memory_limit"
"""How both limits are set."""
MORE_TRIES = 2
"""How often the tasks of a worker process that was killed are tried again."""


@dataclass(frozen=True)
class Where:
    """The place of work. It never decides a result and never enters a signature.

    >>> Where(jobs=2, time_limit=60).jobs
    2
    """

    jobs: int | str = 1
    """Processes (0 or "all": every core), or a Dask cluster: `local:N`, `slurm[:N]` or a scheduler's address."""
    cache: ResultCache | bool = True
    """Keep answers of systems, and use those that were kept."""
    time_limit: float | None = None
    """Seconds for one piece of work; whatever takes longer is a counted failure."""
    progress: bool | None = None
    """Show how far the work is; None: where a person watches."""
    memory_limit: float | None = None
    """Gigabytes for a process in which a system works (Linux); whatever needs more is a counted failure."""
    until: float | None = None
    """The moment (of `time.monotonic`) after which no further piece is begun, and the work ends with `OutOfTime`."""

    def __post_init__(self) -> None:
        if not self.cluster and (not isinstance(self.jobs, int) or self.jobs < 0):
            from .processes import worker_count

            worker_count(self.jobs)
        if self.time_limit is not None and not self.time_limit > 0:
            raise UsageError(
                f"{self.time_limit:g} is not a time limit", where=TIME_LIMIT, todo="give seconds, more than 0"
            )
        if self.memory_limit is not None:
            if not self.memory_limit > 0:
                raise UsageError(
                    f"{self.memory_limit:g} is not a memory limit",
                    where=MEMORY_LIMIT,
                    todo="give gigabytes, more than 0",
                )
            if not sys.platform.startswith("linux"):
                raise UsageError("memory can be limited only on Linux", where=MEMORY_LIMIT, todo="leave it out")

    @property
    def cluster(self) -> str:
        """The address of the cluster; empty where the work is done in processes here."""
        jobs = str(self.jobs)
        return jobs if ":" in jobs or jobs == "slurm" else ""

    @contextmanager
    def opened(self) -> Iterator[Workplace]:
        """Workers and connection, kept until the block ends."""
        with ExitStack() as stack:
            cluster = None
            if self.cluster:
                from .cluster import connect

                cluster = stack.enter_context(connect(self.cluster))
            place = Workplace(self, cluster)
            try:
                yield place
            except BaseException:
                place.end(at_once=True)
                raise
            place.end(at_once=False)

    def map(self, function: Callable[[Any], Any], tasks: Iterable[Any], **how: Any) -> list[Any]:
        """Call `Workplace.map` at a place that is opened for this call alone."""
        with self.opened() as place:
            return place.map(function, tasks, **how)


class Workplace:
    """An open `Where`: its processes, connection and cache serve one call after the other."""

    def __init__(self, where: Where, cluster: Cluster | None = None) -> None:
        from .processes import worker_count

        self.where, self.cluster, self.workers = where, cluster, 1 if where.cluster else worker_count(where.jobs)
        self.queries_again = False
        """Is a sample queried twice, of systems that may return something else the second time? In studies, yes."""
        self.seen: dict[str, dict[int, bool]] = {}
        """For each system that knows them: is a sentence (by its digest) one of its training sentences?"""
        self._pool: ProcessPoolExecutor | None = None
        self._environment: dict[str, str | None] = {}

    @cached_property
    def cache(self) -> ResultCache | None:
        """Where answers are kept; looked for when there is one to keep or to find."""
        if self.where.cache is True:
            from ..record.cache import ResultCache

            return ResultCache()
        return self.where.cache or None

    @contextmanager
    def opened(self) -> Iterator[Workplace]:
        """Itself: whoever is given a place of work, open or not, opens it."""
        yield self

    @property
    def pool(self) -> ProcessPoolExecutor:
        """Processes that are started when there is work, and kept for more."""
        if self._pool is None:
            import multiprocessing  # 15 ms, with sockets and pickling, that one process alone does not need
            from concurrent.futures import ProcessPoolExecutor

            from .processes import THREADS, begin_worker, in_main_thread

            self._environment = {name: os.environ.get(name) for name in THREADS}
            os.environ.update(THREADS)  # in place before a worker imports its first library
            # New interpreters, never forks, which inherit locks and threads.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self.workers, mp_context=context, initializer=begin_worker, initargs=(dict(THREADS), in_main_thread())
            )
        return self._pool

    def end(self, *, at_once: bool) -> None:
        """End the processes, after their tasks or at once; the next use starts new ones."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        try:
            # A private name: before Python 3.14 nothing public stops workers, and they would end their tasks first.
            workers = list((getattr(pool, "_processes", None) or {}).values()) if at_once else []
            pool.shutdown(wait=not at_once, cancel_futures=at_once)
            for worker in workers:
                worker.terminate()
            for worker in workers:
                worker.join(timeout=5)
                if worker.is_alive():
                    worker.kill()
        finally:
            for name, value in self._environment.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
            self._environment = {}

    def map(
        self,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        label: str = "",
        sizes: Sequence[int] | None = None,
        unit: str = "",
        names: Sequence[str] | None = None,
        keys: Sequence[str] | None = None,
        run: Run | None = None,
        cached: bool = True,
        here: bool = False,
        prepare: Callable[[Any], Any] | None = None,
        timed: bool = True,
        tolerated: type[Exception] | None = None,
        then: Callable[[int, Any], Any] | None = None,
    ) -> list[Any]:
        """Return `function` of every task, in the order of the tasks.

        `function` must be importable (a function of a module), unless `here` or a single job keeps it in this process.
        With `keys`, finished results (JSON values or bytes) are kept in a run and, if they may be `cached`, in the
        cache as they come, and not computed again. `names` are shown in messages. Progress is shown under the `label`,
        where there is one: it counts tasks, or the `unit` of which each task has as many as `sizes` says. `then` gets
        the number and result of each task as it comes, in this process while the others go on working, and what it
        returns stands for the result. With `prepare` the limits are in force: a task that takes more (after
        `prepare(task)`, which is not timed) fails with `NoAnswer` or `FailedOnInput`; `timed` says that the task does
        not keep the time limit itself. An error of the kind `tolerated` stands for the result of its task, and the
        others go on.
        """
        from .processes import attempt, result_of, within
        from .progress_bars import progress

        where, given = self.where, list(tasks)
        called = list(names or (keys if run is not None and keys else ()))
        called = called or [f"{label or 'task'} {number} of {len(given)}" for number in range(1, len(given) + 1)]
        if run is not None and keys is None:
            raise UsageError("results are kept by key", todo="give a key for every task")
        for kind, words in (("names", called), ("keys", keys)):
            if words is not None and len(words) != len(given):
                raise UsageError(f"{len(words)} {kind} for {len(given)} tasks", where=label)
        cache = self.cache if cached and keys is not None else None
        seconds = where.time_limit if timed else None
        if prepare is not None and not here and (seconds is not None or where.memory_limit is not None):
            function = partial(within, seconds, where.memory_limit, prepare, function)
        kept_by = keys if keys is not None and (run is not None or cache is not None) else None
        same: dict[object, list[int]] = {}  # tasks with the same key are one task
        for number in range(len(given)):
            same.setdefault(number if kept_by is None else kept_by[number], []).append(number)
        parts = list(sizes or [1] * len(given))
        results: dict[int, Any] = {}
        with ExitStack() as stack:
            bar = stack.enter_context(progress(sum(parts), label, where.progress if label else False, unit))
            if kept_by is not None:
                for key in dict.fromkeys(kept_by):
                    if (stored := stored_result(key, run, cache)) is not None:
                        result = unwrapped(stored)
                        results.update({same_as: then(same_as, result) if then else result for same_as in same[key]})
                        bar.advance(sum(parts[number] for number in same[key]))
            waiting = [numbers[0] for numbers in same.values() if numbers[0] not in results]
            outcomes: Iterator[tuple[int, Outcome]]
            if not waiting or here or (self.cluster is None and self.workers == 1):
                outcomes = ((number, attempt(function, given[number])) for number in waiting)
            else:
                inner = getattr(function, "func", function)  # of functools.partial
                if "<" in getattr(inner, "__qualname__", ""):
                    what = f"{inner.__qualname__} cannot go to another process"
                    raise UsageError(what, todo="use a function of a module, or jobs=1")
                if self.cluster is not None:
                    from .cluster import outcomes as on_cluster

                    there = on_cluster(self.cluster, function, given, waiting, called)
                else:
                    there = self._in_processes(function, given, waiting, called)
                outcomes = stack.enter_context(closing(there))
            self._check_time(label)
            for number, outcome in outcomes:
                try:
                    result = result_of(outcome, called[number])
                    if kept_by is not None:
                        result = keep_result(kept_by[number], result, run, cache)
                except Exception as error:
                    if tolerated is None or not isinstance(error, tolerated):
                        raise
                    result = error
                numbers = same[number if kept_by is None else kept_by[number]]
                results.update({same_as: then(same_as, result) if then else result for same_as in numbers})
                bar.advance(sum(parts[same_as] for same_as in numbers))
                if len(results) < len(given):
                    self._check_time(label)
        return [results[number] for number in range(len(given))]

    def _check_time(self, label: str) -> None:
        if self.where.until is not None and monotonic() > self.where.until:
            raise OutOfTime("the time is over", where=label, todo="give it more time; what was answered is kept")

    def _in_processes(
        self, function: Callable[[Any], Any], tasks: Sequence[Any], waiting: Sequence[int], names: Sequence[str]
    ) -> Generator[tuple[int, Outcome], None, None]:
        """A pool that is made anew when one of its processes was killed; only what was lost is done again."""
        from collections import Counter, deque
        from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, Future, wait
        from concurrent.futures.process import BrokenProcessPool

        from .processes import attempt

        queue, tries = deque(waiting), Counter[int]()
        flying: dict[Future[Outcome], int] = {}
        broken: BaseException | None = None
        try:
            while queue or flying:
                while queue and len(flying) <= self.workers and broken is None:
                    try:
                        flying[self.pool.submit(attempt, function, tasks[queue[0]])] = queue[0]
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
                    self.end(at_once=True)
                    # Few are in the air at a time, so the one that breaks the pool is among few.
                    lost = sorted(flying.values())
                    tries.update(lost)
                    if blamed := [names[number] for number in lost if tries[number] > MORE_TRIES]:
                        what = f"a worker process was killed {MORE_TRIES + 1} times during {' or '.join(blamed)}"
                        todo = "often the memory runs out: use fewer --jobs, or smaller inputs"
                        raise SystemFailure(what, todo=todo) from broken
                    queue.extendleft(reversed(lost))
                    flying, broken = {}, None
        except BaseException:
            self.end(at_once=True)  # nobody waits for what is still in the air
            raise


def stored_result(key: str, run: Run | None, cache: ResultCache | None) -> dict[str, Any] | None:
    """Return what a run or the cache keeps under this key; a run keeps what the cache knew."""
    if run is not None and (stored := run.stored_part(key)) is not None:
        return stored
    if cache is None or (data := cache.get(key)) is None:
        return None
    from ...boundary.structured import read_json

    value: dict[str, Any] = read_json(data, key, finite=False)
    if run is not None:
        run.store_part(key, value)
    return value


def keep_result(key: str, result: Any, run: Run | None, cache: ResultCache | None) -> Any:
    """Keep a result, and return what a later reader gets: the same as on the first time."""
    import base64
    import json

    from ..result.encoding import to_text

    is_bytes = isinstance(result, bytes)
    text = to_text({"bytes": base64.b85encode(result).decode("ascii")} if is_bytes else {"value": result})
    kept: dict[str, Any] = json.loads(text)
    if run is not None:
        run.store_part(key, kept)
    if cache is not None:
        cache.put(key, text.encode("utf-8"))
    return unwrapped(kept)


def unwrapped(stored: dict[str, Any]) -> Any:
    """Return the bytes or the JSON value that an entry holds."""
    import base64

    return base64.b85decode(stored["bytes"]) if "bytes" in stored else stored["value"]


HERE = Where()
"""This process, with the cache."""
