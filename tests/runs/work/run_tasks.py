"""Tasks that worker processes can import, and the signs they leave of having been done."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from gardenpath.errors import InputError


def square(number: int) -> int:
    return number * number


def sign(task: tuple[str, int]) -> int:
    """Squares, and leaves a line in a file: appended lines of this length are never torn."""
    folder, number = task
    with (Path(folder) / "done").open("ab", buffering=0) as stream:
        stream.write(f"{number}\n".encode())
    return number * number


def signs(folder: Path) -> list[int]:
    path = folder / "done"
    return [int(line) for line in path.read_text().split()] if path.exists() else []


def sign_but_die_once(task: tuple[str, int]) -> int:
    """The third task is killed by the system the first time it is tried."""
    folder, number = task
    if number == 3:
        try:
            (Path(folder) / "died").touch(exist_ok=False)
        except FileExistsError:
            return sign(task)
        os.kill(os.getpid(), signal.SIGKILL)
    return sign(task)


def sign_but_hang_once(task: tuple[str, int]) -> int:
    """The third task does not come to an end the first time it is tried."""
    folder, number = task
    if number == 3 and not (Path(folder) / "working").exists():
        report_and_hang(folder)
    return sign(task)


def die_on_three(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


class OddError(Exception):
    """One that does not survive pickling: it cannot be built from its own arguments."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place} is {reason}")


def fail_on_three(number: int) -> int:
    if number == 3:
        raise InputError("no such head", where="a.conllu:7", todo="mend it")
    return number


def crash_on_three(number: int) -> int:
    if number == 3:
        raise OddError("tree", "odd")
    return number


def threads(_: int) -> list[str | None]:
    return [os.environ.get(name) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")]


def report_and_hang(folder: str) -> None:
    """Says which process it is in and does not end by itself."""
    (Path(folder) / f"pid-{os.getpid()}").touch()
    (Path(folder) / "working").write_text("yes")
    while True:
        time.sleep(60)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:  # an orphan whose new parent has not fetched its exit code is dead too
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return True
