from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import run_tasks

from gardenpath.errors import InputError, MissingPackage, SystemFailure, UsageError
from gardenpath.runs import Run
from gardenpath.runs.work import cluster as cluster_module
from gardenpath.runs.work.cluster import Cluster, connect
from gardenpath.runs.work.where import HERE, Where, Workplace

distributed = pytest.importorskip("distributed", reason="needs the extra cluster")


@pytest.fixture(scope="module")
def local() -> Iterator[Cluster]:
    """A real cluster on this machine with two worker processes."""
    with connect("local:2") as cluster:
        yield cluster


def test_same_results_in_the_same_order_as_here(local: Cluster) -> None:
    assert Workplace(HERE, local).map(run_tasks.square, range(50)) == HERE.map(run_tasks.square, range(50))
    told = Workplace(HERE, local).map(run_tasks.threads, range(2))
    assert told == [["1"] * 3] * 2


def test_work_by_address(local: Cluster) -> None:
    address = local.client.scheduler.address
    assert address.startswith("tcp://")
    assert Where(jobs=address).map(run_tasks.square, [1, 2, 3]) == [1, 4, 9]
    assert len(local.client.scheduler_info()["workers"]) == 2  # it was not ours to close


def test_errors_arrive_as_from_here(local: Cluster) -> None:
    with pytest.raises(InputError) as caught:
        Workplace(HERE, local).map(run_tasks.fail_on_three, range(5), names=list("abcde"))
    assert (caught.value.what, caught.value.where, caught.value.todo) == ("no such head", "a.conllu:7", "mend it")
    assert caught.value.__notes__ == ["in task d"]
    with pytest.raises(SystemFailure, match="parse 4 of 5: OddError: tree is odd"):
        Workplace(HERE, local).map(run_tasks.crash_on_three, range(5), label="parse")
    assert Workplace(HERE, local).map(run_tasks.square, [3]) == [9]


def test_a_killed_worker_costs_only_its_own_task(local: Cluster, tmp_path: Path) -> None:
    """SIGKILL in the middle: all results are there, once; what a run had kept is not even sent."""
    first, second = tmp_path / "first", tmp_path / "second"  # the two calls sign in different places
    keys = [str(number) for number in range(20)]
    for folder in (first, second):
        folder.mkdir()
    with Run.open(tmp_path / "run", command="x") as run:
        Workplace(Where(cache=False), local).map(
            run_tasks.sign, [(str(first), number) for number in range(10, 20)], keys=keys[10:], run=run
        )
        assert sorted(run_tasks.signs(first)) == list(range(10, 20))
        tasks = [(str(second), number) for number in range(20)]
        found = Workplace(Where(cache=False), local).map(run_tasks.sign_but_die_once, tasks, keys=keys, run=run)
    assert found == [number * number for number in range(20)]
    assert (second / "died").exists()
    done = run_tasks.signs(second)
    assert set(done) == set(range(10))
    assert len(done) <= 20  # what lay with the dead worker, not yet fetched, is computed again


def test_a_task_that_always_kills_its_worker_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "ALLOWED_FAILURES", 0)
    with pytest.raises(SystemFailure, match="parse 1 of 1: workers were killed"):
        Where(jobs="local:1").map(run_tasks.die_on_three, [3], label="parse")


def test_nobody_answers() -> None:
    wanted = r"no Dask scheduler answers within 0\.5 s"
    with pytest.raises(SystemFailure, match=wanted), connect("tcp://127.0.0.1:1", timeout=0.5):
        pass


def test_no_workers() -> None:
    with (
        distributed.LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as empty,
        pytest.raises(SystemFailure, match=r"no workers for 0\.5 s"),
        connect(empty.scheduler_address, timeout=0.5),
    ):
        pass


