"""Files appear whole or not at all."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gardenpath.errors import InputError, UsageError
from gardenpath.runs.atomic import atomic_writer, workplace, write_bytes, write_text


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
from gardenpath.runs.atomic import atomic_writer, workplace
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
