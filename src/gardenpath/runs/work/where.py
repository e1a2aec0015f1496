"""Where work is done and within which bounds: in this process, in several, on a cluster; never what comes out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ...errors import UsageError

if TYPE_CHECKING:
    from ..record.cache import ResultCache
    from ..record.run import Run
    from .cluster import Cluster
    from .processes import WorkerPool


@dataclass(frozen=True)
class Where:
    """The place of work. It never decides a result and never enters a signature.

    >>> Where(jobs=2, time_limit=60).jobs
    2
    """

    jobs: int | str = 1
    """Processes; 0 or "all" for all cores."""
    cluster: str | None = None
    """A Dask scheduler's address, `local:N` or `slurm[:N]`, instead of processes."""
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
        if not isinstance(self.jobs, int) or self.jobs < 0:
            from .processes import worker_count

            worker_count(self.jobs)
        if self.time_limit is not None and not self.time_limit > 0:
            raise UsageError(f"{self.time_limit:g} is not a time limit", todo="give seconds, more than 0")
        if self.memory_limit is not None:
            if not self.memory_limit > 0:
                raise UsageError(f"{self.memory_limit:g} is not a memory limit", todo="give gigabytes, more than 0")
            if not sys.platform.startswith("linux"):
                raise UsageError("memory can be limited on Linux alone", todo="leave out --memory-limit")

    @contextmanager
    def opened(self) -> Iterator[Workplace]:
        """Workers and connection, kept until the block ends."""
        from .processes import worker_pool

        with ExitStack() as stack:
            cluster = None
            if self.cluster is not None:
                from .cluster import connect

                cluster = stack.enter_context(connect(self.cluster))
            pool = stack.enter_context(worker_pool(self.jobs))
            yield Workplace(self, pool, cluster)


@dataclass(frozen=True)
class Workplace:
    """An open `Where`: its workers, connection and cache serve one call after the other."""

    where: Where
    pool: WorkerPool
    cluster: Cluster | None

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

    def map(
        self,
        function: Callable[[Any], Any],
        tasks: Sequence[Any],
        *,
        keys: Sequence[str] | None = None,
        run: Run | None = None,
        cached: bool = True,
        here: bool = False,
        prepare: Callable[[Any], Any] | None = None,
        timed: bool = True,
        **how: Any,
    ) -> list[Any]:
        """Call `map_tasks` at this place; `here` keeps it in this process, `prepare` puts the limits in force.

        `timed` says that the time limit is not kept by the task itself; `how` is all else that `map_tasks` takes.
        """
        from .processes import Limits
        from .tasks import map_tasks

        keep = cached and keys is not None
        limits = Limits(self.where.time_limit if timed else None, self.where.memory_limit)
        return map_tasks(
            function, tasks, jobs=1 if here else self.pool, cluster=None if here else self.cluster,
            progress=self.where.progress, keys=keys if keep or run is not None else None, run=run,
            cache=self.cache if keep else None, limits=limits if prepare is not None and not here else None,
            until=self.where.until, prepare=prepare, **how,
        )  # fmt: skip


HERE = Where()
"""This process, with the cache."""
