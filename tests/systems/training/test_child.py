"""A training runs in a process of its own: its lines come through, its faults too, and it dies with its parent."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from alive import is_alive

from gardenpath.errors import SystemFailure
from gardenpath.systems.training.child import run_child


def module(folder: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> str:
    (folder / "odd_training.py").write_text(source, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return "odd_training"


def test_lines_of_both_streams_and_what_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        "import os, sys\nprint(sys.argv[1], sys.stdin.read().strip(), flush=True)\n"
        "print(os.environ['OMP_NUM_THREADS'], file=sys.stderr)\n"
    )
    lines: list[str] = []
    run_child([module(tmp_path, monkeypatch, source), "x"], lines.append, what="it", given="größer")
    assert lines == ["x größer", "1"]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("print('error: no such option')\nraise SystemExit(1)", "it failed: no such option"),
        ("print('one')\nraise RuntimeError('odd')", "exit code 1: .*RuntimeError: odd"),
        ("import os\nos.kill(os.getpid(), 9)", "exit code -9"),
    ],
)
def test_a_failure_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, told: str) -> None:
    with pytest.raises(SystemFailure, match=told):
        run_child([module(tmp_path, monkeypatch, source)], lambda _: None, what="it")


def test_a_reader_that_raises_ends_the_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)"
    pids: list[int] = []

    def stop(line: str) -> None:
        pids.append(int(line))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_child([module(tmp_path, monkeypatch, source)], stop, what="it")
    assert not is_alive(pids[0])


def test_a_child_does_not_outlive_a_killed_parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = module(tmp_path, monkeypatch, "import os, time\nprint(os.getpid(), flush=True)\ntime.sleep(600)")
    call = f"run_child([{name!r}], lambda line: print(line, flush=True), what='it')"
    script = f"from gardenpath.systems.training.child import run_child\n{call}"
    path = os.pathsep.join([str(tmp_path), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
    deadline = time.monotonic() + 20
    while is_alive(pid) and time.monotonic() < deadline:
        os.sched_yield()
    assert not is_alive(pid)
