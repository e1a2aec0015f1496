"""Tasks for a process with a time limit; they leave word of where and how often they ran."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

from gardenpath.errors import InputError

PREPARED: list[str] = []
"""What was prepared in this process, in order."""


def prepare(task: str) -> None:
    PREPARED.append(task)


def prepared(task: str) -> list[str]:
    return list(PREPARED)


def process(task: str) -> int:
    return os.getpid()


def hang(task: str) -> None:
    """Waits for what never comes."""
    threading.Event().wait()


def hang_on_b(task: str) -> str:
    if task == "b":
        hang(task)
    return task.upper()


def die(task: str) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(task: str) -> None:
    raise InputError("no such head", where=task, todo="mend it")


def crash(task: str) -> None:
    raise ValueError(task)


def megabytes(size: int) -> int:
    """Asks for so much memory."""
    return len(bytearray(size * 10**6)) // 10**6


def megabytes_of_a_child(size: int) -> int:
    """Lets a program ask for it."""
    program = f"import sys; sys.exit(not bytearray({size} * 10**6))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if ended.returncode:
        raise RuntimeError(ended.stderr.splitlines()[-1])
    return size
