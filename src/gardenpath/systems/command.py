"""`command:PROGRAM …`: any program that reads CoNLL-U or text on standard input and writes CoNLL-U."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import which

from ..errors import EmptyAnswer, FailedOnInput, InputError, NoAnswer, SystemFailure, UnreadableAnswer, UsageError
from ..runs.signature import signature
from .model_file import model_bytes
from .protocol import Habits
from .request import MODES, Request

DEFAULT_LIMIT = 3600.0
_TAIL = 5


class Command:
    """A program, called without a shell. `command:text PROGRAM …` gives it text instead of CoNLL-U."""

    # What a program prints can depend on anything, so it is not kept; it may take long to start, so it gets much.
    habits = Habits(chunk=5000, cached=False, own_limit=True)

    def __init__(self, argument: str) -> None:
        form, _, rest = argument.partition(" ")
        self.reads = form if form in ("text", "conllu") and rest.strip() else "conllu"
        try:
            words = shlex.split(rest if form in ("text", "conllu") and rest.strip() else argument)
        except ValueError as error:
            raise UsageError(
                f"this is no command: {error}", where=f"command:{argument}", todo="check the quotes"
            ) from None
        if not words:
            raise UsageError("no program is named", where=f"command:{argument}", todo="write command:PROGRAM ARGUMENTS")
        program = which(words[0])
        if program is None:
            raise UsageError(f"there is no program {words[0]}", where=f"command:{argument}", todo="check the path")
        self._words = [str(Path(program).absolute()), *words[1:]]
        self.name = f"command:{self.reads} {shlex.join(self._words)}"
        self.modes = ("tokens",) if self.reads == "conllu" else MODES[1:]
        self._hash = _program_hash(self._words[0])

    @property
    def signature(self) -> str:
        return signature(
            ("kind", "command"), ("program", shlex.join(self._words)), ("sha256", self._hash), ("reads", self.reads)
        )

    def parse(self, request: Request) -> str:
        if request.mode == "tokens":
            given = request.conllu
        else:
            given = ("\n" if request.mode == "sentences" else "\n\n").join(" ".join(t.split()) for t in request.texts)
        output = self._run(given.encode("utf-8"), request.time_limit or DEFAULT_LIMIT)
        if not output.strip():
            raise EmptyAnswer("the program printed nothing", where=self.name, todo="it must write CoNLL-U")
        try:
            return output.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnreadableAnswer(f"what the program printed is not UTF-8: {error}", where=self.name) from None

    def _run(self, given: bytes, limit: float) -> bytes:
        with _watched_group() as group:
            try:
                program = subprocess.Popen(
                    self._words,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    process_group=group,  # so that what it started can be ended with it
                )
            except OSError as error:
                raise SystemFailure(f"the program cannot be started: {error.strerror}", where=self.name) from error
            try:
                output, errors = program.communicate(given, timeout=limit)
            except subprocess.TimeoutExpired:
                _end(program, group)
                raise NoAnswer(
                    f"the program gave no answer within {limit:g} s", where=self.name, todo="give it more: --time-limit"
                ) from None
            except BaseException:
                _end(program, group)
                raise
        if program.returncode:
            how = (
                f"was ended by signal {-program.returncode}"
                if program.returncode < 0
                else f"failed with exit code {program.returncode}"
            )
            told = errors.decode("utf-8", "replace").strip().splitlines()[-_TAIL:]
            raise FailedOnInput(f"the program {how}", where=self.name, todo="\n  ".join(told) or "it said nothing")
        return output


# It waits for the end of a pipe that only we hold open; if we are killed, it ends its group and itself.
_WATCHER = "import os, signal, sys; sys.stdin.buffer.read(); os.killpg(0, signal.SIGKILL)"


@contextlib.contextmanager
def _watched_group() -> Iterator[int]:
    """A process group that does not outlive us, even if we are killed."""
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", _WATCHER],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    ) as watcher:
        try:
            yield watcher.pid
        finally:
            watcher.kill()  # alone: a program may leave something running on purpose


def _program_hash(path: str) -> str | None:
    """The start of a program's SHA-256, if it can be read."""
    try:
        return model_bytes(Path(path))[1][:12]
    except InputError:
        return None


def _end(program: subprocess.Popen[bytes], group: int) -> None:
    """The program and all it started, also where it is gone itself and a child of it holds our pipe."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    # Not communicate(): a grandchild in a session of its own may hold the pipes for ever.
    for pipe in (program.stdin, program.stdout, program.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    program.wait()
