"""Problems that are known and do not fail: a file with them, which is kept beside a treebank."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...boundary.structured import read_object
from ...boundary.texts import file_bytes
from ...errors import InputError
from ...runs.strict_json import to_text
from ..checking import Report
from .changes import chosen
from .registry import Problem

_KEYS = ("file", "id", "sent_id", "token", "message")
ProblemKey = tuple[str, ...]
"""What a problem is known by; lines move when others are added above."""


def known_problems(path: str | Path) -> Counter[ProblemKey]:
    """How often each problem is known, from a file that `as_known` wrote."""
    todo = "make it again: --write-baseline"
    data = file_bytes(path, todo="make it: --write-baseline")
    try:
        stored = read_object(data, str(path), "this file of known problems", todo)
        return Counter({tuple(str(entry[key]) for key in _KEYS): int(entry["count"]) for entry in stored["known"]})
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"this is not a file of known problems: {error}", where=str(path), todo=todo) from error


def as_known(reports: Iterable[Report[Problem]]) -> str:
    """All problems as a file of known ones, one a line, in order: a difference of two versions can be read."""
    counts = Counter(_key(problem) for report in reports for problem in report.problems)
    lines = [to_text({**dict(zip(_KEYS, key, strict=True)), "count": count}) for key, count in sorted(counts.items())]
    return '{"known": [\n' + ",\n".join(lines) + "\n]}\n"


def without_known(reports: Sequence[Report[Problem]], known: Counter[ProblemKey]) -> tuple[list[Report[Problem]], int]:
    """The reports without what is known, and how many problems that were; one too many of a kind is a new one."""
    left = Counter(known)

    def is_new(problem: Problem) -> bool:
        key = _key(problem)
        left[key] -= 1
        return left[key] < 0

    kept = [chosen(report, is_new) for report in reports]
    before, after = (sum(len(report.problems) for report in side) for side in (reports, kept))
    return kept, before - after


def _key(problem: Problem) -> ProblemKey:
    message = re.sub(r"\bline \d+", "line", problem.message)
    return Path(problem.file).as_posix(), problem.id, problem.sent_id, problem.token, message
