"""Folders that are replaced, or needed for a while: whatever moment a process is killed at, nothing is lost or left."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import UsageError
from gardenpath.runs import replacing
from gardenpath.runs.atomic import workplace, write_bytes
from gardenpath.runs.replacing import recover_folder, replace_folder
from gardenpath.runs.scratch import scratch_folder


class Killed(BaseException):
    """Stands for the end of the process: nothing after it is done."""


def filled(folder: Path, text: str) -> Path:
    folder.mkdir()
    for name in ("a", "b"):
        (folder / name).write_text(text)
    return folder


def content(folder: Path) -> set[str]:
    return {file.read_text() for file in folder.iterdir()}


@pytest.mark.parametrize("at_once", [True, False])
def test_a_folder_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: bool) -> None:
    if not at_once:
        monkeypatch.setattr(replacing, "_exchanged", lambda first, second: False)
    target = tmp_path / "m"
    for text in ("first", "second"):
        replace_folder(filled(tmp_path / "made", text), target)
        assert content(target) == {text}
        assert [path.name for path in tmp_path.iterdir()] == ["m"]


@pytest.mark.parametrize("moment", range(4))
def test_killed_at_any_moment_the_old_or_the_new_one_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """Without the exchange in one step, of which no half can be seen: before each change of the disk."""
    target, made = filled(tmp_path / "m", "old"), filled(tmp_path / "made", "new")
    left = moment

    def deadly(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise Killed
            return function(*arguments, **options)

        return call

    with monkeypatch.context() as patched:
        patched.setattr(replacing, "_exchanged", lambda first, second: False)
        patched.setattr(Path, "rename", deadly(Path.rename))
        patched.setattr(replacing.shutil, "rmtree", deadly(replacing.shutil.rmtree))
        try:
            replace_folder(made, target)
        except Killed:
            assert moment < 3
        else:
            assert moment == 3
    recover_folder(target)
    assert content(target) in ({"old"}, {"new"})
    recover_folder(target)
    assert not list(tmp_path.glob(".*"))


def test_a_new_folder_that_cannot_take_the_place_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = filled(tmp_path / "m", "old")
    monkeypatch.setattr(replacing, "_exchanged", lambda first, second: False)
    with pytest.raises(FileNotFoundError):
        replace_folder(tmp_path / "nowhere", target)
    assert content(target) == {"old"}


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.skipif(sys.platform == "win32", reason="there are no locks on open folders")
def test_what_killed_processes_left_is_gone_after_the_next(temporary: Path) -> None:
    code = (
        "import sys, tempfile; tempfile.tempdir = sys.argv[1]\n"
        "from gardenpath.runs.scratch import scratch_folder\n"
        "with scratch_folder() as a, scratch_folder() as b:\n"
        "    (a / 'x').write_text('1'); print(a, flush=True); sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(temporary)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        held = Path(process.stdout.readline().strip())
        with scratch_folder() as own:
            assert own != held
            assert (held / "x").exists()  # it is in use
            assert own.stat().st_mode & 0o777 == 0o700
        process.send_signal(signal.SIGKILL)
    assert len(list(temporary.iterdir())) == 2
    with scratch_folder() as own:
        assert list(temporary.iterdir()) == [own]
    assert list(temporary.iterdir()) == []


@pytest.mark.skipif(sys.platform != "linux", reason="a wish that only Linux grants")
def test_linux_ends_a_child_with_its_parent() -> None:
    child = "from gardenpath.runs.processes import die_with_parent as d; d(); import os, time; "
    child += "print(os.getpid(), flush=True); time.sleep(600)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
    deadline = time.monotonic() + 20
    while Path(f"/proc/{pid}").exists() and "State:\tZ" not in _status(pid) and time.monotonic() < deadline:
        os.sched_yield()
    assert not Path(f"/proc/{pid}").exists() or "State:\tZ" in _status(pid)


def _status(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""


def test_a_full_disk_is_told_with_path_and_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr("gardenpath.runs.atomic.os.fsync", full)
    with pytest.raises(UsageError, match=r"cannot write: No space left on device \([\d,]+ KB are free .*\n  make room"):
        write_bytes(tmp_path / "a", b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_a_stream_that_does_not_say_where_it_was_full(tmp_path: Path) -> None:
    """As of a model that is written piece by piece."""
    with pytest.raises(UsageError, match=r"model\.npz: cannot write: No space left"), workplace(tmp_path / "model.npz"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert list(tmp_path.iterdir()) == []
