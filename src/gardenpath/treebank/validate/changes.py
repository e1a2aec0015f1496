"""Which sentences of a file have changed since a revision of its Git repository."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from ...boundary.texts import file_bytes
from ...errors import InputError, UsageError
from ..checking import Report
from .registry import Problem

_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


def changed_lines(path: str, revision: str) -> set[int] | None:
    """The lines that are not as in the revision, and those beside a deletion; None: the whole file is new."""
    if revision.startswith("-"):
        raise UsageError(
            f"{revision!r} is not a revision", where="--changed-since", todo="name a commit, branch or tag"
        )
    place = Path(path).absolute()
    if not place.is_file():
        raise InputError("only a file can have changed", where=path, todo="leave out --changed-since, or name files")
    git = ["git", "-C", str(place.parent)]
    known = subprocess.run([*git, "cat-file", "-e", f"{revision}:./{place.name}"], capture_output=True, check=False)
    if known.returncode:
        _git([*git, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"], path, revision)
        return None
    shown = _git([*git, "diff", "--no-color", "--no-ext-diff", "-U0", revision, "--", place.name], path, revision)
    lines: set[int] = set()
    for hunk in _HUNK.finditer(shown):
        first, count = int(hunk[1]), int(hunk[2] or 1)
        lines |= set(range(first, first + count)) or {first, first + 1}
    return lines


def changed_only(report: Report[Problem], path: str, lines: set[int]) -> Report[Problem]:
    """The problems of the sentences that these lines are in."""
    touched = _sentences(file_bytes(path), lines)
    return chosen(report, lambda problem: problem.line in touched)


def chosen(report: Report[Problem], is_wanted: Callable[[Problem], bool]) -> Report[Problem]:
    """A report of some of the problems, counted anew; it must have been made without a limit."""
    kept = Report[Problem](report.file, report.items)
    for problem in report.problems:
        if is_wanted(problem):
            kept.problems.append(problem)
            kept.counts[problem.id] += 1
            kept.levels[problem.level] += 1
    return kept


def _sentences(data: bytes, lines: set[int]) -> set[int]:
    """All lines of the sentences that have one of these; a sentence ends with its empty line."""
    touched: set[int] = set()
    begin = 1
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            sentence = range(begin, number + 1)
            if not lines.isdisjoint(sentence):
                touched.update(sentence)
            begin = number + 1
    return touched


def _git(command: list[str], path: str, revision: str) -> bytes:
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        raise UsageError("git is not installed", where="--changed-since", todo="install it") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0] or f"unknown revision {revision!r}"
        raise UsageError(f"git says: {reason}", where=path, todo="name a revision of the repository the file is in")
    return done.stdout
