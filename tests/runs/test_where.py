"""Where work is done: bounds that are none, one opening for many calls, the cache, and never another result."""

from __future__ import annotations

from pathlib import Path

import pytest
import run_tasks

from gardenpath.errors import UsageError
from gardenpath.runs.cache import ResultCache
from gardenpath.runs.where import HERE, Where


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
        first = place.pool.pool
        assert place.map(run_tasks.square, range(5)) == [0, 1, 4, 9, 16]
        assert place.pool.pool is first
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
