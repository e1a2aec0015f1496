"""Progress for whoever watches: bars on a terminal, lines now and then in a log, and silence where it is wished."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from contextlib import suppress
from itertools import count

import pytest

from gardenpath.runs.work import progress_bars as module
from gardenpath.runs.work.progress_bars import progress, silence
from gardenpath.runs.work.where import Where


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
