"""What Windows and macOS lack stands only where there is another way beside it."""

from __future__ import annotations

import ast
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import gardenpath
from gardenpath.boundary.patterns import compile_pattern
from gardenpath.runs.record import cache as user_key
from gardenpath.runs.record import writing as atomic
from gardenpath.runs.record import writing as replacing
from gardenpath.runs.work import program
from gardenpath.runs.work.processes import available_cores

SOURCE = Path(gardenpath.__file__).parent
ONLY_POSIX = {
    "fork", "forkpty", "killpg", "setsid", "setpgid", "getpgid", "uname", "geteuid", "getuid", "fchmod", "mkfifo",
    "sched_getaffinity", "SIGKILL", "SIGALRM", "SIGVTALRM", "SIGPIPE", "SIGHUP", "setitimer", "pthread_sigmask",
}  # fmt: skip
GUARDED = {
    "runs/record/writing.py": {"uname", "geteuid"},
    "runs/work/end_marked.py": {"killpg", "SIGKILL"},
    "runs/work/processes.py": {"sched_getaffinity", "SIGKILL"},
    "runs/work/program.py": {"killpg", "SIGKILL"},
    "runs/record/cache.py": {"geteuid"},
    "systems/training/child.py": {"SIGPIPE"},
    "boundary/patterns.py": {"SIGVTALRM", "setitimer"},
}
"""Modules that ask first whether the system has it, and go another way where it has not."""


def test_what_only_posix_has_is_asked_for_first() -> None:
    used: dict[str, set[str]] = {}
    for module in SOURCE.rglob("*.py"):
        if not any(f".{name}" in (text := module.read_text("utf-8")) for name in ONLY_POSIX):
            continue
        names = {node.attr for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Attribute)}
        if names & ONLY_POSIX:
            used[module.relative_to(SOURCE).as_posix()] = names & ONLY_POSIX
    assert used == GUARDED


@pytest.fixture
def poor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows: neither these calls nor locks on folders, groups of processes, owners of files."""
    for module in (os, signal):
        for name in ONLY_POSIX - {"SIGKILL", "SIGPIPE", "fork"}:  # which the standard library itself needs here
            monkeypatch.delattr(module, name, raising=False)
    monkeypatch.setattr(program, "_GROUPS", False)
    monkeypatch.setattr(atomic, "LOCKS", False)
    monkeypatch.setattr(user_key, "_OWNED", False)


@pytest.mark.usefixtures("poor")
def test_a_program_is_ended_without_groups() -> None:
    hanging = [sys.executable, "-S", "-c", "import time; time.sleep(600)"]
    with pytest.raises(TimeoutError):
        program.run_program(hanging, b"\n", seconds=0.2, most=100)
    endless = [sys.executable, "-S", "-c", "while True: print('x' * 1000)"]
    with pytest.raises(program.OutputTooLargeError):
        program.run_program(endless, b"", seconds=60, most=100_000)
    done = program.run_program([sys.executable, "-S", "-c", "print(input())"], b"a\n", seconds=60, most=100)
    assert (done.code, done.output.split()) == (0, [b"a"])


@pytest.mark.usefixtures("poor")
def test_files_keys_folders_and_patterns_without_locks_and_timers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("old", "new"):
        atomic.write_text(tmp_path / "file", text)
    assert (tmp_path / "file").read_text() == "new"
    key = user_key.make_key(tmp_path)
    assert user_key.make_key(tmp_path) == user_key.read_key(tmp_path) == key
    monkeypatch.setattr(replacing, "_exchanged", lambda first, second: False)
    for text in ("old", "new"):
        (made := tmp_path / "made").mkdir()
        (made / "a").write_text(text)
        replacing.replace_folder(made, tmp_path / "folder")
    assert (tmp_path / "folder" / "a").read_text() == "new"
    assert available_cores() >= 1
    with pytest.raises(ValueError, match="may take for ever"):
        compile_pattern("(a+)+b")
    assert compile_pattern("a+b").fullmatch("aab")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "key"]


def test_processes_are_never_forked() -> None:
    for module in SOURCE.rglob("*.py"):
        if not any(name in (text := module.read_text("utf-8")) for name in ("get_context", "set_start_method")):
            continue
        for node in ast.walk(ast.parse(text)):
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
