"""Calls with a time limit, in a process of their own."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import limited_tasks as tasks
import pytest

from gardenpath.errors import FailedOnInput, InputError, NoAnswer, UsageError
from gardenpath.runs.work import processes as limited
from gardenpath.runs.work.processes import within
from gardenpath.runs.work.where import Where

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
