"""A training in a process of its own, whose lines are read as they come and which never outlives us."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..errors import SystemFailure
from ..runs.processes import THREADS

_TAIL = 4
_SOURCE = str(Path(__file__).parents[2])


def run_child(
    module: Sequence[str],
    read: Callable[[str], None],
    *,
    what: str,
    given: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> None:
    """Runs `python -m MODULE …` with one thread, gives each line it prints to `read`, and raises if it fails.

    A line that begins with `error: ` says why; else the last lines do.
    """
    path = os.pathsep.join(part for part in (_SOURCE, os.environ.get("PYTHONPATH", "")) if part)
    child = subprocess.Popen(
        [sys.executable, "-m", *module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, **THREADS, "PYTHONPATH": path, "PYTHONHASHSEED": "0", **(environment or {})},
    )
    assert child.stdin is not None
    assert child.stdout is not None
    tail, fault = deque[str](maxlen=_TAIL), ""
    try:
        with contextlib.suppress(BrokenPipeError), child.stdin as stream:
            stream.write(given)
        for raw in child.stdout:
            line = raw.decode("utf-8", "replace").rstrip()
            if line.startswith("error: "):
                fault = line.removeprefix("error: ")
            if line:
                tail.append(line)
            read(line)
        code = child.wait()
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
        child.stdout.close()
    if code or fault:
        told = fault or f"exit code {code}: " + " / ".join(tail)
        raise SystemFailure(f"{what} failed: {told}", todo="check the options and the data")