def test_all_workers_go_away() -> None:
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as own,
        connect(own.scheduler_address) as cluster,
    ):
        hasty = Cluster(cluster.address, cluster.client, 0.5)
        own.scale(0)
        deadline = time.monotonic() + 60
        while cluster.client.scheduler_info()["workers"] and time.monotonic() < deadline:
            time.sleep(0.02)
        with pytest.raises(SystemFailure, match=r"no workers for 0\.5 s"):
            Workplace(HERE, hasty).map(run_tasks.square, [1])


@contextmanager
def dask_processes(folder: Path, first_on_path: str = "") -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler and a worker as a user starts them by hand; gives the address and the scheduler's process."""
    path = os.pathsep.join([first_on_path, *sys.path]).strip(os.pathsep)
    variables = {**os.environ, "PYTHONPATH": path}
    quiet: dict[str, Any] = {"env": variables, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    both = ["--scheduler-file", str(folder / "scheduler.json"), "--host", "127.0.0.1", "--no-dashboard"]
    dask = [sys.executable, "-m", "dask"]
    with ExitStack() as stack:
        scheduler = stack.enter_context(subprocess.Popen([*dask, "scheduler", "--port", "0", *both], **quiet))
        stack.callback(scheduler.kill)
        worker = [*dask, "worker", "--no-nanny", "--nthreads", "1", "--local-directory", str(folder), *both]
        stack.callback(stack.enter_context(subprocess.Popen(worker, **quiet)).kill)
        wait_for(folder / "scheduler.json")
        yield json.loads((folder / "scheduler.json").read_text())["address"], scheduler


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not (path.exists() and path.stat().st_size > 0):
        assert time.monotonic() < deadline, f"{path.name} did not come"
        time.sleep(0.02)


def test_the_scheduler_is_killed(tmp_path: Path) -> None:
    with dask_processes(tmp_path) as (address, scheduler), connect(address) as cluster:

        def kill_when_it_works() -> None:
            wait_for(tmp_path / "working")
            scheduler.kill()

        killer = threading.Thread(target=kill_when_it_works)
        killer.start()
        with pytest.raises(SystemFailure, match="connection to the scheduler was lost"):
            Workplace(HERE, cluster).map(run_tasks.report_and_hang, [str(tmp_path)])
        killer.join()


def test_a_worker_without_gardenpath(tmp_path: Path) -> None:
    (tmp_path / "gardenpath").mkdir()
    (tmp_path / "gardenpath" / "__init__.py").touch()  # hides the real one
    with (
        dask_processes(tmp_path, str(tmp_path)) as (address, _),
        pytest.raises(UsageError, match="has no gardenpath"),
        connect(address),
    ):
        pass


def test_a_worker_with_another_gardenpath() -> None:
    kind, error = cluster_module._attempt_there("0.0.0", run_tasks.square, 2)
    assert kind == "failed"
    assert "gardenpath 0.0.0" in str(error)


@pytest.mark.parametrize("address", ["local", "local:0", "tcp://host", "host:8786", "slurm:x", "sge:4", ""])
def test_unknown_addresses(address: str) -> None:
    with pytest.raises(UsageError, match=r"is not a (cluster|number of processes)"):
        Where(jobs=address).map(run_tasks.square, [1])


@pytest.mark.skipif(shutil.which("sbatch") is not None, reason="there is a Slurm here")
def test_slurm_where_there_is_none() -> None:
    with pytest.raises(UsageError, match="sbatch is not found"):
        Where(jobs="slurm:2").map(run_tasks.square, [1])


def test_without_dask_the_extra_is_named() -> None:
    code = "import sys; sys.modules['distributed'] = None\nfrom gardenpath.runs.work.where import Where\n"
    code += "try: Where(jobs='local:1').map(abs, [1])\nexcept Exception as error: print(type(error).__name__, error)"
    path = ":".join(path for path in sys.path if path)
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": path})
    assert told.stdout.startswith(MissingPackage.__name__)
    assert "gardenpath[cluster]" in told.stdout
