"""A call that may take so long and so much memory and no more: done in a process of its own, which is ended then."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any

from ..errors import FailedOnInput, NoAnswer
from .limits import Limits
from .outcome import attempt, result_of
from .processes import THREADS, begin_worker, in_main_thread

LOADING = 900.0
"""Seconds that may pass before the clock of the first call starts: a large model takes long to load."""


def within(limits: Limits, prepare: Callable[[Any], Any], function: Callable[[Any], Any], task: Any) -> Any:
    """`function(task)`; `NoAnswer` when it takes longer, `FailedOnInput` when the memory does not suffice.

    `prepare(task)` goes before it and is not timed.
    """
    worker = _worker(limits.gigabytes)
    worker.call(prepare, task, LOADING)
    return worker.call(function, task, limits.seconds)


class _Worker:
    """A child process that does one call after the other and is made anew after one that took too long."""

    def __init__(self, gigabytes: float | None = None) -> None:
        self.gigabytes = gigabytes
        self._process: Any = None
        self._pipe: Any = None

    def call(self, function: Callable[[Any], Any], task: Any, seconds: float | None) -> Any:
        if self._process is None or not self._process.is_alive():
            self._start()
        try:
            self._pipe.send((function, task))
            if not self._pipe.poll(seconds):
                self.end()
                raise NoAnswer(f"no answer within {seconds:g} s", todo="give it more: --time-limit")
            outcome = self._pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError) as error:
            self.end()
            raise FailedOnInput("the process that did it was killed", todo="often the memory runs out") from error
        except BaseException:
            self.end()
            raise
        return result_of(outcome)

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        process = context.Process(
            target=_serve, args=(theirs, dict(THREADS), in_main_thread(), self.gigabytes), daemon=True
        )
        # Workers of Dask are daemons, which may have no children; this one ends with its parent in any case.
        own: Any = multiprocessing.current_process()
        was_daemon = own._config.pop("daemon", None)
        try:
            process.start()
        finally:
            if was_daemon is not None:
                own._config["daemon"] = was_daemon
        theirs.close()
        self._process = process

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()
            self._pipe.close()


_KEPT: list[_Worker] = []


def _worker(gigabytes: float | None) -> _Worker:
    """The one that is kept, or a new one where the memory is another."""
    if _KEPT and _KEPT[0].gigabytes != gigabytes:
        _KEPT.pop().end()
    if not _KEPT:
        _KEPT.append(_Worker(gigabytes))
    return _KEPT[0]


def _serve(pipe: Any, environment: dict[str, str], started_by_main: bool, gigabytes: float | None) -> None:
    """In the child: calls, one by one, until the pipe is closed."""
    begin_worker(environment, started_by_main)
    if gigabytes is not None:
        _limit_memory(int(gigabytes * 1e9))
    while True:
        try:
            function, task = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(attempt(function, task))


def _limit_memory(size: int) -> None:
    """Bytes of private memory, for this process and each that it starts: a limit of the data segment, which unlike one
    of the address space does not count files that are only mapped, such as libraries and weights."""
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (size, size))
