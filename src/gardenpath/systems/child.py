"""A training in a process of its own, whose lines are read as they come and which never outlives us."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ..errors import SystemFailure
from ..runs.processes import THREADS, die_with_parent, in_main_thread

_TAIL = 4
_BY_MAIN = "GARDENPATH_STARTED_BY_MAIN"
_SOURCE = str(Path(__file__).parents[2])


def run_child(
    module: Sequence[str],
    read: Callable[[str], None],
    *,
    what: str,
    given: str = "",
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> None:
    """Runs `python -m MODULE …` with one thread, gives each line it prints to `read`, and raises if it fails.

    The line `given` is the first of its standard input, which stays open as long as we live. A line of its
    output that begins with `error: ` says why it failed; else the last lines do.
    """
    path = os.pathsep.join(part for part in (_SOURCE, os.environ.get("PYTHONPATH", "")) if part)
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "gardenpath.systems.child", *module],  # -P: no modules of the current folder
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env={
            **os.environ,
            **THREADS,
            "PYTHONPATH": path,
            "PYTHONHASHSEED": "0",
            **({_BY_MAIN: "1"} if in_main_thread() else {}),
            **(environment or {}),
        },
    )
    assert child.stdin is not None
    assert child.stdout is not None
    tail, fault = deque[str](maxlen=_TAIL), ""
    try:
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(given.encode("utf-8") + b"\n")
            child.stdin.flush()
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
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
    if code or fault:
        cause = fault or f"exit code {code}: " + " / ".join(tail)
        raise SystemFailure(f"{what} failed: {cause}", todo="check the options and the data")


def main() -> None:
    """In the child: runs a module as a program, and ends when its parent is gone."""
    import runpy
    import signal
    import threading

    if hasattr(signal, "SIGPIPE"):
        # C++ that never lets our thread run dies at its next line of progress.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    line = sys.stdin.buffer.readline()
    threading.Thread(target=_watch_parent, daemon=True).start()
    if os.environ.pop(_BY_MAIN, ""):
        die_with_parent()
    sys.argv = sys.argv[1:]
    sys.stdin = io.TextIOWrapper(io.BytesIO(line), encoding="utf-8")
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


def _watch_parent() -> None:
    with open(0, "rb", buffering=0, closefd=False) as stream:
        while stream.read(1):
            continue
    os._exit(1)


if __name__ == "__main__":
    main()
