from __future__ import annotations

import os
import pty
import subprocess
import sys
from contextlib import suppress

import pytest

from gardenpath.runs.progress import progress


def test_silent_where_nobody_watches(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GARDENPATH_PROGRESS", raising=False)
    with progress(3, "parse") as bar:
        bar.advance()
        bar.advance(2)
    assert bar.done == 3
    assert capsys.readouterr() == ("", "")


def test_plain_lines_for_a_log(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_PROGRESS", "plain")
    with suppress(KeyError), progress(3, "parse") as bar:
        bar.advance()
        raise KeyError
    assert capsys.readouterr() == ("", "parse: 3 to do\nparse: 1 of 3 done\n")


@pytest.mark.parametrize(("wish", "shown"), [("", True), ("none", False)])
def test_a_bar_on_a_terminal(wish: str, shown: bool) -> None:
    """A real terminal: standard error of the child is a pseudo-terminal."""
    code = "from gardenpath.runs.progress import progress\n"
    code += "with progress(2, 'parse [x]') as bar: bar.advance(2)\nprint('data')"
    path = os.pathsep.join(path for path in sys.path if path)
    environment = {**os.environ, "PYTHONPATH": path, "TERM": "xterm", "COLUMNS": "100", "GARDENPATH_PROGRESS": wish}
    reader, writer = pty.openpty()
    told = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=writer, env=environment, check=True
    )
    os.write(writer, b"$")  # so that there is something to read in any case
    seen = os.read(reader, 100_000).decode()
    os.close(writer)
    os.close(reader)
    assert told.stdout == b"data\n"
    assert ("parse [x]" in seen and "2/2" in seen) == shown
    assert shown or seen == "$"
