"""A foreign program: given its input, bounded in time and output, and ended with all that it started."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from . import end_marked

_GROUPS = hasattr(os, "killpg")
"""Whether processes have groups; Windows has trees of processes instead."""
_BLOCK = 1 << 16
_TAIL = 16
"""Blocks of standard error that are kept: its end says why a program failed."""


class OutputTooLargeError(Exception):
    """A program printed more than it may."""


@dataclass(frozen=True, slots=True)
class EndedProgram:
    """What a program left: its exit code (below 0 for a signal), its output, and the end of its standard error."""

    code: int
    output: bytes
    errors: bytes


def run_program(words: Sequence[str], content: bytes, *, seconds: float, most: int) -> EndedProgram:
    """Runs it without a shell. TimeoutError and OutputTooLargeError say which bound it broke; then nothing of it is
    left, also no child that holds its output open from a session of its own."""
    end = time.monotonic() + seconds
    mark = secrets.token_hex(16)
    with _watched_group(mark) as group:
        where: dict[str, Any] = {"process_group": group} if _GROUPS else {}
        program = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, end_marked.MARK: mark},
            **where,
        )
        try:
            output, errors = _Output(program.stdout, most), _Output(program.stderr, None)
            threading.Thread(target=_feed, args=(program.stdin, content), daemon=True).start()
            if not output.done.wait(max(0.0, end - time.monotonic())):
                raise TimeoutError
            if output.too_large:
                raise OutputTooLargeError
            try:
                code = program.wait(max(0.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise TimeoutError from None
            errors.done.wait(1.0)  # a daemon that it left may hold it open for ever
        except BaseException:
            # The program and all it started, also where it is gone itself and a child of it holds our pipe.
            if _GROUPS:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(group, signal.SIGKILL)
                end_marked.end_marked(mark)
            else:
                with contextlib.suppress(OSError):  # a system without it
                    subprocess.run(["taskkill", "/F", "/T", "/PID", str(program.pid)], capture_output=True, check=False)
                program.kill()
            program.wait()
            raise
    return EndedProgram(code, b"".join(output.blocks), b"".join(errors.blocks))


class _Output:
    """What comes out of a pipe, read by a thread: all of it up to `most` bytes, or only its end."""

    def __init__(self, pipe: IO[bytes] | None, most: int | None) -> None:
        assert pipe is not None
        self.blocks: deque[bytes] = deque(maxlen=_TAIL if most is None else None)
        self.done = threading.Event()
        self.too_large = False
        threading.Thread(target=self._read, args=(pipe, most), daemon=True).start()

    def _read(self, pipe: IO[bytes], most: int | None) -> None:
        size = 0
        with contextlib.suppress(OSError, ValueError), pipe:
            while block := os.read(pipe.fileno(), _BLOCK):
                self.blocks.append(block)
                size += len(block)
                if most is not None and size > most:
                    self.too_large = True
                    break
        self.done.set()


def _feed(pipe: IO[bytes], content: bytes) -> None:
    with contextlib.suppress(OSError), pipe:  # it may not want to read all of it
        pipe.write(content)


@contextlib.contextmanager
def _watched_group(mark: str) -> Iterator[int]:
    """A process group that does not outlive us, even if we are killed."""
    if not _GROUPS:
        yield 0
        return
    with subprocess.Popen(
        [sys.executable, "-I", "-S", str(Path(end_marked.__file__)), mark],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    ) as watcher:
        try:
            yield watcher.pid
        finally:
            watcher.kill()  # alone: a program that ended well may leave something running on purpose
