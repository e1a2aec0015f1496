"""Work on many tasks: in order, in processes, within limits, claimed by one, with progress; the same anywhere."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path

import limited_tasks as tasks
import pytest
import run_tasks

from gardenpath.errors import FailedOnInput, InputError, NoAnswer, OutOfTime, SystemFailure, UsageError
from gardenpath.runs import Run
from gardenpath.runs.record.cache import ResultCache
from gardenpath.runs.work import processes as limited
from gardenpath.runs.work import progress_bars as module
from gardenpath.runs.work.claims import ClaimBoard
from gardenpath.runs.work.processes import _cgroup_limits, available_cores, within, worker_count
from gardenpath.runs.work.progress_bars import progress, silence
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
    with pytest.raises(UsageError), Where(jobs="local:x").opened():
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


LONG = 60.0
"""Far more than any of these calls takes, so that a slow machine is no failure."""


@pytest.fixture(scope="module", autouse=True)
def own_worker() -> Iterator[None]:
    """One worker for this module, which ends with it."""
    before = list(limited._KEPT)
    limited._KEPT.clear()
    yield
    for worker in limited._KEPT:
        worker.end()
    limited._KEPT[:] = before


def test_the_worker_is_another_process_and_is_used_again() -> None:
    first = within(LONG, None, tasks.prepare, tasks.process, "a")
    assert first != tasks.process("a")
    assert within(LONG, None, tasks.prepare, tasks.process, "b") == first


def test_what_takes_too_long_is_no_answer_and_the_next_call_has_a_new_worker() -> None:
    before = within(LONG, None, tasks.prepare, tasks.process, "a")
    with pytest.raises(NoAnswer, match=r"no answer within 0\.2 s"):
        within(0.2, None, tasks.prepare, tasks.hang, "a")
    assert within(LONG, None, tasks.prepare, tasks.process, "a") != before


def test_a_worker_that_is_killed_is_a_failure_on_this_input_alone() -> None:
    with pytest.raises(FailedOnInput, match="was killed") as caught:
        within(LONG, None, tasks.prepare, tasks.die, "a")
    assert not isinstance(caught.value, NoAnswer)
    assert within(LONG, None, tasks.prepare, tasks.prepared, "b") == ["b"]  # in a process that was made anew


def test_errors_come_back_as_they_were_raised() -> None:
    before = within(LONG, None, tasks.prepare, tasks.process, "a")
    with pytest.raises(InputError) as caught:
        within(LONG, None, tasks.prepare, tasks.fail, "a.conllu:7")
    assert (caught.value.what, caught.value.where, caught.value.todo) == ("no such head", "a.conllu:7", "mend it")
    with pytest.raises(FailedOnInput, match="ValueError: a"):
        within(LONG, None, tasks.prepare, tasks.crash, "a")
    with pytest.raises(InputError, match="no such head"):
        within(LONG, None, tasks.fail, tasks.process, "a")
    assert within(LONG, None, tasks.prepare, tasks.process, "a") == before


def test_preparation_goes_before_the_call_and_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that takes long to load is no failure of the first sentence."""
    assert within(LONG, None, tasks.prepare, tasks.prepared, "ready")[-1] == "ready"
    calls = []

    class Recorder:
        gigabytes = None

        def call(self, function: object, task: str, seconds: float) -> str:
            calls.append((function, task, seconds))
            return "answer"

    monkeypatch.setattr(limited, "_KEPT", [Recorder()])
    assert within(0.1, None, tasks.prepare, tasks.process, "a") == "answer"
    assert calls == [(tasks.prepare, "a", limited.LOADING), (tasks.process, "a", 0.1)]


def test_at_a_place_of_work_the_others_go_on() -> None:
    with Where(time_limit=1, cache=False, progress=False).opened() as place:
        answers = place.map(tasks.hang_on_b, list("abc"), prepare=tasks.prepare, tolerated=FailedOnInput)
    assert [answers[0], answers[2]] == ["A", "C"]
    assert isinstance(answers[1], NoAnswer)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory can be limited on Linux alone")
