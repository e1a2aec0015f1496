"""A Dask cluster as the place of work: one that runs, one made on this machine, or jobs of Slurm."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from ..._version import __version__
from ...errors import MissingPackage, SystemFailure, UsageError
from .processes import Outcome, attempt

FORMS = "tcp://HOST:PORT (a scheduler that runs), local:N (N processes here), slurm or slurm:N (N jobs)"
SLURM_JOBS = 4
# How often the worker under a task may die before the task is held to be the cause. Others end jobs on
# shared clusters too, so this is more than in a pool of our own.
ALLOWED_FAILURES = 4
_POLL = 0.02


@dataclass(frozen=True)
class Cluster:
    """A connection to a scheduler; `patience` is how long it may be without workers (None: for ever)."""

    address: str
    client: Any
    patience: float | None


@contextmanager
def connect(address: str, *, timeout: float = 30.0) -> Iterator[Cluster]:
    """A cluster by its address, closed at the end if it was made here. Use one for several calls."""
    kind, number = _parsed(address)
    try:
        import distributed
    except ImportError:
        raise MissingPackage.extra("dask", "cluster") from None
    import dask

    with ExitStack() as stack:
        settings = {"distributed.scheduler.allowed-failures": ALLOWED_FAILURES}
        stack.enter_context(dask.config.set(settings))
        scheduler: Any = address
        if kind == "local":
            # Its log speaks of every lost worker, which is dealt with here.
            try:
                scheduler = distributed.LocalCluster(
                    n_workers=number,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address="127.0.0.1:0",
                    silence_logs=50,
                )
            except (RuntimeError, OSError) as error:  # one of its processes was killed before it had begun
                todo = "try again, with fewer processes if the memory runs out"
                raise SystemFailure(f"the cluster did not start: {error}", where=address, todo=todo) from error
            stack.enter_context(scheduler)
        elif kind == "slurm":
            scheduler = stack.enter_context(_slurm(number))
        try:
            client = stack.enter_context(distributed.Client(scheduler, timeout=timeout, set_as_default=False))
        except OSError as error:
            what = f"no Dask scheduler answers within {timeout:g} s"
            raise SystemFailure(what, where=address, todo="check the address and that the scheduler runs") from error
        cluster = Cluster(address, client, None if kind == "slurm" else timeout)
        _check_workers(cluster)
        yield cluster


def outcomes(
    cluster: Cluster, function: Callable[[Any], Any], tasks: Sequence[Any], waiting: Sequence[int], names: Sequence[str]
) -> Generator[tuple[int, Outcome], None, None]:
    """What became of each waiting task, as they come; Dask gives the tasks of a lost worker to another."""
    from distributed import as_completed

    client = cluster.client
    futures = [
        client.submit(_attempt_there, __version__, function, tasks[number], pure=False, retries=2) for number in waiting
    ]
    flying = dict(zip((future.key for future in futures), waiting, strict=True))
    ready = as_completed(futures, loop=client.loop)
    del futures  # a future that nobody holds frees the memory of its result
    try:
        while flying:
            for future in _next(cluster, ready):
                number = flying.pop(future.key)
                yield number, _fetched(cluster, future, names[number])
    finally:
        ready.clear()


def _fetched(cluster: Cluster, future: Any, name: str) -> Outcome:
    from asyncio import CancelledError

    from distributed import KilledWorker

    try:
        outcome: Outcome = future.result()
    except KilledWorker as error:
        what = f"workers were killed {ALLOWED_FAILURES + 1} times during this task"
        todo = "often the memory runs out: give the workers more, or make the task smaller"
        raise SystemFailure(what, where=name, todo=todo) from error
    except (Exception, CancelledError) as error:
        if future.status in ("cancelled", "lost"):
            raise _lost(cluster) from error
        return "crashed", f"{type(error).__name__}: {error}", ""  # it did not get there, or its result not back
    return outcome


def _attempt_there(version: str, function: Callable[[Any], Any], task: Any) -> Outcome:
    """A worker may join late, so every task sees to it that both sides are the same gardenpath."""
    if version != __version__:
        return "failed", _other_version(__version__, version)
    return attempt(function, task)


def _next(cluster: Cluster, ready: Any) -> list[Any]:
    """Finished futures; an error when there is nobody left who could finish one."""
    alone_since: float | None = None
    looked = time.monotonic()
    while not (batch := ready.next_batch(block=False)):
        time.sleep(_POLL)
        if time.monotonic() - looked < 1:
            continue
        looked = time.monotonic()
        if cluster.client.status != "running":  # when it comes back it no longer knows the tasks
            raise _lost(cluster)
        if cluster.client.scheduler_info(n_workers=-1).get("workers"):
            alone_since = None
        elif alone_since is None:
            alone_since = looked
        elif cluster.patience is not None and looked - alone_since > cluster.patience:
            raise _no_workers(cluster)
    return list(batch)


def _check_workers(cluster: Cluster) -> None:
    """Waits for a first worker, and sees that all those there can do our work."""
    try:
        cluster.client.wait_for_workers(1, timeout=cluster.patience)
        versions = cluster.client.run(_worker_versions, on_error="return")
    except TimeoutError:
        raise _no_workers(cluster) from None
    except OSError as error:
        raise _lost(cluster) from error
    for worker, answer in versions.items():
        # An error from there may come as mere text.
        if isinstance(answer, ImportError) or "No module named" in str(answer):
            todo = f"install gardenpath {__version__} on the workers"
            raise UsageError(f"the worker {worker} has no gardenpath ({answer})", where=cluster.address, todo=todo)
        if isinstance(answer, BaseException):
            raise SystemFailure(f"the worker {worker} fails: {answer}", where=cluster.address)
        if answer != _worker_versions():
            here, there = (" with Python ".join(pair) for pair in (_worker_versions(), answer))
            raise _other_version(there, here, worker)


def _worker_versions() -> tuple[str, str]:
    import platform

    return __version__, ".".join(platform.python_version_tuple()[:2])


def _other_version(there: str, here: str, worker: str = "a worker") -> UsageError:
    return UsageError(
        f"{worker} has gardenpath {there}, this is gardenpath {here}", todo="use the same environment on both sides"
    )


def _no_workers(cluster: Cluster) -> SystemFailure:
    return SystemFailure(
        f"the cluster had no workers for {cluster.patience:g} s", where=cluster.address, todo="start dask workers"
    )


def _lost(cluster: Cluster) -> SystemFailure:
    return SystemFailure(
        "the connection to the scheduler was lost",
        where=cluster.address,
        todo="start it again: what is finished was kept, if the work belongs to a run",
    )


def _parsed(address: str) -> tuple[str, int]:
    if re.fullmatch(r"(tcp|tls)://[^/\s]+:\d+/?", address):
        return "scheduler", 0
    match = re.fullmatch(r"(local|slurm)(?::([1-9]\d*))?", address)
    if match is None or (match[1] == "local" and not match[2]):
        raise UsageError(f"{address!r} is not a cluster", where="cluster", todo=f"known: {FORMS}")
    return match[1], int(match[2] or SLURM_JOBS)


@contextmanager
def _slurm(jobs: int) -> Iterator[Any]:
    """Jobs with the settings of the user's jobqueue.yaml; one that ends (its time is up) is replaced."""
    from shutil import which

    if which("sbatch") is None:
        todo = "call this on the login node of the cluster, or use local:N"
        raise UsageError("there is no Slurm here: sbatch is not found", where="slurm", todo=todo)
    try:
        import dask_jobqueue
    except ImportError:
        raise MissingPackage.extra("dask-jobqueue", "cluster") from None
    import dask

    wishes = {"cores": 1, "processes": 1, "memory": "4GB"}
    missing = {name: value for name, value in wishes.items() if not dask.config.get(f"jobqueue.slurm.{name}", None)}
    with dask_jobqueue.SLURMCluster(**missing) as cluster:
        cluster.adapt(minimum_jobs=jobs, maximum_jobs=jobs)
        yield cluster
