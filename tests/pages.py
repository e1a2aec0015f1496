"""The commands and Python lines that README and docs show, run as a reader would type them.

Every block of the language `console`, `pycon` or `python` is run, in the order of the page and in one empty folder;
blocks of other languages (`text`, `bash`, …) are not. In a console block a line after `$ ` is a command (it goes on in
the next line, after `> `, where it ends with a backslash) and what follows is all it prints, messages included. `…`
or `[...]` stands for any text in a line, or on a line of its own for any lines. After `<!-- numbers vary -->` numbers
may be others: those of a model trained on the spot depend on the machine.

`PYTHONPATH=src python tests/pages.py README.md docs/commands/*.md` writes what the commands print now into the pages,
gaps kept; look at the difference before you keep it.
"""

from __future__ import annotations

import difflib
import doctest
import os
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import gardenpath
from command_server import client

VARY = "<!-- numbers vary -->"
_FENCE = re.compile(r"^( *)(`{3,})(\w*)[^\n]*\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
_GAP = re.compile(r"…|\[\.\.\.\]")
_NUMBER = re.compile(r"[-+]?\d+(\.\d+)?")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    language: str
    text: str
    line: int
    varies: bool = False

    def commands(self) -> Iterator[tuple[str, str]]:
        """(command, what it is said to print) of a console block."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            while command.endswith("\\"):
                more, _, output = output.partition("\n")
                command += "\n" + more.removeprefix("> ")
            yield command, output


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        before = text[: match.start()].rstrip("\n")
        inner = re.sub(rf"^{match[1]}", "", match[4], flags=re.MULTILINE)
        found.append(Block(match[3], inner, text.count("\n", 0, match.start()) + 1, before.endswith(VARY)))
    return found


@cache
def program() -> dict[str, Any]:
    """Every command of the program by name, such as `treebank stats`."""
    import typer

    from gardenpath.cli.main import build

    def walk(command: Any, path: str) -> Iterator[tuple[str, Any]]:
        inner = getattr(command, "commands", {})
        if path and not inner:
            yield path.removesuffix(" study"), command
        for name, below in inner.items():
            yield from walk(below, f"{path} {name}".strip())

    return dict(walk(typer.main.get_command(build()), ""))


class Shell:
    """A bash that stays: variables and files of one command are there for the next."""

    def __init__(self, folder: Path, programs: Path) -> None:
        programs.mkdir()
        source = str(Path(gardenpath.__file__).parents[1])
        path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH", "")]))
        _script(programs / "gardenpath", f'exec {client(path)} "$@"')
        _script(programs / "python", f'exec "{sys.executable}" "$@"')
        kept = {name: value for name, value in os.environ.items() if not name.startswith("GARDENPATH")}
        environment = {
            **kept,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": path,
            "PYTHONUNBUFFERED": "1",  # what is printed comes in the order in which it was printed
            "PYTHONUTF8": "1",
            "LC_ALL": "C.UTF-8",
            "GARDENPATH_CACHE": str(programs / "cache"),
            "GARDENPATH_PROGRESS": "none",  # a machine under load would tell of commands that are quick elsewhere
        }
        self._bash = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    def run(self, command: str) -> tuple[str, int]:
        """All that it prints, and its exit code."""
        assert self._bash.stdin is not None
        assert self._bash.stdout is not None
        mark = secrets.token_hex(8)
        self._bash.stdin.write(f'{{ {command}\n}} </dev/null\necho "{mark} $?"\n')
        self._bash.stdin.flush()
        lines: list[str] = []
        for line in self._bash.stdout:
            text, found, code = line.partition(mark)
            lines.append(text)
            if found:
                return "".join(lines), int(code)
        raise AssertionError(f"the shell ended with: {command}\n{''.join(lines)}")

    def close(self) -> None:
        assert self._bash.stdin is not None
        self._bash.stdin.close()
        self._bash.wait()


def _script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(0o755)


def same_output(shown: str, real: str, varies: bool = False) -> bool:
    """Is this what the page shows, gaps and varying numbers aside?"""
    if varies:
        shown, real = map(_without_numbers, (shown, real))
    pattern = ""
    for line in shown.splitlines():
        if _GAP.fullmatch(line.strip()):
            pattern += r"(?:.*\n)*?"
        else:
            pattern += "[^\n]*".join(map(re.escape, _GAP.split(line.rstrip()))) + r"[ \t]*\n"
    return re.fullmatch(pattern, real if real.endswith("\n") or not real else real + "\n") is not None


def _without_numbers(text: str) -> str:
    """Numbers as #; columns may be wider or narrower for it."""
    text = re.sub(r"-{3,}", "---", _NUMBER.sub("#", text))
    return re.sub(r" +", " ", text)


def run_page(page: Path, folder: Path, *, exact: bool = False) -> list[str]:
    """Runs all that a page shows, in the folder; what is not as the page says, one message each.

    `exact` lets no number vary: for whoever writes a page and has the machine that made them.
    """
    work = folder / "work"
    work.mkdir(parents=True)
    problems: list[str] = []
    shell = Shell(work, folder / "programs")
    names: dict[str, object] = {"__name__": "__page__"}
    before = Path.cwd()
    os.chdir(work)
    try:
        for block in blocks(page):
            where = f"{page.name}:{block.line}"
            if block.language == "console":
                problems += _run_console(shell, block, where, block.varies and not exact)
            elif block.language == "pycon":
                problems += _run_session(block, where, names, block.varies and not exact)
            elif block.language == "python":
                exec(compile(block.text, where, "exec"), names)  # noqa: S102 (our own pages)
    finally:
        os.chdir(before)
        shell.close()
        shutil.rmtree(folder, ignore_errors=True)
    return problems


def _run_console(shell: Shell, block: Block, where: str, varies: bool) -> list[str]:
    problems = []
    for command, shown in block.commands():
        real, code = shell.run(command)
        if code:
            problems.append(f"{where}: exit code {code}\n$ {command}\n{real}")
        elif not same_output(shown, real, varies):
            problems.append(f"{where}: other output\n$ {command}\n--- the page has\n{shown}--- it prints\n{real}")
    return problems


class _AnyNumbers(doctest.OutputChecker):
    """Compares what is said, whatever the numbers."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(_without_numbers(want), _without_numbers(got), optionflags)


def _run_session(block: Block, where: str, names: dict[str, object], varies: bool) -> list[str]:
    test = doctest.DocTestParser().get_doctest(block.text.replace("…", "..."), names, where, where, block.line)
    told: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(_AnyNumbers() if varies else None, optionflags=flags)
    runner.run(test, out=told.append, clear_globs=False)
    names.update(test.globs)
    return ["".join(told)] if told else []


_ALIKE = 0.85
"""Lines that share this much of their text say the same, but for numbers."""


def refreshed(shown: str, real: str) -> str:
    """Return what a page shows, with the lines as they are printed now; gaps stay where they are.

    What stands between two gaps is replaced from the printed line most like its first to the one most like its last.
    """
    if not _GAP.search(shown):
        return real
    lines, kept = real.splitlines(), list[str]()
    parts = re.split(r"^…\n", shown, flags=re.MULTILINE)
    at = 0
    for number, part in enumerate(part.splitlines() for part in parts):
        kept += ["…"] if number else []
        if part:
            begin = 0 if number == 0 else _place(part[0], lines, at, at)
            end = len(lines) - 1 if number == len(parts) - 1 else _place(part[-1], lines, begin, begin + len(part) - 1)
            gaps = {line.split("…")[0]: line for line in part if "…" in line and line[0] != "…"}
            for line in lines[begin : end + 1]:
                kept.append(next((gap for start, gap in gaps.items() if start and line.startswith(start)), line))
            at = end + 1
    return "".join(f"{line}\n" for line in kept)


def _place(line: str, lines: list[str], begin: int, expected: int) -> int:
    """Return the place from `begin` on of the line that says most nearly the same but for numbers."""

    def words(text: str) -> str:
        return re.sub(r"[\W\d_]+", " ", text).strip() or text.strip(" -") or text[:3]

    def likeness(place: int) -> float:
        return difflib.SequenceMatcher(None, words(line), words(lines[place]), autojunk=False).ratio()

    places = range(min(begin, len(lines) - 1), len(lines))
    alike = [place for place in places if likeness(place) >= _ALIKE]
    return min(alike or [max(places, key=likeness)], key=lambda place: abs(place - max(begin, expected)))


def rewrite(page: Path, folder: Path) -> None:
    """Runs the console blocks of a page and writes what they print into it."""
    work = folder / "work"
    work.mkdir(parents=True)
    shell = Shell(work, folder / "programs")
    text, names = page.read_text(encoding="utf-8"), dict[str, object](__name__="__page__")
    before = Path.cwd()
    os.chdir(work)
    for block in blocks(page):
        if block.language == "python":
            exec(compile(block.text, page.name, "exec"), names)  # noqa: S102 (our own pages)
        elif block.language == "pycon":
            _run_session(block, page.name, names, varies=True)
        for command, shown in block.commands() if block.language == "console" else ():
            real, _ = shell.run(command)
            if not same_output(shown, real):
                typed = command.replace("\n", "\n> ")
                text = text.replace(f"$ {typed}\n{shown}", f"$ {typed}\n{refreshed(shown, real)}", 1)
    shell.close()
    os.chdir(before)
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    import tempfile

    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as temporary:
            rewrite(Path(name).resolve(), Path(temporary) / "page")
