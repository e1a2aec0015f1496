"""Work on many tasks: in order, in processes, within limits, and the same result wherever it is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import run_tasks

from gardenpath.errors import InputError, OutOfTime, SystemFailure, UsageError
from gardenpath.runs import Run
from gardenpath.runs.record.cache import ResultCache
from gardenpath.runs.work.processes import _cgroup_limits, available_cores, worker_count
from gardenpath.runs.work.where import HERE, Where

PLACES = pytest.mark.parametrize("jobs", [1, 2])


@PLACES
def test_results_come_in_order(jobs: int) -> None:
    assert Where(jobs=jobs).map(run_tasks.square, range(20)) == [number * number for number in range(20)]
    assert Where(jobs=jobs).map(run_tasks.square, []) == []


@PLACES
def test_our_errors_arrive_intact(jobs: int) -> None:
    with pytest.raises(InputError) as caught:
        Where(jobs=jobs).map(run_tasks.fail_on_three, range(5), names=list("abcde"))
    assert (caught.value.what, caught.value.where, caught.value.todo) == ("no such head", "a.conllu:7", "mend it")
    assert caught.value.__notes__ == ["in task d"]


@PLACES
def test_other_errors_name_the_task(jobs: int) -> None:
    with pytest.raises(SystemFailure, match="parse 4 of 5: OddError: tree is odd") as caught:
        Where(jobs=jobs).map(run_tasks.crash_on_three, range(5), label="parse")
    assert "crash_on_three" in caught.value.__notes__[0]


@PLACES
def test_a_task_that_cannot_be_sent(jobs: int) -> None:
    with Path(os.devnull).open() as stream, pytest.raises(SystemFailure, match="task 3 of 3: TypeError"):
        Where(jobs=jobs).map(run_tasks.square, [1, 2, stream])


@PLACES
def test_after_the_last_moment_no_task_is_waited_for(jobs: int, tmp_path: Path) -> None:
    """What was done by then is kept, and is not done again."""
    cache, keys = ResultCache(tmp_path), [str(number) for number in range(3)]
    with pytest.raises(OutOfTime, match="the time is over"):
        Where(jobs=jobs, cache=cache, until=time.monotonic() - 1).map(run_tasks.square, range(3), keys=keys)
    done = Where(jobs=jobs, cache=cache, until=time.monotonic() + 600).map(run_tasks.square, range(3), keys=keys)
    assert done == [0, 1, 4]
    late = time.monotonic() - 1  # all is there already: there is nothing to wait for
    with pytest.raises(OutOfTime):
        Where(jobs=jobs, cache=cache, until=late).map(run_tasks.square, range(4), keys=[*keys, "3"])


def test_only_functions_of_a_module_go_to_processes() -> None:
    assert HERE.map(lambda number: number + 1, [1]) == [2]
    with pytest.raises(UsageError, match="lambda"):
        Where(jobs=2).map(lambda number: number + 1, [1])


def test_workers_have_one_thread_each_and_the_parent_keeps_its_own() -> None:
    before = dict(os.environ)
    assert Where(jobs=2).map(run_tasks.threads, [1, 2]) == [["1"] * 3] * 2
    assert dict(os.environ) == before


def test_the_tasks_of_a_killed_worker_are_done_again(tmp_path: Path) -> None:
    tasks = [(str(tmp_path), number) for number in range(10)]
    assert Where(jobs=2).map(run_tasks.sign_but_die_once, tasks) == [number * number for number in range(10)]
    assert (tmp_path / "died").exists()
    assert set(run_tasks.signs(tmp_path)) == set(range(10))
    # At most the few tasks that were in the air with it are done twice.
    assert len(run_tasks.signs(tmp_path)) <= 12


def test_a_task_that_always_kills_its_worker_is_named() -> None:
    with pytest.raises(SystemFailure, match=r"killed 3 times during .*parse 4 of 6") as caught:
        Where(jobs=2).map(run_tasks.die_on_three, range(6), label="parse")
    assert "--jobs" in caught.value.todo


@PLACES
def test_a_run_keeps_what_is_finished(tmp_path: Path, jobs: int) -> None:
    tasks = [(str(tmp_path), number) for number in range(6)]
    keys = [f"item {number}" for number in range(6)]
    with Run.open(tmp_path / "run", command="x") as run:
        assert Where(jobs=jobs, cache=False).map(run_tasks.sign, tasks[:4], keys=keys[:4], run=run) == [0, 1, 4, 9]
    with Run.open(tmp_path / "run", command="x") as run:
        assert Where(jobs=jobs, cache=False).map(run_tasks.sign, tasks, keys=keys, run=run) == [0, 1, 4, 9, 16, 25]
    assert sorted(run_tasks.signs(tmp_path)) == list(range(6))


def test_a_failure_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path)
    keys = [str(number) for number in range(5)]
    with pytest.raises(InputError):
        Where(cache=cache).map(run_tasks.fail_on_three, range(5), keys=keys)
    assert Where(cache=cache).map(str, [0, 1, 2], keys=keys[:3]) == [0, 1, 2]  # kept: `str` would give texts


@PLACES
def test_a_cache_holds_json_and_bytes_and_equal_keys_are_one_task(tmp_path: Path, jobs: int) -> None:
    cache = ResultCache(tmp_path)
    kinds: list[object] = [b"\x00\xff", None, (1, 2.5), {"a": "ü"}]
    wanted = [b"\x00\xff", None, [1, 2.5], {"a": "ü"}]  # as JSON has it, on the first time too
    for _ in range(2):
        assert Where(jobs=jobs, cache=cache).map(run_tasks_identity, kinds, keys=list("abcd")) == wanted
    tasks = [(str(tmp_path), number) for number in (2, 3, 2)]
    assert Where(jobs=jobs, cache=cache).map(run_tasks.sign, tasks, keys=["x", "y", "x"]) == [4, 9, 4]
    assert sorted(run_tasks.signs(tmp_path)) == [2, 3]


def run_tasks_identity(value: object) -> object:
    return value


def test_keys_and_names_must_fit(tmp_path: Path) -> None:
    with Run.open(tmp_path / "run", command="x") as run, pytest.raises(UsageError, match="key"):
        HERE.map(run_tasks.square, [1], run=run)
    with pytest.raises(UsageError, match="1 keys for 2 tasks"):
        Where(cache=ResultCache(tmp_path)).map(run_tasks.square, [1, 2], keys=["a"])


def test_progress_counts_what_was_kept_too(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                           monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setenv("GARDENPATH_PROGRESS", "plain")
    for _ in range(2):
        Where(cache=ResultCache(tmp_path)).map(run_tasks.square, [1, 2], keys=["1", "2"], label="squares")
        assert capsys.readouterr().err == "squares: 2 to do\nsquares: 2 of 2 done\n"


def test_the_number_of_processes(tmp_path: Path) -> None:
    assert (worker_count(3), worker_count("2")) == (3, 2)
    assert worker_count(0) == worker_count("all") == available_cores() >= 1
    for wrong in (-1, "many", "1.5"):
        with pytest.raises(UsageError, match="number of processes"):
            worker_count(wrong)
    (tmp_path / "own").write_text("0::/a/b\n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "cpu.max").write_text("max 100000\n")
    (tmp_path / "a" / "cpu.max").write_text("300000 100000\n")
    (tmp_path / "a" / "b" / "cpu.max").write_text("50000 100000\n")
    assert _cgroup_limits(tmp_path, tmp_path / "own") == [3, 1]


STEPS = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import run_tasks
from gardenpath.runs import Run
from gardenpath.runs.result.result import Finding, Result
from gardenpath.runs.work.where import Where

def work(folder):
    tasks, keys = [(str(folder), number) for number in range(8)], [str(number) for number in range(8)]
    with Run.open(folder / "run", command="steps") as run:
        squares = Where(jobs=2, cache=False).map(run_tasks.sign_but_hang_once, tasks, keys=keys, run=run)
        run.finish(Result("steps", [Finding("steps", "", "", "square", square) for square in squares]))

if __name__ == "__main__":
    work(Path(sys.argv[1]))
"""


