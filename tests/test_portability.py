"""What Windows and macOS lack stands only where there is another way beside it."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import gardenpath

SOURCE = Path(gardenpath.__file__).parent
ONLY_POSIX = {
    "fork", "forkpty", "killpg", "setsid", "setpgid", "getpgid", "uname", "geteuid", "getuid", "fchmod", "mkfifo",
    "sched_getaffinity", "SIGKILL", "SIGALRM", "SIGVTALRM", "SIGPIPE", "SIGHUP", "setitimer", "pthread_sigmask",
}  # fmt: skip
GUARDED = {
    "runs/atomic.py": {"uname", "geteuid", "pthread_sigmask"},
    "runs/end_marked.py": {"killpg", "SIGKILL"},
    "runs/processes.py": {"sched_getaffinity", "SIGKILL"},
    "runs/program.py": {"killpg", "SIGKILL"},
    "runs/user_key.py": {"geteuid"},
    "systems/child.py": {"SIGPIPE"},
    "boundary/patterns.py": {"SIGVTALRM", "setitimer"},
}
"""Modules that ask first whether the system has it, and go another way where it has not."""


def test_what_only_posix_has_is_asked_for_first() -> None:
    used: dict[str, set[str]] = {}
    for module in SOURCE.rglob("*.py"):
        names = {
            node.attr for node in ast.walk(ast.parse(module.read_text("utf-8"))) if isinstance(node, ast.Attribute)
        }
        if names & ONLY_POSIX:
            used[module.relative_to(SOURCE).as_posix()] = names & ONLY_POSIX
    assert used == GUARDED


def test_processes_are_never_forked() -> None:
    for module in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("get_context", "set_start_method"):
                assert [argument.value for argument in node.args if isinstance(argument, ast.Constant)] == ["spawn"]


def test_a_locale_without_umlauts(tmp_path: Path) -> None:
    text = "# text = schön\n1\tschön\tschön\tADJ\t_\t_\t0\troot\t_\t_\n\n"
    (tmp_path / "x.conllu").write_text(text, encoding="utf-8")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHONIO"))}
    command = [sys.executable, "-m", "gardenpath", "treebank", "convert", str(tmp_path / "x.conllu"), "--to", "text"]
    for more in ({}, {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}):
        done = subprocess.run(command, capture_output=True, env={**plain, "LC_ALL": "C", **more}, check=False)
        assert done.returncode == 0, done.stderr
        assert "schön" in done.stdout.decode("utf-8")
