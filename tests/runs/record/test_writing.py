"""Files and folders appear whole or not at all, whatever moment a process is killed at."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.runs.record import writing as replacing
from gardenpath.runs.record.writing import (
    atomic_writer,
    recover_folder,
    replace_folder,
    scratch_folder,
    workplace,
    write_bytes,
    write_text,
)


def test_a_file_appears_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "out.txt"
    with atomic_writer(path) as stream:
        stream.write(b"half")
        assert not path.exists()
        stream.write(b" and half")
    assert path.read_bytes() == b"half and half"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError("x"), KeyboardInterrupt(), InputError("x"), MemoryError()])
def test_a_failure_leaves_what_was_there(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "out.txt"
    write_text(path, "old")

    def work() -> None:
        with atomic_writer(path) as stream:
            stream.write(b"new")
            raise error

    with pytest.raises(type(error)):
        work()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_text_is_written_in_utf_8_with_its_own_line_ends(tmp_path: Path) -> None:
    write_text(tmp_path / "a", "ü\r\n長\n")
    assert (tmp_path / "a").read_bytes() == "ü\r\n長\n".encode()


def test_permissions_are_those_of_an_ordinary_file_or_of_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "ordinary").write_text("x")
    write_bytes(tmp_path / "new", b"x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "ordinary").stat().st_mode
    (tmp_path / "new").chmod(0o640)
    write_bytes(tmp_path / "new", b"y")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "dangling").symlink_to("made")
    write_text(tmp_path / "link", "new")
    write_text(tmp_path / "dangling", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == (tmp_path / "made").read_text() == "new"


def test_the_longest_name_that_a_file_can_have(tmp_path: Path) -> None:
    write_text(tmp_path / ("x" * 255), "fits")
    assert (tmp_path / ("x" * 255)).read_text() == "fits"


def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_bytes(tmp_path / "pipe", b"through")
    reader.join()
    assert read == [b"through"]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_the_standard_output_of_a_process_can_be_named() -> None:
    out, into = os.pipe()
    with os.fdopen(out, "rb") as reader:
        write_bytes(f"/dev/fd/{into}", b"through")
        os.close(into)
        assert reader.read() == b"through"


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "round").symlink_to("round")
    for place, what in (
        (tmp_path, "this is a folder"),
        (tmp_path / "file" / "below", "cannot write: "),
        (tmp_path / ("x" * 300), "cannot write: File name too long"),
        (tmp_path / "round" / "below", "cannot write: "),
        (Path("/dev/full"), "cannot write: No space left"),
    ):
        with pytest.raises(UsageError, match=what) as caught:
            write_bytes(place, b"x" * 100_000)
        assert caught.value.where == str(place)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["file", "round"]


def test_an_error_with_another_file_is_not_taken_for_ours(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_writer(tmp_path / "out") as stream:
        stream.write((tmp_path / "missing").read_bytes())
    assert list(tmp_path.iterdir()) == []


KILLED = """
import os, signal, sys
from pathlib import Path
from gardenpath.runs.record.writing import atomic_writer, workplace
target = Path(sys.argv[1])
if sys.argv[2] == "folder":
    with workplace(target, folder=True) as place:
        (place / "half").write_text("half")
        os.kill(os.getpid(), signal.SIGKILL)
with atomic_writer(target) as stream:
    with atomic_writer(target) as second:
        stream.write(b"half")
        os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(target: Path, kind: str) -> None:
    """A process that is killed while it writes to this target."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    ended = subprocess.run([sys.executable, "-c", KILLED, str(target), kind], env=environment, check=False)
    assert ended.returncode == -signal.SIGKILL


@pytest.mark.parametrize("kind", ["files", "folder"])
def test_what_a_killed_process_left_goes_with_the_next_write(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "out"
    killed(target, kind)
    killed(tmp_path / "other", kind)
    left = len(list(tmp_path.iterdir()))
    assert left == (4 if kind == "files" else 2)
    write_text(target, "whole")
    assert target.read_text() == "whole"
    assert len(list(tmp_path.iterdir())) == left // 2 + 1  # what belongs to the other target stays
    write_text(tmp_path / "other", "whole")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other", "out"]


def test_writers_that_live_do_not_disturb_each_other(tmp_path: Path) -> None:
    target = tmp_path / "out"
    with atomic_writer(target) as first:
        first.write(b"first")
        with atomic_writer(target) as second:
            second.write(b"second")
            assert len(list(tmp_path.iterdir())) == 2
        assert target.read_bytes() == b"second"
        write_text(target, "third")
        assert target.read_bytes() == b"third"
    assert target.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [target]


def test_many_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    target = tmp_path / "out"
    texts = [str(number) * 1000 for number in range(8)]

    def write(text: str) -> None:
        for _ in range(25):
            write_text(target, text)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert target.read_text() in texts
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_in_the_place_of_a_leftover_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("mine")
    with workplace(tmp_path / "out") as place:
        name = place.name
    (tmp_path / name).symlink_to("precious")
    write_text(tmp_path / "out", "new")
    assert (tmp_path / "precious").read_text() == "mine"
    assert (tmp_path / "out").read_text() == "new"
    assert not (tmp_path / "out").is_symlink()


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
        "from gardenpath.runs.record.writing import scratch_folder\n"
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
    child = "from gardenpath.runs.work.processes import die_with_parent as d; d(); import os, time; "
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
    monkeypatch.setattr("gardenpath.runs.record.writing.os.fsync", full)
    with pytest.raises(UsageError, match=r"cannot write: No space left on device \([\d,]+ KB are free .*\n  make room"):
        write_bytes(tmp_path / "a", b"new")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"old"]


def test_a_stream_that_does_not_say_where_it_was_full(tmp_path: Path) -> None:
    """As of a model that is written piece by piece."""
    with pytest.raises(UsageError, match=r"model\.npz: cannot write: No space left"), workplace(tmp_path / "model.npz"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert list(tmp_path.iterdir()) == []