def test_a_run_in_processes_killed_in_the_middle_goes_on(tmp_path: Path) -> None:
    (tmp_path / "steps.py").write_text(STEPS)
    disturbed, undisturbed = tmp_path / "a", tmp_path / "b"
    for folder in (disturbed, undisturbed):
        folder.mkdir()
    (undisturbed / "working").touch()  # nothing hangs there
    calls = [
        [sys.executable, str(tmp_path / "steps.py"), str(folder), str(Path(__file__).parent)]
        for folder in (disturbed, undisturbed)
    ]
    with subprocess.Popen(calls[0], env=environment()) as parent:
        wait_for(lambda: len(list((disturbed / "run" / "parts").glob("[0-9a-f]*"))) == 7)
        parent.kill()
    assert sorted(run_tasks.signs(disturbed)) == [0, 1, 2, 4, 5, 6, 7]
    for call in calls:
        subprocess.run(call, env=environment(), check=True)
    results = [(folder / "run" / "result.json").read_bytes() for folder in (disturbed, undisturbed)]
    assert results[0] == results[1]
    assert sorted(run_tasks.signs(disturbed)) == list(range(8))  # none was done twice


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_worker_outlives_its_parent(tmp_path: Path, blow: signal.Signals) -> None:
    """Ctrl-C, a polite end and kill -9: the tasks would never end by themselves."""
    code = "import sys; sys.path.insert(0, sys.argv[2]); import run_tasks\n"
    code += "from gardenpath.runs.work.where import Where\n"
    code += "if __name__ == '__main__': Where(2).map(run_tasks.report_and_hang, [sys.argv[1]] * 2)"
    (tmp_path / "script.py").write_text(code)
    call = [sys.executable, str(tmp_path / "script.py"), str(tmp_path), str(Path(__file__).parent)]
    with subprocess.Popen(call, env=environment(), stderr=subprocess.PIPE) as parent:
        workers = wait_for(lambda: parent.poll() or (len(found := list(tmp_path.glob("pid-*"))) == 2 and found))
        assert parent.returncode is None, parent.communicate()
        parent.send_signal(blow)
        parent.wait(timeout=20)
    pids = [int(path.name.removeprefix("pid-")) for path in workers]
    assert wait_for(lambda: not any(map(run_tasks.is_alive, pids)))
    assert parent.returncode != 0


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


