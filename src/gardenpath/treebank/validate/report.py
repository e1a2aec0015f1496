"""Running the checks over files: problems, reports and results; and problems that are known or unchanged."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path

from ...boundary.structured import read_object
from ...boundary.texts import file_bytes
from ...errors import InputError, UsageError
from ...runs.result.encoding import to_text
from ...runs.result.result import Result
from ...runs.result.verdict import count_text
from ..format.reading import Source, listed, open_files
from . import fields, structure  # noqa: F401 (they register their checks)
from .check import CHECKS, SCOPES, Check, Hit, Problem, Report, counted_levels, printable
from .piece import Scanner, Sentence

choose = CHECKS.choose
"""The checks that were asked for, by id."""


def checks() -> list[Check[Hit]]:
    """All checks, in the order in which a file is looked at."""
    return CHECKS.all()


def validate_bytes(data: bytes, name: str = "<bytes>") -> Iterator[Problem]:
    """Yield the problems of bytes."""
    return _problems(data, checks(), Report(printable(name)))


def survey(
    source: Source | Iterable[Source],
    *,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
) -> list[Report[Problem]]:
    """Return a report for each of these files, folders, globs or `-`, also where `read` refuses them.

    `limit` is for the problems of each file and id; those beyond are counted.
    """
    chosen = choose(ignore=ignore, only=only)
    reports = []
    for each in listed(source):
        for name, data, _ in open_files(each, tolerant=False):
            report = Report[Problem](printable(name), limit=limit)
            report.problems += _problems(data, chosen, report)
            reports.append(report)
    return reports


def as_result(
    reports: Sequence[Report[Problem]],
    *,
    ignore: Collection[str] = (),
    only: Collection[str] = (),
    limit: int | None = None,
    failures: int = 0,
) -> Result:
    """One finding per file and id; `details` has the problems, at most `limit` of each id."""
    return CHECKS.as_result(
        reports,
        first_problems(reports, limit),
        note=f"{counted_levels(reports)} in {count_text(len(reports), 'file')}",
        size={"files": len(reports)},
        settings=[("only", sorted(only) or None), ("ignore", sorted(ignore) or None)],
        failures={"unreadable": failures} if failures else {},
    )


def first_problems(reports: Sequence[Report[Problem]], limit: int | None) -> list[Problem]:
    """The problems of all files in order, at most `limit` of each id."""
    counts: Counter[str] = Counter()
    kept = []
    for problem in (problem for report in reports for problem in report.problems):
        counts[problem.id] += 1
        if limit is None or counts[problem.id] <= limit:
            kept.append(problem)
    return kept


def check_list() -> Result:
    """All checks, as a result."""
    return CHECKS.as_list({"Checks": SCOPES}, {"id": "id", "level": "level", "about": "what it finds"})


def _problems(data: bytes, chosen: Sequence[Check[Hit]], report: Report[Problem]) -> Iterator[Problem]:
    for check, hit, sentence in _hits(data, chosen, report):
        note = ""
        if check.skips and sentence is not None and not sentence.skipped:
            sentence.skipped = True
            note = f" ({check.skips} of this sentence cannot be checked)"
        sent_id = sentence.sent_id if sentence is not None else ""
        message = hit.message + note
        yield Problem(check.id, check.level, report.file, hit.line, sent_id, hit.token, message, check.todo)


def _hits(
    data: bytes, chosen: Sequence[Check[Hit]], report: Report[Problem]
) -> Iterator[tuple[Check[Hit], Hit, Sentence | None]]:
    """What the checks find, by line within a piece of the file."""
    of_file, of_piece, of_sentence = ([check for check in chosen if check.scope == scope] for scope in SCOPES)
    for check in of_file:
        for hit in check.function(data):
            if report.keeps(check):
                yield check, hit, None
    if not data or data.isspace():
        return
    always = [check for check in of_sentence if not check.needs]
    for piece in Scanner().pieces(data):
        hits: list[tuple[Check[Hit], Hit, Sentence | None]] = []
        for check in of_piece:
            for hit in check.function(piece):
                if report.keeps(check):
                    hits.append((check, hit, piece.sentence_at(hit.line)))
        for sentence in piece.closed:
            for check in of_sentence if sentence.others else always:
                for hit in check.function(sentence):
                    if report.keeps(check):
                        hits.append((check, hit, sentence))
        hits.sort(key=lambda item: item[1].line)
        yield from hits


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


_KEYS = ("file", "id", "sent_id", "token", "message")
ProblemKey = tuple[str, ...]
"""What a problem is known by; lines move when others are added above."""


def known_problems(path: str | Path) -> Counter[ProblemKey]:
    """How often each problem is known, from a file that `as_known` wrote."""
    todo = "make it again: --update-known"
    data = file_bytes(path, todo="make it: --update-known")
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
