"""`gardenpath …` without its start: a process that has imported it forks once for every command.

A command has the caller's folder, environment and streams, as if it had been started by itself. Pages show hundreds
of commands, and most of what one costs are imports and the script of its page. What a start imports, and that each
module can be imported by itself, is looked at elsewhere.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_LIBRARIES = ("numpy", "polars", "scipy.stats", "altair")
_LEFT_OUT = ("neural", "structural", "chart", "__main__")
"""Packages and modules that need torch, which makes each fork as slow as the imports that it spares."""


@cache
def client(path: str) -> str:
    """The words of a shell that run a command there; the server with this PYTHONPATH is started by the first call."""
    place = Path(tempfile.mkdtemp(prefix="gardenpath-")) / "socket"
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8"}
    server = subprocess.Popen(
        [sys.executable, __file__, "serve", str(place)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment,
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    atexit.register(server.wait)
    atexit.register(server.stdin.close)  # first: the server ends with its standard input
    return f'"{sys.executable}" -I -S "{__file__}" ask "{place}"'


def ask(place: str, arguments: list[str]) -> int:
    """The exit code of a command that has our streams."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(place)
        call = {"folder": str(Path.cwd()), "environment": dict(os.environ), "arguments": arguments}
        socket.send_fds(connection, [json.dumps(call).encode() + b"\n"], [0, 1, 2])
        with connection.makefile("r") as answer:
            return int(answer.readline() or 1)


def serve(place: str) -> None:
    """Forks for every call until standard input is closed."""
    import select

    _preload()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(place)
        listening.listen()
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([listening, sys.stdin], [], [], 1)
            if sys.stdin in ready:
                break
            if listening in ready:
                connection, _ = listening.accept()
                if os.fork() == 0:
                    listening.close()
                    os._exit(_answer(connection))
                connection.close()
            while _reaped():
                continue
    Path(place).unlink()
    Path(place).parent.rmdir()


def _preload() -> None:
    """All of gardenpath with what it is made of, and the script of its pages, which takes seconds to bundle."""
    import contextlib
    import gc
    import pkgutil
    from importlib import import_module

    import gardenpath
    from gardenpath.report.page.page import _charts

    names = (module.name for module in pkgutil.walk_packages(gardenpath.__path__, "gardenpath."))
    for name in (*_LIBRARIES, *(name for name in names if not {*name.split(".")} & {*_LEFT_OUT})):
        with contextlib.suppress(ImportError):  # of an extra that is not installed
            import_module(name)
    _charts()
    gc.freeze()  # or every command would look for garbage in all of it


def _reaped() -> bool:
    try:
        return os.waitpid(-1, os.WNOHANG)[0] > 0
    except ChildProcessError:
        return False


def _answer(connection: socket.socket) -> int:
    data, streams, _, _ = socket.recv_fds(connection, 1 << 20, 3)
    while not data.endswith(b"\n"):
        data += connection.recv(1 << 20)
    call = json.loads(data)
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    code = _run(call["folder"], call["environment"], call["arguments"])
    connection.sendall(f"{code}\n".encode())
    return 0


def _run(folder: str, environment: Mapping[str, str], arguments: list[str]) -> int:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0], sys.argv = folder, ["gardenpath", *arguments]
    code: object = 0
    try:
        runpy.run_module("gardenpath", run_name="__main__", alter_sys=True)
    except SystemExit as stop:
        code = stop.code
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            code = 1
    return code if isinstance(code, int) else int(code is not None)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        sys.exit(ask(sys.argv[2], sys.argv[3:]))