def wait_for(condition, seconds: float = 60):  # type: ignore[no-untyped-def]
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > deadline:
            pytest.fail("did not happen in time")
        time.sleep(0.02)
    return value


def test_what_comes_then_is_done_here_as_results_come(tmp_path: Path) -> None:
    """With results that were kept, with fresh ones, and with equal tasks."""
    cache = ResultCache(tmp_path)
    expected = [(number, number * number) for number in range(4)]
    for jobs in (1, 2):
        found = Where(jobs=jobs, cache=cache).map(
            run_tasks.square, range(4), keys=["a", "b", "c", "d"], then=lambda n, r: (n, r)
        )
        assert found == expected
    assert HERE.map(run_tasks.square, range(4), then=lambda n, r: (n, r)) == expected


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({"time_limit": 0}, "0 is not a time limit"),
        ({"time_limit": -1.5}, "-1.5 is not a time limit"),
        ({"time_limit": float("nan")}, "nan is not a time limit"),
        ({"jobs": -1}, "-1"),
        ({"jobs": "many"}, "many"),
    ],
)
def test_bounds_that_are_none_are_refused_when_they_are_given(bounds: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Where(**bounds)  # type: ignore[arg-type]


def test_an_address_that_is_none_is_refused_when_it_is_opened() -> None:
    with pytest.raises(UsageError), Where(cluster="local:x").opened():
        pass


def test_a_place_that_is_open_opens_as_itself() -> None:
    with HERE.opened() as place, place.opened() as again:
        assert again is place
        assert again.where is HERE


def test_processes_serve_one_call_after_the_other() -> None:
    with Where(jobs=2, progress=False).opened() as place:
        assert place.map(run_tasks.square, range(5)) == [0, 1, 4, 9, 16]
        first = place.pool
        assert place.map(run_tasks.square, range(5)) == [0, 1, 4, 9, 16]
        assert place.pool is first
        assert place.map(lambda number: -number, [1, 2], here=True) == [-1, -2]  # what no other process could import


@pytest.mark.parametrize("cached", [True, False])
def test_answers_are_kept_where_they_may_be(tmp_path: Path, cached: bool) -> None:
    work = tmp_path / "work"
    work.mkdir()
    tasks = [(str(work), number) for number in (1, 2)]
    for _ in range(2):
        with Where(cache=ResultCache(tmp_path / "cache"), progress=False).opened() as place:
            assert place.map(run_tasks.sign, tasks, keys=["one", "two"], cached=cached) == [1, 4]
    assert run_tasks.signs(work) == ([1, 2] if cached else [1, 2, 1, 2])


def test_without_a_cache_all_is_asked_anew(tmp_path: Path) -> None:
    for _ in range(2):
        with Where(cache=False, progress=False).opened() as place:
            assert place.cache is None
            assert place.map(run_tasks.sign, [(str(tmp_path), 3)], keys=["three"]) == [9]
    assert run_tasks.signs(tmp_path) == [3, 3]