def test_a_call_has_so_much_memory_and_no_more_and_so_has_what_it_starts() -> None:
    for needy in (tasks.megabytes, tasks.megabytes_of_a_child):
        assert within(LONG, 1, tasks.prepare, needy, 100) == 100
        with pytest.raises(FailedOnInput, match=r"(?i)memory"):
            within(LONG, 1, tasks.prepare, needy, 2000)
    assert within(LONG, None, tasks.prepare, tasks.megabytes, 2000) == 2000  # in another process, without a limit


@pytest.mark.parametrize(("limits", "message"), [({"time_limit": 0}, "time limit"), ({"memory_limit": -1}, "memory")])
def test_a_limit_is_more_than_nothing(limits: dict[str, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Where(**limits)  # type: ignore[arg-type]


_HOLDS = """
import sys
from gardenpath.runs.work.claims import ClaimBoard
with ClaimBoard(sys.argv[1]).alive() as board:
    print(board.claim(3), flush=True)
    sys.stdin.read()
"""


def test_of_many_exactly_one_gets_each_piece(tmp_path: Path) -> None:
    with ExitStack() as stack, ThreadPoolExecutor(8) as threads:
        boards = [stack.enter_context(ClaimBoard(tmp_path).alive()) for _ in range(8)]
        claimed = list(threads.map(lambda board: [piece for piece in range(40) if board.claim(piece)], boards))
    assert sorted(piece for pieces in claimed for piece in pieces) == list(range(40))


def test_a_piece_of_a_killed_process_is_taken_over_and_of_a_living_one_is_not(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDS, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "True\n"
    with ClaimBoard(tmp_path).alive() as board:
        assert not board.claim(3)
        assert f".{holder.pid}." in board.holder(3)
        os.kill(holder.pid, signal.SIGKILL)
        assert holder.wait() == -signal.SIGKILL
        holder.stdout.close()
        assert board.holder(3) == ""
        assert board.claim(3)
        assert not board.claim(3)
    assert sorted(path.name for path in (tmp_path / "claims").iterdir()) == ["3.0", "3.1"]


@pytest.mark.parametrize(("age", "lives"), [(10, True), (1000, False)])
def test_a_process_of_another_machine_lives_as_long_as_it_shows_it(tmp_path: Path, age: int, lives: bool) -> None:
    """By the clock of the file system: this machine's own may be wrong."""
    with ClaimBoard(tmp_path).alive() as board:
        token = "elsewhere.1.abc"
        (tmp_path / "claims" / "5.0").write_text(token, encoding="ascii")
        sign = tmp_path / "alive" / token
        sign.write_text("{}", encoding="ascii")
        now = sign.stat().st_mtime
        os.utime(sign, (now - age, now - age))
        assert board.claim(5) is not lives


def test_without_links_a_claim_is_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    with ClaimBoard(tmp_path).alive() as first, ClaimBoard(tmp_path).alive() as second:
        assert first.claim(0)
        assert not second.claim(0)
        (tmp_path / "claims" / "1.0").touch()  # made and not yet written
        assert not second.claim(1)
        os.utime(tmp_path / "claims" / "1.0", (1, 1))  # whoever made it never wrote it
        assert second.claim(1)


def test_done_is_done_and_a_failure_may_be_tried_again(tmp_path: Path) -> None:
    with ClaimBoard(tmp_path).alive() as board:
        assert board.claim(0)
        board.finish(0, {"seconds": 1})
        assert board.claim(1)
        board.fail(1, "no memory")
        assert not board.claim(0)
        assert not board.claim(1)  # not by the same process
    again = ClaimBoard(tmp_path)
    assert (again.records()[0]["seconds"], again.failures()) == (1, {1: "no memory"})
    with again.alive():
        assert not again.claim(0)
        assert again.claim(1)
        again.finish(1, {})
    assert again.failures() == {}
    assert list((tmp_path / "alive").iterdir()) == []


@pytest.fixture(autouse=True)
def nothing_wished(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GARDENPATH_PROGRESS", raising=False)
    monkeypatch.setattr(module._Shown, "last_line", float("-inf"))


def test_quick_work_writes_no_line_into_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    with progress(3, "parse") as bar:
        bar.advance()
        bar.advance(2)
    assert bar.done == 3
    assert capsys.readouterr() == ("", "")


def test_long_work_writes_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock that is five seconds on at every look: lines after 20 and 80 seconds, whichever progress is asked."""
    clock = count(0, 5)
    monkeypatch.setattr("gardenpath.runs.work.progress_bars.time.monotonic", lambda: float(next(clock)))
    with progress(1200, "scoring", unit="sentences") as outer:
        for _ in range(12):
            outer.advance(100)
        with progress(4, "reading") as inner:
            for _ in range(4):
                inner.advance()
    assert capsys.readouterr().err == (
        "scoring: 400 of 1,200 sentences after 20 s\n"
        # The outer one is at 60 s when it ends; the inner begins at 65 s, and may speak 20 s later at the earliest.
        "reading: 4 of 4 after 20 s\n"
    )


def test_plain_lines_for_a_log(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_PROGRESS", "plain")
    with suppress(KeyError), progress(3, "parse") as bar:
        bar.advance()
        raise KeyError
    assert capsys.readouterr() == ("", "parse: 3 to do\nparse: 1 of 3 done\n")


def test_what_is_not_enabled_silences_all_within_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GARDENPATH_PROGRESS", "plain")
    with progress(1, "outer", enabled=False), progress(1, "inner", enabled=True):
        pass
    with silence(), progress(1, "inner"):
        pass
    assert capsys.readouterr().err == ""
    with progress(1, "afterwards"):
        pass
    assert capsys.readouterr().err.startswith("afterwards: 1 to do\n")


def inner_work(number: int) -> int:
    with progress(5, "inner", enabled=True):
        return number


def test_worker_processes_are_silent(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_PROGRESS", "plain")
    with Where(jobs=2, cache=False).opened() as place:
        assert place.map(inner_work, [1, 2], label="work", sizes=[30, 12], unit="sentences") == [1, 2]
    assert capfd.readouterr().err == "work: 42 to do\nwork: 42 of 42 done\n"


WORK = """
from gardenpath.runs.work.progress_bars import _Shown, progress
with progress(2, 'parse [x]', unit='sentences') as bar:
    with progress(7, 'epoch 1') as inner:
        inner.advance(3)
        if _Shown.bars: _Shown.bars.refresh()  # which it does by itself ten times a second
    bar.advance(2)
print('data')
"""


@pytest.mark.parametrize(("setting", "shown"), [({}, True), ({"GARDENPATH_PROGRESS": "none"}, False),
                                                ({"TERM": "dumb"}, False)])  # fmt: skip
def test_bars_on_a_terminal(setting: dict[str, str], shown: bool) -> None:
    """A real terminal: standard error of the child is a pseudo-terminal."""
    path = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": path, "TERM": "xterm", "COLUMNS": "100", **setting}
    reader, writer = pty.openpty()
    ended = subprocess.run(
        [sys.executable, "-c", WORK], stdout=subprocess.PIPE, stderr=writer, env=environment, check=True
    )
    os.write(writer, b"$")  # so that there is something to read in any case
    seen = os.read(reader, 100_000).decode()
    os.close(writer)
    os.close(reader)
    assert ended.stdout == b"data\n"
    assert all(text in seen for text in ("parse [x]", "2/2", "sentences", "epoch 1", "3/7")) == shown
    assert shown or seen == "$"


def test_threads_that_are_silenced_leave_nothing_silent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first to enter leaves first: what it restores must not be what the second one saw."""
    monkeypatch.setenv("GARDENPATH_PROGRESS", "plain")
    first, second = silence(), silence()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    with progress(1, "within"):
        pass
    second.__exit__(None, None, None)
    with progress(1, "afterwards"):
        pass
    assert capsys.readouterr().err == "afterwards: 1 to do\nafterwards: 0 of 1 done\n"
