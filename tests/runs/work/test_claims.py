"""Claims on pieces of work: exactly one has a piece, and what the dead had is taken over."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from gardenpath.runs.work.claims import ClaimBoard

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
