"""Tasks for a process with a time limit; they leave word of where and how often they ran."""

from __future__ import annotations

import os
import signal
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
